# SPDX-License-Identifier: Apache-2.0
import numpy
import pytest
from scipy.spatial import cKDTree

import shoal


def rows(found):
    offsets, indices = found.offsets, found.indices
    return [indices[offsets[i] : offsets[i + 1]].tolist() for i in range(len(offsets) - 1)]


def tree_rows(points, sources, radius, boxsize=None):
    same = points is sources
    lists = cKDTree(sources, boxsize=boxsize).query_ball_point(points, radius)
    return [sorted(j for j in row if not (same and i == j)) for i, row in enumerate(lists)]


@pytest.mark.parametrize("n", [0, 1, 2, 100, 3000])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("method", ["auto", *(row.name for row in shoal.methods("neighbors") if row.device == "cpu")])
def test_the_list_is_that_of_ckdtree(n, dimensions, method, random):
    points = random.random((n, dimensions))
    radius = {1: 0.01, 2: 0.05, 3: 0.1}[dimensions]
    assert rows(shoal.neighbors(points, radius, method=method)) == (tree_rows(points, points, radius) if n else [])


def test_two_sets_are_those_of_ckdtree(random):
    points, sources = random.random((200, 3)), random.random((500, 3))
    assert rows(shoal.neighbors(points, 0.2, sources)) == tree_rows(points, sources, 0.2)


def test_a_periodic_box_is_that_of_ckdtree(random):
    points = random.random((1000, 3)) * [1, 1, 2]
    found = shoal.neighbors(points, 0.15, periodic=(True, True, True), lower=(0, 0, 0), upper=(1, 1, 2))
    assert rows(found) == tree_rows(points, points, 0.15, boxsize=(1, 1, 2))


@pytest.mark.parametrize(
    "radius_of, decide",
    [
        ("gather", lambda hi, hj: hi),
        ("scatter", lambda hi, hj: hj),
        ("symmetric", numpy.maximum),
    ],
)
def test_every_point_may_have_a_radius(radius_of, decide, random):
    points, radii = random.random((300, 2)), random.uniform(0.01, 0.1, 300)
    apart = numpy.linalg.norm(points[:, None] - points[None], axis=2)
    near = apart < 1.5 * decide(radii[:, None], radii[None])
    numpy.fill_diagonal(near, False)
    found = shoal.neighbors(points, 1.5, radii=radii, radius_of=radius_of)
    assert rows(found) == [numpy.flatnonzero(row).tolist() for row in near]


def test_radii_without_a_rule_are_symmetric(random):
    points, radii = random.random((300, 2)), random.uniform(0.01, 0.1, 300)
    expected = rows(shoal.neighbors(points, 1.5, radii=radii, radius_of="symmetric"))
    assert rows(shoal.neighbors(points, 1.5, radii=radii)) == expected
    plan = shoal.Neighbors(1.5, dimensions=2)
    assert rows(plan.find(points, radii=radii)) == rows(plan.update(points, radii=radii)) == expected
    assert rows(plan.find(points)) == tree_rows(points, points, 1.5)
    stream = shoal.NeighborStream(1.5, dimensions=2)
    assert rows(stream.find_to_host(points, radii=radii)) == expected
    sets = shoal.NeighborSets(1.5, dimensions=2)
    sets.add("points")
    sets.activate("points", "points")
    sets.set_points("points", points)
    sets.set_points("points", points, radii)
    sets.find()
    assert rows(sets.list("points", "points")) == expected and sets.names == ["points"]


