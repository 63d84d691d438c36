#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the tables and numbers that tools/update-docs writes, and what it refuses."""

import importlib.machinery
import importlib.util
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "update-docs"
LOADER = importlib.machinery.SourceFileLoader("update_docs", str(TOOL))
update_docs = importlib.util.module_from_spec(importlib.util.spec_from_loader("update_docs", LOADER))
LOADER.exec_module(update_docs)

HEADER = """# schema: 1
# machine: An adding machine, 2 threads
# driver: none
# compiler: GNU 12.2.0, Release
# commit: {commit}
# date: 2026-11-23T18:30:00Z
# command: add
"""
ROWS = "what,n,method,time [ms]\nfind_float,100,a,1.2345\nfind_float,1000,a,23456\nfind_double,100,a,2.469\n"
ROWS += "find_float,100,b,0.00001234\n"


class UpdateDocs(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        update_docs.ROOT = Path(scratch.name)
        update_docs.RESULTS = update_docs.ROOT / "results"
        update_docs.RESULTS.mkdir()
        self.write(HEADER.format(commit="0123456789ab") + ROWS)

    def write(self, text):
        (update_docs.RESULTS / "sums.csv").write_text(text, encoding="utf-8")

    def table(self, settings):
        page = f"before\n<!-- table\nfile: sums.csv\n{settings}\n-->\nold\n<!-- end of table -->\nafter\n"
        current = update_docs.updated(page, {})
        self.assertEqual(update_docs.updated(current, {}), current)
        return current

    def test_writes_a_table_with_its_origin(self):
        page = self.table("split: what = find_{precision}\nrows: precision, n\ncolumns: method\nvalue: time [ms]")
        self.assertIn("time [ms]; An adding machine, 2 threads; commit 0123456789ab, 2026-11-23; `results/sums.csv`", page)
        self.assertIn("| precision | n | a | b |\n|---|---|---:|---:|\n| float | 100 | 1.23 | 1.23e-5 |\n", page)
        self.assertIn("| float | 1,000 | 23,456 | |\n| double | 100 | 2.47 | |\n", page)
        self.assertTrue(page.startswith("before\n") and page.endswith("after\n") and "old" not in page)

    def test_selects_and_labels(self):
        page = self.table("where: n = 1000|7; method = a\nrows: n\nvalue: time [ms]\nlabel: n = points")
        self.assertIn("| points | time [ms] |\n|---|---:|\n| 1,000 | 23,456 |\n", page)
        page = self.table("where: method = a; what = find_double\nrows: n\nvalue: time [ms]\ndigits: 2")
        self.assertIn("| 100 | 2.5 |\n", page)

    def test_refuses_what_a_file_does_not_have(self):
        for settings, message in {
            "where: n = 5\nrows: n\nvalue: time [ms]": "no record of sums.csv satisfies 'n = 5'",
            "where: m = 5\nrows: n\nvalue: time [ms]": "sums.csv has no 'm'; it has what, n, method",
            "wehre: n = 5\nrows: n\nvalue: time [ms]": "unknown key 'wehre'",
            "rows: n\nvalue: time [ms]": "two records are for \\('100',\\); let `where` select one",
            "rows: n\ncolumns: method\nvalue: time [ms]": "two records are for 'a'",
        }.items():
            with self.assertRaisesRegex(update_docs.PageError, message):
                self.table(settings)

    def test_says_what_was_not_measured_yet(self):
        page = "<!-- table\nfile: none.csv\nrows: n\nvalue: time [ms]\n{}-->\n<!-- end of table -->\n"
        self.assertIn("Not measured yet: `tools/reproduce --only paper/sph`.",
                      update_docs.updated(page.format("step: paper/sph\n"), {}))  # fmt: skip
        with self.assertRaisesRegex(update_docs.result_files.ResultError, "none.csv"):
            update_docs.updated(page.format(""), {})
        self.assertIn("| 1,000 | 23,456 |", self.table("where: n = 1000\nrows: n\nvalue: time [ms]\nstep: paper/sph"))

    def test_refuses_numbers_of_changed_sources(self):
        self.write(HEADER.format(commit="0123456789ab-dirty") + ROWS)
        with self.assertRaisesRegex(update_docs.result_files.ResultError, "measure a commit"):
            self.table("rows: n\nvalue: time [ms]")

    def test_writes_numbers_within_sentences(self):
        single = {"file": "sums.csv", "where": "what = find_float; n = 100; method = a", "value": "time [ms]"}
        double = single | {"where": "what = find_double"}
        entries = {
            "single": single,
            "micro": single | {"scale": 1000, "digits": 2},
            "ratio": double | {"over": "single", "digits": 2},
            "two": single | {"where": "what = find_float"},
            "typo": single | {"digit": 2},
        }
        page = "takes <!-- number single -->9<!-- end --> ms, <!-- number micro -->9<!-- end --> µs, "
        page += "<!-- number ratio -->9<!-- end --> times"
        expected = page.replace("single -->9", "single -->1.23").replace("micro -->9", "micro -->1,234")
        expected = expected.replace("1,234", update_docs.number(1234.5, 2)).replace("ratio -->9", "ratio -->2")
        self.assertEqual(update_docs.updated(page, entries), expected)
        for name, message in {"other": "has no other", "two": "3 records", "typo": "unknown key 'digit'"}.items():
            with self.assertRaisesRegex(update_docs.PageError, message):
                update_docs.updated(f"<!-- number {name} -->9<!-- end -->", entries)

    def test_rounds(self):
        self.assertEqual([update_docs.number(x) for x in ("1234567", 0, 0.9996, 99.95, "text", None)],
                         ["1,234,567", "0", "1.00", "100", "text", ""])
        self.assertEqual([update_docs.number(x, 2) for x in (5.99, 0.0456, 4.3e12)], ["6.0", "0.046", "4.3e12"])

    def test_finds_marks_that_break_a_paragraph(self):
        page = "in\n<!-- number a -->1<!-- end --> s, at\n  <!-- number b -->2<!-- end -->, or <!-- number c -->3<!-- end -->\n"
        self.assertEqual(update_docs.marks_at_line_starts(page), ["a", "b"])

    def test_finds_times_typed_by_hand(self):
        page = "It takes 6.13 ms and 1e9 points/s on\n\n    a 5 ms b\n\n```\n7 ms\n```\n"
        page += "<!-- number a -->8 ms<!-- end --> `9 ms` 10 m, 4 s, 3 msec, and 2µs.\n"
        self.assertEqual(update_docs.typed_by_hand(page), ["6.13 ms", "1e9 points/s", "2µs"])


if __name__ == "__main__":
    unittest.main()
