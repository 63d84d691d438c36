# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy
import pytest

import shoal

UNIT = {2: shoal.Grid.fill((0, 0), (1, 2), 0.1), 3: shoal.Grid.fill((0, 0, 0), (1, 2, 1), 0.2)}


def numpy_deposit(points, values, grid):
    """sum_p w(n, x_p) value(p) with w = prod_axes (1 - |x_p - x_n| / h), in NumPy."""
    place = (points - numpy.array(grid.origin)) / numpy.array(grid.spacing)
    cell = numpy.minimum(place.astype(int), numpy.array(grid.cells) - 1)
    offset = place - cell
    nodes = numpy.zeros(grid.node_shape)
    for corner in itertools.product((0, 1), repeat=grid.dimensions):
        weight = numpy.prod(numpy.where(corner, offset, 1 - offset), axis=1)
        numpy.add.at(nodes, tuple((cell + corner).T[::-1]), weight * values)
    return nodes


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("method", ["auto", *(row.name for row in shoal.methods("deposit") if row.device == "cpu")])
def test_deposit_is_that_of_numpy(dimensions, method, random):
    grid = UNIT[dimensions]
    points = random.random((5000, dimensions)) * grid.upper
    values = random.random(5000)
    expected = numpy_deposit(points, values, grid)
    found = shoal.deposit(points, values, grid, method=method)
    tolerance = 1e-14 if method != "integer" else 1e-9  # whole numbers: to their range
    numpy.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * expected.max())
    assert found.sum() == pytest.approx(values.sum(), rel=1e-13)


def test_several_values_come_back_as_several(random):
    points, grid = random.random((100, 3)), UNIT[3]
    mass, charge = random.random((2, 100))
    nodes = shoal.deposit(points, (mass, charge), grid)
    assert isinstance(nodes, tuple)
    for found, values in zip(nodes, (mass, charge)):
        assert (found == shoal.deposit(points, values, grid)).all()


def test_interpolation_is_the_adjoint_of_deposit(random):
    points, grid = random.random((400, 3)), UNIT[3]
    values, nodes = random.random(400), random.random(grid.node_shape)
    there = (shoal.deposit(points, values, grid) * nodes).sum()
    back = (values * shoal.interpolate(nodes, points, grid)).sum()
    assert there == pytest.approx(back, rel=1e-13)


def test_a_linear_field_is_interpolated_exactly_with_its_gradient(dtype, random):
    grid = UNIT[3]
    points = random.random((200, 3)).astype(dtype)
    z, y, x = (grid.spacing[a] * numpy.arange(grid.cells[a] + 1) for a in (2, 1, 0))
    field = (1 + 2 * x + 3 * y[:, None] - 4 * z[:, None, None]).astype(dtype)
    plan = shoal.Deposit(grid, like=points)
    plan.bin(points)
    tolerance = 1e-5 if dtype == "float32" else 1e-13
    numpy.testing.assert_allclose(plan.interpolate(field), 1 + points @ numpy.array([2, 3, -4], dtype), atol=tolerance)
    for component, slope in zip(plan.interpolate_gradient(field), (2, 3, -4)):
        numpy.testing.assert_allclose(component, slope, atol=20 * tolerance)


def test_cells_get_the_whole_total(random):
    grid = UNIT[2]
    plan = shoal.Deposit(grid)
    plan.bin(random.random((100, 2)))
    cells = plan.to_cells(numpy.ones(100))
    assert cells.shape == grid.shape and cells.sum() == pytest.approx(100, rel=1e-14)


def test_nodes_may_be_stretched_along_an_axis():
    grid = shoal.DepositGrid(shoal.Grid.fill((0, 0), (1, 1), 0.5), nodes={1: [0, 0.25, 1]})
    found = shoal.deposit(numpy.array([[0.0, 0.125], [1.0, 0.625]]), numpy.array([8.0, 80.0]), grid)
    assert found.tolist() == [[4, 0, 0], [4, 0, 40], [0, 0, 40]]
    assert grid.cell_count == 4 and grid.node_count == 9


