# SPDX-License-Identifier: Apache-2.0
"""Codes that are compared: how each is called, with its own defaults, and how its result is read.

A configuration has a function that makes the call ready, outside of the time, and returns the call that is timed. The
result of that call is read by another function, so that codes can be compared whatever they return.
"""

import dataclasses
import importlib.metadata
import os
from collections.abc import Callable

import numpy
from inputs import Cloud, Particles, Walls


@dataclasses.dataclass(frozen=True)
class Neighbors:
    """What all lists have in common: for each point the number of its neighbors and the sum of their numbers."""

    counts: numpy.ndarray
    sums: numpy.ndarray

    def agrees(self, other: "Neighbors") -> bool:
        return bool(numpy.array_equal(self.counts, other.counts) and numpy.array_equal(self.sums, other.sums))

    @property
    def size(self) -> int:
        return int(self.counts.sum())


@dataclasses.dataclass(frozen=True)
class Distances:
    """Distances to the walls, in m."""

    values: numpy.ndarray

    def agrees(self, other: "Distances") -> bool:
        """True within the rounding of squared distances, which some codes return."""
        squares, scale = numpy.abs(self.values**2 - other.values**2), 1 + other.values**2
        return bool(squares.shape == scale.shape and numpy.all(squares <= 1e-13 * scale))

    @property
    def size(self) -> int:
        return len(self.values)


@dataclasses.dataclass(frozen=True)
class Nodes:
    """Sums of the nodes of a grid."""

    values: numpy.ndarray  # of shape z, y, x

    def agrees(self, other: "Nodes") -> bool:
        """True within the rounding of sums in another order."""
        scale = numpy.abs(other.values).max(initial=1)
        same_shape = self.values.shape == other.values.shape
        return bool(same_shape and numpy.all(numpy.abs(self.values - other.values) <= 1e-12 * scale))

    @property
    def size(self) -> int:
        return self.values.size


Answer = Neighbors | Distances | Nodes
Input = Cloud | Walls | Particles


@dataclasses.dataclass(frozen=True)
class Configuration:
    code: str  # name for readers
    package: str  # of the Python index, or path of a program
    call: str  # what is timed
    threads: int
    ready: Callable[[Input], Callable[[], object]]
    answer: Callable[[object, Input], Answer]
    cells: bool = False  # periods along any vectors
    most_points: int = 100_000_000  # more take minutes

    def takes(self, data: Input) -> bool:
        """True for inputs that the code can have."""
        return len(data.points) <= self.most_points and (self.cells or getattr(data, "cell", None) is None)

    def version(self) -> str:
        """The version of the installed package; empty if it is not installed."""
        if self.package == "shoal":
            import shoal

            return str(shoal.__version__)
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return ""


