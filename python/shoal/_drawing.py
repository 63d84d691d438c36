# SPDX-License-Identifier: Apache-2.0
"""Figures of what a report shows: states and charts. Needs matplotlib."""

import io

import matplotlib
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.collections import PolyCollection
from matplotlib.colors import ListedColormap, LogNorm, Normalize, to_rgb
from matplotlib.figure import Figure

from .report import colors
from .report.scene.cells import Cells
from .report.scene.view import TILT, TURN, view_axes
from .report.units import prefixed, shown

WALL = "#9aa3ab"

STYLE = {
    "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.8,
    "axes.prop_cycle": matplotlib.cycler(color=["#0b6a8a", "#d0661a", "#6f4fb3", "#2c8a57", "#b53d72", "#8a6d1d"]),
}  # fmt: skip


class Coloring:
    """Colors of a quantity: the map, the norm, and the label with its unit."""

    def __init__(self, quantity):
        self.quantity, self.factor, unit = quantity, 1.0, quantity.unit
        if quantity.scale == "categories":
            self.map, self.norm = (
                ListedColormap(colors.CATEGORY_COLORS[: max(2, len(quantity.categories))]),
                Normalize(*quantity.limits),
            )
        else:
            if quantity.scale != "log":
                self.factor, unit = prefixed(unit, max(map(abs, quantity.limits)))
            limits = [limit * self.factor for limit in quantity.limits]
            self.map = ListedColormap(colors.color_map(quantity.scale))
            self.norm = (LogNorm if quantity.scale == "log" else Normalize)(*limits)
        self.label = f"{quantity.label}, {unit}" if unit else quantity.label

    def values(self, state):
        values = self.quantity.values[state] * self.factor
        return np.clip(values, self.norm.vmin, self.norm.vmax)

    def bar(self, figure, axes):
        extend = "neither" if self.quantity.scale == "categories" else "both"
        bar = figure.colorbar(
            ScalarMappable(self.norm, self.map), ax=axes, label=self.label, extend=extend, shrink=0.85
        )
        if self.quantity.scale == "categories":
            bar.set_ticks(range(len(self.quantity.categories)), labels=self.quantity.categories)


def _flattened(positions):
    """(x, y, depth) of 3-D points in the first view of the report."""
    return positions @ view_axes(TURN, TILT).T


def _picture(positions, depth, radius, rgb, low, high):
    """RGBA image of disks as the report draws them: a pixel shows the nearest center, in 3-D the nearest sphere.

    `depth` is None in 2-D. The longer side has 1400 pixels, fewer if disks would be larger than necessary.
    """
    scale = min(1400 / (high - low).max(), 20 / radius)
    width, height = np.ceil((high - low) * scale).astype(int)
    pixels = (positions - low) * scale
    reach = max(0.8, radius * scale)
    span = np.arange(-np.ceil(reach), np.ceil(reach) + 1).astype(int)
    image = np.zeros((height * width, 4))
    drawn = []
    for dx, dy in ((dx, dy) for dx in span for dy in span):
        cell = np.floor(pixels).astype(int) + (dx, dy)
        distance = ((cell + 0.5 - pixels) ** 2).sum(axis=1) / reach**2
        kept = np.flatnonzero((distance <= 1) & (cell >= 0).all(axis=1) & (cell < (width, height)).all(axis=1))
        toward = np.sqrt(1 - distance[kept])
        key = distance[kept] if depth is None else depth[kept] - radius * toward
        drawn.append((cell[kept, 1] * width + cell[kept, 0], key, kept, toward))
    pixel, key, item, toward = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
    order = np.argsort(-key, kind="stable")  # the last write remains
    pixel, item, toward = pixel[order], item[order], toward[order]
    image[pixel, :3] = rgb[item] * (1.0 if depth is None else 0.6 + 0.4 * toward[:, None])
    image[pixel, 3] = 1
    return image.reshape(height, width, 4)


