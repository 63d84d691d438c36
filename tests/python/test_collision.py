# SPDX-License-Identifier: Apache-2.0
import numpy
import pytest

import shoal

GRID = shoal.VelocityGrid(nodes=16, half_width=5.5)
GAS = shoal.Molecules(rate=1)


def test_a_grid_has_nodes_at_the_centers_of_cells():
    grid = shoal.VelocityGrid(nodes=8, half_width=4, center=(1, 0, 0))
    assert grid.spacing == 1 and grid.node_count == 512
    assert grid.axis(0).tolist() == [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 4.5]


def test_moments_of_a_distribution_are_those_of_its_formula():
    f = shoal.TwoBeams(density=2, temperature=0.6, velocity=(0.5, 0, 0), apart=(0, 1, 0)).distribution(GRID)
    (moments,) = shoal.Collision(GRID, GAS).moments(f)
    assert moments.density == pytest.approx(2, rel=1e-3)
    assert moments.velocity == pytest.approx([0.5, 0, 0], abs=1e-3)
    assert moments.temperature == pytest.approx(0.6 + 1 / 3, rel=1e-3)


@pytest.mark.parametrize("dtype, tolerance", [("float32", 1e-5), ("float64", 1e-12)])
def test_collisions_keep_mass_momentum_and_energy(dtype, tolerance):
    f = shoal.TwoBeams().distribution(GRID).astype(dtype)
    q = shoal.collision(f, GRID, GAS)
    assert q.shape == f.shape and q.dtype == dtype
    (defects,) = shoal.Collision(GRID, GAS, dtype=dtype).defects(q)
    assert abs(defects.mass) < tolerance * defects.mass_transferred
    assert max(map(abs, defects.momentum)) < tolerance * defects.momentum_transferred
    assert abs(defects.energy) < tolerance * defects.energy_transferred


def test_entropy_rises_and_maxwell_molecules_collide_at_one_frequency():
    plan = shoal.Collision(GRID, GAS)
    f = shoal.BkwSolution().distribution(GRID)
    q = plan.evaluate(f)
    assert plan.entropy_production(f, q)[0] > 0
    density = plan.moments(f)[0].density
    numpy.testing.assert_allclose(plan.frequency(f), density, rtol=1e-12)
    numpy.testing.assert_allclose(plan.loss(f), density * f, rtol=1e-12)
    assert plan.step_bound(f) == pytest.approx(1 / density)
    plan.require_step(f, 0.5)
    assert plan.entropy(f)[0] == pytest.approx(shoal.BkwSolution().entropy(0), rel=1e-2)
    assert plan.warnings(f) == [] or all(isinstance(line, str) for line in plan.warnings(f))


def test_several_cells_go_in_one_call():
    f = numpy.stack([shoal.BkwSolution(amplitude=a).distribution(GRID) for a in (0, 0.2, 0.4)])
    q = shoal.collision(f, GRID, GAS)
    assert q.shape == (3, 16, 16, 16)
    for one, of_all in zip(f, q):
        assert (shoal.collision(one, GRID, GAS) == of_all).all()


def test_random_collisions_repeat_for_the_same_seed():
    grid = shoal.VelocityGrid(nodes=8, half_width=4)
    f = shoal.TwoBeams().distribution(grid)
    options = {"approach": "interpolated", "interpolation": "nearest"}
    statistical = {**options, "integration": "statistical", "samples": 2000}
    regular = shoal.collision(f, grid, GAS, **options)
    plan = shoal.Collision(grid, GAS, **statistical, seed=5)
    first, second = plan.evaluate(f), plan.evaluate(f)
    assert plan.evaluations == 2 and (first != second).any()
    assert (shoal.collision(f, grid, GAS, **statistical, seed=5) == first).all()
    plan.evaluations = 1
    assert (plan.evaluate(f) == second).all()
    assert (first - regular).mean() == pytest.approx(0, abs=0.1 * abs(regular).max())


def test_directions_are_chosen_by_a_dict():
    plan = shoal.Collision(GRID, GAS, directions={"family": "octahedral", "degree": 5, "half": False})
    at, weight = plan.directions
    assert at.shape == (14, 3) and weight.sum() == pytest.approx(4 * numpy.pi)


def test_relaxation_follows_the_exact_solution():
    exact = shoal.BkwSolution()
    gas = shoal.Relaxation(GRID, GAS, stencil="two_pair", scheme="tvd_rk2", step_share=0.5)
    gas.start(exact.distribution(GRID))
    before = gas.states()[0]
    gas.advance_to(2)
    after = gas.states()[0]
    assert gas.time == 2 and gas.steps > 0 and gas.step <= 0.5 / before.moments.density * 1.001
    assert after.even[1] == pytest.approx(exact.moments(2)[1], rel=2e-2)
    assert after.entropy > before.entropy and after.energy == pytest.approx(before.energy, rel=1e-12)
    assert gas.f.shape == (1, 16, 16, 16) and gas.f.min() == after.least


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: shoal.Collision(GRID, GAS, integration="statistical"),
            "collision: integration statistical is for approach interpolated",
        ),
        (lambda: shoal.VelocityGrid(nodes="many"), "velocity_grid: nodes = 'many', expected a whole number"),
        (lambda: shoal.Molecules(model="soft"), 'molecules: model: unknown name "soft"; expected one of maxwell'),
        (lambda: shoal.Collision(GRID, GAS, directions=7), "directions = 7, expected a dict of family, degree, half"),
        (lambda: shoal.Collision(GRID, GAS, directions={"degree": 99}), "degree"),
        (lambda: shoal.collision(numpy.zeros(7), GRID, GAS), "7"),
        (lambda: shoal.collision(numpy.full((16, 16, 16), -1.0), GRID, GAS), "negative"),
        (lambda: shoal.Collision(GRID, GAS).require_step(shoal.BkwSolution().distribution(GRID), 9.0), "step"),
        (lambda: shoal.Relaxation(GRID, GAS).advance_to(1), "start"),
        (lambda: shoal.Relaxation(GRID, GAS, step_share=2.0), "step_share"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call()


def test_an_unknown_keyword_of_directions_is_a_type_error():
    with pytest.raises(TypeError, match='unknown keyword "order"; expected one of family, degree, half'):
        shoal.Collision(GRID, GAS, directions={"order": 3})
