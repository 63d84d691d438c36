# SPDX-License-Identifier: Apache-2.0
"""Codes whose deposits on the nodes of a grid are compared: shoal, and what is written with NumPy alone."""

import itertools
from collections.abc import Callable, Iterator

import numpy
from codes import ALL_THREADS, Configuration, Nodes
from inputs import Particles


def node_shape(particles: Particles) -> tuple[int, int, int]:
    return (particles.cells + 1,) * 3


def shares(particles: Particles) -> Iterator[tuple[numpy.ndarray, numpy.ndarray]]:
    """For each of the eight corners of a cell: the number of the node of each particle, and its share of the value."""
    place = particles.points * particles.cells
    cell = numpy.minimum(place.astype(numpy.int64), particles.cells - 1)
    offset = place - cell
    for corner in itertools.product((0, 1), repeat=3):
        weight = numpy.prod(numpy.where(corner, offset, 1 - offset), axis=1)
        x, y, z = (cell + corner).T
        yield (z * (particles.cells + 1) + y) * (particles.cells + 1) + x, weight * particles.values


def shoal_deposit(threads: int, with_bin: bool) -> Callable[[Particles], Callable[[], object]]:
    def ready(particles: Particles) -> Callable[[], object]:
        import shoal

        plan = shoal.Deposit(shoal.Grid.fill((0, 0, 0), (1, 1, 1), 1 / particles.cells), threads=threads)
        if not with_bin:
            plan.bin(particles.points)
            return lambda: plan.to_nodes(particles.values)

        def bin_and_sum() -> object:
            plan.bin(particles.points)
            return plan.to_nodes(particles.values)

        return bin_and_sum

    return ready


def numpy_add_at(particles: Particles) -> Callable[[], object]:
    def call() -> numpy.ndarray:
        nodes = numpy.zeros((particles.cells + 1) ** 3)
        for number, share in shares(particles):
            numpy.add.at(nodes, number, share)
        return nodes

    return call


def numpy_bincount(particles: Particles) -> Callable[[], object]:
    def call() -> numpy.ndarray:
        nodes = numpy.zeros((particles.cells + 1) ** 3)
        for number, share in shares(particles):
            nodes += numpy.bincount(number, share, minlength=nodes.size)
        return nodes

    return call


def answer(nodes, particles: Particles) -> Nodes:
    return Nodes(numpy.asarray(nodes).reshape(node_shape(particles)))


DEPOSIT_CODES = [
    Configuration("shoal", "shoal", "bin and to_nodes", ALL_THREADS, shoal_deposit(0, True), answer),
    Configuration("shoal", "shoal", "bin and to_nodes", 1, shoal_deposit(1, True), answer),
    Configuration("shoal", "shoal", "to_nodes", ALL_THREADS, shoal_deposit(0, False), answer),
    Configuration("NumPy", "numpy", "add.at for each corner", 1, numpy_add_at, answer),
    Configuration("NumPy", "numpy", "bincount for each corner", 1, numpy_bincount, answer),
]
