# SPDX-License-Identifier: Apache-2.0
"""Cells of a mesh over time, as polygons in two dimensions."""

from dataclasses import dataclass

import numpy as np

from ..errors import ReportError
from ..reading.states import VtkHdfMesh
from .particles import Particles, every_state, mean_spacing
from .parts import Part
from .quantities import categories_of, quantity_of


@dataclass
class Cells:
    """Fixed polygons with values over time; polygon i has the corners from starts[i] to starts[i + 1]."""

    times: np.ndarray
    points: np.ndarray  # [nodes, 2], in the units of `axes`
    corners: np.ndarray
    starts: np.ndarray
    owners: np.ndarray | None  # polygon i shows value owners[i]; None: value i
    quantities: list
    box: tuple  # (low, high): the refined part of the mesh
    axes: tuple = (("x", "m"), ("y", "m"))
    dimensions: int = 2


def read_cells(folder, names=None, most_states=400):
    """Cells of a run of kind wall_distance: Cells in two dimensions, the cells' centers as Particles in three."""
    if not folder.has("distance.vtkhdf"):
        return None
    mesh = VtkHdfMesh(folder.folder / "distance.vtkhdf")
    if not len(mesh.times):
        raise ReportError(f"{mesh.path}: has no states: the run ended before it wrote the first one.")
    which = every_state(len(mesh.times), most_states)
    unknown = [name for name in names or () if name not in mesh.names]
    if unknown:
        raise ReportError(f"unknown quantity `{unknown[0]}`; the output has: {', '.join(mesh.names)}.")
    flat = np.ptp(mesh.points[:, 2]) == 0
    places = _centers_of(mesh.points, mesh.corners, mesh.starts) if mesh.of_cells else mesh.points
    box = _fine_part(mesh.points[:, : 2 if flat else 3])
    inside = np.all((places[:, : len(box[0])] >= box[0]) & (places[:, : len(box[0])] <= box[1]), axis=1)
    quantities = []
    for name in names or [name for name in ("wall_distance", "body", "wall") if name in mesh.names]:
        values = np.stack([mesh.array(name, state) for state in which])
        if name in ("body", "wall"):
            categories = _names_of(folder, name, values)
            if len(categories) > 1 or names:
                quantities.append(categories_of(name, values - min(values.min(), 0), categories))
        else:
            quantities.append(quantity_of(name, values.astype(np.float32), inside))
    times = mesh.times[which]
    if flat:
        polygons = (mesh.points[:, :2], mesh.corners, mesh.starts, None) if mesh.of_cells else _around_nodes(mesh)
        return Cells(times, *polygons, quantities, box)
    positions = np.broadcast_to(places.astype(np.float32), (len(which), *places.shape))
    none = np.zeros(len(places), bool)
    count = len(places)
    return Particles(
        times, positions, np.arange(count), none, [Part("points", False)], none.astype(np.uint16), mean_spacing(places),
        quantities, None, None, count, 1, box,
    )  # fmt: skip


def _fine_part(points):
    """(low, high) of the region with most nodes, if it is far smaller than the mesh; otherwise of the mesh."""
    low, high = points.min(axis=0), points.max(axis=0)
    inner_low, inner_high = np.percentile(points, [20, 80], axis=0)
    if ((inner_high - inner_low) * 3 < high - low).all():
        margin = 0.5 * (inner_high - inner_low).max()
        low, high = inner_low - margin, inner_high + margin
    return [float(x) for x in low], [float(x) for x in high]


def _names_of(folder, name, values):
    """Names of bodies or walls by number; the first name is that of -1, walls at rest, if it occurs."""
    most = int(values.max())
    bodies = [body.get("name") or f"body {i}" for i, body in enumerate(folder.case.get("body", []))]
    if name == "body":
        categories = bodies
    else:
        round_bodies = [b for b, body in zip(bodies, folder.case.get("body", [])) if body.get("shape") == "round"]
        mesh = folder.case.get("mesh", {})
        categories = mesh.get("walls") or ([mesh["around"]] if "around" in mesh else [])
        categories = [*categories, *round_bodies]
    categories = [categories[i] if i < len(categories) else f"{name} {i}" for i in range(most + 1)]
    return (["at rest"] if values.min() < 0 else []) + categories


def _centers_of(points, corners, starts):
    return np.add.reduceat(points[corners], starts[:-1], axis=0) / np.diff(starts)[:, None]


def _around_nodes(mesh):
    """(points, corners, starts, owners) of quadrilaterals that assign each node its part of the cells around it."""
    points, corners, starts = mesh.points[:, :2], mesh.corners, mesh.starts
    cell = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    entry = np.arange(len(corners))
    after = np.where(entry + 1 == starts[cell + 1], starts[cell], entry + 1)
    before = np.where(entry == starts[cell], starts[cell + 1] - 1, entry - 1)
    corner = points[corners]
    center = _centers_of(points, corners, starts)[cell]
    quadrilaterals = np.stack(
        [corner, (corner + corner[after]) / 2, center, (corner + corner[before]) / 2], axis=1
    )
    return quadrilaterals.reshape(-1, 2), np.arange(4 * len(corners)), np.arange(0, 4 * len(corners) + 1, 4), corners
