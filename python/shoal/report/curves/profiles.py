# SPDX-License-Identifier: Apache-2.0
"""Profiles of a run of kind gas along its line, or through the center of its plane, at several states, and its mass."""

import numpy as np

from .charts import Balance, Chart, Series, balance_row, largest_magnitude, printed_unit

TABLES = {"x": "profiles.csv", "y": "profiles_y.csv"}
MOST_STATES = 5  # curves of the run in a chart
VELOCITY = "velocity x"  # column of the tables of probes
SHOWN = (
    "density",
    "velocity x",
    "velocity y",
    "velocity z",
    "temperature",
    "stress xx",
    "stress xy",
    "stress xz",
    "heat flux x",
    "heat flux y",
    "heat flux z",
)


def profile_charts(folder, references=None):
    """A chart of each moment that is not zero everywhere, over x and, of a plane, over y; and one of v_x at each probe.

    `references` are {axis: {column: [Series]}}; the unit of a column is that of the table.
    """
    references = references or {}
    charts = [chart for axis in TABLES for chart in _charts_along(folder, axis, references.get(axis, {}))]
    names = [probe["name"] for probe in folder.case.get("probe", []) if "name" in probe]
    return charts + [chart for name in names for chart in _charts_of_probe(folder, name, references.get(VELOCITY, {}))]


def _charts_of_probe(folder, name, references):
    """Distribution of v_x of each gas at a probe."""
    if not folder.has(f"{name}.csv"):
        return []
    columns = {column.name: column for column in folder.table(f"{name}.csv")}
    charts = []
    for gas, suffix in (("density x", ""), ("second density x", ", second gas")):
        if gas not in columns:
            continue
        series = _series_of(columns, VELOCITY, gas) + references.get(gas, [])
        title = f"Molecules with a velocity along x at {name}{suffix}"
        y_label = f"Density, {printed_unit(columns[gas])}"
        charts.append(Chart(f"{name}_{gas.replace(' ', '_')}", title, "velocity along x, m/s", y_label, series))
    return charts


def _charts_along(folder, axis, references):
    if not folder.has(TABLES[axis]):
        return []
    columns = {column.name: column for column in folder.table(TABLES[axis])}
    by_unit = {}
    for column in columns.values():
        by_unit.setdefault(column.unit, []).append(column.values)
    charts = []
    for name in SHOWN:
        column = columns[name]
        if not largest_magnitude([column.values]) > 1e-4 * largest_magnitude(by_unit[column.unit]):
            continue  # errors of the collision term, such as a velocity through walls
        series = _series_of(columns, axis, name) + references.get(name, [])
        title, chart = name.capitalize(), f"profile_{name.replace(' ', '_')}"
        y_label = f"{title}, {printed_unit(column)}"
        if axis != "x":
            title, chart = f"{title} over {axis}", f"{chart}_over_{axis}"
        charts.append(Chart(chart, title, f"{axis}, m", y_label, series))
    return charts


def _series_of(columns, place, name):
    """Curves of a column over another at several states."""
    x, y = columns[place].values, columns[name].values
    states = _states(columns["time"].values, columns["iterations"].values)
    return [
        Series(label, x[rows], y[rows], "line" if label == states[-1][0] else "faint") for label, rows in states
    ]


def _states(time, iterations):
    """[(label, rows)] of the first, the last, and states between them."""
    if not len(time):
        return []
    changes = (np.diff(time) != 0) | (np.diff(iterations) != 0)
    begins = np.concatenate([[0], np.flatnonzero(changes) + 1, [len(time)]])
    states = [slice(int(begin), int(end)) for begin, end in zip(begins[:-1], begins[1:])]
    kept = np.unique(np.linspace(0, len(states) - 1, min(len(states), MOST_STATES)).round().astype(int))
    return [(_label(time[states[i].start], iterations[states[i].start]), states[i]) for i in kept]


def _label(time, iterations):
    return f"iteration {iterations:.0f}" if iterations else f"t = {time:.4g} s"


def gas_balance(folder):
    """Mass between the ends, and the residual of the last state."""
    if not folder.has("fluxes.csv"):
        return Balance()
    columns = {column.name: column for column in folder.table("fluxes.csv")}
    if not len(columns["time"].values):
        return Balance()
    mass = columns["mass"]
    return Balance([balance_row(mass, float(mass.values[0]) or None), balance_row(columns["residual"])])
