# SPDX-License-Identifier: Apache-2.0
"""Programs of several ranks, one function each; test_ranks.py starts them.

mpirun -n 2 python rank_programs.py FOLDER solver_has_the_rows_of_one_rank load_is_that_of_the_summary

They run one after the other, each in a folder of its own; the first that fails ends all ranks.
"""

import json
import math
import pathlib
import sys

import numpy

import shoal


def dam_break():
    return shoal.sph.Case(
        title="Dam break",
        run={"duration": 0.02, "output_every": 0.01, "precision": "double"},
        particles={"dimensions": 2, "spacing": 0.1},
        body=[{"material": "water", "box": {"from": [0, 0], "to": [2, 1]}}],
        wall=[{"name": "tank", "box": {"from": [0, 0], "to": [4, 2]}, "open": ["top"]}],
        material={"water": {"density": 1000, "sound_speed": 45}},
        scheme={"gravity": [0, -9.81]},
        probe=[{"name": "front", "kind": "surge_front"}],
    )


def require_part_of(part, whole):
    """Requires that the fields of a rank are its rows of the fields of one rank."""
    rows = slice(part.first, part.first + len(part.id))
    assert part.total == whole.total == len(whole.id)
    assert 0 < len(part.id) < part.total
    for name in ("id", "material", "wall", "position", "velocity", "density", "pressure", "energy"):
        assert numpy.array_equal(getattr(part, name), getattr(whole, name)[rows]), name


def solver_has_the_rows_of_one_rank(ranks, folder, device="cpu"):
    alone = shoal.sph.Solver(dam_break(), device, threads=1)
    solver = shoal.sph.Solver(dam_break(), shoal.mpi.queue(ranks, device), ranks=ranks)
    for run in (alone, solver):
        run.advance_to(0.005)
        run.advance_steps(20)
    require_part_of(solver.fields(), alone.fields())
    assert solver.clock.step == alone.clock.step and solver.clock.particles == alone.clock.particles
    assert solver.balance().kinetic == alone.balance().kinetic
    assert solver.measure() == alone.measure()


def restart_continues_on_any_number_of_ranks(ranks, folder):
    solver = shoal.sph.Solver(dam_break(), "cpu", ranks=ranks)
    solver.advance_steps(10)
    solver.save(folder / "restart.h5")
    solver.advance_steps(10)
    alone = shoal.sph.Solver(dam_break(), "cpu", restart=folder / "restart.h5")
    alone.advance_steps(10)
    require_part_of(solver.fields(), alone.fields())
    again = shoal.sph.Solver(dam_break(), "cpu", restart=folder / "restart.h5", ranks=ranks)
    again.advance_steps(10)
    require_part_of(again.fields(), alone.fields())


def folder_of_a_run_is_that_of_one_rank(ranks, folder):
    times = []
    options = {"device": "cpu", "force": True}
    dam_break().run(lambda now: times.append(now.clock.time), folder=folder / "ranks", ranks=ranks, **options)
    assert times == [0, 0.01, 0.02]
    if ranks.rank == 0:
        dam_break().run(lambda now: None, folder=folder / "alone", **options)  # a function adds columns of the balance
        for name in ("restart.h5", "balance.csv", "fields.vtkhdf"):
            assert (folder / "ranks" / name).read_bytes() == (folder / "alone" / name).read_bytes(), name


def callback_of_rank_0_ends_the_run(ranks, folder):
    solver = shoal.sph.Solver(dam_break(), "cpu", ranks=ranks)
    report = solver.write(folder / "stopped", lambda now: ranks.rank != 0)
    assert report.interrupted and solver.clock.time < 0.01


def load_is_that_of_the_summary(ranks, folder):
    solver = shoal.sph.Solver(dam_break(), "cpu", ranks=ranks)
    loads = []
    solver.write(folder / "out", lambda now: loads.append(now.load()))
    assert len(loads) == 3
    load = solver.load()
    walls = int(shoal.sph.Solver(dam_break(), "cpu").fields().wall.sum())
    heaviest = (
        load.heaviest * (10 * (solver.clock.particles - walls) + walls) / ranks.size
    )  # in work of a wall particle
    assert 1 <= load.heaviest < ranks.size and math.isclose(heaviest, round(heaviest))
    assert 0 < load.halo < 1
    assert repr(load).startswith("<heaviest rank 1")
    if ranks.rank == 0:
        summary = json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))["ranks"]
        assert summary["count"] == ranks.size
        assert math.isclose(summary["heaviest"], load.heaviest) and math.isclose(summary["halo"], load.halo)


def callback_that_raises_ends_all(ranks, folder):
    def fail(solver):
        if ranks.rank == 1:
            raise ValueError("a valve is closed")

    shoal.sph.Solver(dam_break(), "cpu", ranks=ranks).write(folder / "failed", fail)


