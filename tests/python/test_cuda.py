# SPDX-License-Identifier: Apache-2.0
"""Device arrays stay on their device and in the order of their stream. Most tests need a GPU."""

import gc
import json
import weakref

import numpy
import pytest

import shoal

GRID = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.1)
DEVICE_LIBRARIES = ["cupy", "torch"]


@pytest.fixture(params=DEVICE_LIBRARIES)
def device(request):
    from conftest import LIBRARIES

    if "cuda:0" not in shoal.devices():
        pytest.skip("shoal finds no CUDA device")
    return next(one for one in LIBRARIES if one.name == request.param and one.device == "cuda").open()


def address(array):
    return array.data.ptr if hasattr(array, "get") else array.data_ptr()


class OnDevice:
    """An array without memory on a CUDA device, as DLPack's protocol describes it."""

    dtype = "float64"

    def __init__(self):
        self.asked = []

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, stream=None, **others):
        self.asked.append(stream)
        raise BufferError("memory was asked for")


def test_the_owner_is_asked_to_put_its_work_before_ours():
    array = OnDevice()
    with pytest.raises(shoal.Error, match="points, OnDevice of float64, cannot be shared: .*memory was asked for"):
        shoal.Neighbors(0.1).find(array)
    assert array.asked == [1]  # the legacy default stream of the array API


def test_every_operation_agrees_with_the_cpu(device, dtype, random):
    points, values = random.random((2000, 3)).astype(dtype), random.random(2000).astype(dtype)
    on_device, mass = device.array(points), device.array(values)
    for found, right in (
        (shoal.cells(on_device, GRID), shoal.cells(points, GRID)),
        (shoal.neighbors(on_device, 0.1, distances=True), shoal.neighbors(points, 0.1, distances=True)),
        (shoal.nearest_neighbors(on_device, 5), shoal.nearest_neighbors(points, 5)),
        (shoal.nearest_neighbors(on_device, 40, on_device[:99]), shoal.nearest_neighbors(points, 40, points[:99])),
    ):
        for got, expected in zip(found, right):
            if expected is not None:
                assert (device.values(got) == expected).all()
    nodes = shoal.deposit(on_device, mass, GRID)
    assert (device.values(nodes) == shoal.deposit(points, values, GRID)).all()
    back = shoal.interpolate(nodes, on_device, GRID)
    assert (device.values(back) == shoal.interpolate(device.values(nodes), points, GRID)).all()


@pytest.mark.parametrize("shape", ["tsc", "pcs"])
@pytest.mark.parametrize("method", ["auto", "integer"])
def test_shapes_have_the_bits_of_the_cpu(device, random, shape, method):
    points, values = random.random((1000, 3)), random.random(1000)
    on_device, mass = device.array(points), device.array(values)
    nodes = shoal.deposit(on_device, mass, GRID, shape=shape, method=method)
    assert (device.values(nodes) == shoal.deposit(points, values, GRID, shape=shape, method=method)).all()
    back = shoal.interpolate(nodes, on_device, GRID, shape=shape)
    assert (device.values(back) == shoal.interpolate(device.values(nodes), points, GRID, shape=shape)).all()


@pytest.mark.parametrize("shape", ["cic", "tsc", "pcs"])
def test_currents_are_those_of_the_cpu_to_rounding(device, random, shape):
    grid = shoal.Grid((0, 0, 0), (0.2, 0.2, 0.2), (5, 5, 5), periodic=(True, True, True))
    before, charge = random.random((1000, 3)), random.random(1000)
    after = before + 0.2 * (random.random((1000, 3)) - 0.5)
    current = shoal.deposit_current(*(device.array(array) for array in (before, after, charge)), grid, 0.5, shape=shape)
    for got, expected in zip(current, shoal.deposit_current(before, after, charge, grid, 0.5, shape=shape)):
        assert device.values(got) == pytest.approx(expected, abs=1e-11)


