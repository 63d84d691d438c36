#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of the approaches of `collision` for Maxwell molecules, with few and with more nodes and directions.

    PYTHONPATH=build/python python benchmarks/python/collision_accuracy.py OUT.csv

Two states with collision frequency 1 are evaluated once. For the solution of Bobylev, Krook and Wu at K = 0.66153 the
table has the largest error over the largest |df/dt|, and the change of <v^4>. For two beams it has the relative rates of
two components of the stress, and the change of <v^2/2>, which is 0. The exact values are in the first row.
"""

import csv
import math
import sys

import numpy

import shoal

K = 0.66153
BOX, FOURIER_BOX = 5.5, 7.725  # half widths; Fourier methods need room for the cutoff
APART = 1.2  # of `TwoBeams`
FOURIER = ("spectral", "carleman")
DEGREES = {6: 5, 16: 7, 35: 11}  # degree of the directions by their number on a half sphere
COLUMNS = ["approach", "support", "nodes", "directions", "BKW error", "d<v4>/dt", "stress xx", "stress xy", "energy"]

INTERPOLATED = [("interpolated, trilinear", {}), ("interpolated, cubic", {"interpolation": "cubic"})]
CONSERVATIVE = [("conservative, seven, loss only", {"symmetrized": False}), ("conservative, seven", {})]
STENCILS = [(f"conservative, {stencil}", {"stencil": stencil}) for stencil in ("five", "ten", "two_pair")]


def configurations():
    """Name, options, nodes along an axis, directions."""
    for approach, variants in (("interpolated", INTERPOLATED), ("conservative", CONSERVATIVE)):
        for name, options in variants:
            for nodes, directions in ((12, 6), (12, 16), (12, 35), (16, 6), (16, 16), (16, 35), (24, 16)):
                yield name, {"approach": approach} | options, nodes, directions
            yield name, {"approach": approach, "support": "ball"} | options, 16, 16
    for name, options in STENCILS:
        for support in ("box", "ball"):
            yield name, {"approach": "conservative", "support": support} | options, 16, 16
    for nodes, directions in ((16, 6), (16, 16), (24, 6), (24, 16), (24, 35), (32, 6), (32, 16), (32, 35)):
        yield "spectral", {"approach": "spectral"}, nodes, directions
    for nodes in (16, 24, 32, 48):
        yield "carleman", {"approach": "carleman"}, nodes, 16


def velocities(grid):
    """The components of the velocity at the nodes, shape (3, z, y, x)."""
    axis = numpy.asarray(grid.axis(0))
    z, y, x = numpy.meshgrid(axis, axis, axis, indexing="ij")
    return numpy.stack([x, y, z])


def change(solution, grid, step=0.01):
    """df/dt of an exact solution at time 0, by differences of fourth order."""
    f = {k: numpy.asarray(solution.distribution(grid, k * step)) for k in (-2, -1, 1, 2)}
    return (8 * (f[1] - f[-1]) - (f[2] - f[-2])) / (12 * step)


def relative_rate(plan, grid, direction):
    """Relative rate of the stress along the beams, and the change of the energy."""
    x, y, z = velocities(grid)
    component = x * x - (x * x + y * y + z * z) / 3 if direction[1] == 0 else x * y
    f = shoal.TwoBeams(apart=direction).distribution(grid)
    q = numpy.asarray(plan.evaluate(f))
    volume = grid.spacing**3
    return (component * q).sum() / (component * f).sum(), 0.5 * ((x * x + y * y + z * z) * q).sum() * volume


def measured(options, nodes, directions):
    """The columns after `directions`."""
    grid = shoal.VelocityGrid(nodes=nodes, half_width=FOURIER_BOX if options["approach"] in FOURIER else BOX)
    plan = shoal.Collision(grid, shoal.Molecules(rate=1), directions={"degree": DEGREES[directions]},
                           negative="accept", **options)  # fmt: skip
    solution = shoal.BkwSolution(amplitude=1 - K)
    q, exact = numpy.asarray(plan.evaluate(solution.distribution(grid))), change(solution, grid)
    error = numpy.abs(q - exact).max() / numpy.abs(exact).max()
    speed = (velocities(grid) ** 2).sum(axis=0)
    v4 = (speed**2 * q).sum() * grid.spacing**3
    stress_xx, energy = relative_rate(plan, grid, (APART, 0, 0))
    diagonal = APART / math.sqrt(2)
    stress_xy, _ = relative_rate(plan, grid, (diagonal, diagonal, 0))
    return [error, v4, stress_xx, stress_xy, energy]


def main(path):
    exact_v4 = 15 * 2 * (1 - K) ** 2 / 6  # <v^4> = 15 K (2 - K)
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerow(["exact", "", "", "", 0, exact_v4, -0.5, -0.5, 0])
        for name, options, nodes, directions in configurations():
            row = [name, options.get("support", "box"), nodes, directions, *measured(options, nodes, directions)]
            table.writerow(row)
            print(*row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