def program_controls_the_particles_of_its_rank(ranks, folder):
    def pull(particles):
        x, y = particles.position.T
        particles.set("acceleration", (-200 * x, -100 * y))
        if particles.clock.step == 3:
            particles.set("velocity", [[1.0, 2.0], [-1.0, 0.5]], ids=[5, 40])

    solvers = [shoal.sph.Solver(dam_break(), "cpu", ranks=ranks), shoal.sph.Solver(dam_break(), "cpu")]
    for solver in solvers:
        solver.on_step(pull)
        solver.advance_steps(10)
    require_part_of(solvers[0].fields(), solvers[1].fields())
    rows = solvers[0].particles().rows([5, 40])
    assert ((rows >= -1) & (rows < len(solvers[0].particles()))).all()


def too_many_ranks_are_an_error_of_all(ranks, folder):
    drop = shoal.sph.Case(
        title="A drop in a box of four layers of cells",
        run={"duration": 0.1},
        particles={"dimensions": 2, "spacing": 0.1},
        body=[{"material": "water", "box": {"from": [0, 0], "to": [0.2, 0.2]}}],
        material={"water": {"density": 1000, "sound_speed": 45}},
    )
    try:
        shoal.sph.Solver(drop, "cpu", ranks=ranks)
    except shoal.Error as error:
        assert "slabs: " in str(error) and ranks.agreed(str(error)), error
    else:
        raise AssertionError("expected an error")


def queue_is_the_device_of_solvers_and_plans(ranks, folder):
    queue = shoal.mpi.queue(ranks, "cpu", threads=3)
    assert (queue.device, queue.threads, queue.name) == ("cpu", 3, "cpu, 3 threads")
    assert shoal.sph.Solver(dam_break(), queue, ranks=ranks).device == "cpu, 3 threads"
    assert shoal.sph.Solver(dam_break(), queue, threads=2, ranks=ranks).device == "cpu, 2 threads"
    assert shoal.mpi.queue(ranks, "cpu").threads == 1  # that of OMP_NUM_THREADS
    assert shoal.Deposit(shoal.Grid.fill((0, 0), (1, 4), 0.1), device=queue, ranks=ranks).device == "cpu"
    try:
        shoal.mpi.queue(ranks, "cuda:0")
    except shoal.Error as error:
        assert "cuda:0" in str(error) and "expected cpu, cuda or best" in str(error)
    else:
        raise AssertionError("expected an error")


def gpu_has_the_rows_of_one_rank(ranks, folder):
    solver_has_the_rows_of_one_rank(ranks, folder, "cuda")
    named = shoal.sph.Solver(dam_break(), "cuda", ranks=ranks)
    assert named.device == shoal.mpi.queue(ranks, "cuda").name
    plan = shoal.Deposit(shoal.Grid.fill((0, 0), (1, 4), 0.1), device="cuda", ranks=ranks)
    assert plan.device == shoal.mpi.queue(ranks).device


def particles():
    random = numpy.random.default_rng(5)
    return random.random((3000, 3)), random.random(3000)


def slabs_of_nodes_are_those_of_one_rank(ranks, folder):
    points, mass = particles()
    grid = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.1)
    alone = shoal.Deposit(grid)
    alone.bin(points)
    whole = alone.to_nodes(mass)
    layer = numpy.minimum((points[:, 2] / 0.1).astype(int), 9)
    cuts = shoal.mpi.cut_by_weight(numpy.bincount(layer, minlength=10), ranks)
    first, end = cuts[ranks.rank], cuts[ranks.rank + 1]
    own = (layer >= first) & (layer < end)
    deposit = shoal.Deposit(grid, ranks=ranks, slabs=cuts)
    kept = []
    for _ in range(3):
        deposit.bin(points[own])
        if ranks.rank == 0:
            kept.append(deposit.order)  # a rank that keeps results has the same plan as the others
        nodes = deposit.to_nodes((mass[own], 2 * mass[own]))
    assert nodes[0].shape == deposit.node_shape == (end - first + 1, 11, 11)
    assert (deposit.first_node, deposit.first_cell) == (121 * first, 100 * first)
    assert numpy.array_equal(nodes[0], whole[first : end + 1])
    assert numpy.array_equal(deposit.interpolate(nodes[0]), alone.interpolate(whole)[own])
    assert deposit.cell_start[-1] == own.sum()
    cells = deposit.to_cells(mass[own])
    assert cells.shape == deposit.cell_shape == (end - first, 10, 10)
    assert numpy.array_equal(cells, alone.to_cells(mass)[first:end])


def any_partition_has_all_nodes_on_every_rank(ranks, folder):
    points, mass = particles()
    grid = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.1)
    share = shoal.mpi.share_of(len(points), ranks)
    plan = shoal.Deposit(grid, ranks=ranks)
    plan.bin(points[share])
    assert plan.method.name == "integer"
    whole = shoal.deposit(points, mass, grid, method="integer")
    assert numpy.array_equal(plan.to_nodes(mass[share]), whole)


