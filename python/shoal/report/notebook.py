# SPDX-License-Identifier: Apache-2.0
"""Reports within a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from os import PathLike
from pathlib import Path

from .command import write_report


class ShownReport:
    """A report that a notebook shows in a frame. Elsewhere it prints as the path of its file.

    Attributes
    ----------
    path : path of the file
    height : height of the frame, pixels
    """

    def __init__(self, path: Path, height: int) -> None:
        self.path, self.height = path, height

    def __repr__(self) -> str:
        return str(self.path)

    def _repr_html_(self) -> str:
        page = escape(self.path.read_text(encoding="utf-8"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: {self.height}px; border: 0"></iframe>'


def show(
    folder: str | PathLike[str],
    quantities: Sequence[str] | None = None,
    megabytes: float = 5.0,
    most_states: int = 400,
    height: int = 800,
) -> ShownReport:
    """Writes the report of a run, report.html in its folder, and shows it where the last line of a notebook's cell calls this.

    The notebook then holds the page, so keep `megabytes` small.

    Parameters
    ----------
    folder : path of the output folder of `shoal run`
    quantities, megabytes, most_states : those of `write_report`
    height : height of the frame, pixels

    Returns
    -------
    ShownReport

    Raises
    ------
    ReportError : as `write_report`. An earlier report.html is replaced.
    """
    path = write_report(folder, None, quantities, megabytes, most_states, force=True)
    return ShownReport(path, height)
