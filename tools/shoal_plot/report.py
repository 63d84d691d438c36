# SPDX-License-Identifier: Apache-2.0
"""A table of measured values beside the reference ones, with a verdict a row."""


class Report:
    def __init__(self, title):
        self.title = title
        self.rows = []

    def within(self, what, value, reference, tolerance):
        self._add(what, value, f"{reference:.4g} ± {tolerance:.3g}", abs(value - reference) <= tolerance)

    def between(self, what, value, lower, upper):
        self._add(what, value, f"{lower:.4g} to {upper:.4g}", lower <= value <= upper)

    def _add(self, what, value, expected, passed):
        self.rows.append((what, f"{value:.4g}", expected, "pass" if passed else "FAIL"))

    @property
    def passed(self):
        return all(row[-1] == "pass" for row in self.rows)

    def __str__(self):
        table = [("", "this run", "expected", ""), *self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table]
        passed = sum(row[-1] == "pass" for row in self.rows)
        return "\n".join(["", self.title, *lines, f"{passed} of {len(self.rows)} rows pass", ""])