def cores_in_use() -> int:
    """Number of cores on which this process may run: taskset gives a part of them, and the codes count these alone."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


ALL_THREADS = cores_in_use()


def of_pairs(n: int, first: numpy.ndarray, second: numpy.ndarray) -> Neighbors:
    """The neighbors of the pairs (first, second), in one direction."""
    sums = numpy.bincount(first, weights=second, minlength=n)  # exact: whole numbers below 2^53
    return Neighbors(numpy.bincount(first, minlength=n), sums.astype(numpy.int64))


def of_half_list(n: int, first: numpy.ndarray, second: numpy.ndarray) -> Neighbors:
    """The neighbors of pairs that are listed once."""
    both = numpy.concatenate([first, second]), numpy.concatenate([second, first])
    return of_pairs(n, *both)


def shoal_neighbors(threads: int) -> Callable[[Cloud], Callable[[], object]]:
    def ready(cloud: Cloud) -> Callable[[], object]:
        import shoal

        if cloud.cell is not None:
            periodic = shoal.PeriodicNeighbors(cloud.radius, threads=threads)
            return lambda: periodic.find(cloud.points, cloud.cell)
        plan = shoal.Neighbors(cloud.radius, threads=threads)
        return lambda: plan.find(cloud.points)

    return ready


def shoal_neighbors_answer(found, cloud: Cloud) -> Neighbors:
    if cloud.cell is not None:
        return of_pairs(len(cloud.points), *found.edge_index)
    counts = numpy.diff(found.offsets)
    return of_pairs(len(cloud.points), numpy.repeat(numpy.arange(len(counts)), counts), found.indices)


def scipy_pairs(cloud: Cloud) -> Callable[[], object]:
    from scipy.spatial import cKDTree

    return lambda: cKDTree(cloud.points).query_pairs(cloud.radius, output_type="ndarray")


def scipy_lists(cloud: Cloud) -> Callable[[], object]:
    from scipy.spatial import cKDTree

    return lambda: cKDTree(cloud.points).query_ball_point(
        cloud.points, cloud.radius, workers=ALL_THREADS, return_sorted=False
    )


def scipy_lists_answer(lists, cloud: Cloud) -> Neighbors:
    n = len(cloud.points)
    counts = numpy.fromiter(map(len, lists), dtype=numpy.int64, count=n)
    sums = numpy.fromiter(map(sum, lists), dtype=numpy.int64, count=n)
    return Neighbors(counts - 1, sums - numpy.arange(n))  # without the point itself


def vesin_pairs(cloud: Cloud) -> Callable[[], object]:
    import vesin

    search = vesin.NeighborList(cutoff=cloud.radius, full_list=True)
    if cloud.cell is not None:
        return lambda: search.compute(cloud.points, cloud.cell, True, "ijS")
    return lambda: search.compute(cloud.points, numpy.eye(3), False, "ij")


def matscipy_pairs(cloud: Cloud) -> Callable[[], object]:
    from matscipy.neighbours import neighbour_list

    letters, cell, periodic = ("ij", numpy.eye(3), [False] * 3) if cloud.cell is None else ("ijS", cloud.cell, [True] * 3)
    return lambda: neighbour_list(letters, positions=cloud.points, cell=cell, pbc=periodic, cutoff=cloud.radius)


def shoal_walls(threads: int, with_build: bool) -> Callable[[Walls], Callable[[], object]]:
    def ready(walls: Walls) -> Callable[[], object]:
        import shoal

        mesh = shoal.WallMesh(walls.vertices, {"wall": walls.triangles})
        plan = shoal.WallDistance(mesh, threads=threads)
        if not with_build:
            return lambda: plan.find(walls.points)
        return lambda: shoal.WallDistance(mesh, threads=threads).find(walls.points)

    return ready


def igl_distances(walls: Walls) -> Callable[[], object]:
    import igl

    return lambda: igl.point_mesh_squared_distance(walls.points, walls.vertices, walls.triangles)


def igl_tree(walls: Walls) -> Callable[[], object]:
    import igl

    tree = igl.AABB()
    tree.init(walls.vertices, walls.triangles)
    return lambda: tree.squared_distance(walls.vertices, walls.triangles, walls.points)


def full_list(pairs, cloud: Cloud) -> Neighbors:
    return of_pairs(len(cloud.points), *pairs[:2])


def half_list(pairs, cloud: Cloud) -> Neighbors:
    return of_half_list(len(cloud.points), *pairs.T)


def square_roots(squares, walls: Walls) -> Distances:
    return Distances(numpy.sqrt(numpy.ravel(squares[0] if isinstance(squares, tuple) else squares)))


def shoal_walls_answer(found, walls: Walls) -> Distances:
    return Distances(found.distance)


NEIGHBOR_CODES = [
    Configuration("shoal", "shoal", "find, full list", ALL_THREADS, shoal_neighbors(0), shoal_neighbors_answer, cells=True),
    Configuration("shoal", "shoal", "find, full list", 1, shoal_neighbors(1), shoal_neighbors_answer, cells=True),
    Configuration("SciPy cKDTree", "scipy", "tree and query_pairs, half list", 1, scipy_pairs, half_list),
    Configuration("SciPy cKDTree", "scipy", "tree and query_ball_point", ALL_THREADS, scipy_lists, scipy_lists_answer),
    Configuration("vesin", "vesin", "compute, full list", ALL_THREADS, vesin_pairs, full_list, cells=True),
    Configuration("matscipy", "matscipy", "neighbor list, full list", 1, matscipy_pairs, full_list, cells=True),
]
WALL_CODES = [
    Configuration("shoal", "shoal", "build and find", ALL_THREADS, shoal_walls(0, True), shoal_walls_answer),
    Configuration("shoal", "shoal", "find", ALL_THREADS, shoal_walls(0, False), shoal_walls_answer),
    Configuration("shoal", "shoal", "find", 1, shoal_walls(1, False), shoal_walls_answer),
    Configuration("libigl", "libigl", "build and point_mesh_squared_distance", ALL_THREADS, igl_distances, square_roots),
    Configuration("libigl", "libigl", "AABB.squared_distance", ALL_THREADS, igl_tree, square_roots),
]
