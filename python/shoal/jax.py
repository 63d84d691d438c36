# SPDX-License-Identifier: Apache-2.0
"""Neighbors for JAX, under jit, grad and vmap.

A search of the library, which XLA calls, finds the pairs; displacements and distances are expressions of JAX on
top, with derivatives of any order with respect to positions and cells.

>>> import jax, shoal.jax
>>> def energy(positions):
...     return potential(shoal.jax.neighbor_pairs(positions, 5.0, cell, max_pairs=10_000)).sum()
>>> forces = jax.jit(jax.grad(lambda positions: -energy(positions)))
"""

from __future__ import annotations

from functools import partial
from typing import Any, Optional, Sequence

import jax
import jax.ffi
import jax.numpy as jnp
import numpy

from . import _core
from ._core import Error, periodic_neighbors
from ._results import NeighborPairs

__all__ = ["neighbor_pairs"]

_TARGET = "shoal_neighbor_pairs"


def _register() -> frozenset[str]:
    """Platforms on which XLA calls the search: without "cuda" in a build without CUDA methods, and none in a build
    without the search, or for an older JAX than the build's."""
    function = getattr(_core, "jax_pairs", None)
    registered: set[str] = set()
    if function is None:
        return frozenset()
    for platform, name in {"cpu": "cpu", "cuda": "CUDA"}.items():
        search = function(name)
        try:
            if search is not None:
                jax.ffi.register_ffi_target(_TARGET, search, platform=name)
                registered.add(platform)
        except jax.errors.JaxRuntimeError:
            pass
    return frozenset(registered)


_XLA_PLATFORMS = _register()


def _on_host(
    positions: Any,
    cell: Any,
    periodic: Any,
    starts: Any,
    *,
    shapes: Sequence[Any],
    radius: float,
    half: bool,
    include_self: bool,
    predicate: Any,
) -> tuple[Any, Any, Any]:
    """edge_index, shifts and offsets by a callback; entries beyond the last pair are 0."""
    parts = (numpy.asarray(part) for part in (positions, cell, periodic, starts))
    points, vectors, directions, first = parts
    found = periodic_neighbors(
        points,
        radius,
        vectors[0] if len(vectors) == 1 else vectors,
        directions[0] if len(directions) == 1 else directions,
        first,
        half=half,
        include_self=include_self,
        predicate=predicate,
    )
    edge_index, shifts = (numpy.zeros(shape.shape, shape.dtype) for shape in shapes[:2])
    count, max_pairs = found.edge_index.shape[1], len(shifts)
    if count > max_pairs:
        raise Error(f"neighbors: {count} pairs, expected at most max_pairs = {max_pairs}. Use at least that number.")
    edge_index[:, :count] = found.edge_index
    shifts[:count] = found.shifts
    return edge_index, shifts, found.offsets.astype("int32")


def _search(arrays: Sequence[Any], shapes: Sequence[Any], options: dict[str, Any]) -> Any:
    """edge_index, shifts and offsets. All sets of vmap are one search where XLA calls it, elsewhere one after the other."""

    def by_callback(*arrays: Any) -> Any:
        search = partial(_on_host, shapes=shapes, **options)
        return jax.pure_callback(search, shapes, *arrays, vmap_method="sequential")

    def by_xla(*arrays: Any) -> Any:
        return jax.ffi.ffi_call(_TARGET, shapes, vmap_method="broadcast_all")(*arrays, **options)

    searches = {platform: by_xla for platform in _XLA_PLATFORMS}
    return jax.lax.platform_dependent(*arrays, default=by_callback, **searches)


def _systems(positions: Any, cell: Any, periodic: Any, starts: Any) -> tuple[Any, Any, Any]:
    """Cells, directions and first points of all systems: one cell and one set of directions for each, or one for all."""
    if cell is not None and jnp.ndim(cell) == 3 and starts is None:
        raise Error(
            f"neighbors: cell has the shape {jnp.shape(cell)}, but there are no starts of systems. Pass starts."
        )
    first = jnp.asarray([0, positions.shape[0]] if starts is None else starts, "int32")
    if first.ndim != 1 or len(first) < 2:
        raise Error(
            f"neighbors: starts has the shape {first.shape}, expected (systems + 1,): the first point of each system and "
            "the number of points."
        )
    systems = len(first) - 1
    vectors = jnp.zeros((3, 3), positions.dtype) if cell is None else jnp.asarray(cell, positions.dtype)
    directions = numpy.asarray(cell is not None if periodic is None else periodic, bool)
    directions = numpy.broadcast_to(directions, (3,)) if directions.size == 1 else directions
    for name, array, one in (("cell", vectors, (3, 3)), ("periodic", directions, (3,))):
        if array.shape not in (one, (systems, *one)):
            raise Error(f"neighbors: {name} has the shape {array.shape}, expected {one} or {(systems, *one)}.")
    return vectors.reshape(-1, 3, 3), directions.reshape(-1, 3), first


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
    radius. On the CPU, and on GPUs with the CUDA methods of shoal, the search runs on the device, and vmap makes one search
    of all sets. Elsewhere arrays are copied to the host, and their sets searched one after the other.

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
        Positions, cell, periodic or starts have a shape that does not fit, or positions are no float32 or float64.
    jax.errors.JaxRuntimeError
        With the message of the error that `shoal.periodic_neighbors` raises, or of more pairs than max_pairs.
    """
    positions = jnp.asarray(positions)
    if positions.dtype not in ("float32", "float64") or positions.ndim != 2 or positions.shape[1] not in (1, 2, 3):
        raise Error(
            f"neighbors: positions have the shape {positions.shape} and the type {positions.dtype}, expected (n, 1 to 3) "
            "and float32 or float64."
        )
    fixed = (positions, *_systems(positions, cell, periodic, starts))
    shape: Any = jax.ShapeDtypeStruct  # its signature has no types
    shapes = (shape((2, max_pairs), "int32"), shape((max_pairs, 3), "int32"), shape((positions.shape[0] + 1,), "int32"))
    options = {
        "radius": numpy.float64(radius),
        "half": bool(half),
        "include_self": bool(include_self),
        "predicate": predicate,
    }
    edge_index, shifts, offsets = _search([jax.lax.stop_gradient(part) for part in fixed], shapes, options)
    i, j = edge_index
    some = positions if len(positions) else jnp.zeros((1, positions.shape[1]), positions.dtype)  # no pair names a point
    displacements = some[j] - some[i] + _periods(positions, cell, starts, i, shifts)
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
