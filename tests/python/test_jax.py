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


@pytest.fixture(autouse=True, scope="module", params=["xla", "callback"])
def search(request):
    """Both ways to the search: called by XLA, as far as the build has it, and as a callback of Python. All tests of one way
    follow each other and share what was compiled."""
    if request.param == "xla" and jax.devices()[0].platform.replace("gpu", "cuda") not in shoal.jax._XLA_PLATFORMS:
        pytest.skip("this build was made without the headers of jaxlib, or without CUDA")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "callback":
            patch.setattr(shoal.jax, "_XLA_PLATFORMS", frozenset())
        jax.clear_caches()  # of what was compiled with the other one
        yield


def pairs_in_numpy(*arguments, **options):
    """The pairs as arrays of NumPy, whose parts are compared without programs of XLA."""
    return shoal.NeighborPairs(*map(numpy.asarray, shoal.jax.neighbor_pairs(*arguments, **options)))


@pytest.fixture
def positions(random):
    return random.random((9, 3))


@jax.jit
def energy(positions, cell=None, starts=None):
    """A pair potential that is smooth at the radius, of all systems."""
    pairs = shoal.jax.neighbor_pairs(positions, 0.9, cell, starts=starts, max_pairs=MOST)
    inside = jax.numpy.where(pairs.distances > 0, (0.9 - pairs.distances) ** 3, 0)
    return (inside * (1 + pairs.displacements[:, 0] ** 2)).sum()


def test_pairs_are_those_of_periodic_neighbors_and_then_zeros(positions):
    for cell, starts in ((SKEWED, None), (None, None), (numpy.stack([SKEWED, SKEWED, 0.6 * SKEWED]), STARTS)):
        pairs = pairs_in_numpy(positions, 0.9, cell, starts=starts, max_pairs=MOST)
        expected = shoal.periodic_neighbors(positions, 0.9, cell, starts=starts, distances=True, displacements=True)
        count = int(pairs.offsets[-1])
        assert 20 < count == len(expected.distances) < MOST
        assert (pairs.edge_index[:, :count] == expected.edge_index).all() and not pairs.edge_index[:, count:].any()
        assert (pairs.shifts[:count] == expected.shifts).all() and not pairs.shifts[count:].any()
        assert (pairs.offsets == expected.offsets).all() and not pairs.distances[count:].any()
        numpy.testing.assert_allclose(pairs.distances[:count], expected.distances, rtol=1e-14)
        numpy.testing.assert_allclose(pairs.displacements[:count], expected.displacements, rtol=0, atol=1e-14)


def test_the_compiled_program_calls_the_search_on_the_device_of_the_points(positions):
    device = jax.devices()[0]
    points = jax.device_put(positions, device)
    find = jax.jit(lambda points: shoal.jax.neighbor_pairs(points, 0.9, SKEWED, max_pairs=MOST))
    program = find.lower(points).compile().as_text()
    calls = device.platform.replace("gpu", "cuda") in shoal.jax._XLA_PLATFORMS
    assert ("shoal_neighbor_pairs" in program) == calls
    assert find(points).edge_index.devices() == {device}


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
    hessian = jax.jit(jax.hessian(energy))(positions, SKEWED).reshape(27, 27)
    assert numpy.abs(hessian).max() > 1
    numpy.testing.assert_allclose(hessian, hessian.T, rtol=0, atol=1e-10)
    numpy.testing.assert_allclose(hessian.reshape(27, 9, 3).sum(axis=1), 0, rtol=0, atol=1e-10)


def test_vmap_searches_each_set(positions):
    several = numpy.stack([positions, positions * 0.5, positions[::-1]])
    values = jax.vmap(energy, in_axes=(0, None))(several, SKEWED)
    numpy.testing.assert_allclose(values, [energy(each, SKEWED) for each in several], rtol=1e-13)


