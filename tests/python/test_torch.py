# SPDX-License-Identifier: Apache-2.0
import warnings

import numpy
import pytest

import shoal

torch = pytest.importorskip("torch")
import shoal.torch  # noqa: E402

SKEWED = torch.tensor([[1.0, 0, 0], [0.7, 0.8, 0], [-0.6, 0.9, 0.7]], dtype=torch.float64)
STARTS = torch.tensor([0, 4, 4, 9])


@pytest.fixture
def positions(random):
    return torch.tensor(random.random((9, 3)), requires_grad=True)


@pytest.fixture(params=["cpu", "cuda"])
def device(request):
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device")
    return request.param


def energy(positions, cell=None, starts=None, max_pairs=None):
    """A pair potential that is smooth at the radius, of all systems."""
    pairs = shoal.torch.neighbor_pairs(positions, 0.9, cell, starts=starts, max_pairs=max_pairs)
    inside = torch.where(pairs.distances > 0, (0.9 - pairs.distances) ** 3, 0)
    return inside.sum() + (inside * pairs.displacements[:, 0] ** 2).sum()


def test_pairs_are_those_of_periodic_neighbors(positions):
    for cell, starts in ((SKEWED, None), (None, None), (torch.stack([SKEWED, SKEWED, 0.6 * SKEWED]), STARTS)):
        pairs = shoal.torch.neighbor_pairs(positions, 0.9, cell, starts=starts)
        expected = shoal.periodic_neighbors(
            positions.detach().numpy(), 0.9, cell, starts=starts, distances=True, displacements=True
        )
        assert (pairs.edge_index.numpy() == expected.edge_index).all() and len(expected.distances) > 20
        assert (pairs.shifts.numpy() == expected.shifts).all() and (pairs.offsets.numpy() == expected.offsets).all()
        numpy.testing.assert_allclose(pairs.distances.detach(), expected.distances, rtol=1e-14)
        numpy.testing.assert_allclose(pairs.displacements.detach(), expected.displacements, rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_a_right_angled_box_is_searched_on_every_device(kind, device, random):
    points = torch.tensor(random.random((300, 3)), dtype=getattr(torch, kind), device=device)
    cell = torch.diag(torch.tensor([1.0, 1.25, 1.5], dtype=points.dtype, device=device))
    pairs = shoal.torch.neighbor_pairs(points, 0.3, cell, [True, False, True])
    expected = shoal.periodic_neighbors(points.cpu(), 0.3, cell.cpu(), [True, False, True], distances=True)
    assert pairs.distances.dtype == points.dtype and pairs.distances.device == points.device
    assert torch.equal(pairs.edge_index.cpu(), expected.edge_index) and torch.equal(pairs.shifts.cpu(), expected.shifts)
    torch.testing.assert_close(pairs.distances.cpu(), expected.distances)


def test_cells_and_systems_are_searched_on_every_device(device, random):
    points = torch.tensor(random.random((9, 3)))
    far = points + torch.tensor([5.0, -7.0, 0.0])
    box = torch.diag(torch.tensor([2.0, 2.5, 3.0], dtype=torch.float64))
    for one, cell, starts in (
        (points, SKEWED, None),
        (points, 0.5 * box, None),
        (far, box, None),
        (points, None, None),
        (points, torch.stack([SKEWED, box, 0.6 * SKEWED]), STARTS),
        (points[:0], box, None),
    ):
        on_device = [None if part is None else part.to(device) for part in (cell, starts)]
        pairs = shoal.torch.neighbor_pairs(one.to(device), 0.9, on_device[0], starts=on_device[1])
        expected = shoal.periodic_neighbors(one, 0.9, cell, starts=starts, distances=True)
        assert pairs.edge_index.device == pairs.distances.device == one.to(device).device
        for name in ("edge_index", "shifts", "offsets"):
            assert torch.equal(getattr(pairs, name).cpu(), getattr(expected, name))
        torch.testing.assert_close(pairs.distances.cpu(), expected.distances)


def test_forces_are_those_of_the_cpu(device, random):
    if device == "cpu":
        pytest.skip("the CPU is what others are compared with")
    points, forces = torch.tensor(random.random((9, 3))), []
    for where in ("cpu", device):
        positions = points.to(where, copy=True).requires_grad_()
        cells = torch.stack([SKEWED, SKEWED, 0.6 * SKEWED]).to(where).requires_grad_()
        value = energy(positions, cells, STARTS.to(where))
        forces.append([part.cpu() for part in torch.autograd.grad(value, (positions, cells))])
    for found, expected in zip(*forces):
        assert found.abs().sum() > 0
        torch.testing.assert_close(found, expected)


def test_derivatives_are_those_of_differences(positions):
    cell = SKEWED.clone().requires_grad_()
    assert torch.autograd.gradcheck(energy, (positions, cell))
    assert torch.autograd.gradgradcheck(energy, (positions, cell))
    cells = torch.stack([SKEWED, SKEWED, 0.6 * SKEWED]).requires_grad_()
    assert torch.autograd.gradcheck(energy, (positions, cells, STARTS))
    assert torch.autograd.gradcheck(energy, (positions, cell, None, 2000))


def test_forces_by_hand():
    positions = torch.tensor([[0.0, 0, 0], [3, 4, 0]], requires_grad=True)
    pairs = shoal.torch.neighbor_pairs(positions, 6.0, half=True)
    assert pairs.edge_index.tolist() == [[0], [1]] and pairs.distances.tolist() == [5]
    pairs.distances.sum().backward()
    torch.testing.assert_close(positions.grad, torch.tensor([[-0.6, -0.8, 0], [0.6, 0.8, 0]]))


def test_points_at_the_same_position_have_finite_derivatives():
    positions = torch.zeros((2, 3), dtype=torch.float64, requires_grad=True)
    distances = shoal.torch.neighbor_pairs(positions, 1.0, include_self=True).distances
    assert distances.tolist() == [0, 0, 0, 0]
    (gradient,) = torch.autograd.grad((distances**2 + distances).sum(), positions, create_graph=True)
    (second,) = torch.autograd.grad(gradient.sum(), positions)
    assert not gradient.any() and not second.isnan().any()


def test_pairs_of_a_fixed_number_end_with_zeros(positions):
    exact = shoal.torch.neighbor_pairs(positions, 0.9, SKEWED)
    count = exact.edge_index.shape[1]
    pairs = shoal.torch.neighbor_pairs(positions, 0.9, SKEWED, max_pairs=count + 5)
    assert pairs.offsets[-1] == count and pairs.edge_index.shape == (2, count + 5)
    for name in ("shifts", "distances", "displacements"):
        assert (
            torch.equal(getattr(pairs, name)[:count], getattr(exact, name)) and not getattr(pairs, name)[count:].any()
        )
    assert torch.equal(pairs.edge_index[:, :count], exact.edge_index) and not pairs.edge_index[:, count:].any()
    with pytest.raises(shoal.Error, match=f"{count} pairs, expected at most max_pairs = {count - 1}"):
        shoal.torch.neighbor_pairs(positions, 0.9, SKEWED, max_pairs=count - 1)


def test_errors_are_those_of_shoal():
    with pytest.raises(shoal.Error, match="radius = -1 m, expected a positive length"):
        shoal.torch.neighbor_pairs(torch.zeros(3, 3), -1.0)
    with pytest.raises(shoal.Error, match="there are no starts of systems"):
        shoal.torch.neighbor_pairs(torch.zeros(3, 3), 1.0, torch.eye(3)[None])


def test_points_without_neighbors_have_no_forces(positions):
    compiled = torch.compile(energy, fullgraph=True, backend="aot_eager")
    for factor in (1.0, 1e3):
        value = compiled(positions * factor)
        torch.testing.assert_close(value, energy(positions * factor))
    (forces,) = torch.autograd.grad(value, positions)
    assert value == 0 and not forces.any()


@pytest.mark.parametrize("max_pairs", [None, 1000])
def test_operators_keep_the_rules_of_torch(positions, max_pairs):
    points, along = positions.detach(), torch.tensor([True, True, True])
    arguments = (points, 0.9, SKEWED, along, None, False, False, "strict")
    operator = torch.ops.shoal.pairs.default if max_pairs is None else torch.ops.shoal.pairs_of_size.default
    torch.library.opcheck(operator, arguments if max_pairs is None else (*arguments, max_pairs))


@pytest.mark.parametrize("max_pairs", [None, 1000])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_model_compiles_into_one_graph(positions, max_pairs, backend):
    def forces(points):
        return torch.autograd.grad(energy(points, SKEWED, None, max_pairs), points)[0]

    compiled = torch.compile(lambda points: energy(points, SKEWED, None, max_pairs), fullgraph=True, backend=backend)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the compiler about itself
        for factor in (1.0, 0.9, 1.1):
            points = (positions.detach() * factor).requires_grad_()
            value = compiled(points)
            torch.testing.assert_close(value, energy(points, SKEWED))
            torch.testing.assert_close(torch.autograd.grad(value, points)[0], forces(points))
