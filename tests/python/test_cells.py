# SPDX-License-Identifier: Apache-2.0
import numpy
import pytest

import shoal


def cell_numbers(points, grid):
    """Cells by the formula of docs/theory/cells.md, in NumPy."""
    one = points.dtype.type(1)
    spacing = numpy.array(grid.spacing).astype(points.dtype)
    cell = numpy.floor((points - numpy.array(grid.origin, points.dtype)) * (one / spacing)).astype(int)
    cell = numpy.minimum(cell, numpy.array(grid.cells) - 1)
    number = cell[:, -1]
    for axis in reversed(range(grid.dimensions - 1)):
        number = number * grid.cells[axis] + cell[:, axis]
    return number


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("method", ["auto", *(row.name for row in shoal.methods("cells") if row.device == "cpu")])
def test_points_are_sorted_by_cell_and_number(dimensions, method, dtype, random):
    points = random.random((1000, dimensions)).astype(dtype)
    grid = shoal.Grid.fill([0] * dimensions, [1] * dimensions, 0.13)
    number = cell_numbers(points, grid)
    found = shoal.cells(points, grid, method=method)
    assert (found.cell_of_point == number).all()
    assert (found.order == numpy.argsort(number, kind="stable")).all()
    assert (numpy.diff(found.cell_start) == numpy.bincount(number, minlength=grid.cell_count)).all()
    assert found.cell_start.dtype == "int64" and found.order.dtype == "int32" and found.cell_of_point.dtype == "uint32"


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_reorder_brings_any_array_into_the_order(dtype, random):
    points = random.random((100, 3))
    plan = shoal.Cells(shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.3))
    order = plan.bin(points).order
    values = random.integers(0, 1000, 100).astype(dtype)
    sorted_values = plan.reorder(values)
    assert sorted_values.dtype == dtype and (sorted_values == values[order]).all()


def test_a_point_outside_is_named():
    with pytest.raises(shoal.Error, match=r"cells: point 1 is outside the grid: x = 2 m, allowed \[0, 1\] m"):
        shoal.cells(numpy.array([[0.5, 0.5], [2, 0.5]]), shoal.Grid.fill((0, 0), (1, 1), 0.5))


def test_points_outside_go_to_the_bucket():
    points = numpy.array([[0.5, 0.5], [2, 0.5], [numpy.nan, 0]])
    found = shoal.cells(points, shoal.Grid.fill((0, 0), (1, 1), 0.5), outside="bucket")
    assert found.cell_start.tolist() == [0, 0, 0, 0, 1, 3] and found.order.tolist() == [0, 1, 2]


def test_periodic_axes_wrap():
    grid = shoal.Grid.fill((0, 0), (1, 1), 0.25, periodic=(True, False))
    found = shoal.cells(numpy.array([[-0.1, 0.1], [7.1, 0.1]]), grid)
    assert found.cell_of_point.tolist() == [3, 0]


def test_a_grid_says_what_it_is():
    grid = shoal.Grid(origin=(0, 1, 2), spacing=(1, 0.5, 0.25), cells=(2, 3, 4), periodic=(True, False, False))
    assert grid.shape == (4, 3, 2) and grid.node_shape == (5, 4, 2)
    assert grid.cell_count == 24 and grid.node_count == 40 and grid.upper == (2, 2.5, 3)
    assert repr(grid).startswith("Grid(origin=(0.0, 1.0, 2.0), spacing=(1.0, 0.5, 0.25), cells=(2, 3, 4)")


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: shoal.Grid.fill((0,), (1,), 0.1), "lower has 1 values, expected 2 or 3"),
        (lambda: shoal.Grid.fill((0, 0), (1, 1, 1), 0.1), "upper has 3 values, expected 2"),
        (lambda: shoal.Grid.fill((0, 0), (0, 1), 0.1), "grid"),
        (lambda: shoal.Grid.fill((0, 0), (1, 1), 0), "spacing"),
        (lambda: shoal.Grid((0, 0), (1, 1), (2, 0)), "cells"),
        (lambda: shoal.Grid((0, 0), (1, 1), (2, 2), (True,)), "periodic has 1 values, expected 2"),
    ],
)
def test_numbers_that_make_no_grid_are_refused(make, message):
    with pytest.raises(shoal.Error, match=message):
        make()
