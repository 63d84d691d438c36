# SPDX-License-Identifier: Apache-2.0
"""What operations return: named tuples of arrays, of the same library as the arrays that came in."""

from typing import Any, NamedTuple, Optional, Tuple


class CellList(NamedTuple):
    """Points in the order of their cells."""

    cell_start: Any
    """int64 [cells + 1]: the points of cell c are order[cell_start[c]:cell_start[c + 1]]."""
    order: Any
    """int32 [n]: the number of the point at each position."""
    cell_of_point: Any
    """uint32 [n]: the cell of each point, in the points' own order."""


class NeighborList(NamedTuple):
    """Compressed rows: the sources of destination i are indices[offsets[i]:offsets[i + 1]]."""

    offsets: Any
    """int64 [destinations + 1]."""
    indices: Any
    """int32: numbers of sources."""
    wide_indices: Optional[Any] = None
    """int64: the same."""
    distances: Optional[Any] = None
    """m, of each entry."""
    displacements: Optional[Tuple[Any, ...]] = None
    """m, x_i - x_j of each entry: one array a dimension."""


class WallDistances(NamedTuple):
    """Answers, one a point; what was not wanted is None."""

    distance: Optional[Any] = None
    """float64, m; negative inside walls if signs are asked for."""
    face: Optional[Any] = None
    """int64: number of the nearest face."""
    wall: Optional[Any] = None
    """int32: number of its wall."""
    nearest: Optional[Tuple[Any, ...]] = None
    """float64, m: the nearest point of the face, one array a dimension."""
    lower: Optional[Any] = None
    """float64, m: the true distance is at least this."""


class WallFacesTested(NamedTuple):
    """What a search tested for all its points together."""

    bounded: int
    """Quick lower bounds of distances."""
    exact: int
    """Distances."""
