# SPDX-License-Identifier: Apache-2.0
"""Curves over time: probes, the balance, moments of a gas. Data only; the page and the plots draw them."""

from dataclasses import dataclass, field

import numpy as np

from ..units import prefixed

MOST_SERIES = 8  # curves in a readable chart


@dataclass
class Series:
    """A curve. Styles: line, faint (behind the others), reference (a dashed line) or marks (measured points)."""

    label: str
    x: np.ndarray
    y: np.ndarray
    style: str = "line"


@dataclass
class Chart:
    """Curves over one axis. `per_second` is the increase of x per second of the run, to mark a state; 0: no mark."""

    name: str
    title: str
    x_label: str
    y_label: str
    series: list
    per_second: float = 0.0
    note: str = ""
    x_limits: tuple = ()
    y_limits: tuple = ()


@dataclass
class BalanceRow:
    """A quantity at the start and at the end; `share` is its change relative to a scale, NaN without one."""

    name: str
    unit: str
    first: float
    last: float
    share: float = float("nan")


@dataclass
class Balance:
    rows: list = field(default_factory=list)
    charts: list = field(default_factory=list)


def largest_magnitude(columns):
    """Largest finite magnitude in several arrays; 0 if there is none."""
    finite = np.concatenate([abs(values[np.isfinite(values)]) for values in columns] or [np.zeros(0)])
    return float(finite.max()) if len(finite) else 0.0


def over_time(name, title, times, columns, unit, styles=None, y_quantity="", note=""):
    """Chart of {label: values} in one unit over times in s, with SI prefixes that suit the magnitudes."""
    per_second, time_unit = prefixed("s", float(times[-1]) if len(times) else 0)
    factor, shown_unit = prefixed(unit, largest_magnitude(list(columns.values())))
    styles = styles or {}
    series = [
        Series(label, times * per_second, values * factor, styles.get(label, "line"))
        for label, values in list(columns.items())[:MOST_SERIES]
        if np.isfinite(values).any()
    ]
    if len(columns) > MOST_SERIES:
        note = f"{note} The first {MOST_SERIES} of {len(columns)} columns.".strip()
    y_label = ", ".join(part for part in (y_quantity or title, shown_unit) if part)
    return Chart(name, title, f"Time, {time_unit}", y_label, series, per_second, note)


def probe_charts(folder, compared=()):
    """Charts of every probe and unit, except the probes named in `compared`."""
    charts = []
    for probe in folder.case.get("probe", []):
        name = probe.get("name", probe["kind"])
        if name in compared or not folder.has(f"{name}.csv"):
            continue
        columns = folder.table(f"{name}.csv")
        if len(columns[0].values) < 2:
            continue
        by_unit = {}
        for column in columns[1:]:
            by_unit.setdefault(column.unit, {})[column.name.replace("_", " ")] = column.values
        for number, (unit, group) in enumerate(by_unit.items()):
            title = name.replace("_", " ").capitalize()
            quantity = next(iter(group)).capitalize() if len(group) == 1 else ""
            charts.append(
                over_time(
                    f"{name}_{number}" if number else name,
                    title,
                    columns[0].values,
                    group,
                    unit,
                    y_quantity=quantity,
                    note=_description(probe),
                )
            )
    return charts


def _description(probe):
    position = probe.get("at")
    where = f" at ({', '.join(f'{x:g}' for x in position)}) m" if position else ""
    return f"Probe of kind {probe['kind']}{where}."


def printed_unit(column):
    """Unit of a column with its powers raised."""
    return column.unit.replace("3", "³").replace("2", "²")


def balance_row(column, scale=None):
    """First and last value of a column; the change is relative to `scale`."""
    first, last = float(column.values[0]), float(column.values[-1])
    share = (last - first) / scale if scale else float("nan")
    return BalanceRow(
        column.name.replace("_", " ").capitalize(), printed_unit(column), first, last, share
    )


