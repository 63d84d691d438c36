# SPDX-License-Identifier: Apache-2.0
"""Input and output arrays: no copies, the caller's library, and messages for arrays that do not fit."""

import gc
import threading

import numpy
import pytest

import shoal

GRID = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.1)


def test_results_are_arrays_of_the_library_that_the_points_came_from(library, dtype, random):
    points = random.random((500, 3)).astype(dtype)
    given = library.array(points)
    expected = shoal.neighbors(points, 0.2)
    found = shoal.neighbors(given, 0.2)
    assert (library.values(found.offsets) == expected.offsets).all()
    assert (library.values(found.indices) == expected.indices).all()
    nodes = library.values(shoal.deposit(given, library.array(numpy.ones(500, dtype)), GRID))
    assert nodes.shape == GRID.node_shape and nodes.dtype == dtype
    assert (nodes == shoal.deposit(points, numpy.ones(500, dtype), GRID)).all()


def test_a_plan_like_an_array_takes_its_type_and_device(library, dtype, random):
    points = library.array(random.random((100, 3)).astype(dtype))
    plan = shoal.Cells(GRID, like=points)
    assert plan.dtype == dtype
    assert plan.device.startswith(library.device)
    assert library.values(plan.bin(points).order).shape == (100,)


@pytest.mark.parametrize(
    "form",
    [
        lambda p: p,
        lambda p: numpy.asfortranarray(p),
        lambda p: tuple(p.T.copy()),
        lambda p: [p[:, 0], p[:, 1], p[:, 2]],
        lambda p: numpy.repeat(p, 2, axis=0)[::2],
        lambda p: numpy.hstack([p, p])[:, :3],
        lambda p: p[::-1].copy()[::-1],
        lambda p: numpy.frombuffer(p.tobytes()).reshape(-1, 3),
    ],
    ids=["table", "fortran", "tuple", "list", "strided", "part", "reversed", "read-only"],
)
def test_points_come_in_any_form_and_stride(form, random):
    points = random.random((300, 3))
    expected = shoal.neighbors(points, 0.15)
    found = shoal.neighbors(form(points), 0.15)
    assert (found.offsets == expected.offsets).all() and (found.indices == expected.indices).all()


def test_points_are_read_where_they_are(random):
    points = random.random((50, 3))
    sets = shoal.NeighborSets(10.0)
    sets.add("all")
    sets.activate("all", "all")
    sets.set_points("all", points)
    points += 100 * numpy.arange(50)[:, None]  # visible to the plan if it copied nothing
    sets.find()
    assert len(sets.list("all", "all").indices) == 0


def test_out_is_written_in_place_and_given_back(random):
    plan = shoal.Deposit(GRID)
    plan.bin(random.random((100, 3)))
    out = numpy.full(GRID.node_shape, numpy.nan)
    where = out.ctypes.data
    assert plan.to_nodes(numpy.ones(100), out) is out
    assert out.ctypes.data == where and out.sum() == pytest.approx(100, rel=1e-14)


def test_out_may_be_strided(random):
    plan = shoal.Cells(GRID)
    plan.bin(random.random((100, 3)))
    both = numpy.zeros((100, 2))
    plan.reorder(numpy.arange(100.0), both[:, 1])
    assert (both[:, 0] == 0).all() and sorted(both[:, 1]) == list(range(100))


def test_a_result_stays_as_it_is_while_the_plan_goes_on(random):
    plan = shoal.Neighbors(0.2)
    kept = []
    for _ in range(4):
        points = random.random((200, 3))
        kept.append((plan.find(points), shoal.neighbors(points, 0.2)))
    del plan
    gc.collect()
    for found, expected in kept:
        assert (found.offsets == expected.offsets).all() and (found.indices == expected.indices).all()


def test_results_that_were_dropped_leave_their_memory_to_the_next(random):
    points = random.random((200, 3))
    plan = shoal.Neighbors(0.2)
    addresses = set()
    for _ in range(10):
        found = plan.find(points)  # the last one is alive until here
        addresses.add(found.offsets.ctypes.data)
    assert len(addresses) == 2


def test_results_on_the_host_cannot_be_written(random):
    found = shoal.cells(random.random((10, 3)), GRID)
    with pytest.raises(ValueError, match="read-only"):
        found.order[0] = 7


def test_no_points_have_no_neighbors(library, dtype):
    found = shoal.neighbors(library.array(numpy.empty((0, 3), dtype)), 0.1)
    assert library.values(found.offsets).tolist() == [0] and library.values(found.indices).size == 0


def points(dtype="float64"):
    return numpy.zeros((4, 3), dtype)


def read_only():
    array = numpy.zeros(4)
    array.setflags(write=False)
    return array


