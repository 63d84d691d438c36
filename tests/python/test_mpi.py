# SPDX-License-Identifier: Apache-2.0
"""Ranks from Python. Tests with several ranks run scripts under mpirun."""

import os
import shutil
import subprocess
import sys

import pytest

import shoal

try:
    shoal.mpi.world()
    HAS_MPI = True
except shoal.Error:
    HAS_MPI = False

needs_mpi = pytest.mark.skipif(not HAS_MPI or not shutil.which("mpirun"), reason="no MPI in this build, or no mpirun")
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def run_script(script, ranks=2):
    command = ["mpirun", "-n", str(ranks), sys.executable, "-c", script]
    environment = dict(os.environ, **ENVIRONMENT)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.skipif(HAS_MPI, reason="this build has MPI")
def test_a_build_without_mpi_says_what_to_do():
    with pytest.raises(shoal.Error, match="this build of shoal has no MPI, as wheels have none. Build it with pip"):
        shoal.mpi.world()


def test_only_communicators_of_mpi4py_are_taken():
    with pytest.raises(TypeError, match="comm is of type int, expected a communicator of mpi4py"):
        shoal.mpi.of(1)


@needs_mpi
def test_world_without_a_launcher_is_one_rank():
    ranks = shoal.mpi.world()
    assert (ranks.rank, ranks.size) == (0, 1)


@needs_mpi
def test_world_has_the_ranks_of_the_launcher():
    done = run_script("import shoal; ranks = shoal.mpi.world(); print(f'<{ranks.rank}/{ranks.size}>', flush=True)", 3)
    assert done.returncode == 0
    assert all(f"<{rank}/3>" in done.stdout for rank in range(3))


@needs_mpi
def test_an_exception_of_one_rank_ends_all():
    script = """
import shoal
ranks = shoal.mpi.world()
if ranks.rank == 1:
    raise ValueError("a valve is closed")
import time
time.sleep(90)
"""
    done = run_script(script)
    assert done.returncode != 0
    assert done.stderr.count("ValueError: a valve is closed") == 2  # the traceback, and the reason for the end of all
    assert "shoal: rank 1 of 2 on " in done.stderr


@needs_mpi
def test_an_error_of_all_ranks_is_reported_once(tmp_path):
    script = f"""
import shoal
ranks = shoal.mpi.world()
shoal.cases.run("{tmp_path}/none.toml", "{tmp_path}/out", device="cpu", ranks=ranks)
"""
    done = run_script(script)
    assert done.returncode == 1
    assert done.stderr.count("none.toml: cannot read this case file") == 1
    assert "shoal: rank" not in done.stderr


@needs_mpi
def test_a_communicator_of_mpi4py():
    pytest.importorskip("mpi4py")
    done = run_script(
        "from mpi4py import MPI; import shoal; r = shoal.mpi.of(MPI.COMM_WORLD); print(f'<{r.rank}/{r.size}>', flush=True)"
    )
    assert done.returncode == 0, done.stderr
    assert "<0/2>" in done.stdout
    assert "<1/2>" in done.stdout
