# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy
import pytest

import shoal

SKEWED = numpy.array([[1.0, 0, 0], [0.7, 0.8, 0], [-0.6, 0.9, 0.7]])


def pairs_of(found):
    i, j = found.edge_index
    return [tuple(map(int, (a, b, *s))) for a, b, s in zip(i, j, found.shifts)]


def all_images(points, radius, cell, periodic=(True, True, True), most=5):
    """Pairs by the definition, with shifts of up to `most` periods."""
    shifts = list(itertools.product(*(range(-most, most + 1) if along else (0,) for along in periodic)))
    pairs = []
    for i, j in itertools.product(range(len(points)), repeat=2):
        vectors = points[j] - points[i] + numpy.array(shifts) @ cell
        near = numpy.linalg.norm(vectors, axis=1) < radius
        pairs += [(i, j, *shift) for shift, is_near in zip(shifts, near) if is_near and (i != j or any(shift))]
    return pairs


@pytest.mark.parametrize("radius", [0.3, 0.9])
@pytest.mark.parametrize("periodic", [(True, True, True), (True, False, True), (False, False, False)])
def test_pairs_are_those_of_all_images(radius, periodic, random):
    points = random.random((25, 3)) * 2 - 0.5
    found = shoal.periodic_neighbors(points, radius, SKEWED, periodic, distances=True, displacements=True)
    assert pairs_of(found) == all_images(points, radius, SKEWED, periodic, most=8)
    i, j = found.edge_index
    numpy.testing.assert_allclose(
        found.displacements, points[j] - points[i] + found.shifts @ SKEWED, rtol=0, atol=1e-15
    )
    numpy.testing.assert_allclose(found.distances, numpy.linalg.norm(found.displacements, axis=1), rtol=1e-15)
    assert found.offsets.tolist() == numpy.searchsorted(i, numpy.arange(26)).tolist()


def test_arrays_are_of_the_library_of_the_points(library, dtype, random):
    points = random.random((40, 3)).astype(dtype)
    expected = shoal.periodic_neighbors(points, 0.6, SKEWED, distances=True, displacements=True)
    found = shoal.periodic_neighbors(library.array(points), 0.6, SKEWED, distances=True, displacements=True)
    for name, kind in {"edge_index": "int64", "shifts": "int32", "distances": dtype, "displacements": dtype}.items():
        values = library.values(getattr(found, name))
        assert values.dtype == kind and (values == getattr(expected, name)).all()


def test_many_systems_are_one_call_for_each(random):
    sizes = [5, 0, 1, 30, 12]
    starts = numpy.concatenate([[0], numpy.cumsum(sizes)])
    cells = numpy.stack([SKEWED * factor for factor in (1, 1, 0.5, 2, 1)])
    periodic = numpy.array([[1, 1, 1], [1, 1, 1], [1, 1, 1], [1, 0, 1], [0, 0, 0]], dtype=bool)
    points = random.random((starts[-1], 3))
    plan = shoal.PeriodicNeighbors(0.8, distances=True, displacements=True)
    batch = plan.find(points, cells, periodic, starts)
    kept = {name: numpy.array(getattr(batch, name)) for name in batch._fields}
    first = 0
    for s, cell in enumerate(cells):
        one = plan.find(points[starts[s] : starts[s + 1]], cell, periodic[s])
        part = slice(first, first + one.edge_index.shape[1])
        assert (kept["edge_index"][:, part] == one.edge_index + starts[s]).all()
        for name in ("shifts", "distances", "displacements"):
            assert (kept[name][part] == getattr(one, name)).all()
        first = part.stop
    assert first == kept["edge_index"].shape[1] > 500
    assert (batch.edge_index == kept["edge_index"]).all(), "later calls leave earlier lists unchanged"