def test_many_systems_are_searched_on_the_device(device, dtype, random):
    points = random.random((2000, 3)).astype(dtype)
    starts = numpy.arange(0, 2001, 50)
    cells = random.uniform(-0.3, 0.3, (40, 3, 3)) + numpy.eye(3)
    options = {"starts": starts, "distances": True, "displacements": True}
    found = shoal.periodic_neighbors(device.array(points), 0.4, cells, **options)
    expected = shoal.periodic_neighbors(points, 0.4, cells, **options)
    assert expected.edge_index.shape[1] > 20_000
    for got, right in zip(found, expected):
        assert (device.values(got) == right).all()
    with pytest.raises(shoal.Error, match="cell is no array of float64 in host memory"):
        shoal.periodic_neighbors(device.array(points), 0.4, device.array(cells), starts=starts)


def test_distances_and_collisions_agree_with_the_cpu(device, random):
    mesh, _ = shoal.six_spheres_case(600, 1)
    points = random.uniform(-3, 3, (1000, 3))
    found = shoal.wall_distance(mesh, device.array(points), want=("distance", "face", "nearest"))
    expected = shoal.wall_distance(mesh, points, want=("distance", "face", "nearest"))
    assert (device.values(found.distance) == expected.distance).all()
    assert (device.values(found.face) == expected.face).all()
    grid, gas = shoal.VelocityGrid(nodes=16, half_width=5.5), shoal.Molecules(rate=1)
    f = shoal.TwoBeams().distribution(grid)
    q = device.values(shoal.collision(device.array(f), grid, gas))
    right = shoal.collision(f, grid, gas)
    numpy.testing.assert_allclose(q, right, atol=1e-11 * numpy.abs(right).max())


def test_a_flow_of_gas_agrees_with_the_cpu(device):
    from shoal import gas

    def flow(**options):
        grid, molecules = shoal.VelocityGrid(nodes=8, half_width=4), shoal.Molecules(rate=3)
        hot = gas.GasBoundary(temperature=1.2)
        return gas.Gas(grid, gas.uniform_faces(0, 2, 5), molecules, right=hot, model="shakhov", **options)

    right, first, second = flow(device="cpu"), flow(device="cuda"), flow(device="cuda")
    for one in (right, first):
        one.start(numpy.ones(5), numpy.ones(5))
        one.advance_to(0.2)
    assert numpy.allclose(first.moments().heat_flux, right.moments().heat_flux, rtol=0, atol=1e-11)
    second.start_from(device.array(numpy.asarray(right.f)), right.clock)
    assert type(second.f) is type(device.array(numpy.ones(1)))
    assert numpy.array_equal(device.values(second.f), right.f)


def test_a_plan_for_walls_is_made_from_arrays_on_the_device(device, random):
    corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    faces = numpy.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    points = random.uniform(-1, 2, (500, 3))
    plan = shoal.WallDistance.from_arrays(device.array(corners), device.array(faces), device="cuda")
    for size in (1.0, 2.0):
        plan.refit(device.array(size * corners))
        expected = shoal.WallDistance(shoal.WallMesh(size * corners, {"wall": faces})).find(points)
        found = plan.find(device.array(points))
        assert (device.values(found.distance) == expected.distance).all()
        assert (device.values(found.face) == expected.face).all()


def test_columns_of_a_table_and_strides_are_read_where_they_are(device, random):
    points = random.random((500, 4))
    table = device.array(points)
    found = shoal.neighbors(table[:, :3], 0.1)
    assert (device.values(found.indices) == shoal.neighbors(points[:, :3].copy(), 0.1).indices).all()


def test_out_is_written_on_the_device(device, random):
    plan = shoal.Deposit(GRID, like=device.array(numpy.zeros(1)))
    plan.bin(device.array(random.random((100, 3))))
    out = device.array(numpy.zeros(GRID.node_shape))
    where = address(out)
    assert plan.to_nodes(device.array(numpy.ones(100)), out) is out and address(out) == where
    assert device.values(out).sum() == pytest.approx(100)


