#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of a dam-break run, and its front and wall pressure beside the reference curves of cases/dam_break."""

import argparse
import sys
from pathlib import Path

import numpy as np

from shoal_plot import draw
from shoal_plot.draw import plt
from shoal_plot.report import Report
from shoal_plot.run import Run, RunError, read_columns

REFERENCE = Path(__file__).resolve().parent.parent / "cases/dam_break/reference"
FRONT_TOLERANCE = 0.06


class DamBreak(Run):
    """A run of a column of width a and height H, in the units t* = t √(g/H), s = (x − a)/H, p* = p/(ρ g H)."""

    def __init__(self, folder):
        super().__init__(folder)
        box = self.case["body"][0]["box"]
        self.width = box["to"][0] - box["from"][0]
        self.height = box["to"][1] - box["from"][1]
        self.tank = self.case["wall"][0]["box"]
        self.gravity = -self.case["scheme"]["gravity"][1]
        self.density = self.case["material"][self.case["body"][0]["material"]]["density"]
        self.pressure_unit = self.density * self.gravity * self.height

    def scaled_time(self, time):
        return np.asarray(time) * np.sqrt(self.gravity / self.height)

    def front(self):
        _, time, x = self.probe("surge_front")
        return self.scaled_time(time), (x - self.width) / self.height

    def wall_pressure(self):
        _, time, pressure = self.probe("pressure")
        return self.scaled_time(time), pressure / self.pressure_unit


def like_resolution(run, columns):
    """The reference column (H_40, ...) whose H / spacing is nearest to the run's, as a ratio."""
    resolution = run.height / run.spacing
    return min((name for name in columns if name != "time"), key=lambda name: abs(np.log(int(name[2:]) / resolution)))


def first_time(time, happened):
    """The first time at which something has happened; infinite if it never does."""
    return time[np.argmax(happened)] if happened.any() else np.inf


def compare(run):
    report = Report(f"{run.case['title']}: H / spacing = {run.height / run.spacing:.0f}")
    time, front = run.front()
    peer = read_columns(REFERENCE / "front_peer.csv")
    row = like_resolution(run, peer)
    for peer_time, peer_front in zip(peer["time"], peer[row]):
        if peer_time <= time[-1]:
            value = np.interp(peer_time, time, front)
            report.within(f"front at t* = {peer_time:.1f} ({row.replace('_', '/')})", value, peer_front, FRONT_TOLERANCE)

    wall = (run.tank["to"][0] - 1.5 * run.spacing - run.width) / run.height
    if time[-1] >= 2.6:
        report.between("front at the wall, t*", first_time(time, front >= wall), 2.3, 2.5)

    time, pressure = run.wall_pressure()
    if time[-1] >= 5.2:
        report.between("wall pressure at 0.2 H rises, t*", first_time(time, pressure > 0.1), 2.35, 2.55)
        plateau = pressure[(time >= 3.3) & (time <= 5.2)]
        report.within("wall pressure, mean over t* 3.3 to 5.2", plateau.mean(), 0.53, 0.08)
    return report


def plot_front(run, path):
    figure, axes = plt.subplots(figsize=(6, 4.5), layout="constrained")
    peer = read_columns(REFERENCE / "front_peer.csv")
    for name in [name for name in peer if name != "time"]:
        axes.plot(peer["time"], peer[name], "o", fillstyle="none", label=f"TrixiParticles.jl, {name.replace('_', '/')}")
    for name, label in [("square", "n² = 1"), ("tall", "n² = 2")]:
        experiment = read_columns(REFERENCE / f"front_martin_moyce_{name}.csv")
        axes.plot(experiment["time"], experiment["front"], "x", label=f"Martin and Moyce (1952), {label}")
    axes.plot(*run.front(), "k-", label=f"shoal, H/{run.height / run.spacing:.0f}")
    axes.set(xlabel="t √(g/H)", ylabel="(x − a)/H", xlim=(0, 3), ylim=(0, 3.5), title="Front of the water")
    axes.legend(fontsize="small")
    draw.save(figure, path)


def plot_pressure(run, path):
    figure, axes = plt.subplots(figsize=(6, 4.5), layout="constrained")
    experiment = read_columns(REFERENCE / "wall_pressure_buchner.csv")
    time, pressure = run.wall_pressure()
    window = max(1, int(0.1 / np.diff(time).mean()))
    mean = np.convolve(pressure, np.full(window, 1 / window), mode="same")
    name = f"shoal, H/{run.height / run.spacing:.0f}, at 0.2 H"
    axes.plot(time, pressure, color="lightgrey", lw=0.8, label=name)
    axes.plot(time, mean, "k-", label=f"{name}, mean over 0.1 t*")
    axes.plot(experiment["time"], experiment["pressure"], "x", label="Buchner (2002), at 0.267 H")
    axes.set(xlabel="t √(g/H)", ylabel="p/(ρ g H)", xlim=(2, 8), ylim=(-0.2, 2), title="Pressure on the wall")
    axes.legend(fontsize="small")
    draw.save(figure, path)


def draw_flow(run, axes, time):
    left, right = run.tank["from"][0], run.tank["to"][0]
    axes.set(xlim=(left - 0.1, right + 0.1), ylim=(-0.1, run.tank["to"][1] + 0.4))
    return draw.particles(axes, run, run.step_at(time), "pressure", (0, run.pressure_unit))


def plot_flow(run, times, path, columns=1):
    rows = -(-len(times) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(7.5 * columns, 3.1 * rows), squeeze=False, layout="constrained")
    for axes, time in zip(grid.flat, times):
        coloured = draw_flow(run, axes, time)
    figure.colorbar(coloured, ax=grid, label="pressure, Pa", extend="both", shrink=0.8)
    draw.save(figure, path, dpi=160 if columns == 1 else 100)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", help="output folder of `shoal run`")
    arguments.add_argument("--times", type=float, nargs="+", default=[0.4, 0.8, 1.2, 2.0], help="of the pictures, s")
    arguments.add_argument("--overview", metavar="FILE", help="also draw all times in one picture")
    options = arguments.parse_args()

    run = DamBreak(options.folder)
    times = [time for time in options.times if time <= run.times[-1] + 1e-9]
    print("pictures:")
    for time in times:
        plot_flow(run, [time], run.folder / f"flow_{time:.1f}s.png")
    if options.overview:
        plot_flow(run, times, options.overview, columns=2)
    plot_front(run, run.folder / "front.png")
    plot_pressure(run, run.folder / "wall_pressure.png")
    report = compare(run)
    print(report)
    return 0 if report.passed else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as error:
        sys.exit(f"plot_dam_break: {error}")
