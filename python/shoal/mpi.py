# SPDX-License-Identifier: Apache-2.0
"""Ranks: processes that work on one case, each with a GPU or a share of the cores.

    mpirun -n 4 python script.py

>>> from mpi4py import MPI
>>> ranks = shoal.mpi.of(MPI.COMM_WORLD)
>>> outcome = shoal.cases.run("case.toml", "out/case", ranks=ranks)
"""

from __future__ import annotations

import importlib
import sys
from types import TracebackType
from typing import Any

from . import _core
from ._core import Ranks

__all__ = ["Ranks", "of", "world"]


def world() -> Ranks:
    """Ranks that a launcher (mpirun, srun) started; a single one without a launcher.

    Starts MPI unless it runs already. An exception that ends the script on one rank ends all ranks.

    Returns
    -------
    Ranks

    Raises
    ------
    Error
        This build has no MPI, or the launcher belongs to another MPI.
    """
    return _watched(_core.ranks_of_world())


def of(comm: Any) -> Ranks:
    """Ranks of a communicator of mpi4py, of which a duplicate is made.

    An exception that ends the script on one rank ends all ranks.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        Communicator; all its processes make this call.

    Returns
    -------
    Ranks

    Raises
    ------
    TypeError
        `comm` is no communicator of mpi4py.
    Error
        This build has no MPI, or mpi4py was built with another MPI.
    """
    if not type(comm).__module__.startswith("mpi4py."):
        raise TypeError(f"comm is of type {type(comm).__name__}, expected a communicator of mpi4py: MPI.COMM_WORLD")
    MPI = importlib.import_module("mpi4py.MPI")
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm is of type {type(comm).__name__}, expected a communicator of mpi4py: MPI.COMM_WORLD")
    return _watched(_core.ranks_of(MPI._addressof(comm), MPI.Get_library_version()))


def _watched(ranks: Ranks) -> Ranks:
    """Lets an exception that no code catches end all ranks, which would wait for this one."""
    previous = sys.excepthook

    def end_all(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        is_of_all = ranks.agreed(str(error)) or isinstance(error, KeyboardInterrupt)
        if ranks.rank == 0 or not is_of_all:
            previous(kind, error, trace)
            sys.stderr.flush()
        if not is_of_all:
            _core.abort_ranks(ranks, f"{kind.__name__}: {error}")

    if ranks.size > 1:
        sys.excepthook = end_all
    return ranks