def test_work_on_the_callers_stream_waits_for_nobody(device, random):
    points = random.random((200_000, 3))
    expected = shoal.cells(points, GRID)
    stream = device.module.cuda.Stream()
    context = stream if device.name == "cupy" else device.module.cuda.stream(stream)
    with context:
        given = device.array(points)
        plan = shoal.Cells(GRID, device="cuda", stream=stream, wait=False)
        found = plan.bin(given * 1)
        twice = found.order + found.order  # in the order of the stream
    plan.wait()
    assert (device.values(twice) == 2 * expected.order).all()


def test_a_stream_lives_as_long_as_its_plan_and_what_that_returned(device, random):
    points = device.array(random.random((1000, 3)))
    expected = device.values(shoal.cells(points, GRID).order)
    stream = device.module.cuda.Stream()
    kept = weakref.ref(stream)
    plan = shoal.Cells(GRID, device="cuda", stream=stream)
    found = plan.bin(points)
    del stream
    gc.collect()
    assert (device.values(plan.bin(points).order) == expected).all()
    assert kept() is not None
    del plan
    gc.collect()
    assert (device.values(found.order) == expected).all() and kept() is not None
    del found
    gc.collect()
    assert kept() is None


def test_a_call_on_another_stream_sees_what_was_put_on_the_current_one(device, random):
    points = random.random((500_000, 3))
    expected = shoal.cells(points, GRID).order
    plan = shoal.Cells(GRID, device="cuda")
    stream = device.module.cuda.Stream()
    context = stream if device.name == "cupy" else device.module.cuda.stream(stream)
    with context:
        moved = device.array(points + 0.0)
        for _ in range(50):
            moved = moved * 1.0
        found = plan.bin(moved)
    assert (device.values(found.order) == expected).all()


def test_wait_without_a_stream_is_refused(device):
    with pytest.raises(shoal.Error, match="wait = False needs `stream`"):
        shoal.Neighbors(0.1, device="cuda", wait=False)


def test_an_array_of_another_device_is_named(device):
    with pytest.raises(shoal.Error, match="points is on cuda:0, expected cpu, where the plan works"):
        shoal.Neighbors(0.1).find(device.array(numpy.zeros((3, 3))))
    with pytest.raises(shoal.Error, match="points is on cpu, expected cuda:0"):
        shoal.Neighbors(0.1, device="cuda").find(numpy.zeros((3, 3)))


def test_results_are_kept_while_a_plan_goes_on(device, random):
    plan = shoal.Neighbors(0.2, device="cuda")
    sets = [random.random((300, 3)) for _ in range(4)]
    kept = [plan.find(device.array(points)) for points in sets]
    for found, points in zip(kept, sets):
        assert (device.values(found.indices) == shoal.neighbors(points, 0.2).indices).all()


def transferred(work):
    """Bytes copied between host and device during work(), measured by CUPTI through PyTorch."""
    torch = pytest.importorskip("torch")
    from torch.profiler import ProfilerActivity, profile

    import tempfile

    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as profiler:
        work()
        torch.cuda.synchronize()
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profiler.export_chrome_trace(file.name)
        with open(file.name) as trace:
            events = json.load(trace)["traceEvents"]
    copies = [event for event in events if event.get("cat") == "gpu_memcpy"]
    return sum(event["args"]["bytes"] for event in copies if "HtoD" in event["name"] or "DtoH" in event["name"])


def test_device_arrays_never_come_to_the_host(device, random):
    n = 200_000
    points, mass = device.array(random.random((n, 3))), device.array(random.random(n))
    if transferred(lambda: device.values(mass)) < 8 * n:
        pytest.skip("the profiler sees no copies on this machine")
    neighbors, cells = shoal.Neighbors(0.01, like=points), shoal.Cells(GRID, like=points)
    deposit = shoal.Deposit(GRID, like=points)

    def work():
        neighbors.find(points)
        cells.bin(points)
        deposit.bin(points)
        deposit.interpolate(deposit.to_nodes(mass))

    work()
    assert transferred(work) < 4096  # the length of the list and the status of errors
