# SPDX-License-Identifier: Apache-2.0
import numpy
import pytest

import shoal

jax = pytest.importorskip("jax")
jax.config.update("jax_enable_x64", True)
import shoal.jax  # noqa: E402

SKEWED = numpy.array([[1.0, 0, 0], [0.7, 0.8, 0], [-0.6, 0.9, 0.7]])
STARTS = numpy.array([0, 4, 4, 9])
MOST = 800


@pytest.fixture
def positions(random):
    return random.random((9, 3))


def energy(positions, cell=None, starts=None):
    """A pair potential that is smooth at the radius, of all systems."""
    pairs = shoal.jax.neighbor_pairs(positions, 0.9, cell, starts=starts, max_pairs=MOST)
    inside = jax.numpy.where(pairs.distances > 0, (0.9 - pairs.distances) ** 3, 0)
    return (inside * (1 + pairs.displacements[:, 0] ** 2)).sum()


def test_pairs_are_those_of_periodic_neighbors_and_then_zeros(positions):
    for cell, starts in ((SKEWED, None), (None, None), (numpy.stack([SKEWED, SKEWED, 0.6 * SKEWED]), STARTS)):
        pairs = shoal.jax.neighbor_pairs(positions, 0.9, cell, starts=starts, max_pairs=MOST)
        expected = shoal.periodic_neighbors(positions, 0.9, cell, starts=starts, distances=True, displacements=True)
        count = int(pairs.offsets[-1])
        assert 20 < count == len(expected.distances) < MOST
        assert (pairs.edge_index[:, :count] == expected.edge_index).all() and not pairs.edge_index[:, count:].any()
        assert (pairs.shifts[:count] == expected.shifts).all() and not pairs.shifts[count:].any()
        assert (pairs.offsets == expected.offsets).all() and not pairs.distances[count:].any()
        numpy.testing.assert_allclose(pairs.distances[:count], expected.distances, rtol=1e-14)
        numpy.testing.assert_allclose(pairs.displacements[:count], expected.displacements, rtol=0, atol=1e-14)


def test_derivatives_are_those_of_differences(positions, random):
    cells = numpy.stack([SKEWED, SKEWED, 0.6 * SKEWED])
    for cell, starts in ((SKEWED, None), (cells, STARTS)):
        gradients = jax.jit(jax.grad(energy, argnums=(0, 1)))(positions, cell, starts)
        for part, gradient in enumerate(gradients):
            direction = random.standard_normal(gradient.shape) * 1e-6
            moved = [(positions, cell), (positions, cell)]
            for sign, k in ((1, 0), (-1, 1)):
                moved[k] = tuple(x + sign * direction if n == part else x for n, x in enumerate((positions, cell)))
            difference = (energy(*moved[0], starts) - energy(*moved[1], starts)) / 2
            assert float((gradient * direction).sum()) == pytest.approx(float(difference), rel=1e-6)


def test_second_derivatives_are_symmetric(positions):
    hessian = jax.hessian(energy)(positions, SKEWED).reshape(27, 27)
    assert numpy.abs(hessian).max() > 1
    numpy.testing.assert_allclose(hessian, hessian.T, rtol=0, atol=1e-10)
    numpy.testing.assert_allclose(hessian.reshape(27, 9, 3).sum(axis=1), 0, rtol=0, atol=1e-10)


def test_vmap_searches_each_set(positions):
    several = numpy.stack([positions, positions * 0.5, positions[::-1]])
    values = jax.vmap(energy, in_axes=(0, None))(several, SKEWED)
    numpy.testing.assert_allclose(values, [energy(each, SKEWED) for each in several], rtol=1e-13)


def test_points_at_the_same_position_have_finite_derivatives():
    gradient = jax.grad(lambda x: shoal.jax.neighbor_pairs(x, 1.0, max_pairs=4).distances.sum())(numpy.zeros((2, 3)))
    assert not gradient.any()


def test_float32_stays_float32(positions):
    pairs = shoal.jax.neighbor_pairs(positions.astype("float32"), 0.9, SKEWED, max_pairs=MOST)
    assert pairs.distances.dtype == pairs.displacements.dtype == "float32" and pairs.edge_index.dtype == "int32"


def test_errors_have_the_message_of_shoal(positions):
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected at most max_pairs = 3. Use at least that number"):
        jax.block_until_ready(shoal.jax.neighbor_pairs(positions, 0.9, SKEWED, max_pairs=3))
    with pytest.raises(jax.errors.JaxRuntimeError, match="radius = -1 m, expected a positive length"):
        jax.block_until_ready(shoal.jax.neighbor_pairs(positions, -1.0, max_pairs=3))
    with pytest.raises(shoal.Error, match="there are no starts of systems"):
        shoal.jax.neighbor_pairs(positions, 0.9, SKEWED[None], max_pairs=3)
