# SPDX-License-Identifier: Apache-2.0
"""`shoal plot DIR`: PNGs of the contents of a report. Needs matplotlib."""

import argparse
import sys
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import matplotlib
import numpy as np

from ._drawing import STYLE, draw_chart, draw_states, png_of
from .report import ReportError
from .report.contents import gather
from .report.errors import damage_reported
from .report.output import path_argument, require_output, write_whole
from .report.reading.run_folder import RunFolder


def _chosen_states(scene, times):
    """States nearest to the times, at most half an output interval away; None: four states of the run."""
    if times is None:
        return sorted({round(share * (len(scene.times) - 1)) for share in (0.1, 0.25, 0.5, 1.0)})
    every = np.diff(scene.times).max() if len(scene.times) > 1 else 0.0
    states = [int(abs(scene.times - time).argmin()) for time in times]
    for state, time in zip(states, times):
        if abs(scene.times[state] - time) > 0.51 * every + 1e-12:
            raise ReportError(
                f"there is no state near t = {time:g} s; the output has states from {scene.times[0]:g} s "
                f"to {scene.times[-1]:g} s."
            )
    return states


def write_plots(
    folder: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    times: Sequence[float] | None = None,
    quantity: str | None = None,
    dpi: float = 150,
    force: bool = False,
) -> list[Path]:
    """Writes PNGs of the results of a run: states.png and one for each chart of the report.

    Parameters
    ----------
    folder : path of the output folder of `shoal run`
    out : folder to write to; default: the same
    times : s, of the states in states.png; default: four over the run
    quantity : name of the array to color by; default: the report's first
    dpi : dots per inch
    force : replaces existing files. Files of the run are never replaced

    Returns
    -------
    paths of the files

    Raises
    ------
    ReportError : the folder is not that of a run, a file is truncated, there is no such quantity or time, or a file
        exists
    """
    out = Path(out or folder)
    figures = {}
    with matplotlib.rc_context(STYLE), damage_reported(folder):
        contents = gather(RunFolder(folder), [quantity] if quantity else None)
        if contents.scene is not None:
            states = _chosen_states(contents.scene, times)
            figures["states"] = draw_states(contents.scene, contents.scene.quantities[0], states)
        figures |= {chart.name: draw_chart(chart) for chart in contents.all_charts}
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name in figures:
                require_output(out / f"{name}.png", Path(folder), force)
            for name, figure in figures.items():
                write_whole(out / f"{name}.png", png_of(figure, dpi))
        except OSError as error:
            raise ReportError(f"{out}: cannot write the pictures: {error.strerror}.") from error
    return [out / f"{name}.png" for name in figures]


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="shoal plot", description="Writes PNGs of the results of a run."
    )
    parser.add_argument("folder", metavar="DIR", help="output folder of `shoal run`")
    parser.add_argument("--out", metavar="DIR", type=path_argument, help="folder to write to; default: the same")
    parser.add_argument("--times", type=float, nargs="+", metavar="T", help="times of the states, s; default: four")
    parser.add_argument(
        "--quantity", metavar="NAME", help="array to color by; default: the first that the report shows"
    )
    parser.add_argument("--dpi", type=float, default=150, help="dots per inch; default: 150")
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    options = parser.parse_args(argv)
    chosen = (options.out, options.times, options.quantity, options.dpi, options.force)
    try:
        for path in write_plots(options.folder, *chosen):
            print(path)
    except ReportError as error:
        print(f"shoal plot: {error}", file=sys.stderr)
        return 1
    return 0