def sets_of(*radii):
    sets = shoal.NeighborSets(1.0, dimensions=2)
    for name, given in zip("ab", radii):
        sets.add(name)
        sets.set_points(name, numpy.zeros((4, 2)), given)
    return sets


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p, h: shoal.neighbors(p, 1.0, radii=h, radius_of="fixed"), 'radii are given, but radius_of = "fixed"'),
        (lambda p, h: shoal.neighbors(p, 1.0, radius_of="gather"), 'radius_of = "gather" needs the radius of each point'),
        (lambda p, h: shoal.neighbors(p, 1.0, radii=h[:3]), "radii has 3 elements, expected 4: one for each point"),
        (lambda p, h: shoal.neighbors(p, 1.0, radii=h * numpy.nan), "point 0: radius = nan m, expected a positive"),
        (lambda p, h: shoal.neighbors(p, 1.0, p, radii=h), "radii are given without source_radii"),
        (lambda p, h: shoal.neighbors(p, 1.0, p, source_radii=h), "source_radii are given without radii"),
        (lambda p, h: shoal.neighbors(p, 1.0, p, radii=h, source_radii=h[:2]), "source_radii has 2 elements, expected 4"),
        (lambda p, h: shoal.Neighbors(1.0, dimensions=2, radius_of="fixed").find(p, radii=h), "radii are given, but"),
        (lambda p, h: shoal.NeighborStream(1.0, dimensions=2).find_to_host(p, radii=h[:1]), "radii has 1 elements"),
        (lambda p, h: shoal.Neighbors(1.0, dimensions=2, skin=0.1).find(p, radii=h), "a skin needs one radius"),
        (lambda p, h: sets_of(h[:2]), "radii has 2 elements, expected 4"),
        (lambda p, h: sets_of(h, None), "the set `b` has no radii, but the set `a` has some"),
        (lambda p, h: sets_of(None, h), "the set `b` has radii, but the set `a` has none"),
    ],
)
def test_radii_that_do_not_fit_are_errors(call, message):
    with pytest.raises(shoal.Error, match=message):
        call(numpy.zeros((4, 2)), numpy.full(4, 0.1))


def test_nothing_is_computed_after_a_refused_update(random):
    points = random.random((50, 3))
    plan = shoal.Neighbors(0.3)
    plan.find(points)
    with pytest.raises(shoal.Error, match="is not a number"):
        plan.update(points * numpy.nan)
    for compute in (lambda: plan.sum(points[:, 0]), lambda: plan.to_matrix(50)):
        with pytest.raises(shoal.Error, match="find"):
            compute()
    sets = shoal.NeighborSets(0.3)
    sets.add("points")
    sets.activate("points", "points")
    sets.set_points("points", points)
    sets.find()
    sets.set_points("points", points * numpy.nan)
    with pytest.raises(shoal.Error, match="is not a number"):
        sets.update()
    with pytest.raises(shoal.Error, match="there are no lists, since the last search failed"):
        sets.list("points", "points")


def test_options_choose_pairs_and_what_comes_with_them():
    points = numpy.array([[0.0, 0], [1, 0], [1, 0.5]])
    assert rows(shoal.neighbors(points, 1.0)) == [[], [2], [1]]
    assert rows(shoal.neighbors(points, 1.0, predicate="inclusive")) == [[1], [0, 2], [1]]
    assert rows(shoal.neighbors(points, 1.0, include_self=True)) == [[0], [1, 2], [1, 2]]
    assert rows(shoal.neighbors(points, 2.0, half=True)) == [[1, 2], [2], []]
    assert rows(shoal.neighbors(points[::-1], 2.0, order="visit")) == [[2, 1], [2, 0], [0, 1]]
    found = shoal.neighbors(points, 2.0, distances=True, displacements=True, wide_indices=True)
    assert found.distances.tolist() == [1, 1.25**0.5, 1, 0.5, 1.25**0.5, 0.5]
    assert [axis.tolist() for axis in found.displacements] == [[-1, -1, 1, 0, 1, 0], [0, -0.5, 0, -0.5, 0.5, 0.5]]
    assert found.wide_indices.dtype == "int64" and (found.wide_indices == found.indices).all()


