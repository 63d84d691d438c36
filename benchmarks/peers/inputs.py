# SPDX-License-Identifier: Apache-2.0
"""Points and walls on which peers are compared: the same arrays for every code."""

import dataclasses
import math
from collections.abc import Sequence

import numpy

PARTICLES_PER_CELL = 8
NEIGHBORS_EACH = 60  # far from the faces of the box
SEED = 1


@dataclasses.dataclass(frozen=True)
class Cloud:
    """Points of a neighbor search."""

    name: str
    points: numpy.ndarray  # m, shape (n, 3)
    radius: float  # m
    cell: numpy.ndarray | None = None  # m, vectors along which the points repeat, one in each row


@dataclasses.dataclass(frozen=True)
class Walls:
    """Triangles, and points whose distances are searched."""

    name: str
    vertices: numpy.ndarray  # m, shape (v, 3)
    triangles: numpy.ndarray  # int64, shape (f, 3)
    points: numpy.ndarray  # m, shape (n, 3)


@dataclasses.dataclass(frozen=True)
class Particles:
    """Particles whose values go to the nodes of a grid over the unit cube."""

    name: str
    points: numpy.ndarray  # m, shape (n, 3)
    values: numpy.ndarray  # shape (n,)
    cells: int  # along each axis


def in_order_of_cells(points: numpy.ndarray, edge: float) -> numpy.ndarray:
    """The points sorted by the cell of a grid with this edge, x fastest."""
    cells = numpy.floor((points - points.min(axis=0)) / edge).astype(numpy.int64)
    return numpy.ascontiguousarray(points[numpy.lexsort(cells.T)])


def clustered(n: int, random: numpy.random.Generator) -> tuple[numpy.ndarray, float]:
    """Half of the points in a cube of edge 0.1, and the radius that gives about as many pairs as uniform points have."""
    points = random.random((n, 3))
    points[: n // 2] = 0.45 + 0.1 * points[: n // 2]
    random.shuffle(points)
    # A point in the cluster has r³ 4/3 π 500 n neighbors there, and half of the points are in it.
    return points, (2 * NEIGHBORS_EACH / (4 / 3 * math.pi * 500 * n)) ** (1 / 3)


def clouds(n: int, names: Sequence[str] | None = None) -> list[Cloud]:
    """Uniform and clustered points in the unit cube, shuffled and sorted; those with the given names alone."""
    random = numpy.random.default_rng(SEED)
    uniform, uniform_radius = random.random((n, 3)), (NEIGHBORS_EACH / (4 / 3 * math.pi * n)) ** (1 / 3)
    cluster, cluster_radius = clustered(n, random)
    made = []
    for name, points, radius in (("uniform", uniform, uniform_radius), ("clustered", cluster, cluster_radius)):
        for order in ("shuffled", "sorted"):
            if names is None or f"{name}, {order}" in names:
                ordered = points if order == "shuffled" else in_order_of_cells(points, radius)
                made.append(Cloud(f"{name}, {order}", ordered, radius))
    return made


def crystal(n: int) -> Cloud:
    """Uniform points in a skewed cell of volume 1 m³ that repeats along its vectors."""
    cell = numpy.array([[1.0, 0.0, 0.0], [0.4, 1.0, 0.0], [-0.3, 0.2, 1.0]])
    radius = (NEIGHBORS_EACH / (4 / 3 * math.pi * n)) ** (1 / 3)
    return Cloud("periodic, skewed cell", numpy.random.default_rng(SEED).random((n, 3)) @ cell, radius, cell)


def particles(n: int) -> list[Particles]:
    """The points of clouds() with a value each, and a grid with PARTICLES_PER_CELL of them in a cell on average."""
    cells = max(1, round((n / PARTICLES_PER_CELL) ** (1 / 3)))
    values = numpy.random.default_rng(SEED).random(n)
    made = []
    for cloud in clouds(n):
        points = in_order_of_cells(cloud.points, 1 / cells) if cloud.name.endswith("sorted") else cloud.points
        made.append(Particles(cloud.name, points, values, cells))
    return made


def dented_sphere(around: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Vertices and triangles of a sphere of radius 0.5 with dents; `around` faces along the equator, half to a pole."""
    rings = around // 2
    latitude = math.pi * numpy.arange(1, rings) / rings
    longitude = 2 * math.pi * numpy.arange(around) / around
    latitude, longitude = (angle.ravel() for angle in numpy.meshgrid(latitude, longitude, indexing="ij"))
    x, y, z = (numpy.sin(latitude) * numpy.cos(longitude), numpy.sin(latitude) * numpy.sin(longitude), numpy.cos(latitude))
    vertices = 0.5 * numpy.vstack([[0, 0, 1], numpy.column_stack([x, y, z]), [0, 0, -1]])
    vertices *= (1 + 0.1 * numpy.sin(9 * vertices[:, :1]) * numpy.sin(11 * vertices[:, 1:2])
                 + 0.1 * numpy.sin(13 * vertices[:, 2:]))
    here, after = numpy.arange(around), numpy.roll(numpy.arange(around), -1)
    south = len(vertices) - 1
    triangles = [numpy.column_stack([numpy.zeros_like(here), 1 + here, 1 + after])]
    for ring in range(rings - 2):
        upper, lower = 1 + ring * around, 1 + (ring + 1) * around
        triangles.append(numpy.column_stack([upper + here, lower + here, upper + after]))
        triangles.append(numpy.column_stack([upper + after, lower + here, lower + after]))
    last = 1 + (rings - 2) * around
    triangles.append(numpy.column_stack([last + here, numpy.full_like(here, south), last + after]))
    return vertices, numpy.vstack(triangles).astype(numpy.int64)


def walls(n: int, around: int) -> list[Walls]:
    """A dented sphere with points in its boundary layer and in a box ten times as wide, shuffled and sorted."""
    random = numpy.random.default_rng(SEED)
    vertices, triangles = dented_sphere(around)
    corners = vertices[triangles[random.integers(len(triangles), size=n)]]
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= numpy.linalg.norm(normals, axis=1, keepdims=True)
    heights = 1e-5 * 1.25 ** random.integers(40, size=(n, 1))
    layer = corners.mean(axis=1) + heights * normals
    made = []
    for name, points in (("boundary layer", layer), ("far", 10 * (random.random((n, 3)) - 0.5))):
        made.append(Walls(f"{name}, shuffled", vertices, triangles, points))
        edge = float(numpy.prod(numpy.ptp(points, axis=0)) / n) ** (1 / 3)
        made.append(Walls(f"{name}, sorted", vertices, triangles, in_order_of_cells(points, edge)))
    return made
