# SPDX-License-Identifier: Apache-2.0
"""Weakly compressible SPH: cases built in code or read from a file, and their solver.

>>> case = shoal.sph.Case.read("cases/dam_break/case.toml", {"particles.spacing": 0.04})
>>> solver = shoal.sph.Solver(case)
>>> solver.advance_to(0.5)
>>> fields = solver.fields()
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from typing import Any

from . import _core, _toml
from ._core import Balance, Clock, Fields, Particles, Queue, RankLoad, Ranks, RunReport, Solver

__all__ = ["Balance", "Case", "Clock", "Fields", "Particles", "RankLoad", "RunReport", "Solver"]


class Case(_core.Case):
    """A case, with the sections and keys of a case file (docs/case_file.md lists every key with its unit).

    Parameters
    ----------
    overrides : dict of str to value
        Dotted keys that replace those of the sections: ``{"scheme.cfl": 0.4}``.
    **sections
        Sections of a case file: a dict for a table, a list of dicts for repeated tables, plain values for keys at
        the top of the file.

    Raises
    ------
    Error
        An unknown key (with the nearest known one), an unknown choice, a value out of range, or contradictory keys.

    Examples
    --------
    >>> case = shoal.sph.Case(
    ...     title="A drop of water",
    ...     run={"duration": 0.5},
    ...     particles={"spacing": 0.05},
    ...     body=[{"material": "water", "box": {"from": [0, 0], "to": [2, 1]}}],
    ...     material={"water": {"density": 1000, "sound_speed": 50}},
    ... )
    """

    def __init__(self, *, overrides: Mapping[str, Any] | None = None, **sections: Any) -> None:
        super().__init__(_toml.document({"kind": "sph", **sections}), "case", False, _toml.assignments(overrides))

    @classmethod
    def read(cls, file: str | os.PathLike[str], overrides: Mapping[str, Any] | None = None) -> Case:
        """Reads a case file.

        Parameters
        ----------
        file : str
            TOML, of ``kind = "sph"``.
        overrides : dict of str to value
            Dotted keys that replace those of the file.

        Raises
        ------
        Error
            The file does not exist, or an error of the constructor; the message starts with file and line.
        """
        case = cls.__new__(cls)
        _core.Case.__init__(case, os.fspath(file), "", True, _toml.assignments(overrides))
        return case

    def run(
        self,
        callback: Callable[[Solver], bool | None] | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        device: str | Queue = "best",
        threads: int = 0,
        force: bool = False,
        ranks: Ranks | None = None,
    ) -> Solver:
        """Runs the case to its end.

        Parameters
        ----------
        callback : callable, optional
            Receives the solver at every output; returning False ends the run.
        folder : str, optional
            Output folder, with the files that ``shoal run`` writes: fields, probes, balance, restart and summary.
        device : str or shoal.mpi.Queue
            "cpu", "cuda", "cuda:1", or "best"; with several ranks "cuda" is a device for each.
        threads : int
            Number of CPU threads; 0: OpenMP's default.
        force : bool
            Removes the files of an earlier run from `folder`.
        ranks : shoal.mpi.Ranks, optional
            Ranks that share the run. All make this call and call `callback`, and must return the same from it; rank 0
            writes the files.

        Returns
        -------
        Solver
            The solver at the end of the run.

        Raises
        ------
        Error
            The run is unstable; the message names step, time and particle.
        KeyboardInterrupt
            After Ctrl-C, between two steps.
        """
        solver = Solver(self, device, threads, ranks=ranks)
        if folder is not None:
            solver.write(folder, callback, force)
            return solver
        for time in self.output_times():
            solver.advance_to(time)
            if callback is not None and callback(solver) is False:
                break
        return solver

    def output_times(self) -> list[float]:
        """Output times in s: 0, the times of `output_at` or every `output_every`, and the end."""
        times = self.output_at
        if not times and self.output_every > 0:
            # An output this close to the end is the end, whatever the division rounds to.
            count = math.ceil(self.duration / self.output_every - 1e-9)
            times = [k * self.output_every for k in range(1, count)]
        return [0.0, *(time for time in times if 0 < time < self.duration), self.duration]
