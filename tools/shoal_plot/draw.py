# SPDX-License-Identifier: Apache-2.0
"""Pictures of particles."""

import matplotlib

matplotlib.use("Agg")  # files only: works without a display
import matplotlib.pyplot as plt
import numpy as np

WALL = "#8a8f96"


def save(figure, path, dpi=160):
    figure.savefig(path, dpi=dpi)
    plt.close(figure)
    print(f"  {path}")


def particles(axes, run, step, name, limits, colours="viridis"):
    """Draws fluid particles coloured by field `name`, and walls in grey; returns what a colour bar needs."""
    positions = run.positions(step)
    wall = run.field("wall", step) != 0
    values = run.field(name, step)
    axes.set_aspect("equal")
    axes.set_xlabel("x, m")
    axes.set_ylabel("y, m")
    axes.set_title(f"t = {run.times[step]:.4g} s", loc="left", fontsize="medium")
    axes.figure.canvas.draw()  # settles the size of the axes, which that of the markers follows
    points_per_metre = abs(np.diff(axes.transData.transform([(0, 0), (1, 0)])[:, 0])[0]) * 72 / axes.figure.dpi
    style = {"s": (1.35 * run.spacing * points_per_metre) ** 2, "linewidths": 0, "rasterized": True}
    axes.scatter(*positions[wall, :2].T, color=WALL, marker="s", **style)
    return axes.scatter(*positions[~wall, :2].T, c=values[~wall], cmap=colours, vmin=limits[0], vmax=limits[1], **style)
