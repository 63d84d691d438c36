# SPDX-License-Identifier: Apache-2.0
"""`shoal report DIR`."""

import argparse
import math
import sys
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from .contents import gather
from .errors import ReportError, damage_reported
from .html.page import page_html
from .output import path_argument, require_output, write_whole
from .reading.run_folder import RunFolder
from .scene.particles import bytes_of_particles

BEST_PACKING = 12  # largest compression ratio, of a flow that hardly moves


def write_report(
    folder: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    quantities: Sequence[str] | None = None,
    megabytes: float = 10.0,
    most_states: int = 400,
    force: bool = False,
) -> Path:
    """Writes the results of a run into one HTML file.

    Parameters
    ----------
    folder : path of the output folder of `shoal run`
    out : path of the file to write; default: report.html in the folder
    quantities : names of the arrays to color by; default: all that vary
    megabytes : largest size of the file. Values get 16 bits, or 8 if the file is too large; then only every n-th
        particle is shown, as the page states
    most_states : largest number of states, evenly distributed
    force : replaces an existing file. Files of the run are never replaced

    Returns
    -------
    path of the file

    Raises
    ------
    ReportError : the folder is not that of a run, a file is truncated, a quantity is unknown, or the file exists
    """
    return _write(folder, out, quantities, megabytes, most_states, force)[0]


def _write(folder, out, quantities, megabytes, most_states, force):
    """(path, contents) of the report written."""
    out = Path(out) if out else Path(folder) / "report.html"
    require_output(out, RunFolder(folder).folder, force)
    text, contents = report_text(folder, quantities, megabytes, most_states)
    try:
        write_whole(out, text.encode())
    except OSError as error:
        raise ReportError(f"{out}: cannot write the report: {error.strerror}.") from error
    return out, contents


def report_text(folder, quantities, megabytes, most_states, live=None):
    """(HTML, contents) of a report. `live`: for a page that `shoal view` serves."""
    if not megabytes > 0 or most_states < 2:
        raise ReportError(
            f"a report of {megabytes} MB with {most_states} states: expected more than 0 MB and at least 2 states."
        )
    run = RunFolder(folder)
    with damage_reported(folder):
        return _fitting(run, quantities, megabytes * 1e6, most_states, live)


def _pages(contents, live):
    """Pages of the same contents, each smaller than the one before."""
    for bits in (16, 8):
        yield page_html(contents, bits, live)
    if contents.leave_out_surface():
        yield from _pages(contents, live)


def _fitting(run, quantities, most, most_states, live):
    """(page, contents) with the most bits and particles that fit into `most` bytes."""
    one_in = 1
    if run.kind == "sph":  # particles that cannot fit are not read
        one_in = max(1, math.ceil(bytes_of_particles(run, quantities, most_states) / (BEST_PACKING * most)))
    while True:
        contents = gather(run, quantities, most_states, one_in)
        for text in _pages(contents, live):
            size = len(text.encode())
            if size <= most:
                return text, contents
        shown = getattr(contents.scene, "ids", ())
        if len(shown) < 1000 or run.kind != "sph":
            raise ReportError(
                f"{run.folder}: the report has {size / 1e6:.1f} MB, more than the {most / 1e6:.3g} MB that it may "
                "have. Allow more with --megabytes, or choose fewer states with --states."
            )
        one_in = max(one_in + 1, math.ceil(one_in * 1.05 * size / most))


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="shoal report", description="Writes the results of a run into one HTML file."
    )
    parser.add_argument("folder", metavar="DIR", help="output folder of `shoal run`")
    parser.add_argument("--out", metavar="FILE", type=path_argument, help="file to write; default: DIR/report.html")
    parser.add_argument(
        "--quantities", metavar="NAME,NAME", help="arrays to color by, as in pressure,velocity; default: all"
    )
    parser.add_argument("--megabytes", type=float, default=10.0, help="largest size of the file; default: 10")
    parser.add_argument("--states", type=int, default=400, help="largest number of states; default: 400")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    options = parser.parse_args(argv)
    quantities = options.quantities.split(",") if options.quantities else None
    try:
        path, contents = _write(
            options.folder, options.out, quantities, options.megabytes, options.states, options.force
        )
    except ReportError as error:
        print(f"shoal report: {error}", file=sys.stderr)
        return 1
    if contents.verdicts:
        print(f"{contents.verdicts}\n")
    print(path)
    return 0
