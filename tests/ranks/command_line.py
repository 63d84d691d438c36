# SPDX-License-Identifier: Apache-2.0
"""The command line on several ranks: a run writes the files of one rank. Errors are reported once, with one exit code,
and nothing is written; what a run had written before an error is kept.

    python3 command_line.py --program SHOAL --cases FOLDER [--device cuda] -- MPIRUN [OPTION...] -n
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LEAKING_TANK = """
kind = "sph"
title = "Water that leaves its domain, with probes of every kind"
[run]
duration = 0.02
output_every = 0.005
[particles]
dimensions = 2
spacing = 0.02
[domain]
from = [-0.1, -0.1]
to = [0.42, 0.6]
[[body]]
material = "water"
box = { from = [0, 0], to = [0.4, 0.2] }
[[body]]
material = "water"
box = { from = [0, 0.2], to = [0.4, 0.4] }
velocity = [8, 0]
[[wall]]
name = "tank"
box = { from = [0, 0], to = [0.4, 0.5] }
open = ["right", "top"]
[material.water]
density = 1000
sound_speed = 50
[scheme]
walls = "adami"
gravity = [0, -9.81]
"""
PROBES = {
    "surge_front": "",
    "pressure": "at = [0.2, 0.1]",
    "velocity": "at = [0.2, 0.1]",
    "density": "at = [0.2, 0.1]",
    "wall_pressure": "at = [0.2, 0]",
    "line": "from = [0, 0]\nto = [0.4, 0.4]\npoints = 5",
    "water_height": "at = [0.2, 0]",
    "force": 'wall = "tank"',
    "spread": "",
    "moment": 'wall = "tank"\nabout = [0.1, -0.1]',
    "surface": "from = [0.2, 0]\nto = [0.2, 0.5]",
    "flow_rate": "corners = [[0.2, 0], [0.2, 0.4]]",
}
ENDING = "ending after this step"  # the answer to the signal by which mpirun ends the other ranks
arguments = None


def run(ranks, *words):
    """Standard output, lines of shoal on the standard error, and exit code."""
    command = [*arguments.mpirun, str(ranks), str(arguments.program), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=os.environ)
    lines = [line for line in done.stderr.splitlines() if line.startswith("shoal: ")]
    return done.stdout, lines, done.returncode


def children(process):
    """Numbers of the processes that run the program below a process."""
    tasks = pathlib.Path(f"/proc/{process}/task").glob("*/children")
    below = [int(child) for task in tasks for child in task.read_text(encoding="ascii").split()]
    found = [child for child in below if pathlib.Path(f"/proc/{child}/exe").resolve() == arguments.program.resolve()]
    return found + [number for child in below for number in children(child)]


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
        _, lines, code = run(ranks, *words, "--device", arguments.device, "--quiet")
        self.assertEqual((lines, code), ([], 0))

    def start(self, ranks, folder, duration):
        case = str(arguments.cases / "dam_break" / "case.toml")
        short = ["--set", f"run.duration={duration}", "--set", "particles.spacing=0.03"]
        self.take(ranks, "run", case, "--out", str(folder), *short)

    def assert_same_files(self, folder, wanted):
        names = {path.name for path in wanted.iterdir()}
        self.assertEqual({path.name for path in folder.iterdir()}, names)
        differ = {"summary.json"}  # which has times
        if arguments.device != "cpu":
            differ.add("distances.csv")  # counts the answers without a search, which depend on what is searched together
        for name in names - differ:
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

    def test_probes_of_every_kind_and_lost_particles_have_the_bits_of_one_rank(self):
        case = self.leaking_tank()
        one = self.out / "1"
        self.take(1, "run", case, "--out", str(one))
        for ranks in (2, 3):
            self.take(ranks, "run", case, "--out", str(self.out / str(ranks)))
            self.assert_same_files(self.out / str(ranks), one)
        for first, then in ((3, 2), (2, 1), (1, 3)):
            folder = self.out / f"{first} {then}"
            self.take(first, "run", case, "--out", str(folder), "--set", "run.duration=0.01")
            self.assertGreater(self.lost(folder), 0)
            self.take(then, "resume", str(folder), "--until", "0.02")
            self.assertEqual(self.lost(folder), self.lost(one))
            self.assert_same_files(folder, self.out / "3 2")
            for name in ("balance.csv", *(f"{kind}.csv" for kind in PROBES)):
                self.assertEqual((folder / name).read_bytes(), (one / name).read_bytes(), name)

    def leaking_tank(self):
        """Case file with probes of every kind."""
        probes = [f'[[probe]]\nname = "{kind}"\nkind = "{kind}"\n{keys}\n' for kind, keys in PROBES.items()]
        case = self.out.with_name("case.toml")
        case.write_text(LEAKING_TANK + "".join(probes), encoding="utf-8")
        return str(case)

    def start_and_send(self, signal_number, timeout, folder, *words):
        """Starts a run on three ranks, and sends a signal to one of them when there is a restart.

        Returns the errors of shoal, the exit code and the seconds from the signal to the end.
        """
        command = [*arguments.mpirun, "3", str(arguments.program), *words, "--out", str(folder)]
        command += ["--device", arguments.device, "--quiet"]
        environment = dict(os.environ, SHOAL_RANKS_TIMEOUT=timeout)
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as mpirun:
            deadline = time.monotonic() + 60
            while not (folder / "restart.h5").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            ranks = children(mpirun.pid)
            self.assertEqual(len(ranks), 3)
            start = time.monotonic()
            os.kill(ranks[-1], signal_number)
            _, errors = mpirun.communicate(timeout=60)
            seconds = time.monotonic() - start
        lines = [line for line in errors.splitlines() if line.startswith("shoal: ") and ENDING not in line]
        return lines, mpirun.returncode, seconds

    def test_a_rank_that_is_killed_or_stopped_ends_a_run_and_nothing_is_lost(self):
        words = ["run", self.leaking_tank(), "--set", "run.duration=0.1", "--set", "run.restart_every=0.0005"]
        whole = self.out / "whole"
        self.take(2, *words, "--out", str(whole))
        for signal_number, timeout, most_seconds, pattern in (
            (signal.SIGKILL, "60", 10, "^$"),  # mpirun reports it
            (signal.SIGSTOP, "2", 12, r"^shoal: rank \d of 3 on \S+ \([^)]+\) has waited 2 s for rank [012] [^\n]*$"),
        ):
            folder = self.out / signal_number.name
            lines, code, seconds = self.start_and_send(signal_number, timeout, folder, *words)
            self.assertNotEqual(code, 0)
            self.assertLess(seconds, most_seconds)
            self.assertRegex("\n".join(lines), pattern)
            self.take(2, "resume", str(folder))
            self.assert_same_files(folder, whole)

    def test_an_unstable_run_is_one_error_and_keeps_its_restart(self):
        words = ["--device", arguments.device, "--set", "scheme.time_step=fixed", "--set", "scheme.dt=0.005"]
        _, lines, code = run(3, "run", self.leaking_tank(), "--out", str(self.out), "--set", "run.duration=1", *words)
        self.assertEqual((len(lines), code), (1, 1), lines)
        self.assertRegex(lines[0], "sph: unstable at step")
        self.assertTrue((self.out / "restart.h5").exists())

    def test_too_many_ranks(self):
        words = ["--device", arguments.device, "--set", "particles.spacing=0.08", "--set", "domain.from=[-0.3, -0.3]"]
        self.refuse("slabs: ", "run", self.leaking_tank(), "--out", str(self.out), *words)

    @staticmethod
    def lost(folder):
        return json.loads((folder / "summary.json").read_text(encoding="utf-8"))["lost"]

    def test_other_kinds_write_the_files_of_one_rank(self):
        values = {
            "passing_body": ("run.duration=0.2", "mesh.points_around=65", "mesh.points_out=17"),
            "two_beams": ("run.duration=0.2", "run.output_every=0.1", "grid.nodes=12"),
            "gas_couette": ("cells.count=8", "grid.nodes=12", "steady.residual=1e-3"),
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
        self.refuse(pattern, "run", case, "--device", arguments.device, "--set", "grid.nodes=7", "--out", str(self.out), ranks=2)

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
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--cases", required=True, type=pathlib.Path)
    parser.add_argument("--device", default="cpu", help="cpu or cuda, with a GPU for each of three ranks")
    parser.add_argument("mpirun", nargs="+")
    arguments = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