def reordering(array, out=None):
    plan = shoal.Cells(GRID)
    plan.bin(points())
    plan.reorder(array, out)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: shoal.neighbors("abc", 0.1), "points is of type str, expected an array of NumPy, CuPy"),
        (lambda: shoal.neighbors(None, 0.1), "points is None, expected an array of NumPy, CuPy"),
        (lambda: shoal.Neighbors(0.1).find(None), "points is None, expected an array of NumPy, CuPy"),
        (lambda: shoal.deposit(points(), None, GRID), "values is None, expected an array of NumPy, CuPy"),
        (lambda: shoal.deposit(points(), (numpy.ones(4), None), GRID), r"values\[1\] is None, expected an array"),
        (lambda: shoal.WallMesh(None, {}), "points is None, expected an array of NumPy, CuPy"),
        (lambda: shoal.neighbors((), 0.1), "points is a list of nothing, expected numbers, or an array"),
        (lambda: shoal.neighbors(["a", "b"], 0.1), "points is a list of <U1, expected numbers, or an array"),
        (lambda: shoal.neighbors([[0, 0], [1]], 0.1), "points is a list whose rows differ in length"),
        (lambda: shoal.neighbors(points("bool"), 0.1), 'dtype = "bool", expected "float32" or "float64"'),
        (lambda: shoal.neighbors(numpy.ma.array(points()), 0.1), r"points is a masked array, whose .* points.filled\("),
        (lambda: shoal.neighbors(points(), 0.1, numpy.ma.array(points())), "sources is a masked array"),
        (lambda: shoal.DepositGrid(GRID, blocked=numpy.ma.zeros(GRID.shape)), "blocked is a masked array"),
        (lambda: shoal.WallMesh(points(), {"w": numpy.ma.zeros((1, 3), int)}), "faces is a masked array"),
        (lambda: reordering(numpy.zeros(4), numpy.ma.zeros(4)), "out is a masked array"),
        (lambda: shoal.neighbors(points().T, 0.1), r"shape \(3, 4\), expected .*\(n, 3\). Pass its transpose, points.T"),
        (lambda: shoal.neighbors(points("complex128"), 0.1), 'dtype = "complex128", expected "float32" or "float64"'),
        (lambda: shoal.neighbors(points().astype(object), 0.1), "ndarray of object, cannot be shared"),
        (lambda: shoal.neighbors(points().astype(">f8"), 0.1), "ndarray of >f8, cannot be shared"),
        (lambda: shoal.Neighbors(0.1).find(points("float32")), "points is float32, expected float64. Convert it"),
        (lambda: shoal.Neighbors(0.1).find(points().T), r"\(3, 4\), expected \(n, 3\).* Pass .* points.T"),
        (lambda: shoal.Neighbors(0.1).find(points()[:, :2]), r"points has the shape \(4, 2\), expected \(n, 3\)"),
        (lambda: shoal.Neighbors(0.1).find(points()[0]), r"points has the shape \(3,\), expected \(n, 3\)"),
        (lambda: shoal.Neighbors(0.1).find((points()[:, 0],) * 2), "points has 2 columns, expected 3"),
        (lambda: shoal.Neighbors(0.1).find((points(),) * 3), r"points\[0\] has the shape \(4, 3\), expected one dim"),
        (lambda: shoal.Neighbors(0.1).find((points()[:, 0], points()[:2, 0], points()[:, 0])), r"points\[1\] has 2 elem"),
        (lambda: shoal.Neighbors(0.1).find(points(), sources=3), "sources is of type int, expected an array"),
        (lambda: reordering(numpy.zeros(4), numpy.zeros(3)), "3 elements, expected 4"),
        (lambda: reordering(numpy.zeros(4), numpy.zeros(4, "float32")), "out is float32, expected float64"),
        (lambda: reordering(numpy.zeros(4), read_only()), "out is read-only, expected an array that can be written"),
        (lambda: reordering(numpy.zeros(4, "int16")), "array is int16, expected float32, float64, int32 or int64"),
        (lambda: shoal.interpolate(numpy.zeros(GRID.node_shape).T, points(), GRID), "is not in C order with one stride"),
        (lambda: shoal.interpolate(numpy.zeros(7), points(), GRID), "7 elements, expected 1331"),
        (lambda: shoal.deposit(points(), numpy.zeros((4, 1, 2))[:, :, 0].T[0, :3], GRID), "3 elements, expected 4"),
        (lambda: shoal.deposit(points(), points(), GRID), r"\(4, 3\) has 12 elements, expected 4. .* tuple\(values.T\)"),
        (lambda: shoal.Neighbors(0.1, dtype="float16"), 'neighbors: dtype = "float16", expected "float32" or "float64"'),
        (lambda: shoal.Neighbors(0.1, device="gpu"), 'unknown device "gpu"; expected cpu, cuda'),
        (lambda: shoal.Neighbors(0.1, threads=-1), "threads = -1, expected 0"),
        (lambda: shoal.Neighbors(0.1, stream=0), "stream is given, but the device is cpu"),
    ],
)
def test_an_array_that_does_not_fit_is_named_with_what_was_expected(call, message):
    with pytest.raises(shoal.Error, match=message):
        call()