def _draw_particles(axes, scene, coloring, state):
    flat = scene.dimensions == 2
    present = np.isfinite(scene.positions[state, :, 0]) & (flat | ~scene.wall)
    positions, wall = scene.positions[state][present].astype(float), scene.wall[present]
    rgb = np.where(wall[:, None], to_rgb(WALL), coloring.map(coloring.norm(coloring.values(state)[present]))[:, :3])
    low, high = (np.array(corner) for corner in scene.box)
    depth = None
    if not flat:
        corners = _flattened(np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T)[:, :2]
        positions, depth = _flattened(positions)[:, :2], _flattened(positions)[:, 2]
        low, high = corners.min(axis=0), corners.max(axis=0)
        axes.set_axis_off()
    image = _picture(positions, depth, (0.86 if flat else 0.58) * scene.spacing, rgb, low, high)
    axes.imshow(image, extent=(low[0], high[0], low[1], high[1]), origin="lower")


def _draw_cells(axes, scene, coloring, state):
    polygons = [scene.points[scene.corners[a:b]] for a, b in zip(scene.starts[:-1], scene.starts[1:])]
    values = coloring.values(state)
    cells = PolyCollection(
        polygons, cmap=coloring.map, norm=coloring.norm, edgecolors="face", linewidths=0.2, rasterized=True
    )
    cells.set_array(values if scene.owners is None else values[scene.owners])
    axes.add_collection(cells)


def draw_states(scene, quantity, states):
    """Figure of the states, two per row."""
    coloring = Coloring(quantity)
    (left, bottom), (right, top) = (corner[:2] for corner in scene.box)
    high = np.clip((top - bottom) / (right - left), 0.3, 1.0) if scene.dimensions == 2 else 0.65
    columns = min(2, len(states))
    rows = -(-len(states) // columns)
    size = (5.2 * columns + 1.3, (5.0 * high + 0.6) * rows)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for axes in grid.flat[len(states) :]:
        axes.set_visible(False)
    for axes, state in zip(grid.flat, states):
        axes.set_aspect("equal")
        axes.set_title(f"t = {shown(float(scene.times[state]), 's')}", loc="left", fontsize="medium")
        if scene.dimensions == 2:
            axes.set(xlim=(left, right), ylim=(bottom, top))
    if scene.dimensions == 2:
        (x, x_unit), (y, y_unit) = scene.axes if isinstance(scene, Cells) else (("x", "m"), ("y", "m"))
        for axes in grid[-1]:
            axes.set_xlabel(f"{x}, {x_unit}")
        for axes in grid[:, 0]:
            axes.set_ylabel(f"{y}, {y_unit}")
    coloring.bar(figure, grid)
    for axes, state in zip(grid.flat, states):
        (_draw_cells if isinstance(scene, Cells) else _draw_particles)(axes, scene, coloring, state)
    return figure


def draw_chart(chart):
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    shapes = iter("ox^sDv<>")
    last = None
    for series in chart.series:
        x, y = np.asarray(series.x, float), np.asarray(series.y, float)
        if series.style == "marks":
            axes.plot(x, y, next(shapes), fillstyle="none", markersize=5, label=series.label)
        elif series.style == "faint":
            axes.plot(x, y, color="#b7c0c8", lw=0.8, zorder=1, label=series.label)
        else:
            style = {"ls": "--", "color": last} if series.style == "reference" else {}
            last = axes.plot(x, y, lw=1.6, label=series.label, **style)[0].get_color()
    axes.grid(alpha=0.3, lw=0.6)
    axes.set(xlabel=chart.x_label, ylabel=chart.y_label, title=chart.title)
    if chart.x_limits:
        axes.set_xlim(chart.x_limits)
    if chart.y_limits:
        axes.set_ylim(chart.y_limits)
    if len(chart.series) > 1:
        axes.legend(fontsize="small", frameon=False)
    return figure


def png_of(figure, dpi):
    """Bytes of a figure as a PNG."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=dpi)
    return content.getvalue()
