# SPDX-License-Identifier: Apache-2.0
"""Programs of several ranks that fail end soon, all together, with one message and an exit code above 0.

    python3 fails.py --program PROGRAM -- MPIRUN [OPTION...] -n
"""

import argparse
import os
import subprocess
import sys
import time
import unittest

SECONDS = 10
arguments = None


def run(fault, ranks=3, **variables):
    """Lines of the program on the standard error, exit code, and seconds until all processes have ended."""
    mpirun = [*arguments.mpirun, str(ranks)] if ranks else []
    start = time.monotonic()
    done = subprocess.run(
        [*mpirun, arguments.program, fault],
        env=dict(os.environ, **variables),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=100,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("shoal: ")]
    return lines, done.returncode, time.monotonic() - start


class Failures(unittest.TestCase):
    def check(self, fault, pattern, most_seconds=SECONDS, **options):
        lines, code, seconds = run(fault, **options)
        self.assertNotEqual(code, 0)
        self.assertLess(seconds, most_seconds)
        if pattern is None:
            self.assertEqual(lines, [])
            return
        self.assertEqual(len(lines), 1, lines)
        self.assertRegex(lines[0], pattern)

    def test_without_a_fault_they_end_well(self):
        lines, code, _ = run("none")
        self.assertEqual((lines, code), ([], 0))

    def test_an_exception_of_one_rank_ends_all(self):
        self.check("alone", r"^shoal: rank 2 of 3 on \S+: a valve is closed$")

    def test_an_error_of_all_ranks_is_reported_once(self):
        self.check("agreed", r"^shoal: a valve is closed$")

    def test_a_killed_rank_ends_all(self):
        self.check("killed", None)  # mpirun reports it

    def test_a_rank_that_does_not_come_is_named_at_the_deadline(self):
        pattern = r"^shoal: rank 0 of 3 on \S+ has waited 2 s for rank 2 \(all_max\)\. Is it alive\?"
        for fault in ("silent", "stopped"):
            with self.subTest(fault):
                self.check(fault, pattern, most_seconds=SECONDS + 2, SHOAL_RANKS_TIMEOUT="2")

    def test_a_deadline_that_is_no_number_is_refused(self):
        pattern = r'^shoal: .*SHOAL_RANKS_TIMEOUT is "soon", expected a number of seconds'
        self.check("none", pattern, ranks=1, SHOAL_RANKS_TIMEOUT="soon")

    def test_copies_that_do_not_find_each_other_are_refused(self):
        started_by_srun = {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "4"}
        self.check("none", r"^shoal: mpi: srun has started 4 processes, but", ranks=None, **started_by_srun)

    def test_more_ranks_than_devices(self):
        # Without CUDA in the build or the machine, the reason is that; with one GPU, that there are three ranks.
        self.check("devices", r"^shoal: .*(3 ranks, and \d+ CUDA device|[Nn]o usable CUDA device|has no CUDA)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("mpirun", nargs="+")
    arguments = parser.parse_args()
    unittest.main(argv=sys.argv[:1], verbosity=2)
