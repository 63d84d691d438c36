# SPDX-License-Identifier: Apache-2.0
"""Results of operations: named tuples of arrays, of the library of the input arrays."""

from typing import Any, NamedTuple, Optional, Tuple


class CellList(NamedTuple):
    """Points in the order of their cells."""

    cell_start: Any
    """int64 [cells + 1]: the points of cell c are order[cell_start[c]:cell_start[c + 1]]."""
    order: Any
    """int32 [n]: the number of the point at each position."""
    cell_of_point: Any
    """uint32 [n]: the cell of each point, in the order of the input."""


class NeighborList(NamedTuple):
    """Neighbor list in CSR form: the sources of destination i are indices[offsets[i]:offsets[i + 1]]."""

    offsets: Any
    """int64 [destinations + 1]."""
    indices: Any
    """int32: numbers of sources."""
    wide_indices: Optional[Any] = None
    """int64: the same numbers."""
    distances: Optional[Any] = None
    """Distance of each entry, m."""
    displacements: Optional[Tuple[Any, ...]] = None
    """x_i - x_j of each entry, m: one array per dimension."""
    edge_index: Optional[Any] = None
    """int64 [2, entries]: the destination and the source of each entry."""
    shifts: Optional[Any] = None
    """int32 [entries, 3]: periods along x, y and z by which the source is shifted."""


class NearestSources(NamedTuple):
    """The k nearest sources of each destination, ascending; -1 and infinity after the last source."""

    indices: Any
    """int32 [destinations, k]: numbers of sources."""
    distances: Any
    """[destinations, k]: m."""


class GasMoments(NamedTuple):
    """Moments of each cell of a flow of gas, float64, with c = v - u; stress and heat flux per mass of a molecule."""

    density: Any
    """[cells]: 1/m3."""
    velocity: Any
    """[cells, 3]: m/s, u."""
    temperature: Any
    """[cells]: m2/s2, k T / m."""
    stress: Any
    """[cells, 6]: 1/m/s2, int c c f: xx, yy, zz, xy, xz, yz."""
    heat_flux: Any
    """[cells, 3]: 1/s3, int c c**2/2 f."""


class NeighborPairs(NamedTuple):
    """Pairs of points with their images in COO form, ordered by i, j and shift."""

    edge_index: Any
    """int64 [2, pairs]: i and j of each pair."""
    shifts: Any
    """int32 [pairs, 3]: S of each pair, so that D = points[j] - points[i] + S @ cell."""
    distances: Optional[Any]
    """Length of D of each pair, m."""
    displacements: Optional[Any]
    """[pairs, 3]: D of each pair, m."""
    offsets: Any
    """int64 [n + 1]: the pairs of point i are offsets[i] to offsets[i + 1] - 1."""


class PointsWithGhosts(NamedTuple):
    """Points of this rank and ghosts of other ranks, in the order of their numbers over all ranks."""

    points: Tuple[Any, ...]
    """m: one array per dimension."""
    radii: Optional[Any]
    """m; None if the points have no radii."""
    number: Any
    """int64: number of each point over all ranks, ascending."""
    own_begin: int
    """Index of the first own point; own points stand together."""
    own_count: int
    """Number of own points."""


class WallDistances(NamedTuple):
    """Results for each point; those that were not requested are None."""

    distance: Optional[Any] = None
    """float64, m; negative inside walls with signs."""
    face: Optional[Any] = None
    """int64: number of the nearest face."""
    wall: Optional[Any] = None
    """int32: number of its wall."""
    nearest: Optional[Tuple[Any, ...]] = None
    """float64, m: the nearest point of the face, one array per dimension."""
    lower: Optional[Any] = None
    """float64, m: lower bound of the true distance."""
    gradient: Optional[Tuple[Any, ...]] = None
    """float64: derivative of the distance with respect to the point, one array per dimension."""


class WallFacesTested(NamedTuple):
    """Numbers of tests of a search, summed over its points."""

    bounded: int
    """Lower bounds of distances in float."""
    exact: int
    """Exact distances."""
