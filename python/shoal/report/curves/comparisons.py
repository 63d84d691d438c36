# SPDX-License-Identifier: Apache-2.0
"""Comparison of runs with the reference curves of cases/*/reference: selection, units and tolerances."""

import importlib.util
from pathlib import Path

import numpy as np

from ..reading.tables import read_columns
from .charts import Chart, Series
from .references import CaseReferences


def reference_folder():
    """Folder `cases` of the checkout or of the installed package; None if there is none."""
    module = Path(__file__).resolve()
    folders = (module.parents[2] / "cases", module.parents[4] / "cases")
    return next((folder for folder in folders if folder.is_dir()), None)


class Verdicts:
    """Table of computed and expected values, with pass or fail for each."""

    def __init__(self):
        self.rows = []  # (quantity, value, expected, passed)

    def within(self, what, value, reference, tolerance):
        self.rows.append(
            (what, f"{value:.4g}", f"{reference:.4g} ± {tolerance:.3g}", abs(value - reference) <= tolerance)
        )

    def between(self, what, value, lower, upper):
        self.rows.append((what, f"{value:.4g}", f"{lower:.4g} to {upper:.4g}", lower <= value <= upper))

    @property
    def passed(self):
        return sum(row[-1] for row in self.rows)

    def __str__(self):
        table = [("", "this run", "expected", ""), *((*row[:3], "pass" if row[3] else "FAIL") for row in self.rows)]
        widths = [max(len(row[i]) for row in table) for i in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table]
        return "\n".join([*lines, f"{self.passed} of {len(self.rows)} checks pass"])