def test_blocked_cells_take_nothing():
    grid = shoal.Grid.fill((0, 0), (2, 1), 1.0)
    open_half = shoal.DepositGrid(grid, blocked=[[False, True]])
    point, one = numpy.array([[1.5, 0.5]]), numpy.ones(1)
    with pytest.raises(shoal.Error, match="particle 0"):
        shoal.deposit(point, one, open_half)
    plan = shoal.Deposit(open_half, blocked="drop")
    plan.bin(point)
    assert plan.to_nodes(one).sum() == 0.5 and plan.lost(one) == 0.5
    assert shoal.deposit(point, one, open_half, blocked="redistribute").sum() == 1


def test_particles_outside_are_named_moved_or_left_out():
    grid = shoal.Grid.fill((0, 0), (1, 1), 0.5)
    points, values = numpy.array([[0.5, 0.5], [3.0, 0.5]]), numpy.array([1.0, 10.0])
    with pytest.raises(shoal.Error, match=r"deposit: particle 1 is outside the grid: x = 3 m"):
        shoal.deposit(points, values, grid)
    assert shoal.deposit(points, values, grid, outside="clamp")[1, 2] == 10
    plan = shoal.Deposit(grid, outside="skip")
    plan.bin(points)
    assert plan.to_nodes(values).sum() == 1 and plan.skipped == 1 and plan.lost(values) == 10
    assert plan.interpolate(numpy.ones(grid.node_shape)).tolist() == [1, 0]


def test_particles_in_the_order_of_cells_need_no_sort(random):
    grid = UNIT[3]
    points, mass = random.random((500, 3)), random.random(500)
    plan = shoal.Deposit(grid)
    plan.bin(points)
    order = plan.order
    expected = plan.to_nodes(mass)
    in_order = plan.reorder(mass)
    assert (in_order == mass[order]).all() and plan.cell_start[-1] == 500
    plan.values_are_in_cell_order()
    assert (plan.to_nodes(in_order) == expected).all()
    plan.bin(points[order], sorted=True)
    assert (plan.to_nodes(in_order) == expected).all()
    with pytest.raises(shoal.Error, match="sorted particles must be in the order of cells. Sort them, or let bin"):
        plan.bin(points[order][::-1], sorted=True)


def test_nothing_is_computed_from_refused_particles(random):
    grid, points = UNIT[3], random.random((100, 3))
    plan = shoal.Deposit(grid)
    plan.bin(points)
    points[40] = 7
    with pytest.raises(shoal.Error, match="particle 40 is outside the grid"):
        plan.bin(points)
    ones = numpy.ones(100)
    for compute in (
        lambda: plan.to_nodes(ones), lambda: plan.to_cells(ones), lambda: plan.lost(ones), lambda: plan.reorder(ones),
        lambda: plan.interpolate(numpy.ones(grid.node_shape)), lambda: plan.order, lambda: plan.cell_start,
        lambda: plan.interpolate_gradient(numpy.ones(grid.node_shape)), lambda: plan.skipped,
    ):  # fmt: skip
        with pytest.raises(shoal.Error, match="there are no particles.* Call bin"):
            compute()
    cells = shoal.Cells(grid)
    with pytest.raises(shoal.Error, match="point 40 is outside the grid"):
        cells.bin(points)
    with pytest.raises(shoal.Error, match="there is no order"):
        cells.reorder(ones)


