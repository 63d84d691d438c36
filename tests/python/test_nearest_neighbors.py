# SPDX-License-Identifier: Apache-2.0
import numpy
import pytest
from scipy.spatial import cKDTree

import shoal


@pytest.mark.parametrize("n", [1, 2, 9, 2000])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_sources_are_those_of_ckdtree(n, dimensions, random):
    points, sources = random.random((50, dimensions)), random.random((n, dimensions))
    distances, indices = cKDTree(sources).query(points, k=4)
    found = shoal.nearest_neighbors(points, 4, sources)
    assert found.indices.dtype == "int32" and (found.indices == numpy.where(indices == n, -1, indices)).all()
    numpy.testing.assert_allclose(found.distances, distances, rtol=1e-15)
    within = shoal.nearest_neighbors(sources, 1, include_self=True)
    assert (within.indices[:, 0] == numpy.arange(n)).all() and not within.distances.any()


def test_a_periodic_box_is_that_of_ckdtree(random):
    points = random.random((1000, 3)) * [1, 1, 2]
    distances, indices = cKDTree(points, boxsize=(1, 1, 2)).query(points, k=6)
    plan = shoal.NearestNeighbors(5, periodic=(True, True, True), upper=(1, 1, 2))
    found = plan.find(points)
    assert (found.indices == indices[:, 1:]).all()
    numpy.testing.assert_allclose(found.distances, distances[:, 1:], rtol=1e-12)
    kept = found.indices.copy()
    plan.find(points[::-1].copy())
    assert (found.indices == kept).all(), "later calls leave earlier results unchanged"


def test_arrays_are_of_the_library_of_the_points(library, dtype, random):
    points = random.random((40, 3)).astype(dtype)
    expected, found = shoal.nearest_neighbors(points, 3), shoal.nearest_neighbors(library.array(points), 3)
    assert (library.values(found.indices) == expected.indices).all()
    assert (
        library.values(found.distances).dtype == dtype and (library.values(found.distances) == expected.distances).all()
    )


def test_ties_are_ordered_by_number():
    square = numpy.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
    assert shoal.nearest_neighbors(square, 4).indices.tolist() == [
        [1, 2, 3, -1],
        [0, 3, 2, -1],
        [0, 3, 1, -1],
        [1, 2, 0, -1],
    ]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda p: shoal.nearest_neighbors(p, 0), "count = 0 nearest points, expected at least 1"),
        (lambda p: shoal.nearest_neighbors(p * numpy.nan, 1), "point 0: x is not a number"),
        (lambda p: shoal.nearest_neighbors(p, 1, p * numpy.inf), "source 0: x"),
        (lambda p: shoal.nearest_neighbors(p, 1, p[:, :2]), r"sources has the shape \(4, 2\), expected \(n, 3\)"),
        (
            lambda p: shoal.nearest_neighbors(p, 1, periodic=(True,)),
            "periodic axis x, expected a positive, finite length",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call(numpy.ones((4, 3)))
