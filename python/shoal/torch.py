# SPDX-License-Identifier: Apache-2.0
"""Neighbors as operators of PyTorch, with gradients, that torch.compile keeps in one graph.

The operators find pairs; displacements and distances are expressions of PyTorch on top. So they have derivatives of
any order with respect to positions and cells, and compile with the model that uses them.

>>> import torch, shoal.torch
>>> pairs = shoal.torch.neighbor_pairs(positions, 5.0, cell)
>>> energy = potential(pairs.distances).sum()
>>> forces = -torch.autograd.grad(energy, positions)[0]
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import torch
from torch import Tensor

from ._core import Error, neighbors, periodic_neighbors
from ._results import NeighborPairs

__all__ = ["neighbor_pairs"]


def _plain_box(
    positions: Tensor, radius: float, cell: Optional[Tensor], periodic: Optional[Tensor], starts: Optional[Tensor]
) -> Optional[dict[str, Any]]:
    """Box of `shoal.neighbors` with the same pairs: one system in a right-angled box of more than two radii, with points at
    most nine tenths of a period outside. None for others."""
    vectors = torch.zeros(3, 3) if cell is None else cell
    if starts is not None or positions.shape[0] == 0 or vectors.shape != (3, 3):
        return None
    dimensions = positions.shape[1]
    along = [cell is not None] * 3 if periodic is None else periodic.broadcast_to(3).tolist()
    lengths = [float(length) if repeats else 0.0 for length, repeats in zip(vectors.diagonal(), along)]
    is_right_angled = torch.equal(vectors, vectors.diagonal().diag()) and not any(along[dimensions:])
    if not is_right_angled or any(repeats and length < 2.001 * radius for length, repeats in zip(lengths, along)):
        return None
    if any(along):
        lowest, highest = (bound.tolist() for bound in positions.aminmax(dim=0))
        for low, high, length, repeats in zip(lowest, highest, lengths, along):
            if repeats and not (low >= -0.9 * length and high <= 1.9 * length):
                return None
    return {"periodic": along[:dimensions], "lower": [0.0] * dimensions, "upper": lengths[:dimensions]}


def _find(
    positions: Tensor,
    radius: float,
    cell: Optional[Tensor],
    periodic: Optional[Tensor],
    starts: Optional[Tensor],
    half: bool,
    include_self: bool,
    predicate: str,
) -> Any:
    options: Any = {"half": half, "include_self": include_self, "predicate": predicate}
    positions = positions.detach()  # compiled code passes the tensor of the caller
    systems = [None if part is None else part.detach().cpu() for part in (cell, periodic, starts)]
    box = _plain_box(positions, radius, *systems) if positions.is_cuda else None
    if box is not None:
        return neighbors(positions, radius, edge_index=True, shifts=True, **box, **options)
    return periodic_neighbors(positions, radius, *systems, **options)


@torch.library.custom_op("shoal::pairs", mutates_args=())
def _pairs(
    positions: Tensor,
    radius: float,
    cell: Optional[Tensor],
    periodic: Optional[Tensor],
    starts: Optional[Tensor],
    half: bool,
    include_self: bool,
    predicate: str,
) -> tuple[Tensor, Tensor, Tensor]:
    """edge_index, shifts and offsets; their length depends on the positions."""
    found = _find(positions, radius, cell, periodic, starts, half, include_self, predicate)
    return found.edge_index, found.shifts, found.offsets


@_pairs.register_fake
def _(positions, radius, cell, periodic, starts, half, include_self, predicate):  # type: ignore[no-untyped-def]
    pairs = torch.library.get_ctx().new_dynamic_size()
    return _empty_pairs(positions, pairs)


@torch.library.custom_op("shoal::pairs_of_size", mutates_args=())
def _pairs_of_size(
    positions: Tensor,
    radius: float,
    cell: Optional[Tensor],
    periodic: Optional[Tensor],
    starts: Optional[Tensor],
    half: bool,
    include_self: bool,
    predicate: str,
    max_pairs: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """edge_index, shifts and offsets; the first two have max_pairs entries, those beyond the last pair are 0."""
    found = _find(positions, radius, cell, periodic, starts, half, include_self, predicate)
    count = found.edge_index.shape[1]
    if count > max_pairs:
        raise Error(f"neighbors: {count} pairs, expected at most max_pairs = {max_pairs}. Use at least that number.")
    edge_index, shifts = (
        positions.new_zeros(size, dtype=part.dtype)
        for size, part in (
            ((2, max_pairs), found.edge_index),
            ((max_pairs, 3), found.shifts),
        )
    )
    edge_index[:, :count] = found.edge_index
    shifts[:count] = found.shifts
    return edge_index, shifts, found.offsets


@_pairs_of_size.register_fake
def _(positions, radius, cell, periodic, starts, half, include_self, predicate, max_pairs):  # type: ignore[no-untyped-def]
    return _empty_pairs(positions, max_pairs)


def _empty_pairs(positions: Tensor, pairs: Any) -> tuple[Tensor, Tensor, Tensor]:
    return (
        positions.new_empty((2, pairs), dtype=torch.int64),
        positions.new_empty((pairs, 3), dtype=torch.int32),
        positions.new_empty((positions.shape[0] + 1,), dtype=torch.int64),
    )


def _displacements(
    positions: Tensor, cell: Optional[Tensor], starts: Optional[Tensor], i: Tensor, j: Tensor, shifts: Tensor
) -> Tensor:
    """x_j - x_i + S @ cell of each pair."""
    between = positions[j] - positions[i]
    if cell is None:
        return between
    vectors = cell.to(positions)[..., : positions.shape[1]]
    periods = shifts.to(positions.dtype)
    if vectors.dim() == 2:
        return between + periods @ vectors
    assert starts is not None
    system = torch.searchsorted(starts.to(i.device)[1:].contiguous(), i, right=True)
    return between + torch.einsum("ps,psc->pc", periods, vectors[system])


def _lengths(vectors: Tensor) -> Tensor:
    """Lengths, with the derivative 0 where they are 0."""
    squared = (vectors * vectors).sum(-1)
    is_zero = squared == 0
    return torch.where(is_zero, 0, torch.where(is_zero, 1, squared).sqrt())


def neighbor_pairs(
    positions: Tensor,
    radius: float,
    cell: Optional[Tensor] = None,
    periodic: bool | Sequence[bool] | Tensor | None = None,
    *,
    starts: Optional[Tensor] = None,
    half: bool = False,
    include_self: bool = False,
    predicate: str = "strict",
    max_pairs: Optional[int] = None,
) -> NeighborPairs:
    """All pairs of points within a radius, with their periodic images, and derivatives of distances and displacements.

    The pairs are those of `shoal.periodic_neighbors`: ``D = positions[j] - positions[i] + S @ cell`` with
    ``d = |D| < radius``, ordered by i, j and S. Derivatives hold for fixed pairs: use a potential that is smooth at the radius.

    Parameters
    ----------
    positions : Tensor (n, d)
        m, float32 or float64.
    radius : float
        m
    cell : Tensor (3, 3) or (systems, 3, 3), optional
        m, one vector in each row, with derivatives; without it no direction is periodic.
    periodic : bool, (3) or (systems, 3), optional
        Vectors along which the points repeat. Default: all, if there is a cell.
    starts : Tensor (systems + 1), optional
        First point of each system and the number of points: `ptr` of a batch of PyTorch Geometric.
    half, include_self, predicate
        As for `shoal.periodic_neighbors`.
    max_pairs : int, optional
        Number of pairs in the result, so that shapes are known to torch.compile; entries beyond the last pair have
        i = j = 0, S = 0 and d = 0. ``offsets[-1]`` is the number of pairs.

    Returns
    -------
    NeighborPairs
        edge_index (int64, [2, pairs]), shifts (int32, [pairs, 3]), distances ([pairs]), displacements ([pairs, d]),
        offsets (int64, [n + 1]); on the device of the positions. PyTorch computes distances and displacements: their
        last bits may differ from those of shoal, which decide about pairs.

    Raises
    ------
    shoal.Error
        What `shoal.periodic_neighbors` raises; more pairs than max_pairs.
    """
    along = None if periodic is None else torch.as_tensor(periodic, dtype=torch.bool)
    if cell is not None and cell.dim() == 3 and starts is None:
        raise Error(
            f"neighbors: cell has the shape {tuple(cell.shape)}, but there are no starts of systems. Pass starts."
        )
    fixed = (
        positions.detach(),
        radius,
        None if cell is None else cell.detach().to(positions.dtype),
        along,
        starts,
        half,
        include_self,
        predicate,
    )
    edge_index, shifts, offsets = _pairs(*fixed) if max_pairs is None else _pairs_of_size(*fixed, max_pairs)
    i, j = edge_index[0], edge_index[1]
    displacements = _displacements(positions, cell, starts, i, j, shifts)
    return NeighborPairs(edge_index, shifts, _lengths(displacements), displacements, offsets)
