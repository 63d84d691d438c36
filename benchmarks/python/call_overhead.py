# SPDX-License-Identifier: Apache-2.0
"""Overhead of calls from Python over the same calls in C++: plans with 1,000 points, one thread.

    PYTHONPATH=build/python python benchmarks/python/call_overhead.py build/benchmarks/shoal_call_overhead

Prints the shortest time of each call in both languages and their difference.
"""

import json
import subprocess
import sys
import time

import numpy

import shoal

POINTS = 1000


def least_microseconds(call, calls=10, rounds=300):
    """Smallest mean of the rounds, which other work on the core disturbs least."""
    means = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        means.append((time.perf_counter() - start) / calls * 1e6)
    return min(means)


def calls(points):
    values = numpy.ones(POINTS)
    grid = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.2)
    cells = shoal.Cells(grid, threads=1)
    neighbors = shoal.Neighbors(0.1, threads=1)
    deposit = shoal.Deposit(grid, threads=1)
    deposit.bin(points)
    nodes = deposit.to_nodes(values)
    sorted_values = cells.bin(points) and cells.reorder(values)
    walls = shoal.WallDistance(shoal.naca0012_case(129, 33)[0], threads=1)
    flat = (points[:, 0], points[:, 1])
    results = walls.find(flat)
    return {
        "cells.bin": lambda: cells.bin(points),
        "cells.reorder": lambda: cells.reorder(values, sorted_values),
        "neighbors.find": lambda: neighbors.find(points),
        "deposit.bin": lambda: deposit.bin(points),
        "deposit.to_nodes": lambda: deposit.to_nodes(values, nodes),
        "deposit.interpolate": lambda: deposit.interpolate(nodes, values),
        "wall_distance.find": lambda: walls.find(flat, out=results),
    }


def main():
    points = numpy.random.default_rng(1).random((POINTS, 3))
    in_python, in_cpp = {}, {}
    for _ in range(3):  # alternately, so that both run under the same conditions
        for name, call in calls(points).items():
            in_python[name] = min(least_microseconds(call), in_python.get(name, numpy.inf))
        printed = subprocess.run(sys.argv[1:], check=True, capture_output=True, input=points.tobytes()).stdout
        for name, took in json.loads(printed).items():
            in_cpp[name] = min(took, in_cpp.get(name, numpy.inf))
    print(f"{'call, 1,000 points':22}{'Python, us':>12}{'C++, us':>12}{'more, us':>12}")
    for name, took in in_python.items():
        print(f"{name:22}{took:12.1f}{in_cpp[name]:12.1f}{took - in_cpp[name]:12.1f}")


if __name__ == "__main__":
    main()
