# SPDX-License-Identifier: Apache-2.0
"""Codes that compute in single precision. shoal computes in double beside them, as beside all others."""

import dataclasses
from collections.abc import Callable

import numpy
from codes import ALL_THREADS, Configuration, Distances, Neighbors, of_pairs
from inputs import Cloud, Walls


@dataclasses.dataclass(frozen=True)
class NeighborsInFloat(Neighbors):
    """Neighbors whose pairs at the radius depend on the rounding of the points."""

    def agrees(self, other: Neighbors) -> bool:
        """True if at most one pair in 10,000 differs."""
        same_shape = self.counts.shape == other.counts.shape
        return bool(same_shape and numpy.abs(self.counts - other.counts).sum() <= 1e-4 * other.size)


@dataclasses.dataclass(frozen=True)
class DistancesInFloat(Distances):
    """Distances between points and walls that were rounded."""

    def agrees(self, other: Distances) -> bool:
        same_shape = self.values.shape == other.values.shape
        return bool(same_shape and numpy.all(numpy.abs(self.values - other.values) <= 1e-6 * (1 + other.values)))


def freud_pairs(cloud: Cloud) -> Callable[[], object]:
    import freud

    box = freud.box.Box.cube(2 + 4 * cloud.radius)  # periodic, with room for no pair across its faces
    points = (cloud.points - 0.5).astype(numpy.float32)
    options = {"r_max": cloud.radius, "exclude_ii": True}
    return lambda: freud.locality.AABBQuery(box, points).query(points, options).toNeighborList()


def freud_answer(found, cloud: Cloud) -> NeighborsInFloat:
    pairs = of_pairs(len(cloud.points), found.query_point_indices[:], found.point_indices[:])
    return NeighborsInFloat(pairs.counts, pairs.sums)


def fcpw_scene(walls: Walls):
    """A scene with the tree that FCPW recommends for closest points."""
    import fcpw

    scene = fcpw.scene_3D()
    scene.set_object_count(1)
    scene.set_object_vertices(numpy.asfortranarray(walls.vertices, dtype=numpy.float32), 0)
    scene.set_object_triangles(numpy.asfortranarray(walls.triangles, dtype=numpy.int32), 0)
    scene.build(fcpw.aggregate_type.bvh_surface_area, True)
    return scene


def fcpw_distances(with_build: bool) -> Callable[[Walls], Callable[[], object]]:
    def ready(walls: Walls) -> Callable[[], object]:
        import fcpw

        points = numpy.asfortranarray(walls.points, dtype=numpy.float32)
        radii = numpy.full(len(points), numpy.inf, dtype=numpy.float32)
        kept = None if with_build else fcpw_scene(walls)

        def find():
            scene = kept or fcpw_scene(walls)
            interactions = fcpw.interaction_3D_list()
            scene.find_closest_points(points, radii, interactions)
            return interactions

        return find

    return ready


def fcpw_answer(interactions, walls: Walls) -> DistancesInFloat:
    return DistancesInFloat(numpy.array([interaction.d for interaction in interactions], dtype=numpy.float64))


NEIGHBOR_CODES = [
    Configuration("freud", "freud-analysis", "AABBQuery, full list", ALL_THREADS, freud_pairs, freud_answer),
]
WALL_CODES = [
    Configuration("FCPW", "fcpw", "build and find_closest_points", ALL_THREADS, fcpw_distances(True), fcpw_answer),
    Configuration("FCPW", "fcpw", "find_closest_points", ALL_THREADS, fcpw_distances(False), fcpw_answer),
]