def particle_of_another_slab_is_an_error_of_all(ranks, folder):
    grid = shoal.Grid.fill((0, 0), (1, 1), 0.1)
    cuts = shoal.mpi.cut_by_weight([1] * 10, ranks)
    plan = shoal.Deposit(grid, ranks=ranks, slabs=cuts)
    try:
        plan.bin(numpy.full((1, 2), 0.05))  # that of rank 0 alone
    except shoal.Error as error:
        assert f"rank 1 of {ranks.size}" in str(error) and ranks.agreed(str(error)), error
    else:
        raise AssertionError("expected an error")


def lists_over_ghosts_are_those_of_one_rank(ranks, folder):
    points, mass = particles()
    share = shoal.mpi.share_of(len(points), ranks)
    box = {"periodic": (True, True, True), "lower": (0, 0, 0), "upper": (1, 1, 1)}
    ghosts = shoal.GhostPoints(0.1, ranks=ranks, **box)
    near = ghosts.find(points[share])
    plan = shoal.Neighbors(0.1, distances=True, **box)
    part = plan.find_part(near.points, near.own_begin, near.own_count)
    offsets, indices, distances = part.offsets, part.indices, part.distances
    whole = shoal.neighbors(points, 0.1, distances=True, **box)
    entries = slice(whole.offsets[share.start], whole.offsets[share.stop])
    assert numpy.array_equal(offsets, whole.offsets[share.start : share.stop + 1] - entries.start)
    assert numpy.array_equal(near.number[indices], whole.indices[entries])
    assert numpy.array_equal(distances, whole.distances[entries])
    assert (near.own_count, ghosts.total, near.radii) == (share.stop - share.start, len(points), None)
    assert numpy.array_equal(ghosts.update(mass[share]), mass[near.number])
    assert numpy.array_equal(ghosts.update(numpy.arange(len(points), dtype=numpy.int32)[share]), near.number)
    radii = ghosts.find(points[share], radii=mass[share]).radii
    assert numpy.array_equal(radii, mass[ghosts.find(points[share], radii=mass[share]).number])


def cells_of_a_gas_are_those_of_one_rank(ranks, folder):
    grid, molecules = shoal.VelocityGrid(nodes=8, half_width=4), shoal.Molecules(rate=1)
    f = numpy.stack([shoal.BkwSolution(amplitude=amplitude).distribution(grid) for amplitude in (0.1, 0.2, 0.3)])
    alone, gas = shoal.Relaxation(grid, molecules), shoal.Relaxation(grid, molecules, ranks=ranks)
    share = shoal.mpi.share_of(len(f), ranks)
    for relaxation, cells in ((alone, f), (gas, f[share])):
        relaxation.start(cells)
        relaxation.advance_to(0.2)
    assert numpy.array_equal(gas.f, alone.f[share])
    assert [state.entropy for state in gas.states()] == [state.entropy for state in alone.states()[share]]
    shared = shoal.Collision(grid, molecules, ranks=ranks)
    assert numpy.array_equal(shared.evaluate(f), shoal.collision(f, grid, molecules))


def flow_of_gas_has_the_bits_of_one_rank(ranks, folder):
    grid, rows = shoal.VelocityGrid(nodes=8, half_width=4), 5
    faces = shoal.gas.uniform_faces(0, 1, 3), shoal.gas.uniform_faces(0, 2, rows)
    molecules = shoal.Molecules(rate=3, mass=1)
    mixture = shoal.Mixture(molecules, shoal.Molecules(rate=2, mass=0.5), cross_rate=2)
    for gases, model, count in ((molecules, "bgk", 1), (mixture, "aap", 2)):
        cells = count * 3 * rows
        flows = [
            shoal.gas.Gas(grid, faces, gases, model=model, top=shoal.gas.GasBoundary(temperature=1.2), **options)
            for options in ({"threads": 1}, {"device": shoal.mpi.queue(ranks, "cpu"), "ranks": ranks})
        ]
        for flow in flows:
            flow.start(numpy.linspace(1, 1.2, cells), numpy.full(cells, 1.05))
            flow.advance_to(0.1)
        alone, shared = flows
        own = shared.own_cells
        assert 0 < own.stop - own.start < 3 * rows
        whole = alone.f.reshape(count, 3 * rows, 8, 8, 8)
        assert numpy.array_equal(shared.f.reshape(count, -1, 8, 8, 8), whole[:, own])
        assert numpy.array_equal(shared.moments().temperature, alone.moments().temperature)
        assert [flux.energy for flux in shared.fluxes()] == [flux.energy for flux in alone.fluxes()]
        assert shared.clock.transfers[3].energy == alone.clock.transfers[3].energy
        shared.start_from(shared.f, shared.clock)
        for flow in flows:
            flow.advance_to(0.2)
        assert shared.residual() == alone.residual()


if __name__ == "__main__":
    scratch, *programs = sys.argv[1:]
    started = shoal.mpi.world()
    for program in programs:
        own_folder = pathlib.Path(scratch) / program
        own_folder.mkdir(exist_ok=True)
        globals()[program](started, own_folder)
        print(f"<rank {started.rank} of {started.size} has passed {program}>", flush=True)