def test_coordinate_lists_have_the_entries_of_the_rows(library, random):
    points = random.random((500, 3))
    box = {"periodic": (True, False, True), "lower": (0, 0, 0), "upper": (1, 1, 1)}
    found = shoal.neighbors(library.array(points), 0.2, edge_index=True, shifts=True, displacements=True, **box)
    destinations, sources = edge_index = library.values(found.edge_index)
    assert edge_index.dtype == "int64" and edge_index.flags.c_contiguous
    assert (sources == library.values(found.indices)).all()
    assert (destinations == numpy.repeat(numpy.arange(500), numpy.diff(library.values(found.offsets)))).all()
    shifts = library.values(found.shifts)
    assert shifts.dtype == "int32" and shifts[:, 0].any() and not shifts[:, 1].any() and shifts[:, 2].any()
    vectors = points[sources] - points[destinations] + shifts
    displacements = numpy.stack([library.values(axis) for axis in found.displacements], axis=1)
    numpy.testing.assert_allclose(vectors, -displacements, rtol=0, atol=1e-15)


def test_named_sets_have_coordinate_lists(random):
    fluid, wall = random.random((50, 3)), random.random((70, 3))
    sets = shoal.NeighborSets(0.3, edge_index=True, shifts=True)
    sets.add("fluid")
    sets.add("wall")
    sets.activate("fluid", "wall")
    sets.set_points("fluid", fluid)
    sets.set_points("wall", wall)
    sets.find()
    found, expected = sets.list("fluid", "wall"), shoal.neighbors(fluid, 0.3, wall, edge_index=True)
    assert (found.edge_index == expected.edge_index).all() and not found.shifts.any()
    assert found.shifts.shape == (len(found.indices), 3)


def test_what_was_not_asked_for_is_none():
    found = shoal.neighbors(numpy.zeros((2, 2)), 1.0)
    assert found.wide_indices is None and found.distances is None and found.displacements is None
    assert found.edge_index is None and found.shifts is None


def test_a_matrix_has_rows_that_end_with_minus_one():
    plan = shoal.Neighbors(1.0, dimensions=1)
    plan.find(numpy.array([0.0, 0.5, 1.2]))
    assert plan.to_matrix(3).tolist() == [[1, -1, -1], [0, 2, -1], [1, -1, -1]]
    with pytest.raises(shoal.Error, match="2"):
        plan.to_matrix(1)


def test_sums_are_over_the_neighbors(random):
    points, weights = random.random((100, 3)), random.random(100)
    plan = shoal.Neighbors(0.3)
    found = plan.find(points)
    expected = [weights[row].sum() for row in rows(found)]
    numpy.testing.assert_allclose(plan.sum(weights), expected, rtol=1e-14)


def test_update_writes_the_arrays_of_the_last_list(random):
    points = random.random((300, 3))
    plan = shoal.Neighbors(0.2, skin=0.05)
    found = plan.find(points)
    moved = points + random.uniform(-0.002, 0.002, points.shape)
    updated = plan.update(moved)
    assert updated.offsets.ctypes.data == found.offsets.ctypes.data
    assert rows(updated) == rows(shoal.neighbors(moved, 0.2)) and plan.rebuilds == 0


def test_named_sets_search_each_other(random):
    fluid, wall = random.random((200, 3)), random.random((100, 3))
    sets = shoal.NeighborSets(0.2, distances=True)
    for name in ("fluid", "wall"):
        sets.add(name)
        sets.activate("fluid", name)
    sets.set_points("fluid", fluid)
    sets.set_points("wall", wall)
    sets.find()
    assert sets.names == ["fluid", "wall"] and sets.is_active("fluid", "wall") and not sets.is_active("wall", "fluid")
    found = sets.list("fluid", "wall")
    assert rows(found) == tree_rows(fluid, wall, 0.2) and len(found.distances) == len(found.indices)
    assert rows(sets.list("fluid", "fluid")) == tree_rows(fluid, fluid, 0.2)
    sets.deactivate("fluid", "wall")
    sets.find()
    with pytest.raises(shoal.Error, match="wall"):
        sets.list("fluid", "wall")


