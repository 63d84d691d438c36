#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a pressure-wave run, and its pressure traces beside the exact series of cases/pressure_wave."""

import argparse
import sys
from pathlib import Path

import numpy as np

from shoal_plot import draw
from shoal_plot.draw import plt
from shoal_plot.report import Report
from shoal_plot.run import Run, RunError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cases/pressure_wave/reference"))
import free_square  # noqa: E402


class PressureWave(Run):
    """A run of a free square heated at its centre; pressures in units of the first one at the centre, p0."""

    def __init__(self, folder):
        super().__init__(folder)
        heat = self.case["heat"][0]
        body = self.case["body"][0]
        material = self.case["material"][body["material"]]
        self.centre = np.array(heat["at"][:2])
        self.radius = heat["radius"]
        self.edge = body["box"]["to"][0] - body["box"]["from"][0]
        self.sound_speed = material["sound_speed"]
        self.pressure_unit = material["energy"][0] * material["density"] * heat["energy"]

    def traces(self):
        """[(place from the centre in m, times, p/p0)] of the pressure probes."""
        return [
            (np.array(probe["at"][:2]) - self.centre, times, pressure / self.pressure_unit)
            for probe, times, pressure in self.probes("pressure")
        ]

    def exact(self, place, times):
        return free_square.pressure(*place, times, self.edge, self.radius, self.sound_speed)


def minimum(times, values, window):
    """Time and value of the smallest value within a window, from the parabola through it and its neighbours."""
    inside = np.flatnonzero((times >= window[0]) & (times <= window[1]))
    i = np.clip(inside[np.argmin(values[inside])], 1, len(values) - 2)
    before, least, after = values[i - 1 : i + 2]
    bend = before - 2 * least + after
    shift = 0.5 * (before - after) / bend if bend > 0 else 0.0
    return times[i] + shift * (times[i + 1] - times[i]), least - 0.25 * (before - after) * shift


def compare(run):
    report = Report(f"{run.case['title']}: b / spacing = {run.radius / run.spacing:.0f}")
    for place, times, values in run.traces():
        distance = np.hypot(*place)
        if abs(place[1]) > run.spacing or distance > 0.3 * run.edge:
            continue  # direct and reflected wave overlap there, or come from two sides at once
        direct = (distance + 0.3 * run.radius) / run.sound_speed, (distance + 5 * run.radius) / run.sound_speed
        path = run.edge - distance
        reflected = (path - 4 * run.radius) / run.sound_speed, (path + 4 * run.radius) / run.sound_speed
        for name, window, share in [("first minimum", direct, 0.05), ("reflection", reflected, 0.5)]:
            if times[-1] < window[1]:
                continue
            fine = np.linspace(*window, 400)
            exact_time, exact_value = minimum(fine, run.exact(place, fine), window)
            time, value = minimum(times, values, window)
            where = f"({1e3 * place[0]:+.3g}, {1e3 * place[1]:+.3g}) mm: {name}"
            report.within(f"{where}, us", 1e6 * time, 1e6 * exact_time, 0.02e6 * exact_time)
            report.within(f"{where}, p/p0", value, exact_value, share * abs(exact_value))
    return report


def plot_traces(run, path):
    traces = run.traces()
    figure, grid = plt.subplots(len(traces), 1, figsize=(7, 2.4 * len(traces)), sharex=True, squeeze=False,
                                layout="constrained")
    for axes, (place, times, values) in zip(grid.flat, traces):
        fine = np.linspace(0, times[-1], 1000)
        axes.plot(1e6 * fine, run.exact(place, fine), color="tab:orange", lw=2.5, alpha=0.6, label="exact")
        axes.plot(1e6 * times, values, "k-", lw=0.9, label="shoal")
        axes.set(ylabel="p/p0")
        axes.set_title(f"({1e3 * place[0]:+.3g}, {1e3 * place[1]:+.3g}) mm", loc="left", fontsize="medium")
    grid[0, 0].legend()
    grid[-1, 0].set_xlabel("t, µs")
    draw.save(figure, path)


def plot_waves(run, times, path):
    figure, grid = plt.subplots(2, 2, figsize=(9, 8), layout="constrained")
    for axes, time in zip(grid.flat, times):
        limits = [(c - 0.52 * run.edge, c + 0.52 * run.edge) for c in run.centre]
        axes.set(xlim=limits[0], ylim=limits[1])
        extreme = 0.15 * run.pressure_unit
        step = run.step_at(time)
        coloured = draw.particles(axes, run, step, "pressure", (-extreme, extreme), "RdBu_r")
        axes.set_title(f"t = {1e6 * run.times[step]:.4g} µs", loc="left", fontsize="medium")
    figure.colorbar(coloured, ax=grid, label="pressure, Pa", extend="both", shrink=0.8)
    draw.save(figure, path)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", help="output folder of `shoal run`")
    arguments.add_argument("--times", type=float, nargs=4, default=[20e-6, 40e-6, 60e-6, 80e-6],
                           help="of the pictures, s")
    options = arguments.parse_args()

    run = PressureWave(options.folder)
    print("pictures:")
    plot_waves(run, options.times, run.folder / "waves.png")
    plot_traces(run, run.folder / "traces.png")
    report = compare(run)
    print(report)
    return 0 if report.passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as error:
        sys.exit(f"plot_pressure_wave: {error}")
