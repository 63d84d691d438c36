# SPDX-License-Identifier: Apache-2.0
"""Neighbors for JAX, under jit, grad and vmap.

A callback to the host finds the pairs; displacements and distances are expressions of JAX on top, with derivatives of any
order with respect to positions and cells.

>>> import jax, shoal.jax
>>> def energy(positions):
...     return potential(shoal.jax.neighbor_pairs(positions, 5.0, cell, max_pairs=10_000)).sum()
>>> forces = jax.jit(jax.grad(lambda positions: -energy(positions)))
"""

from __future__ import annotations

from functools import partial
from typing import Any, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy

from ._core import Error, periodic_neighbors
from ._results import NeighborPairs

__all__ = ["neighbor_pairs"]


def _find(
    positions: Any, cell: Any, starts: Any, *, radius: float, periodic: Any, max_pairs: int, **options: Any
) -> tuple[Any, Any, Any]:
    """edge_index, shifts and offsets on the host; entries beyond the last pair are 0."""
    cell, starts = (None if part is None else numpy.asarray(part) for part in (cell, starts))
    found = periodic_neighbors(numpy.asarray(positions), radius, cell, periodic, starts, **options)
    count = found.edge_index.shape[1]
    if count > max_pairs:
        raise Error(f"neighbors: {count} pairs, expected at most max_pairs = {max_pairs}. Use at least that number.")
    edge_index = numpy.zeros((2, max_pairs), dtype="int32")
    shifts = numpy.zeros((max_pairs, 3), dtype="int32")
    edge_index[:, :count] = found.edge_index
    shifts[:count] = found.shifts
    return edge_index, shifts, found.offsets.astype("int32")


def neighbor_pairs(
    positions: Any,
    radius: float,
    cell: Any = None,
    periodic: bool | Sequence[bool] | None = None,
    *,
    max_pairs: int,
    starts: Any = None,
    half: bool = False,
    include_self: bool = False,
    predicate: str = "strict",
) -> NeighborPairs:
    """All pairs of points within a radius, with their periodic images, and derivatives of distances and displacements.

    The pairs are those of `shoal.periodic_neighbors`: ``D = positions[j] - positions[i] + S @ cell`` with
    ``d = |D| < radius``, ordered by i, j and S. Derivatives hold for fixed pairs: use a potential that is smooth at the
    radius. The search runs on the host, also for arrays of a GPU, which are copied; vmap searches one after the other.

    Parameters
    ----------
    positions : array (n, d)
        m, float32, or float64 with ``jax_enable_x64``.
    radius : float
        m
    cell : array (3, 3) or (systems, 3, 3), optional
        m, one vector in each row, with derivatives; without it no direction is periodic.
    periodic : bool, (3) or (systems, 3), optional
        Vectors along which the points repeat, no traced array. Default: all, if there is a cell.
    max_pairs : int
        Number of pairs in the result. Entries beyond the last pair have i = j = 0, S = 0 and d = 0.
    starts : array (systems + 1), optional
        First point of each system and the number of points.
    half, include_self, predicate
        As for `shoal.periodic_neighbors`.

    Returns
    -------
    NeighborPairs
        edge_index (int32, [2, max_pairs]), shifts (int32, [max_pairs, 3]), distances ([max_pairs]), displacements
        ([max_pairs, d]), offsets (int32, [n + 1]); ``offsets[-1]`` is the number of pairs.

    Raises
    ------
    shoal.Error
        A batch of cells without starts.
    jax.errors.JaxRuntimeError
        With the message of the error that `shoal.periodic_neighbors` raises, or of more pairs than max_pairs.
    """
    if cell is not None and jnp.ndim(cell) == 3 and starts is None:
        raise Error(
            f"neighbors: cell has the shape {jnp.shape(cell)}, but there are no starts of systems. Pass starts."
        )
    positions = jnp.asarray(positions)
    search = partial(
        _find,
        radius=radius,
        periodic=periodic,
        max_pairs=max_pairs,
        half=half,
        include_self=include_self,
        predicate=predicate,
    )
    shapes = (
        jax.ShapeDtypeStruct((2, max_pairs), "int32"),
        jax.ShapeDtypeStruct((max_pairs, 3), "int32"),
        jax.ShapeDtypeStruct((positions.shape[0] + 1,), "int32"),
    )
    fixed = jax.tree.map(jax.lax.stop_gradient, (positions, cell, starts))
    edge_index, shifts, offsets = jax.pure_callback(search, shapes, *fixed, vmap_method="sequential")
    i, j = edge_index
    displacements = positions[j] - positions[i] + _periods(positions, cell, starts, i, shifts)
    squared = (displacements**2).sum(-1)
    is_zero = squared == 0
    distances = jnp.where(is_zero, 0, jnp.sqrt(jnp.where(is_zero, 1, squared)))
    return NeighborPairs(edge_index, shifts, distances, displacements, offsets)


def _periods(positions: Any, cell: Any, starts: Optional[Any], i: Any, shifts: Any) -> Any:
    """S @ cell of each pair."""
    if cell is None:
        return 0
    vectors = jnp.asarray(cell, positions.dtype)[..., : positions.shape[1]]
    periods = shifts.astype(positions.dtype)
    if vectors.ndim == 2:
        return periods @ vectors
    system = jnp.searchsorted(jnp.asarray(starts)[1:], i, side="right")
    return jnp.einsum("ps,psc->pc", periods, vectors[system])
