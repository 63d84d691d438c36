#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of wall distances: the cells of a 2-D mesh, colored by their distance, with the borders between bodies. They show
the output of `shoal run` for cases of kind = "wall_distance", or files of `shoal wall_distance`.

    tools/plot_wall_distance.py --out docs/images/wall_distance.png out/pitching_airfoil@0 out/pitching_airfoil@0.25
"""

import argparse
import sys
from pathlib import Path

import h5py
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure


class State:
    """Mesh and distances of one state, given as FOLDER@TIME or as a file with one state."""

    def __init__(self, name):
        location, _, time = name.partition("@")
        path = Path(location) / "distance.vtkhdf" if Path(location).is_dir() else Path(location)
        try:
            vtk = h5py.File(path, "r")["VTKHDF"]
        except (OSError, KeyError) as error:
            sys.exit(f"plot_wall_distance: {path} has no distances: {error}")
        if "CellData" not in vtk:
            sys.exit(f"plot_wall_distance: {path} has distances of nodes, expected those of cells.")
        count = vtk["NumberOfCells"][0]
        first, self.title = 0, path.stem
        if "Steps" in vtk:
            times = vtk["Steps/Values"][:]
            step = int(np.argmin(abs(times - float(time or 0))))
            first, self.title = vtk["Steps/CellDataOffsets/wall_distance"][step], f"t = {times[step]:.4g} s"
        corners, starts = vtk["Connectivity"][:], vtk["Offsets"][:]
        points = vtk["Points"][:, :2]
        self.cells = [points[corners[a:b]] for a, b in zip(starts[:-1], starts[1:])]
        self.distance = vtk["CellData/wall_distance"][first : first + count]
        self.body = vtk["CellData/body"][first : first + count] if "body" in vtk["CellData"] else np.zeros(count, int)


def cells_in(state, window):
    """Returns the numbers of the cells in a window (x0, x1, y0, y1), and the middles of all cells."""
    middles = np.array([cell.mean(axis=0) for cell in state.cells])
    near = (middles[:, 0] > window[0] - 0.5) & (middles[:, 0] < window[1] + 0.5)
    near &= (middles[:, 1] > window[2] - 0.5) & (middles[:, 1] < window[3] + 0.5)
    return np.flatnonzero(near), middles


def draw_grid(axes, state, window):
    """Draws the edges of the cells in a window."""
    shown, _ = cells_in(state, window)
    axes.add_collection(PolyCollection([state.cells[i] for i in shown], facecolor="none", edgecolor="black",
                                       linewidths=0.2, rasterized=True))
    axes.set(xlim=window[:2], ylim=window[2:], aspect="equal", xlabel="x, m", ylabel="y, m")
    axes.set_title(f"grid of {len(state.cells)} cells", loc="left", fontsize="medium")


def draw_state(axes, state, window, norm):
    """Draws the distances of the cells in a window. Returns the collection for a color bar."""
    shown, middles = cells_in(state, window)
    cells = PolyCollection([state.cells[i] for i in shown], cmap="viridis", norm=norm, rasterized=True)
    cells.set_array(np.clip(state.distance[shown], norm.vmin, norm.vmax))
    cells.set_edgecolor("face")
    axes.add_collection(cells)
    if len(set(state.body[shown])) > 1:
        axes.tricontour(*middles[shown].T, state.body[shown], levels=[np.mean(sorted(set(state.body[shown]))[:2])],
                        colors="white", linewidths=1.2)
    axes.set(xlim=window[:2], ylim=window[2:], aspect="equal", xlabel="x, m", ylabel="y, m")
    axes.set_title(state.title, loc="left", fontsize="medium")
    return cells


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("states", nargs="+", help="FOLDER@TIME of a run, or a .vtkhdf file")
    arguments.add_argument("--out", default="wall_distance.png", help="picture: .png or .svg")
    arguments.add_argument("--window", type=float, nargs=4, default=[-0.5, 1.5, -0.9, 0.6],
                           metavar=("X0", "X1", "Y0", "Y1"), help="visible part of the plane, m")
    arguments.add_argument("--limits", type=float, nargs=2, default=[1e-3, 1],
                           help="distances at the ends of the color scale, m")
    arguments.add_argument("--grid", action="store_true", help="show the grid of the first state on the left")
    arguments.add_argument("--linear", action="store_true", help="linear color scale; default: logarithmic")
    options = arguments.parse_args()

    states = [State(name) for name in options.states]
    norm = (Normalize if options.linear else LogNorm)(*options.limits)
    panels = len(states) + options.grid
    figure = Figure(figsize=(4.3 * panels + 0.8, 3.6), layout="constrained")
    grid = figure.subplots(1, panels, squeeze=False)
    if options.grid:
        draw_grid(grid.flat[0], states[0], options.window)
    for axes, state in zip(grid.flat[options.grid:], states):
        colored = draw_state(axes, state, options.window, norm)
    figure.colorbar(colored, ax=grid, label="distance to the nearest wall, m", extend="both", shrink=0.9)
    figure.savefig(options.out, dpi=100)


if __name__ == "__main__":
    main()
