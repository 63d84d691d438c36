# SPDX-License-Identifier: Apache-2.0
"""Reference curves that the checks of a validation.toml name, drawn over the curves of the run.

`shoal validate` evaluates the checks.
"""

import tomllib
from dataclasses import dataclass, field
from textwrap import shorten

from ..reading.tables import read_columns
from .charts import Chart, Series

PLACES = ("line", "profile", "profile_y", "velocity")  # curves that are not over time
MOST_MARKS = 80  # with more points a reference is drawn as a line


@dataclass
class Curve:
    """A column of a table of the run, its scales, and the columns of reference tables to draw with it."""

    table: str
    column: str | None
    check: dict
    references: dict = field(default_factory=dict)  # (file, column or None): style, or None to choose by length


def _case_of(folder, cases):
    """File in `cases` beside a validation.toml that is a case with the title of the run; None if there is none."""
    validated = (file for file in sorted(cases.glob("*/case*.toml")) if (file.parent / "validation.toml").exists())
    for file in validated:
        title = tomllib.loads(file.read_text(encoding="utf-8")).get("title")
        if title and title == folder.case.get("title"):
            return file
    return None


def _checks_of(case):
    """Checks of the validation.toml beside a case that are about runs of this case."""
    plan = tomllib.loads((case.parent / "validation.toml").read_text(encoding="utf-8"))
    names = {run["name"] for run in plan.get("run", []) if run.get("case", "case.toml") == case.name}
    return [check for check in plan.get("check", []) if "runs" not in check or names & set(check["runs"])]


class CaseReferences:
    """Curves of a run with the reference tables of its case."""

    def __init__(self, folder, cases, compared=()):
        """`compared` are tables that other comparisons show."""
        case = _case_of(folder, cases)
        self.folder, self.case_folder = folder, case and case.parent
        self._checks = _checks_of(case) if case else []
        self._curves = self._read(compared)

    def _read(self, compared):
        """{(table, column): Curve} of the checks with references; the first check of a curve sets its scales."""
        curves = {}
        for check in self._checks:
            if "reference" not in check or check.get("along", "time") in PLACES or check["table"] in compared:
                continue
            if not self.folder.has(f"{check['table']}.csv"):
                continue
            key = (check["table"], check.get("column"))
            curve = curves.setdefault(key, Curve(*key, check))
            if all(check.get(scale) == curve.check.get(scale) for scale in ("time_zero", "time_unit", "zero", "unit")):
                for column in check.get("band", []):
                    curve.references[check["reference"], column] = "faint"
                if "band" not in check:
                    curve.references.setdefault((check["reference"], check.get("reference_column")), None)
        return curves

    def profiles(self, along):
        """{column: [Series]} of the references of checks along `along`, in the units of their table."""
        series = {}
        for check in self._checks:
            if check.get("along") != along or "reference" not in check or {"unit", "zero"} & check.keys():
                continue
            drawn, _ = self._reference(check["reference"], check.get("reference_column"))
            series.setdefault(check["column"], []).append(drawn)
        return series

    def _reference(self, file, name, style=None):
        """(Series, name) of a column of a reference, by default the one after the first."""
        reference = read_columns(self.case_folder / file)
        first, name = list(reference)[0], name or list(reference)[1]
        style = style or ("marks" if len(reference[name]) <= MOST_MARKS else "reference")
        return Series("Reference", reference[first], reference[name], style), name

    def compared(self):
        return {table for table, _ in self._curves}

    def charts(self):
        return [self._chart(curve) for curve in self._curves.values()]

    def _chart(self, curve):
        time, *columns = self.folder.table(f"{curve.table}.csv")
        column = next((each for each in columns if each.name == curve.column), columns[0])
        check = curve.check
        time_unit, unit, zero = check.get("time_unit", 1), check.get("unit", 1), check.get("zero", 0)
        x = (time.values - check.get("time_zero", 0)) / time_unit
        series = [Series("This run", x, (column.values - zero) / unit)]
        for (file, name), style in curve.references.items():
            drawn, name = self._reference(file, name, style)
            drawn.label = f"Reference, {name.replace('_', ' ')}"
            series.append(drawn)
        name = curve.table if column is columns[0] else f"{curve.table}_{column.name}"
        quantity = column.name.replace("_", " ")
        y_label = f"{quantity}, {column.unit}" if (unit, zero) == (1, 0) else _scaled(quantity, zero, unit, column.unit)
        x_label = "Time, s" if (time_unit, check.get("time_zero", 0)) == (1, 0) else _scaled("t", 0, time_unit, "s")
        title = curve.table.replace("_", " ").capitalize() + (f": {quantity}" if len(columns) > 1 else "")
        limits = (float(x[0]), float(x[-1])) if len(x) > 1 else ()
        return Chart(name, title, x_label, y_label, series, 1 / time_unit, self._source(curve), limits)

    def _source(self, curve):
        """First sentence of the reference file: its content and source."""
        file = next(iter(curve.references))[0]
        lines = (self.case_folder / file).read_text(encoding="utf-8").splitlines()
        comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
        sentence = shorten(comment.split(". ")[0].rstrip("."), 200, placeholder=" …")
        return f"Reference: {sentence}." if comment else ""

    def verdicts(self):
        return None


def _scaled(quantity, zero, unit, unit_name):
    shifted = f"({quantity} − {zero:g} {unit_name})" if zero else quantity
    return f"{shifted} / {unit:.4g} {unit_name}".strip()
