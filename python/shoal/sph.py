# SPDX-License-Identifier: Apache-2.0
"""Weakly compressible SPH: cases, built in code or read from a file, and the solver that steps them.

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
from ._core import Clock, Fields, Ledger, RunReport, Solver

__all__ = ["Case", "Clock", "Fields", "Ledger", "RunReport", "Solver"]


class Case(_core.Case):
    """What a run is made of, in the words of a case file (docs/case_file.md lists every key with its unit).

    Parameters
    ----------
    overrides : dict of str to value
        Dotted keys that replace those of the sections: ``{"scheme.cfl": 0.4}``.
    **sections
        Those of a case file: a dict for a table, a list of dicts for tables that may come again, plain values for what
        stands at the top.

    Raises
    ------
    Error
        An unknown key (with the one that was probably meant), an unknown name, a value out of its range, a case that
        makes no sense.

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
        super().__init__(_toml.document({"kind": "sph", **sections}), "case", False, _assignments(overrides))

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
            No such file, and what the constructor raises; the message starts with file and line.
        """
        case = cls.__new__(cls)
        _core.Case.__init__(case, os.fspath(file), "", True, _assignments(overrides))
        return case

    def run(
        self,
        callback: Callable[[Solver], bool | None] | None = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        device: str = "best",
        threads: int = 0,
        force: bool = False,
    ) -> Solver:
        """Runs the case to its end.

        Parameters
        ----------
        callback : callable, optional
            Is given the solver at every output; returning False ends the run.
        folder : str, optional
            Where to write what ``shoal run`` writes: fields, probes, ledger, restart and summary.
        device : str
            "cpu", "cuda", "cuda:1", or "best".
        threads : int
            On the CPU; 0: as many as OpenMP takes.
        force : bool
            Removes the files of an earlier run from `folder`.

        Returns
        -------
        Solver
            Where the run ended.

        Raises
        ------
        Error
            Blow-up: names step, time and particle.
        KeyboardInterrupt
            After Ctrl-C, between two steps.
        """
        solver = Solver(self, device, threads)
        if folder is not None:
            solver.write(folder, callback, force)
            return solver
        for time in self.output_times():
            solver.advance_to(time)
            if callback is not None and callback(solver) is False:
                break
        return solver

    def output_times(self) -> list[float]:
        """s: 0, the times of `output_at` or every `output_every`, and the end."""
        times = self.output_at
        if not times and self.output_every > 0:
            # An output this close to the end is the end, whatever the division rounds to.
            count = math.ceil(self.duration / self.output_every - 1e-9)
            times = [k * self.output_every for k in range(1, count)]
        return [0.0, *(time for time in times if 0 < time < self.duration), self.duration]


def _assignments(overrides: Mapping[str, Any] | None) -> list[str]:
    return [f"{key}={_toml.value(given)}" for key, given in (overrides or {}).items()]