class DamBreak:
    """A column twice as wide as high in a corner of a tank, in units t* = t √(g/H), s = (x − a)/H, p* = p/(ρ g H)."""

    FRONT_TOLERANCE = 0.06

    def __init__(self, folder, references):
        self.folder, self.references = folder, references / "dam_break/reference"
        box = folder.case["body"][0]["box"]
        self.width, self.height = (box["to"][axis] - box["from"][axis] for axis in (0, 1))
        self.tank = folder.case["wall"][0]["box"]
        self.spacing = folder.case["particles"]["spacing"]
        gravity = -folder.case["scheme"]["gravity"][1]
        density = folder.case["material"][folder.case["body"][0]["material"]]["density"]
        self.per_second = float(np.sqrt(gravity / self.height))
        self.pressure_unit = density * gravity * self.height

    @staticmethod
    def applies(folder):
        body, tank = _only_box(folder, "body"), _only_box(folder, "wall")
        gravity = folder.case.get("scheme", {}).get("gravity", [0, 0])
        if not body or not tank or gravity[0] != 0 or gravity[1] >= 0 or "density" not in _material(folder):
            return False
        width, height = (body["to"][axis] - body["from"][axis] for axis in (0, 1))
        in_corner = body["from"][:2] == tank["from"][:2]
        return in_corner and abs(width / height - 2) < 0.1 and tank["to"][0] - tank["from"][0] > 2.5 * width

    @property
    def resolution(self):
        return self.height / self.spacing

    def _front(self):
        """(probe, t*, s) of the front."""
        for probe, times, x in self.folder.probes("surge_front"):
            return probe, times * self.per_second, (x - self.width) / self.height
        return None

    def _wall_pressure(self):
        """(probe, t*, p*) of the first pressure probe on the far wall near the height of the experiment's sensor."""
        for probe, times, pressure in self.folder.probes("pressure"):
            if "at" not in probe or not 0.15 < (probe["at"][1] - self.tank["from"][1]) / self.height < 0.35:
                continue
            if abs(probe["at"][0] - self.tank["to"][0]) < self.spacing:
                return probe, times * self.per_second, pressure / self.pressure_unit
        return None

    def compared(self):
        """Names of the probes that the charts show."""
        return [signal[0]["name"] for signal in (self._front(), self._wall_pressure()) if signal]

    def charts(self):
        front, wall = self._front(), self._wall_pressure()
        return ([self._front_chart(*front)] if front else []) + ([self._pressure_chart(*wall)] if wall else [])

    def _front_chart(self, probe, time, front):
        series = []
        peer = read_columns(self.references / "front_peer.csv")
        for name in [name for name in peer if name != "time"]:
            series.append(Series(f"Another SPH code, {name.replace('_', '/')}", peer["time"], peer[name], "marks"))
        for name, label in [("square", "n² = 1"), ("tall", "n² = 2")]:
            experiment = read_columns(self.references / f"front_martin_moyce_{name}.csv")
            label = f"Experiment, Martin and Moyce 1952, {label}"
            series.append(Series(label, experiment["time"], experiment["front"], "marks"))
        series.insert(0, Series(f"This run, H/{self.resolution:.0f}", time, front))
        return Chart(
            probe["name"],
            "Front of the water",
            "t √(g/H)",
            "(x − a)/H",
            series,
            self.per_second,
            "Gate and floor friction slow the experiment's 5.7 cm columns.",
            (0, min(3.0, time[-1])),
            (0, 3.5),
        )

    def _pressure_chart(self, probe, time, pressure):
        experiment = read_columns(self.references / "wall_pressure_buchner.csv")
        window = max(1, round(0.1 / np.diff(time).mean()))
        mean = np.convolve(pressure, np.full(window, 1 / window), mode="same")
        high = (probe["at"][1] - self.tank["from"][1]) / self.height
        series = [
            Series("This run, mean over 0.1 t*", time, mean),
            Series("This run, every sample", time, pressure, "faint"),
            Series("Experiment, Buchner 2002, at 0.267 H", experiment["time"], experiment["pressure"], "marks"),
        ]
        return Chart(
            probe["name"],
            f"Pressure on the far wall at {high:.2g} H",
            "t √(g/H)",
            "p/(ρ g H)",
            series,
            self.per_second,
            "The first peak depends on the sensor's size and on air; the plateau does not.",
            (min(2.0, 0.5 * time[-1]), min(8.0, time[-1])),
            (-0.2, 2),
        )

    def verdicts(self):
        """Verdicts, or None if no probe can be compared."""
        verdicts = Verdicts()
        front, wall = self._front(), self._wall_pressure()
        if front:
            self._judge_front(verdicts, *front[1:])
        if wall:
            self._judge_pressure(verdicts, *wall[1:])
        return verdicts if verdicts.rows else None

    def _judge_front(self, verdicts, time, front):
        peer = read_columns(self.references / "front_peer.csv")
        columns = [name for name in peer if name != "time"]
        like = min(columns, key=lambda name: abs(np.log(int(name[2:]) / self.resolution)))
        for peer_time, peer_front in zip(peer["time"], peer[like]):
            if peer_time <= time[-1]:
                what = f"Front at t* = {peer_time:.1f} ({like.replace('_', '/')})"
                verdicts.within(what, np.interp(peer_time, time, front), peer_front, self.FRONT_TOLERANCE)
        wall = (self.tank["to"][0] - 1.5 * self.spacing - self.width) / self.height
        if time[-1] >= 2.6:
            verdicts.between("Front at the wall, t*", _first_time(time, front >= wall), 2.3, 2.5)

    @staticmethod
    def _judge_pressure(verdicts, time, pressure):
        if time[-1] >= 5.2:
            verdicts.between("Wall pressure rises, t*", _first_time(time, pressure > 0.1), 2.35, 2.55)
            plateau = pressure[(time >= 3.3) & (time <= 5.2)]
            verdicts.within("Wall pressure, mean over t* 3.3 to 5.2", plateau.mean(), 0.53, 0.08)


