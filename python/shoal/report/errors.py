# SPDX-License-Identifier: Apache-2.0
"""The one error of reports and plots."""


class ReportError(Exception):
    """An invalid output folder or argument; the message states the remedy."""
