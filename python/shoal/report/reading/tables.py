# SPDX-License-Identifier: Apache-2.0
"""Tables in CSV: probes, the balance, moments, reference curves."""

import csv
import re
from dataclasses import dataclass

import numpy as np

from ..errors import ReportError


@dataclass
class Column:
    """A column of a table: `kinetic [J]` has the name kinetic and the unit J."""

    name: str
    unit: str
    values: np.ndarray


def _number(text, path, line):
    if not text.strip():
        return np.nan  # no value, such as the entropy of a negative distribution
    try:
        return float(text)
    except ValueError:
        raise ReportError(
            f"{path}:{line}: `{text}` is not a number. Another program wrote the file, or it is cut."
        ) from None


def read_table(path):
    """Columns of a CSV file, in order; lines that start with # are comments, empty fields are NaN.

    A last line with fewer fields than the first is omitted: a killed run had begun to write it.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: cannot read this table: {error}") from error
    rows = [(i, row) for i, row in enumerate(csv.reader(lines), 1) if row and not row[0].startswith("#")]
    if not rows:
        raise ReportError(f"{path}: this table is empty, expected a line with the names of its columns.")
    names = rows[0][1]
    if len(rows) > 1 and len(rows[-1][1]) < len(names):
        rows.pop()
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise ReportError(f"{path}:{line}: {len(row)} fields, expected {len(names)} as in the first line.")
    values = [[_number(field, path, line) for field in row] for line, row in rows[1:]]
    values = np.array(values, dtype=float).reshape(len(values), len(names))
    columns = []
    for i, name in enumerate(names):
        named = re.fullmatch(r"(.*?)\s*\[(.*)\]", name.strip())
        columns.append(Column(*(named.groups() if named else (name.strip(), "")), values[:, i]))
    return columns


def read_columns(path):
    """Table as {column name without its unit: array}."""
    return {column.name: column.values for column in read_table(path)}
