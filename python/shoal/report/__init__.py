# SPDX-License-Identifier: Apache-2.0
"""Reports: one HTML file with the results of a run. Needs NumPy, and h5py for particles and meshes."""

from .command import main, write_report
from .errors import ReportError
from .notebook import ShownReport, show

__all__ = ["ReportError", "ShownReport", "main", "show", "write_report"]