def test_slabs_put_together_are_the_list(dtype, random):
    points = random.random((3000, 3)).astype(dtype)
    expected = shoal.neighbors(points, 0.15, distances=True)
    stream = shoal.NeighborStream(0.15, dtype=dtype, distances=True, slab_bytes=20_000)
    kept = []
    stream.find(points, lambda first, slab: kept.append((first, slab)))
    assert len(kept) > 3 and [first for first, _ in kept] == sorted({first for first, _ in kept})
    for first, slab in kept:
        rows_of_slab = len(slab.offsets) - 1
        assert (slab.offsets == expected.offsets[first : first + rows_of_slab + 1]).all()
    for field in ("indices", "distances"):
        assert (numpy.concatenate([getattr(slab, field) for _, slab in kept]) == getattr(expected, field)).all()
    whole = stream.find_to_host(points, points[:100].copy())
    assert rows(whole) == rows(shoal.neighbors(points, 0.15, points[:100].copy()))


def test_what_a_consumer_raises_ends_the_search(random):
    seen = []

    def fail(first, slab):
        seen.append(first)
        raise KeyError("enough")

    points = random.random((2000, 3))
    stream = shoal.NeighborStream(0.15, slab_bytes=20_000)
    with pytest.raises(KeyError, match="enough"):
        stream.find(points, fail)
    assert seen == [0]
    stream.find(points, lambda first, slab: seen.append(first))
    assert len(seen) > 3


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: shoal.neighbors(p, -1.0), "radius"),
        (lambda p: shoal.neighbors(p, 0.1, method="linked_lists"), "no method \"linked_lists\"|method"),
        (lambda p: shoal.neighbors(p, 0.1, predicate="loose"), 'predicate: unknown name "loose"; expected one of strict'),
        (lambda p: shoal.neighbors(p, 0.1, order="visit", skin=0.1), "skin = 0.1 m with order = .visit."),
        (lambda p: shoal.neighbors(p, 0.1, order="visit", method="cell_list"), "`cell_list` writes ascending rows only"),
        (lambda p: shoal.neighbors(p, 0.1, half="yes"), "neighbors: half = 'yes', expected True or False"),
        (lambda p: shoal.neighbors(p, 0.1, skin="wide"), "neighbors: skin = 'wide', expected a number"),
        (lambda p: shoal.neighbors(p, 0.1, periodic=True), "neighbors: periodic = True, expected up to 3 values"),
        (lambda p: shoal.neighbors(p, 0.1, lower=(0, 0, 0, 0)), "lower = .*expected up to 3 values"),
        (lambda p: shoal.neighbors(p, 0.1, threads=1.5), "neighbors: threads = 1.5, expected a whole number"),
        (lambda p: shoal.neighbors(p, 0.1, source_radii=p[:, 0]), "source_radii are given without sources"),
        (lambda p: shoal.neighbors(p * numpy.nan, 0.1), "point 0"),
        (lambda p: shoal.Neighbors(0.1).update(p), "find"),
        (lambda p: shoal.Neighbors(0.1).to_matrix(-1), "maximum = -1, expected at least 0"),
        (lambda p: shoal.NeighborSets(0.1).list("a", "b"), "neighbors"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call(numpy.zeros((4, 3)))


def test_a_keyword_that_is_not_there_is_a_type_error_that_lists_those_that_are():
    with pytest.raises(TypeError, match='unknown keyword "metod"; expected one of dimensions, periodic, .*method'):
        shoal.Neighbors(0.1, metod="auto")


def test_a_plan_can_be_used_after_an_error(random):
    points = random.random((50, 3))
    plan = shoal.Neighbors(0.3)
    with pytest.raises(shoal.Error):
        plan.find(points * numpy.inf)
    assert rows(plan.find(points)) == tree_rows(points, points, 0.3)
