# SPDX-License-Identifier: Apache-2.0
"""Reports: one HTML file with the results of a run. Needs NumPy, and h5py for particles and meshes."""

from .command import main, write_report
from .errors import ReportError

__all__ = ["ReportError", "main", "write_report"]
