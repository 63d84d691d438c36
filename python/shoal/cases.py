# SPDX-License-Identifier: Apache-2.0
"""Case files of every kind, checked and run as by `shoal check`, `shoal run` and `shoal resume`.

>>> print(shoal.cases.check("cases/two_beams/case.toml"))
>>> outcome = shoal.cases.run("cases/two_beams/case.toml", "out/two_beams")
>>> print(outcome.summary)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _core, _toml
from ._core import Queue, Ranks, RunOutcome

__all__ = ["RunOutcome", "check", "kinds", "resume", "run"]


def kinds() -> list[str]:
    """Kinds of case file that run: the values of the key `kind`.

    Returns
    -------
    list of str
    """
    return _core.case_kinds()


def check(file: str | os.PathLike[str], overrides: Mapping[str, Any] | None = None) -> str:
    """Reads a case file and sets it up on the CPU, without a run.

    Parameters
    ----------
    file : str
        Case file (TOML) of any kind; docs/case_file.md lists every key with its unit.
    overrides : dict of str to value
        Dotted keys that replace those of the file: ``{"run.duration": 0.5}``.

    Returns
    -------
    str
        Description of the run: sizes, memory, output.

    Raises
    ------
    Error
        The file does not exist, or the case is wrong; the message starts with file and line.
    """
    return _core.check_case(os.fspath(file), _toml.assignments(overrides))


def run(
    file: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    overrides: Mapping[str, Any] | None = None,
    *,
    device: str | Queue = "best",
    threads: int = 0,
    force: bool = False,
    ranks: Ranks | None = None,
) -> RunOutcome:
    """Runs a case file to its end and writes its output.

    Parameters
    ----------
    file : str
        Case file (TOML) of any kind.
    folder : str
        Output folder; docs/output.md lists its files.
    overrides : dict of str to value
        Dotted keys that replace those of the file.
    device : str or shoal.mpi.Queue
        "cpu", "cuda", "cuda:1", or "best".
    threads : int
        Number of CPU threads; 0: OpenMP's default.
    force : bool
        Removes the files of an earlier run from `folder`.
    ranks : shoal.mpi.Ranks, optional
        Processes that run the case together; all make this call. docs/ranks.md has the details.

    Returns
    -------
    RunOutcome

    Warns
    -----
    UserWarning
        What `shoal check` shows as a warning.

    Raises
    ------
    Error
        The errors of `check`; the folder has files, or cannot be written; the run is unstable.
    KeyboardInterrupt
        After Ctrl-C. A case of kind "sph" then has its state in restart.h5.
    """
    return _core.run_case(os.fspath(file), os.fspath(folder), _toml.assignments(overrides), device, threads, force, ranks)


def resume(
    folder: str | os.PathLike[str],
    until: float | None = None,
    *,
    device: str | Queue = "best",
    threads: int = 0,
    ranks: Ranks | None = None,
) -> RunOutcome:
    """Continues a run from the restart file in its output folder, with the same bits.

    Parameters
    ----------
    folder : str
        Output folder of the run.
    until : float, optional
        End time in s; by default the duration of the case.
    device : str or shoal.mpi.Queue
        "cpu", "cuda", "cuda:1", or "best".
    threads : int
        Number of CPU threads; 0: OpenMP's default.
    ranks : shoal.mpi.Ranks, optional
        Processes that continue the run together, of any number; all make this call. docs/ranks.md has the details.

    Returns
    -------
    RunOutcome

    Raises
    ------
    Error
        No restart file, or a damaged one; another run writes to the folder; the errors of `run`.
    KeyboardInterrupt
        After Ctrl-C; the state is in restart.h5.
    """
    return _core.resume_case(os.fspath(folder), until, device, threads, ranks)
