# SPDX-License-Identifier: Apache-2.0
"""The one error of reports and plots."""


class ReportError(Exception):
    """Something about an output folder or an argument that the user must know, and what to do about it."""
