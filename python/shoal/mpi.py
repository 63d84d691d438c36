# SPDX-License-Identifier: Apache-2.0
"""Ranks: processes that work on one case, each with a GPU or a share of the cores.

    mpirun -n 4 python script.py

>>> from mpi4py import MPI
>>> ranks = shoal.mpi.of(MPI.COMM_WORLD)
>>> outcome = shoal.cases.run("case.toml", "out/case", ranks=ranks)
>>> solver = shoal.sph.Solver(case, shoal.mpi.queue(ranks), ranks=ranks)
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from . import _core
from ._core import Queue, Ranks

__all__ = ["Queue", "Ranks", "cut_by_weight", "of", "queue", "share_of", "world"]


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


def queue(ranks: Ranks, device: str = "best", threads: int = 0) -> Queue:
    """Device of this rank, for the argument `device` of solvers and plans. All ranks call it together.

    Parameters
    ----------
    ranks : Ranks
    device : str
        "cpu", "cuda", or "best"; "cuda:1" only with one rank. Rank k of a machine takes CUDA device k of those that it
        can use.
    threads : int
        Number of CPU threads of each rank, also for what a GPU leaves to the host; 0: that of OMP_NUM_THREADS, else this
        rank's share of the cores that the launcher left to it.

    Returns
    -------
    Queue

    Raises
    ------
    Error
        On all ranks: fewer CUDA devices than ranks on a machine, unless SHOAL_RANKS_SHARE_DEVICES=1 is set; another
        kind of device on some ranks.
    """
    return _core.queue_of_ranks(ranks, device, threads)


def cut_by_weight(weight: Sequence[int], ranks: Ranks, least: int = 2) -> list[int]:
    """Slabs of layers of cells, one for each rank, whose heaviest has as little weight as possible.

    Parameters
    ----------
    weight : sequence of int
        Weight of each layer, for example its number of particles on all ranks.
    ranks : Ranks
    least : int
        Fewest layers of a rank.

    Returns
    -------
    list of int
        The first layer of each rank, then the number of layers: rank r has the layers ``cuts[r]`` to
        ``cuts[r + 1] - 1``.

    Raises
    ------
    Error
        There are fewer layers than the ranks need; the message says how many ranks can be used.
    """
    return list(_core.cut_by_weight([int(number) for number in weight], ranks.size, least))


def share_of(count: int, ranks: Ranks) -> slice:
    """This rank's share of items that are numbered over all ranks, such as points of `wall_distance`.

    Shares are consecutive in the order of ranks, and their sizes differ by at most one.

    Parameters
    ----------
    count : int
        Number of items on all ranks.
    ranks : Ranks

    Returns
    -------
    slice

    Examples
    --------
    >>> part = points[shoal.mpi.share_of(len(points), ranks)]
    """
    return slice(*_core.share_of(count, ranks))


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