class PressureWave:
    """A free square heated at its center, in units of the initial pressure there; the series has all reflections."""

    def __init__(self, folder, references):
        self.folder, case = folder, folder.case
        path = references / "pressure_wave/reference/free_square.py"
        spec = importlib.util.spec_from_file_location("free_square", path)
        self._series = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._series)
        heat, body = case["heat_pulse"][0], case["body"][0]
        material = case["material"][body["material"]]
        self.center = np.array(heat["at"][:2], dtype=float)
        self.radius = heat["radius"]
        self.spacing = case["particles"]["spacing"]
        self.edge = body["box"]["to"][0] - body["box"]["from"][0]
        self.sound_speed = material["sound_speed"]
        self.pressure_unit = material["energy"][0] * material["density"] * heat["energy"]

    @staticmethod
    def applies(folder):
        box, heat, material = _only_box(folder, "body"), folder.case.get("heat_pulse", []), _material(folder)
        if not box or len(heat) != 1 or "wall" in folder.case or heat[0].get("start") or heat[0].get("length"):
            return False
        if material.get("equation_of_state") != "polynomial" or not material.get("energy"):
            return False
        edges = [box["to"][axis] - box["from"][axis] for axis in (0, 1)]
        middle = [(box["to"][axis] + box["from"][axis]) / 2 for axis in (0, 1)]
        centered = all(abs(a - b) < 0.01 * edges[0] for a, b in zip(middle, heat[0]["at"]))
        return centered and abs(edges[0] - edges[1]) < 1e-6 * edges[0] and heat[0]["radius"] < 0.1 * edges[0]

    def _traces(self):
        """[(name, position relative to the center in m, times in s, p/p0)] of the pressure probes."""
        return [
            (probe["name"], np.array(probe["at"][:2]) - self.center, times, pressure / self.pressure_unit)
            for probe, times, pressure in self.folder.probes("pressure")
            if "at" in probe
        ]

    def _exact(self, position, times):
        return self._series.pressure(*position, times, self.edge, self.radius, self.sound_speed)

    def compared(self):
        return [name for name, *_ in self._traces()]

    def charts(self):
        charts = []
        for name, position, times, values in self._traces():
            fine = np.linspace(0, times[-1], 600)
            series = [
                Series("This run", 1e6 * times, values),
                Series("Exact series of linear acoustics", 1e6 * fine, self._exact(position, fine), "reference"),
            ]
            title = f"Pressure at ({1e3 * position[0]:.3g}, {1e3 * position[1]:.3g}) mm from the center"
            charts.append(Chart(name, title, "Time, µs", "p/p₀", series, 1e6))
        return charts

    def verdicts(self):
        verdicts = Verdicts()
        for _, position, times, values in self._traces():
            distance = np.hypot(*position)
            if abs(position[1]) > self.spacing or distance > 0.3 * self.edge:
                continue  # direct and reflected wave overlap there, or arrive from two sides at once
            path = self.edge - distance
            direct = (distance + 0.3 * self.radius) / self.sound_speed, (distance + 5 * self.radius) / self.sound_speed
            reflected = (path - 4 * self.radius) / self.sound_speed, (path + 4 * self.radius) / self.sound_speed
            for name, window, share in [("first minimum", direct, 0.05), ("reflection", reflected, 0.5)]:
                if ((times >= window[0]) & (times <= window[1])).sum() >= 3 and times[-1] >= window[1]:
                    where = f"({1e3 * position[0]:.3g}, {1e3 * position[1]:.3g}) mm: {name}"
                    self._judge(verdicts, where, position, times, values, window, share)
        return verdicts if verdicts.rows else None

    def _judge(self, verdicts, where, position, times, values, window, share):
        fine = np.linspace(*window, 400)
        exact_time, exact_value = _minimum(fine, self._exact(position, fine), window)
        time, value = _minimum(times, values, window)
        verdicts.within(f"{where}, µs", 1e6 * time, 1e6 * exact_time, 0.02e6 * exact_time)
        verdicts.within(f"{where}, p/p₀", value, exact_value, share * abs(exact_value))


def _only_box(folder, section):
    """Box of the only body or wall of a 2-D case; None if there are several or the shape is another one."""
    entries = folder.case.get(section, [])
    plane = folder.kind == "sph" and folder.case.get("particles", {}).get("dimensions", 2) == 2
    return entries[0].get("box") if plane and len(entries) == 1 else None


def _material(folder):
    """Keys of the first body's material."""
    bodies = folder.case.get("body", [])
    return folder.case.get("material", {}).get(bodies[0].get("material"), {}) if bodies else {}


def _first_time(time, condition):
    """First time at which a condition holds; infinite if it never does."""
    return time[np.argmax(condition)] if condition.any() else np.inf


def _minimum(times, values, window):
    """Time and value of the minimum within a window, from the parabola through the smallest value and its neighbors."""
    inside = np.flatnonzero((times >= window[0]) & (times <= window[1]))
    i = np.clip(inside[np.argmin(values[inside])], 1, len(values) - 2)
    before, least, after = values[i - 1 : i + 2]
    bend = before - 2 * least + after
    shift = 0.5 * (before - after) / bend if bend > 0 else 0.0
    return times[i] + shift * (times[i + 1] - times[i]), least - 0.25 * (before - after) * shift


def profile_references(folder):
    """{axis: {column: [Series]}} of the profiles and probes that the validation.toml of a run's case names."""
    cases = reference_folder()
    if not cases:
        return {}
    references = CaseReferences(folder, cases)
    return {
        "x": references.profiles("profile"),
        "y": references.profiles("profile_y"),
        "velocity x": references.profiles("velocity"),
    }


def comparisons_of(folder):
    """Comparisons for a run: those of known cases, then those of its validation.toml."""
    cases = reference_folder()
    if cases is None:
        return []
    known = [kind(folder, cases) for kind in (DamBreak, PressureWave) if kind.applies(folder)]
    compared = {name for comparison in known for name in comparison.compared()}
    return [*known, CaseReferences(folder, cases, compared)]