def test_vmap_over_systems_cells_and_several_axes(positions):
    several = numpy.stack([positions, positions * 0.5, positions[::-1], positions + 0.3]).reshape(2, 2, 9, 3)
    cells = numpy.stack([SKEWED, 1.2 * SKEWED])
    both = jax.jit(jax.vmap(jax.vmap(energy, in_axes=(0, None, None)), in_axes=(0, 0, None)))
    values = both(several, cells, STARTS)
    expected = [[energy(each, cell, STARTS) for each in row] for row, cell in zip(several, cells)]
    numpy.testing.assert_allclose(values, expected, rtol=1e-13)
    derivative = jax.grad(energy)
    gradients = jax.jit(jax.vmap(derivative, in_axes=(0, None)))(several[0], SKEWED)
    for each, gradient in zip(several[0], gradients):
        numpy.testing.assert_allclose(gradient, jax.jit(derivative)(each, SKEWED), rtol=0, atol=1e-12)


def test_options_of_the_search(positions):
    for options in (
        {"half": True},
        {"include_self": True},
        {"periodic": [True, False, True]},
        {"predicate": "inclusive"},
    ):
        pairs = pairs_in_numpy(positions, 0.9, SKEWED, max_pairs=MOST, **options)
        expected = shoal.periodic_neighbors(positions, 0.9, SKEWED, **options)
        count = int(pairs.offsets[-1])
        assert 0 < count == expected.edge_index.shape[1]
        assert (pairs.edge_index[:, :count] == expected.edge_index).all()
        assert (pairs.shifts[:count] == expected.shifts).all()
    on_bound = numpy.array([[0.0], [1.0]])  # in one dimension
    assert pairs_in_numpy(on_bound, 1.0, max_pairs=2).offsets[-1] == 0
    assert pairs_in_numpy(on_bound, 1.0, max_pairs=2, predicate="inclusive").offsets[-1] == 2


def test_no_points_have_no_pairs():
    pairs = pairs_in_numpy(numpy.zeros((0, 3)), 0.9, SKEWED, max_pairs=3)
    assert not pairs.distances.any() and list(pairs.offsets) == [0]
    none = jax.vmap(lambda x: shoal.jax.neighbor_pairs(x, 0.9, max_pairs=3).distances)(numpy.zeros((0, 4, 3)))
    assert none.shape == (0, 3)


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
    with pytest.raises(jax.errors.JaxRuntimeError, match="end at 8, expected 0 and the number of points, 9"):
        jax.block_until_ready(shoal.jax.neighbor_pairs(positions, 0.9, starts=numpy.array([0, 8]), max_pairs=3))
    with pytest.raises(jax.errors.JaxRuntimeError, match='unknown name "loose"; expected one of strict, inclusive'):
        jax.block_until_ready(shoal.jax.neighbor_pairs(positions, 0.9, predicate="loose", max_pairs=3))
    refusals = {
        "there are no starts of systems": {"cell": SKEWED[None]},
        r"cell has the shape \(3, 2\), expected \(3, 3\) or \(1, 3, 3\)": {"cell": SKEWED[:, :2]},
        r"periodic has the shape \(2,\), expected \(3,\)": {"cell": SKEWED, "periodic": [True, False]},
        r"starts has the shape \(1,\)": {"starts": numpy.array([0])},
    }
    for message, arguments in refusals.items():
        with pytest.raises(shoal.Error, match=message):
            shoal.jax.neighbor_pairs(positions, 0.9, max_pairs=3, **arguments)
    for wrong in (positions[0], positions.astype("int32"), numpy.zeros((3, 4))):
        with pytest.raises(shoal.Error, match="positions have the shape"):
            shoal.jax.neighbor_pairs(wrong, 0.9, max_pairs=3)


def test_a_set_of_vmap_with_too_many_pairs_is_an_error(positions):
    several = numpy.stack([positions * 9, positions])
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected at most max_pairs = 5"):
        jax.block_until_ready(jax.vmap(lambda x: shoal.jax.neighbor_pairs(x, 0.9, max_pairs=5).distances)(several))