@pytest.mark.parametrize("given", [list, tuple, "int64", "int8", "uint32", "float16"])
def test_lists_and_whole_numbers_on_the_host_are_converted(given, dtype):
    def convert(array):
        return given(array.tolist()) if callable(given) else array.astype(given)

    positions, mass = numpy.arange(12.0).reshape(4, 3) % 5, numpy.arange(4.0)
    grid = shoal.Grid.fill((0, 0, 0), (4, 4, 4), 1.0)
    expected = shoal.neighbors(positions, 3.0, distances=True)
    found = shoal.neighbors(convert(positions), 3.0, distances=True)
    assert isinstance(found.offsets, numpy.ndarray) and found.distances.dtype == "float64"
    for field in ("offsets", "indices", "distances"):
        assert (getattr(found, field) == getattr(expected, field)).all()
    plan = shoal.Deposit(grid, dtype=dtype)
    plan.bin(convert(positions))
    nodes = plan.to_nodes(convert(mass))
    assert nodes.dtype == dtype and (nodes == shoal.deposit(positions, mass, grid)).all()
    assert (plan.interpolate(convert(nodes.astype("float64").round())) == plan.interpolate(nodes.round())).all()


def test_a_list_of_numbers_of_numpy_is_one_array():
    assert shoal.neighbors([numpy.float64(0), numpy.float64(1)], 2.0).indices.tolist() == [1, 0]


class Unwilling:
    """Array whose export fails."""

    def __init__(self, device, error):
        self.device, self.error = device, error

    def __dlpack__(self, **options):
        raise self.error

    def __dlpack_device__(self):
        return self.device, 0


@pytest.mark.parametrize("device", [1, 2])
def test_the_exception_of_an_array_that_cannot_be_exported_arrives(device):
    with pytest.raises(KeyError, match="not now"):
        shoal.neighbors(Unwilling(device, KeyError("not now")), 0.1)
    with pytest.raises(shoal.Error, match="points, Unwilling of None, cannot be shared: read-only memory"):
        shoal.neighbors(Unwilling(device, BufferError("read-only memory")), 0.1)


@pytest.mark.skipif("cuda:0" in shoal.devices(), reason="there is a CUDA device")
def test_a_device_that_is_not_there_is_an_error():
    with pytest.raises(shoal.Error, match="queue: (this build of shoal has no CUDA|no usable CUDA device)"):
        shoal.Neighbors(0.1, device="cuda")


def test_jax_arrays_are_never_written(random):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    plan = shoal.Cells(GRID)
    plan.bin(random.random((4, 3)))
    with jax.default_device(jax.devices("cpu")[0]):
        values, out = jax.numpy.zeros(4), jax.numpy.zeros(4)
    with pytest.raises(shoal.Error, match="out is an array of JAX, which cannot be written"):
        plan.reorder(values, out)


def test_a_tensor_that_needs_its_gradient_is_refused():
    torch = pytest.importorskip("torch")
    points = torch.zeros((3, 3), requires_grad=True)
    with pytest.raises(shoal.Error, match=r"cannot be shared. Pass its detach\(\)"):
        shoal.neighbors(points, 0.1)
    assert len(shoal.neighbors(points.detach(), 0.1)[0]) == 4


def test_torch_dtypes_and_devices_are_understood():
    torch = pytest.importorskip("torch")
    plan = shoal.Neighbors(0.1, dtype=torch.float32, device=torch.device("cpu"))
    assert plan.dtype == "float32" and plan.device == "cpu"


@pytest.mark.parametrize("given", [numpy.float32, numpy.dtype("float32"), "float32"])
def test_numpy_dtypes_are_understood(given):
    assert shoal.Neighbors(0.1, dtype=given).dtype == "float32"


def test_other_threads_work_while_a_call_computes(random):
    points = random.random((200_000, 3))
    plan = shoal.Neighbors(0.03)
    started, ticks = threading.Event(), []

    def search():
        started.set()
        plan.find(points)

    thread = threading.Thread(target=search)
    thread.start()
    started.wait()
    while thread.is_alive():
        ticks.append(1)  # needs Python's lock
    thread.join()
    assert len(ticks) > 100


def test_two_threads_cannot_use_one_plan(random):
    points = random.random((400_000, 3))
    plan = shoal.Neighbors(0.03)
    errors = []

    def search():
        try:
            plan.find(points)
        except shoal.Error as error:
            errors.append(str(error))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 1 and "this plan is in use by another thread" in errors[0]