def test_points_in_a_plane_and_options(random):
    points = random.random((30, 2))
    cell = numpy.array([[1.0, 0, 0], [0.5, 0.9, 0], [0, 0, 0]])
    flat = numpy.column_stack([points, numpy.zeros(30)])
    found = shoal.periodic_neighbors(points, 0.4, cell, (True, True, False))
    assert pairs_of(found) == all_images(flat, 0.4, cell, (True, True, False))
    half = shoal.periodic_neighbors(points, 0.4, cell, (True, True, False), half=True)
    assert 2 * half.edge_index.shape[1] == found.edge_index.shape[1] and half.distances is None
    one = shoal.periodic_neighbors(points[:1], 0.4, cell, (True, True, False), include_self=True)
    assert pairs_of(one) == [(0, 0, 0, 0, 0)]
    assert shoal.periodic_neighbors(points, 0.4).edge_index.shape[1] < found.edge_index.shape[1]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: shoal.periodic_neighbors(p, -1.0), "radius = -1 m, expected a positive length"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, numpy.zeros((3, 3))), r"cell vector 0 is \(0, 0, 0\) m"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, numpy.ones((3, 3))), "are linearly dependent"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, [1, 2, 3]), r"cell has the shape \(3,?\), expected \(3, 3\)"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, "cubic"), "cell is no array of float64"),
        (
            lambda p: shoal.periodic_neighbors(p, 1.0, SKEWED, (True, True)),
            r"periodic has the shape \(2,?\), expected one",
        ),
        (
            lambda p: shoal.periodic_neighbors(p, 1.0, starts=[0, 3]),
            "systems start at 0 and end at 3, expected 0 and .* 4",
        ),
        (lambda p: shoal.periodic_neighbors(p, 1.0, starts=[]), "0 starts of systems"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, starts="all"), "starts is no array of int64"),
        (lambda p: shoal.periodic_neighbors(p * numpy.nan, 1.0), "point 0: x is not a number"),
        (lambda p: shoal.periodic_neighbors(p, 1.0, half=1), "half = 1, expected True or False"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call(numpy.zeros((4, 3)))


class Atoms:
    """What neighbor_list reads of ase.Atoms."""

    def __init__(self, positions, cell, pbc, numbers):
        self.positions, self.cell, self.pbc, self.numbers = positions, cell, pbc, numbers

    def get_chemical_symbols(self):
        return [{1: "H", 8: "O"}[number] for number in self.numbers]


@pytest.fixture
def atoms(random):
    return Atoms(random.random((30, 3)) * 1.5, SKEWED * 2, (True, False, True), numpy.where(numpy.arange(30) % 3, 1, 8))


def test_neighbor_list_returns_the_letters_in_their_order(atoms):
    d, j, i, shifts, vectors = shoal.neighbor_list("djiSD", atoms, 0.9)
    found = shoal.periodic_neighbors(atoms.positions, 0.9, atoms.cell, atoms.pbc, distances=True, displacements=True)
    assert (numpy.stack([i, j]) == found.edge_index).all() and (d == found.distances).all()
    assert (shifts == found.shifts).all() and (vectors == found.displacements).all()
    assert (shoal.neighbor_list("i", atoms, 0.9) == i).all()
    by_arrays = shoal.neighbor_list("i", cutoff=0.9, positions=atoms.positions, cell=atoms.cell, pbc=atoms.pbc)
    assert (by_arrays == i).all()
    assert len(shoal.neighbor_list("i", atoms, 0.9, self_interaction=True)) == len(i) + 30


def test_neighbor_list_has_cutoffs_of_elements_and_of_atoms(atoms):
    i, j, d = shoal.neighbor_list("ijd", atoms, 1.2)
    oxygen = atoms.numbers == 8
    mixed = oxygen[i] != oxygen[j]
    near = (mixed & (d < 0.8)) | (oxygen[i] & oxygen[j])
    for cutoff in ({("O", "H"): 0.8, ("O", "O"): 1.2}, {(1, 8): 0.8, (8, 8): 1.2}):
        found = shoal.neighbor_list("ij", atoms, cutoff)
        assert (found[0] == i[near]).all() and (found[1] == j[near]).all()
    radii = numpy.where(oxygen, 0.6, 0.3)
    near = d < radii[i] + radii[j]
    found = shoal.neighbor_list("ij", atoms, radii)
    assert (found[0] == i[near]).all() and (found[1] == j[near]).all()


def test_three_lengths_are_a_right_angled_cell(random):
    positions = random.random((10, 3))
    by_lengths = shoal.neighbor_list("S", cutoff=0.9, positions=positions, cell=(1, 2, 3), pbc=True)
    assert (
        by_lengths == shoal.neighbor_list("S", cutoff=0.9, positions=positions, cell=numpy.diag([1, 2, 3]), pbc=True)
    ).all()


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(quantities="ijk", cutoff=1), "quantities = 'ijk', expected letters out of 'ijdDS'"),
        (dict(quantities=""), "quantities = ''"),
        (dict(quantities="i"), "cutoff is missing"),
        (dict(quantities="i", cutoff=1, atoms=None, positions=None), "expected either atoms or positions, got neither"),
        (dict(quantities="i", cutoff=1, atoms=object()), "got both"),
        (dict(quantities="i", cutoff=[1, 2]), r"cutoff has the shape \(2,\), expected one length or \(4,\)"),
        (dict(quantities="i", cutoff={(1, 1): 1.0}), "a dictionary of elements, expected atoms or their numbers"),
        (
            dict(quantities="i", cutoff={("H", "H"): 1.0}, numbers=[1] * 4),
            "cutoff names the element 'H', expected atomic",
        ),
        (dict(quantities="i", cutoff={}), "radius = 0 m"),
    ],
)
def test_neighbor_list_names_bad_arguments(arguments, message):
    with pytest.raises(shoal.Error, match=message):
        shoal.neighbor_list(**{"positions": numpy.zeros((4, 3)), **arguments})


@pytest.mark.parametrize(
    "cell", [SKEWED * 3, SKEWED * 0.7, SKEWED[[1, 0, 2]] * 2], ids=["large", "small", "left-handed"]
)
@pytest.mark.parametrize("pbc", [True, (False, True, False), False])
def test_neighbor_list_is_that_of_ase(cell, pbc, random):
    neighborlist = pytest.importorskip("ase.neighborlist")
    atoms = pytest.importorskip("ase").Atoms("H4O2", random.random((6, 3)) * 2 - 0.5, cell=cell, pbc=pbc)
    for cutoff in (0.7, {("O", "H"): 0.5, ("H", "H"): 0.8}, random.uniform(0.2, 0.4, 6)):
        ours, theirs = (call("ijSdD", atoms, cutoff) for call in (shoal.neighbor_list, neighborlist.neighbor_list))
        order = numpy.lexsort((*theirs[2].T[::-1], theirs[1], theirs[0]))
        for mine, other in zip(ours[:3], theirs[:3]):
            assert (mine == other[order]).all()
        for mine, other in zip(ours[3:], theirs[3:]):
            numpy.testing.assert_allclose(mine, other[order], rtol=0, atol=1e-14)
