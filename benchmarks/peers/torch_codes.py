# SPDX-License-Identifier: Apache-2.0
"""Codes that take tensors of PyTorch, on the CPU or on a GPU, in double. A timed call includes the wait for the device."""

import functools
import importlib.util
from collections.abc import Callable

import numpy
from codes import ALL_THREADS, Configuration, Neighbors
from inputs import Cloud

MOST_NEIGHBORS = 256  # of a point of an input, for a code with that limit


@functools.cache
def has_gpu() -> bool:
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_available()


class TorchConfiguration(Configuration):
    """A configuration that is not installed where PyTorch has no device for it, or where its package lacks another one."""

    def version(self) -> str:
        needed = {"nvalchemi-toolkit-ops": "warp"}.get(self.package, "torch")
        is_complete = importlib.util.find_spec(needed) is not None and (self.threads > 0 or has_gpu())
        return super().version() if is_complete else ""


def waiting(device: str, call: Callable[[], object]) -> Callable[[], object]:
    """The call, which returns when the device has its result."""
    import torch

    def complete() -> object:
        result = call()
        torch.cuda.synchronize()
        return result

    return complete if device == "cuda" else call


def on(device: str, cloud: Cloud):
    """The points and the vectors of the cell, an unused one without periods."""
    import torch

    cell = numpy.eye(3) if cloud.cell is None else cloud.cell
    return (torch.as_tensor(part, dtype=torch.float64, device=device).contiguous() for part in (cloud.points, cell))


def of_tensors(n: int, first, second) -> Neighbors:
    """The neighbors of the pairs (first, second), in one direction."""
    import torch

    first = first.long()
    counts = torch.bincount(first, minlength=n)
    sums = torch.zeros_like(counts).scatter_add_(0, first, second.long())
    return Neighbors(counts.cpu().numpy(), sums.cpu().numpy())


def shoal_lists(device: str, cloud: Cloud) -> Callable[[], object]:
    import shoal

    points, _ = on(device, cloud)
    if cloud.cell is None:
        plan = shoal.Neighbors(cloud.radius, like=points)
        return waiting(device, lambda: plan.find(points))
    periodic = shoal.PeriodicNeighbors(cloud.radius, like=points)
    return waiting(device, lambda: periodic.find(points, cloud.cell))


def shoal_answer(found, cloud: Cloud) -> Neighbors:
    import torch

    n = len(cloud.points)
    if cloud.cell is not None:
        return of_tensors(n, *found.edge_index)
    rows = torch.arange(n, device=found.offsets.device).repeat_interleave(found.offsets.diff())
    return of_tensors(n, rows, found.indices)


def vesin_pairs(device: str, cloud: Cloud) -> Callable[[], object]:
    import torch
    from vesin_torch import NeighborList

    points, cell = on(device, cloud)
    periodic = torch.full((3,), cloud.cell is not None)
    search = NeighborList(cutoff=cloud.radius, full_list=True)
    quantities = "ij" if cloud.cell is None else "ijS"
    return waiting(device, lambda: search.compute(points, cell, periodic, quantities))


def nvalchemi_options(device: str, cloud: Cloud) -> tuple[object, dict]:
    """The points, and the options of nvalchemi-toolkit-ops. Its matrix gets rows as long as the longest row of shoal."""
    import torch

    points, cell = on(device, cloud)
    counts = shoal_answer(shoal_lists(device, cloud)(), cloud).counts
    options = {"max_neighbors": max(16, -(-int(counts.max(initial=0)) // 16) * 16)}
    if cloud.cell is not None:
        options |= {"cell": cell, "pbc": torch.ones(3, dtype=torch.bool, device=device)}
    return points, options


def nvalchemi_rows(device: str, cloud: Cloud) -> Callable[[], object]:
    from nvalchemiops.torch.neighbors import neighbor_list

    points, options = nvalchemi_options(device, cloud)
    return waiting(device, lambda: neighbor_list(points, cloud.radius, **options))


def nvalchemi_prepared(device: str, cloud: Cloud) -> Callable[[], object]:
    """The call for repeated searches, whose memory and choice of a method are made before."""
    from nvalchemiops.torch.neighbors import neighbor_list, prepare_neighbor_list

    points, options = nvalchemi_options(device, cloud)
    state = prepare_neighbor_list(points, cloud.radius, **options)
    return waiting(device, lambda: neighbor_list(points, cell=options.get("cell"), state=state))


def nvalchemi_answer(found, cloud: Cloud) -> Neighbors:
    rows, counts = found[:2]
    n = len(cloud.points)
    sums = rows.long().masked_fill_(rows >= n, 0).sum(dim=1)
    return Neighbors(counts.cpu().numpy(), sums.cpu().numpy())


def torch_cluster_pairs(device: str, cloud: Cloud) -> Callable[[], object]:
    from torch_cluster import radius_graph

    points, _ = on(device, cloud)
    threads = ALL_THREADS if device == "cpu" else 1
    return waiting(
        device, lambda: radius_graph(points, cloud.radius, max_num_neighbors=MOST_NEIGHBORS, num_workers=threads)
    )


def pairs(found, cloud: Cloud) -> Neighbors:
    return of_tensors(len(cloud.points), *found[:2])


def neighbor_codes(device: str) -> list[Configuration]:
    """Configurations with tensors on "cpu" or "cuda", where none has threads."""
    threads = ALL_THREADS if device == "cpu" else 0

    def configuration(code, package, call, ready, answer, **more):
        return TorchConfiguration(code, package, call, threads, functools.partial(ready, device), answer, **more)

    theirs = [
        configuration("nvalchemi-toolkit-ops", "nvalchemi-toolkit-ops", "neighbor_list, matrix", nvalchemi_rows,
                      nvalchemi_answer, cells=True),
        configuration("nvalchemi-toolkit-ops", "nvalchemi-toolkit-ops", "prepared neighbor_list, matrix",
                      nvalchemi_prepared, nvalchemi_answer, cells=True),
        # On a GPU all points are compared with each other.
        configuration("torch-cluster", "torch_cluster", "radius_graph, full list", torch_cluster_pairs, pairs,
                      most_points=100_000_000 if device == "cpu" else 1_000_000),
    ]  # fmt: skip
    if device == "cpu":
        return theirs
    return [
        configuration("shoal", "shoal", "find, full list", shoal_lists, shoal_answer, cells=True),
        configuration("vesin", "vesin-torch", "compute, full list", vesin_pairs, pairs, cells=True),
        *theirs,
    ]
