# SPDX-License-Identifier: Apache-2.0
"""The one error of reports and plots."""


from contextlib import contextmanager


class ReportError(Exception):
    """An invalid output folder or argument; the message states the remedy."""


@contextmanager
def damage_reported(folder):
    """Turns what damaged files cause further on into a ReportError."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        raise ReportError(
            f"{folder}: the files of this run are damaged or do not belong together: {type(error).__name__}: {error}. "
            "Run the case again, or remove the damaged files."
        ) from error