def sph_balance(folder):
    """Balance of a run of kind sph: columns in J become curves, other columns rows."""
    if not folder.has("balance.csv"):
        return Balance()
    columns = folder.table("balance.csv")
    times = columns[0].values
    if len(times) < 1:
        return Balance()
    energies = {c.name.capitalize(): c.values for c in columns if c.unit == "J" and c.values.any()}
    balance = Balance()
    if energies and len(times) > 1:
        parts = {
            name: values for name, values in energies.items() if name in ("Kinetic", "Potential", "Internal", "Elastic")
        }
        if len(parts) > 1:
            energies = {**energies, "Sum of these": sum(parts.values())} if len(parts) == len(energies) else energies
        balance.charts.append(
            over_time("energy", "Energy of the fluid", times, energies, "J", {"Sum of these": "faint"}, "Energy")
        )
    for column in columns[1:]:
        if column.name == "step" or (column.unit and not column.values.any()):
            continue  # zero throughout, such as momentum along z in two dimensions
        relative = column.values[0] if column.name in ("mass", "particles") else None
        balance.rows.append(balance_row(column, relative))
    return balance


def relaxation_charts(folder):
    """Moments, stress and entropy, with exact curves where these exist."""
    columns = {column.name: column for column in folder.table("moments.csv")}
    times = columns["time"].values
    if len(times) < 2:
        return []

    def with_exact(name, title, names, unit, y_quantity):
        shown, styles = {}, {}
        for each in names:
            shown[each] = columns[each].values
            exact = columns.get(f"exact {each}")
            if exact is not None and np.isfinite(exact.values).any():
                shown[f"{each}, exact"] = exact.values
                styles[f"{each}, exact"] = "reference"
        return over_time(name, title, times, shown, unit, styles, y_quantity)

    charts = [
        with_exact("moments", "Moments over those of equilibrium", ["m4", "m6", "m8", "m10"], "", "Moment"),
        with_exact("stress", "Stress", ["stress xx", "stress xy"], "1/(m s²)", ""),
        with_exact("entropy", "Entropy", ["entropy"], "", ""),
    ]
    return [chart for chart in charts if chart.series]


def relaxation_balance(folder):
    """Invariants of the collisions, and their drift as the run itself measures it."""
    columns = folder.table("moments.csv")
    by_name = {column.name: column for column in columns}
    balance = Balance()
    if not len(columns[0].values):
        return balance
    for name in ("density", "temperature"):
        first = by_name[name].values[0]
        balance.rows.append(balance_row(by_name[name], first or None))
    for axis in "xyz":
        balance.rows.append(balance_row(by_name[f"velocity {axis}"]))
    balance.rows.append(balance_row(by_name["entropy"]))
    if len(columns[0].values) > 1:
        drifts = {f"{name.capitalize()}": by_name[f"{name} drift"].values for name in ("mass", "momentum", "energy")}
        balance.charts.append(
            over_time(
                "drift", "Drift of the invariants", columns[0].values, drifts, "", y_quantity="Share of the start"
            )
        )
    return balance


def wall_distance_charts(folder):
    """Least and greatest distance over time, and the share of answers without a search."""
    if not folder.has("distances.csv"):
        return []
    columns = folder.table("distances.csv")
    times = columns[0].values
    if len(times) < 2:
        return []
    by_name = {column.name: column.values for column in columns}
    charts = []
    for extreme in ("least", "greatest"):
        title = f"{extreme.capitalize()} distance"
        charts.append(over_time(f"{extreme}_distance", title, times, {title: by_name[f"{extreme} distance"]}, "m"))
    points = folder.summary.get("points")
    without = by_name["answers without a search"]
    values = 100 * without / points if points else without
    charts.append(
        over_time(
            "reused",
            "Answers without a search",
            times,
            {"Without a search": values},
            "% of all" if points else "",
            y_quantity="Answers",
        )
    )
    return charts
