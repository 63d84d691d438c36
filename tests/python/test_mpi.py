# SPDX-License-Identifier: Apache-2.0
"""Ranks from Python. Tests with several ranks run scripts under mpirun."""

import os
import sys

import pytest
from conftest import reason_without_mpi

import shoal

SECONDS = 10  # within which all ranks end after an error
OTHER_MPI = """
import ctypes
class Comm: pass
COMM_WORLD = Comm()
_memory = ctypes.c_void_p()
def _addressof(comm): return ctypes.addressof(_memory)
def Get_library_version(): return "MPICH Version: 9.9"
"""


@pytest.mark.skipif(not reason_without_mpi(), reason="this build has MPI")
def test_a_build_without_mpi_says_what_to_do():
    with pytest.raises(shoal.Error, match="this build of shoal has no MPI, as wheels have none. Build it with pip"):
        shoal.mpi.world()


def test_only_communicators_of_mpi4py_are_taken():
    with pytest.raises(TypeError, match="comm is of type int, expected a communicator of mpi4py"):
        shoal.mpi.of(1)


def test_world_without_a_launcher_is_one_rank(mpi):
    ranks = shoal.mpi.world()
    assert (ranks.rank, ranks.size) == (0, 1)


def test_world_has_the_ranks_of_the_launcher(mpirun):
    script = "import shoal; ranks = shoal.mpi.world(); print(f'<{ranks.rank}/{ranks.size}>', flush=True)"
    done = mpirun([sys.executable, "-c", script], ranks=3)
    assert done.returncode == 0
    assert all(f"<{rank}/3>" in done.stdout for rank in range(3))


def test_an_exception_of_one_rank_ends_all(mpirun):
    script = """
import shoal
ranks = shoal.mpi.world()
if ranks.rank == 1:
    raise ValueError("a valve is closed")
import time
time.sleep(90)
"""
    done = mpirun([sys.executable, "-c", script])
    assert done.returncode != 0
    assert done.seconds < SECONDS
    assert done.stderr.count("ValueError: a valve is closed") == 2  # the traceback, and the reason for the end of all
    assert "shoal: rank 1 of 2 on " in done.stderr


def test_an_error_of_all_ranks_is_reported_once(mpirun, tmp_path):
    script = f"""
import shoal
ranks = shoal.mpi.world()
shoal.cases.run("{tmp_path}/none.toml", "{tmp_path}/out", device="cpu", ranks=ranks)
"""
    done = mpirun([sys.executable, "-c", script])
    assert done.returncode == 1
    assert done.seconds < SECONDS
    assert done.stderr.count("none.toml: cannot read this case file") == 1
    assert "shoal: rank" not in done.stderr


def test_a_communicator_of_mpi4py(mpirun):
    pytest.importorskip("mpi4py")
    script = """
from mpi4py import MPI
import shoal
ranks = shoal.mpi.of(MPI.COMM_WORLD)
queue = shoal.mpi.queue(ranks, "cpu")
print(f"<{ranks.rank}/{ranks.size} {queue.device}>", flush=True)
"""
    done = mpirun([sys.executable, "-c", script])
    assert done.returncode == 0, done.stderr
    assert "<0/2 cpu>" in done.stdout
    assert "<1/2 cpu>" in done.stdout


def test_an_mpi4py_of_another_mpi_is_refused(mpirun, tmp_path, monkeypatch):
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").touch()
    (tmp_path / "mpi4py" / "MPI.py").write_text(OTHER_MPI, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    done = mpirun([sys.executable, "-c", "from mpi4py import MPI; import shoal; shoal.mpi.of(MPI.COMM_WORLD)"])
    assert done.returncode != 0
    assert done.seconds < SECONDS
    assert 'the communicator is of "MPICH Version: 9.9", and this build of shoal uses "' in done.stderr
