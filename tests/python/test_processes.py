# SPDX-License-Identifier: Apache-2.0
"""Processes: children of fork(), daemon threads at exit, and settings of OpenMP. Each test runs a program of its own."""

import os
import subprocess
import sys
import textwrap

import pytest

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("GOMP_", "OMP_"))}


def run(program, **environment):
    """Output of a program; an error if it fails, or does not end."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=120, env=ENVIRONMENT | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_forked_child_computes():
    assert run("""
        import os, numpy, shoal

        points = numpy.random.default_rng(1).random((20_000, 3))

        def pairs():
            return len(shoal.neighbors(points, 0.05, threads=2).indices)

        expected = pairs()
        child = os.fork()
        if child == 0:
            os._exit(0 if pairs() == expected else 1)
        assert pairs() == expected
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """) == "0\n"  # fmt: skip


def test_a_pool_of_forked_processes_computes():
    assert run("""
        import multiprocessing, numpy, shoal

        points = numpy.random.default_rng(1).random((5_000, 3))

        def pairs(radius):
            return len(shoal.neighbors(points, radius, threads=2).indices)

        expected = [pairs(0.05), pairs(0.1)]
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(pairs, [0.05, 0.1]) == expected)
    """) == "True\n"  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [
        "plan.find(points)",  # releases Python's lock, and takes it again
        "stream.find(points, lambda first, slab: None)",  # takes it for a callback, too
    ],
)
def test_a_daemon_thread_in_a_call_does_not_abort_the_exit(call):
    for _ in range(5):
        assert run(f"""
            import threading, time, numpy, shoal

            points = numpy.random.default_rng(1).random((1_000, 3))
            plan, stream = shoal.Neighbors(0.05, threads=1), shoal.NeighborStream(0.05, threads=1)
            started = threading.Event()

            def work():
                while True:
                    {call}
                    started.set()

            threading.Thread(target=work, daemon=True).start()
            started.wait()
            time.sleep(0.1)
            print("end")
        """) == "end\n"  # fmt: skip


@pytest.mark.parametrize(
    ("environment", "expected"),
    [({}, "10000"), ({"GOMP_SPINCOUNT": "77"}, "77"), ({"OMP_WAIT_POLICY": "PASSIVE"}, "0")],
)
def test_waiting_threads_spin_briefly_unless_the_environment_says_otherwise(environment, expected):
    program = "import os; before = dict(os.environ); import shoal; assert dict(os.environ) == before"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        env=ENVIRONMENT | environment | {"OMP_DISPLAY_ENV": "VERBOSE"},
    )  # fmt: skip
    if "GOMP_SPINCOUNT" not in done.stderr:
        pytest.skip("the OpenMP library is not that of g++")
    assert f"GOMP_SPINCOUNT = '{expected}'" in done.stderr
