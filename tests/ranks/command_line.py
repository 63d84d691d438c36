# SPDX-License-Identifier: Apache-2.0
"""The command line on several ranks: a run writes the files of one rank, and errors are reported once, with one exit
code, and nothing is written.

    python3 command_line.py --program SHOAL --cases FOLDER -- MPIRUN [OPTION...] -n
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

arguments = None


def run(ranks, *words):
    """Standard output, lines of shoal on the standard error, and exit code."""
    command = [*arguments.mpirun, str(ranks), arguments.program, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=os.environ)
    lines = [line for line in done.stderr.splitlines() if line.startswith("shoal: ")]
    return done.stdout, lines, done.returncode


class CommandLine(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.out = pathlib.Path(scratch.name) / "out"

    def refuse(self, pattern, *words, ranks=3):
        _, lines, code = run(ranks, *words)
        self.assertEqual(code, 2)
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], pattern)
        self.assertFalse(self.out.exists())

    def take(self, ranks, *words):
        _, lines, code = run(ranks, *words, "--device", "cpu", "--quiet")
        self.assertEqual((lines, code), ([], 0))

    def start(self, ranks, folder, duration):
        case = str(arguments.cases / "dam_break" / "case.toml")
        short = ["--set", f"run.duration={duration}", "--set", "particles.spacing=0.03"]
        self.take(ranks, "run", case, "--out", str(folder), *short)

    def assert_same_files(self, folder, wanted):
        names = {path.name for path in wanted.iterdir()}
        self.assertEqual({path.name for path in folder.iterdir()}, names)
        for name in names - {"summary.json"}:  # which has times
            self.assertEqual((folder / name).read_bytes(), (wanted / name).read_bytes(), name)

    def test_a_run_writes_the_files_of_one_rank(self):
        one = self.out / "1"
        self.start(1, one, 0.06)
        for ranks in (2, 3):
            self.start(ranks, self.out / str(ranks), 0.06)
            self.assert_same_files(self.out / str(ranks), one)

    def test_a_restart_continues_on_another_number_of_ranks(self):
        for first, then in ((3, 2), (2, 1), (1, 3)):
            folder = self.out / f"{first} {then}"
            self.start(first, folder, 0.03)
            self.take(then, "resume", str(folder), "--until", "0.06")
        states = [(folder / "restart.h5").read_bytes() for folder in sorted(self.out.iterdir())]
        self.assertEqual(len(set(states)), 1)

    def test_other_kinds_write_the_files_of_one_rank(self):
        values = {
            "passing_body": ("run.duration=0.2", "mesh.points_around=65", "mesh.points_out=17"),
            "two_beams": ("run.duration=0.2", "run.output_every=0.1", "grid.nodes=12"),
        }
        for name, changed in values.items():
            case = str(arguments.cases / name / "case.toml")
            words = [word for value in changed for word in ("--set", value)]
            for ranks in (1, 2):
                self.take(ranks, "run", case, "--out", str(self.out / name / str(ranks)), *words)
            self.assert_same_files(self.out / name / "2", self.out / name / "1")

    def test_a_mistake_in_a_case_of_another_kind(self):
        case = str(arguments.cases / "two_beams" / "case.toml")
        pattern = "grid.nodes: `grid.nodes` = 7"
        self.refuse(pattern, "run", case, "--device", "cpu", "--set", "grid.nodes=7", "--out", str(self.out), ranks=2)

    def test_info_is_printed_once(self):
        out, lines, code = run(3, "info")
        self.assertEqual((lines, code), ([], 0))
        self.assertEqual(out.count("ranks      3, started by mpirun\n"), 1)

    def test_a_case_file_that_is_missing(self):
        self.refuse("none.toml: cannot read this case file", "run", "none.toml", "--out", str(self.out))

    def test_an_unknown_option(self):
        self.refuse("run: unknown option `--forse`", "run", "none.toml", "--forse")

    def test_a_folder_without_a_restart(self):
        self.refuse("out: there is no such folder", "resume", str(self.out))

    def test_a_device_with_a_number(self):
        case = str(arguments.cases / "dam_break" / "case.toml")
        self.refuse("cuda:1", "run", case, "--device", "cuda:1", "--out", str(self.out))

    def test_a_command_of_one_process(self):
        self.refuse("methods: this command works in one process, and mpirun has started 3", "methods")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("mpirun", nargs="+")
    arguments = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
