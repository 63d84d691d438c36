#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what tools/result_files.py reads and refuses."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import result_files  # noqa: E402

HEADER = {
    "schema": "1",
    "machine": "An adding machine, 2 threads",
    "driver": "none",
    "compiler": "GNU 12.2.0, Release",
    "commit": "0123456789ab",
    "date": "2026-11-23T18:30:00Z",
    "command": "shoal-bench sph --paper",
}
ROWS = "case,time [s]\nsmall,1\nlarge,2.5\n"


def csv_file(rows=ROWS, **changes):
    header = {name: value for name, value in (HEADER | changes).items() if value is not None}
    return "".join(f"# {name}: {value}\n" for name, value in header.items()) + rows


class ResultFiles(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def file(self, text, name="table.csv"):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def refusal(self, text, name="table.csv"):
        with self.assertRaises(result_files.ResultError) as caught:
            result_files.read_all(self.file(text, name))
        return str(caught.exception)

    def test_reads_a_table(self):
        file = result_files.read(self.file(csv_file()))
        self.assertEqual(file.records, [{"case": "small", "time [s]": "1"}, {"case": "large", "time [s]": "2.5"}])
        self.assertEqual(file.origin(), "An adding machine, 2 threads; commit 0123456789ab, 2026-11-23")

    def test_reads_google_benchmark(self):
        entry = {"name": "find/rows/cuda/100/real_time", "real_time": 2000.0, "time_unit": "us", "items": 5.0}
        failed = entry | {"error_occurred": True}
        date = {"date": "2026-11-23T20:30:00+02:00"}
        file = self.file(json.dumps({"context": HEADER | date, "benchmarks": [entry, failed]}), "find.json")
        (record,) = result_files.read(file).records
        self.assertEqual((record["what"], record["method"], record["n"], record["time [ms]"]), ("find", "rows", "100", 2))
        self.assertEqual((record["time [us]"], record["items"]), (2000, 5))
        self.assertEqual(result_files.read(file).header["date"], "2026-11-23T18:30:00Z")

    def test_refuses_a_header_without_an_origin(self):
        for field in HEADER:
            self.assertIn(f"the header has no {field}", self.refusal(csv_file(**{field: None})))
        for field in ("machine", "commit", "date"):
            self.assertIn("nobody can repeat", self.refusal(csv_file(**{field: "not recorded"})))
        self.assertIn("nobody can repeat", self.refusal(csv_file(commit="unknown")))
        self.assertIn("expected 7 to 40", self.refusal(csv_file(commit="main")))
        self.assertIn("no time zone", self.refusal(csv_file(date="2026-11-23T18:30:00")))
        self.assertIn("schema 2, expected 1", self.refusal(csv_file(schema="2")))
        self.assertIn('is no line "# name: value"', self.refusal("# a remark\n" + csv_file()))

    def test_keeps_older_files_whose_programs_wrote_less(self):
        older = csv_file(driver="not recorded", compiler="not recorded", command="not recorded", date="2026-11-23")
        self.assertEqual(len(result_files.read(self.file(older)).records), 2)

    def test_refuses_numbers_of_changed_sources_in_pages(self):
        dirty = csv_file(commit="0123456789ab-dirty")
        self.assertEqual(result_files.read(self.file(dirty)).header["commit"], "0123456789ab-dirty")
        self.assertIn("measure a commit", self.refusal(dirty))
        self.assertEqual(len(result_files.problems([self.folder])), 1)

    def test_refuses_rows_that_do_not_fit(self):
        self.assertIn("row 2 has 1 values, expected 2", self.refusal(csv_file("a,b\n1,2\n3\n")))
        self.assertIn("no rows", self.refusal(csv_file("a,b\n")))
        self.assertIn("expected names that differ", self.refusal(csv_file("a,a\n1,2\n")))
        self.assertIn("expected a unit, such as 'time of a step [ms]'", self.refusal(csv_file("time of a step\n1\n")))

    def test_refuses_names_of_hosts_and_other_json(self):
        content = {"context": HEADER | {"host_name": "vm"}, "benchmarks": []}
        self.assertIn("host_name; remove it", self.refusal(json.dumps(content), "a.json"))
        self.assertIn("no result file", self.refusal("[]", "b.json"))
        self.assertIn("no result file", self.refusal("{", "c.json"))

    def test_joins_files_of_one_machine_and_commit(self):
        self.file(csv_file(), "runs/a.csv")
        self.file(csv_file(), "runs/b.csv")
        self.assertEqual(len(result_files.read_all(self.folder / "runs").records), 4)
        self.file(csv_file(commit="fedcba987654"), "runs/c.csv")
        with self.assertRaisesRegex(result_files.ResultError, "commit fedcba987654"):
            result_files.read_all(self.folder / "runs")

    def test_joins_files_of_machines_that_differ_in_threads_alone(self):
        self.file(csv_file(machine="GPU; Processor, 32 threads"), "runs/a.csv")
        self.file(csv_file(machine="GPU; Processor, 16 threads"), "runs/b.csv")
        joined = result_files.read_all(self.folder / "runs")
        self.assertEqual(joined.header["machine"], "GPU; Processor, 16 threads and GPU; Processor, 32 threads")
        self.file(csv_file(machine="Other; Processor, 16 threads"), "runs/c.csv")
        with self.assertRaisesRegex(result_files.ResultError, "machine Other"):
            result_files.read_all(self.folder / "runs")

    def test_checks_folders(self):
        self.file(csv_file(), "a/good.csv")
        self.file("<svg/>", "a/plot.svg")
        self.file(csv_file("a report\n"), "a/report.txt")
        self.assertEqual(result_files.problems([self.folder]), [])
        self.file("case,time [s]\n", "a/bad.csv")
        self.file("", "a/other.md")
        wrong = result_files.problems([self.folder])
        self.assertEqual(len(wrong), 2)
        self.assertIn("the header has no schema", wrong[0])
        self.assertIn("expected .csv, .json, .txt or .svg", wrong[1])


if __name__ == "__main__":
    unittest.main()