def test_values_that_are_not_finite_are_refused_unless_the_check_is_off(dtype, random):
    grid, points = UNIT[3], random.random((100, 3)).astype(dtype)
    values = numpy.ones((2, 100), dtype)
    values[1, 70] = numpy.nan
    message = "value 1 of particle 70 is nan, expected a finite number. Repair or remove it"
    with pytest.raises(shoal.Error, match=message):
        shoal.deposit(points, tuple(values), grid)
    assert numpy.isnan(shoal.deposit(points, tuple(values), grid, check_values=False)[1]).any()
    plan = shoal.Deposit(grid, like=points)
    plan.bin(points)
    for compute in (plan.to_nodes, plan.to_cells, plan.lost):
        with pytest.raises(shoal.Error, match="value 0 of particle 70 is nan"):
            compute(values[1])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: shoal.Deposit(UNIT[3], outside="wrap"), 'outside: unknown name "wrap"; expected one of error, clamp'),
        (lambda p: shoal.Deposit(UNIT[3], ranges="all"), "deposit: ranges = 'all', expected a sequence"),
        (lambda p: shoal.deposit(p, (), UNIT[3]), "deposit"),
        (lambda p: shoal.deposit(p, (numpy.ones(4), numpy.ones(3)), UNIT[3]), "3 elements, expected 4"),
        (lambda p: shoal.DepositGrid(UNIT[3], nodes={3: [0, 1]}), "axis"),
        (lambda p: shoal.DepositGrid(UNIT[3], nodes={0: [0, 1, 1]}), "ascend"),
        (lambda p: shoal.DepositGrid(UNIT[3], blocked=[True]), "blocked"),
        (lambda p: shoal.Deposit(UNIT[3]).to_nodes(numpy.ones(4)), "bin"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call(numpy.full((4, 3), 0.5))


def spline(shape, distance):
    """Weight of a node at a distance in cells."""
    d = numpy.abs(distance)
    if shape == "cic":
        return numpy.maximum(0, 1 - d)
    if shape == "tsc":
        return numpy.where(d < 0.5, 0.75 - d**2, numpy.where(d < 1.5, (1.5 - d) ** 2 / 2, 0))
    return numpy.where(d < 1, (4 - 6 * d**2 + 3 * d**3) / 6, numpy.where(d < 2, (2 - d) ** 3 / 6, 0))


def numpy_deposit_of_shape(points, values, grid, shape):
    """sum_p w(n, x_p) value(p) on a periodic grid, in NumPy."""
    along = []
    for axis, cells in enumerate(grid.cells[: grid.dimensions]):
        position = (points[:, axis] - grid.origin[axis]) / grid.spacing[axis]
        images = position[:, None, None] - numpy.arange(cells)[:, None] - cells * numpy.arange(-4, 5)
        along.append(spline(shape, images).sum(axis=2))
    letters = "abc"[: grid.dimensions]
    terms = ",".join(f"p{letter}" for letter in letters)
    return numpy.einsum(f"p,{terms}->{letters[::-1]}", values, *along)


PERIODIC = shoal.Grid((-1, 2, 0), (0.25, 0.5, 0.125), (5, 4, 6), periodic=(True, True, True))


@pytest.mark.parametrize("shape", ["cic", "tsc", "pcs"])
@pytest.mark.parametrize("method", ["auto", *(row.name for row in shoal.methods("deposit") if row.device == "cpu")])
def test_shapes_are_those_of_numpy(shape, method, random):
    points = PERIODIC.origin + random.random((300, 3)) * (numpy.array(PERIODIC.upper) - PERIODIC.origin)
    values = random.random(300)
    expected = numpy_deposit_of_shape(points, values, PERIODIC, shape)
    found = shoal.deposit(points, values, PERIODIC, method=method, shape=shape)
    numpy.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    nodes = random.random(PERIODIC.node_shape)
    back = shoal.interpolate(nodes, points, PERIODIC, method=method, shape=shape)
    assert (found * nodes).sum() == pytest.approx((values * back).sum(), rel=1e-12)


@pytest.mark.parametrize("shape", ["tsc", "pcs"])
def test_shapes_keep_linear_fields_at_walls(shape, random):
    grid = UNIT[2]
    points = random.random((200, 2)) * grid.upper
    y, x = (grid.spacing[a] * numpy.arange(grid.cells[a] + 1) for a in (1, 0))
    plan = shoal.Deposit(grid, shape=shape, threads=2)
    plan.bin(points)
    field = 1 + 2 * x + 3 * y[:, None]
    numpy.testing.assert_allclose(plan.interpolate(field), 1 + points @ [2, 3], atol=1e-13)
    for component, slope in zip(plan.interpolate_gradient(field), (2, 3)):
        numpy.testing.assert_allclose(component, slope, atol=1e-12)


def test_shapes_refuse_what_they_cannot_do():
    grid = shoal.Grid.fill((0, 0), (2, 1), 1.0)
    with pytest.raises(shoal.Error, match="shape \"tsc\" reaches nodes behind blocked cells"):
        shoal.Deposit(shoal.DepositGrid(grid, blocked=[[False, True]]), shape="tsc")
    with pytest.raises(shoal.Error, match="shape \"pcs\" needs cells of equal width, but axis 1 has given nodes"):
        shoal.Deposit(shoal.DepositGrid(grid, nodes={1: [0, 0.25, 1]}), shape="pcs")
    with pytest.raises(shoal.Error, match="cic, tsc, pcs"):
        shoal.Deposit(grid, shape="ngp")
    plan = shoal.Deposit(grid, shape="tsc")
    plan.bin(numpy.array([[0.5, 0.5]]))
    with pytest.raises(shoal.Error, match=r"to_cells\(\) has shape \"cic\" alone, got \"tsc\""):
        plan.to_cells(numpy.ones(1))


@pytest.mark.parametrize("shape", ["cic", "tsc", "pcs"])
def test_the_current_conserves_charge(shape, random):
    before = PERIODIC.origin + random.random((300, 3)) * (numpy.array(PERIODIC.upper) - PERIODIC.origin)
    after = before + (2 * random.random((300, 3)) - 1) * PERIODIC.spacing
    charge = random.random(300)
    current = shoal.deposit_current(before, after, charge, PERIODIC, 0.5, shape=shape, threads=1)
    divergence = sum(along - numpy.roll(along, 1, axis=2 - axis) for axis, along in enumerate(current))
    change = [shoal.deposit(points, charge, PERIODIC, shape=shape) for points in (before, after)]
    numpy.testing.assert_allclose((change[1] - change[0]) / 0.5 + divergence, 0, atol=1e-12)
    assert numpy.abs(divergence).max() > 0.1
    columns = shoal.deposit_current(tuple(before.T), tuple(after.T), charge, PERIODIC, 0.5, shape=shape, threads=3)
    assert all((found == expected).all() for found, expected in zip(columns, current, strict=True))


def test_the_current_names_what_is_wrong(random):
    before, charge = random.random((10, 3)), random.random(10)
    after = before.copy()
    after[7, 1] += 3
    with pytest.raises(shoal.Error, match="particle 7 moves from .* along axis 1, expected at most a cell, 0.5 m"):
        shoal.deposit_current(before, after, charge, PERIODIC, 0.5)
    with pytest.raises(shoal.Error, match="the time step is 0 s"):
        shoal.deposit_current(before, before, charge, PERIODIC, 0)
    with pytest.raises(shoal.Error, match="axis 0 of the grid is open"):
        shoal.deposit_current(before, before, charge, UNIT[3], 0.5)
    with pytest.raises(shoal.Error, match="after the step, axis 0 has 9 elements, expected 10"):
        shoal.deposit_current(before, before[:9], charge, PERIODIC, 0.5)
    with pytest.raises(shoal.Error, match="before is float32, expected float64"):
        shoal.deposit_current(before.astype("float32"), before, charge, PERIODIC, 0.5)
    with pytest.raises(shoal.Error, match="cic, tsc, pcs"):
        shoal.deposit_current(before, before, charge, PERIODIC, 0.5, shape="ngp")
