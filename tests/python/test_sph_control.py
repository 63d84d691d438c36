# SPDX-License-Identifier: Apache-2.0
"""Programs that read, set and drive a running simulation of SPH."""

import gc
import sys
import weakref

import numpy
import pytest

import shoal
from shoal.sph import Case, Solver
from water_on_a_bed import SECTIONS, WATER, solver_of


def test_arrays_have_the_state_by_their_ids():
    solver = solver_of(**{"scheme.gravity": [0, -9.81]})
    solver.advance_steps(5)
    particles, fields = solver.particles(), solver.fields()
    n = len(particles)
    assert n == solver.clock.particles and particles.clock.step == 5 and particles.stream == 0
    order = numpy.argsort(particles.id)
    assert (particles.id[order] == fields.id).all()
    assert (particles.position[order] == fields.position[:, :2]).all()
    assert (particles.velocity[order] == pytest.approx(fields.velocity[:, :2]))
    assert particles.velocity.shape == (n, 2) and particles.velocity.dtype == "float64"
    assert particles.coordinate.dtype == "int64" and particles.coordinate.shape == (n, 2)
    assert particles.density[order] == pytest.approx(fields.density)
    assert particles.pressure[order] == pytest.approx(fields.pressure, rel=1e-5)
    assert (particles.density == 1000 + particles.density_deviation).all()
    assert (particles.wall[order] == fields.wall).all() and (particles.material == 0).all()
    assert (particles.id[particles.rows([3, 1, 40])] == [3, 1, 40]).all()
    assert particles.energy.shape == (0,)


def test_views_share_the_memory_of_the_solver_and_cannot_be_written():
    solver = solver_of()
    particles = solver.particles()
    velocity = particles.velocity
    assert not velocity.flags.owndata and velocity.strides == (16, 8)
    with pytest.raises(ValueError, match="read-only"):
        velocity[:] = 1
    particles.set("velocity", [[3.0, 4.0]], ids=[7])
    assert (velocity[particles.rows([7])] == [[3, 4]]).all()
    position = particles.position
    position[:] = 0  # a copy
    assert particles.position.max() > 0


def test_a_single_precision_case_has_views_of_float32():
    particles = solver_of(**{"run.precision": "float"}).particles()
    assert particles.velocity.dtype == "float32" and particles.coordinate.dtype == "int32"
    assert particles.position.dtype == particles.pressure.dtype == "float64"


def test_particles_end_with_the_next_step():
    solver = solver_of()
    particles = solver.particles()
    solver.advance_steps(1)
    for use in (
        lambda: particles.velocity,
        lambda: particles.position,
        lambda: particles.rows([0]),
        lambda: particles.set("velocity", particles.velocity),
        particles.clear_acceleration,
    ):
        with pytest.raises(shoal.Error, match="these particles are of step 0, and the solver has gone on"):
            use()
    assert particles.clock.step == 0


def test_an_array_keeps_the_solver_alive():
    solver = solver_of()
    velocity = solver.particles().velocity
    before = velocity.copy()
    del solver
    gc.collect()
    assert (velocity == before).all()


def test_a_constant_acceleration_moves_the_water_as_gravity_does():
    def fall(particles):
        particles.set("acceleration", numpy.tile([0.5, -2.0], (len(particles), 1)))

    solver = solver_of(**{"scheme.walls": "dynamic"})
    heavy = solver_of(**{"scheme.walls": "dynamic", "scheme.gravity": [0.5, -2.0]})
    solver.on_step(fall)
    for run in (solver, heavy):
        run.advance_steps(20)
    assert solver.fields().position == pytest.approx(heavy.fields().position, abs=1e-10)
    assert abs(solver.fields().velocity).max() > 1e-3


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_are_a_table_or_columns_of_either_precision(dtype):
    solver = solver_of()
    particles = solver.particles()
    table = numpy.ones((len(particles), 2), dtype)
    particles.set("velocity", table)
    particles.set("velocity", (table[:, 0], 2 * table[:, 1]))
    particles.set("density", numpy.full(len(particles), 1001, dtype))
    water = particles.wall == 0
    assert (particles.velocity[water] == [1, 2]).all() and (particles.velocity[~water] == 0).all()
    assert (particles.density[water] == 1001).all() and (particles.pressure[water] > 800).all()


def test_bad_values_are_errors_and_set_nothing():
    solver = solver_of()
    particles = solver.particles()
    n = len(particles)
    before = particles.velocity.copy()
    bad = numpy.zeros((n, 2))
    bad[numpy.flatnonzero(particles.wall == 0)[3]] = numpy.nan
    cases = [
        (("velocity", bad), "expected finite numbers. Nothing was set"),
        (("velocity", numpy.zeros((n, 3))), r"expected \(n, 2\), or a tuple of 2 columns"),
        (("velocity", numpy.zeros((4, 2))), f"column 0 of velocity has 4 values, expected {n}: one for each row"),
        (("density", [-1.0], [3]), "density.0. = -1 of particle 3, expected a positive number"),
        (("energy", [1.0], [3]), "does not integrate energy"),
        (("velocity", [[1.0, 1.0]], [WATER]), f"ids.0. = {WATER} is a particle of a wall"),
        (("velocity", [[1.0, 1.0]], [10**9]), "is no particle in the domain"),
        (("velocity", numpy.ones((2, 2)), [1, 1]), "ids.1. = 1 is there twice"),
        (("mass", [1.0], [3]), "unknown name .mass.; expected one of velocity, density, energy, acceleration"),
        (("velocity", None), "velocity is None"),
        (("velocity", [[1.0, 1.0]], numpy.array([1], "int32")), "ids is int32, expected int64"),
    ]
    for arguments, message in cases:
        with pytest.raises(shoal.Error, match=message):
            particles.set(*arguments)
    assert (particles.velocity == before).all()
    with pytest.raises(shoal.Error, match="library = .*pandas"):
        solver.particles("pandas")


def test_a_restart_with_the_same_function_goes_on_with_the_same_bits(tmp_path):
    def spring(particles):
        particles.set("acceleration", -300 * (particles.position - [0.4, 0.2]))

    whole, first = solver_of(), solver_of()
    for run in (whole, first):
        run.on_step(spring, every=4)
    whole.advance_steps(40)
    first.advance_steps(20)
    first.save(tmp_path / "restart.h5")
    second = Solver(Case(**SECTIONS), device="cpu", restart=tmp_path / "restart.h5")
    second.on_step(spring, every=4)
    second.advance_steps(20)
    assert (second.fields().position == whole.fields().position).all()
    assert (second.fields().velocity == whole.fields().velocity).all()


def test_a_function_is_called_before_every_step_of_a_multiple_and_may_end_the_run(tmp_path):
    steps = []
    solver = solver_of()
    solver.on_step(lambda particles: steps.append(particles.clock.step), every=3)
    solver.advance_steps(7)
    assert steps == [0, 3, 6]
    solver.on_step(lambda particles: particles.clock.step < 12)
    solver.advance_to(0.1)
    assert solver.clock.step == 12
    solver.on_step(None)
    solver.advance_steps(3)
    assert solver.clock.step == 15
    counted = solver_of()
    counted.on_step(lambda particles: steps.append(-1))
    counted.write(tmp_path / "out")
    assert steps.count(-1) == counted.clock.step


def test_an_exception_of_the_function_ends_the_run_before_the_step():
    solver = solver_of()

    def fail(particles):
        if particles.clock.step == 5:
            raise LookupError("no force")

    solver.on_step(fail)
    with pytest.raises(LookupError, match="no force"):
        solver.advance_steps(10)
    assert solver.clock.step == 5
    solver.on_step(lambda particles: particles.set("density", [-1.0], ids=[0]))
    with pytest.raises(shoal.Error, match="expected a positive number"):
        solver.advance_to(0.1)
    assert solver.clock.step == 5
    with pytest.raises(shoal.Error, match="callback = 3, expected a function"):
        solver.on_step(3)
    with pytest.raises(shoal.Error, match="a callback every 0 steps"):
        solver.on_step(fail, every=0)


def test_particles_of_a_callback_end_with_it_and_steps_are_refused_within():
    solver = solver_of()
    kept = []

    def function(particles):
        kept.append(particles)
        with pytest.raises(shoal.Error, match="in use"):
            solver.advance_steps(1)

    solver.on_step(function)
    solver.advance_steps(1)
    with pytest.raises(shoal.Error, match="the solver has gone on"):
        kept[0].velocity


def test_a_solver_and_its_function_are_freed_together():
    class Forces:
        def __init__(self):
            self.solver = solver_of()
            self.solver.on_step(self.act)

        def act(self, particles):
            pass

    forces = Forces()
    reference = weakref.ref(forces)
    del forces
    gc.collect()
    assert reference() is None


BODY = {
    "wall": [{"name": "box", "box": {"from": [1.2, 0], "to": [1.6, 0.4]}, "solid": True}],
    "rigid_body": [{"wall": "box", "mass": 20, "locked_shifts": ["x"]}],
    "scheme": {"walls": "dynamic"},
    "probe": [{"name": "load", "kind": "force", "wall": "box"}, {"name": "place", "kind": "body_center", "wall": "box"}],
}


def test_bodies_are_driven_released_and_pushed():
    solver = Solver(Case(**(SECTIONS | BODY)), device="cpu")

    def place():
        return numpy.array(list(solver.measure()["place"].values()))

    start = place()
    solver.drive("box", [1.5, -0.5], [0, 0, 30])
    solver.advance_steps(10)
    assert place() - start == pytest.approx(numpy.array([1.5, -0.5]) * solver.clock.time)
    solver.release("box")
    after, time = place(), solver.clock.time
    solver.push("box", [0, 200.0], (0, 0, 1))
    solver.advance_steps(10)
    t = solver.clock.time - time
    assert place()[0] == after[0]
    assert place()[1] - after[1] == pytest.approx(-0.5 * t + 5 * t**2, rel=1e-9)
    with pytest.raises(shoal.Error, match="no rigid body is the wall \"bed\"; the case has \"box\""):
        solver.drive("bed", [1, 0])
    with pytest.raises(shoal.Error, match="0 in a 2-D case"):
        solver.push("box", [0, 0, 1])
    with pytest.raises(shoal.Error, match="up to 3 values"):
        solver.drive("box", [0, 0, 1, 1])


def test_views_and_steps_exclude_each_other_where_particles_enter():
    case = Case(
        **SECTIONS,
        open_boundary=[{"name": "inlet", "box": {"from": [0, 0], "to": [0.4, 0.5]}, "fluid": "right", "velocity": 1}],
    )
    solver = Solver(case, device="cpu")
    velocity = solver.particles().velocity
    with pytest.raises(shoal.Error, match="views of the particles are still in use"):
        solver.advance_steps(1)
    del velocity
    solver.advance_steps(1)
    kept = []
    solver.on_step(lambda particles: kept.append(particles.velocity))
    with pytest.raises(shoal.Error, match="views of the particles are still in use"):
        solver.advance_steps(1)
    solver.on_step(lambda particles: kept.clear())
    kept.clear()
    solver.advance_steps(5)


def test_other_libraries_have_their_own_arrays():
    torch = pytest.importorskip("torch")
    solver = solver_of()

    def spring(particles):
        assert isinstance(particles.velocity, torch.Tensor) and particles.velocity.dtype == torch.float64
        particles.set("acceleration", -300 * (particles.position - torch.tensor([0.4, 0.2], dtype=torch.float64)))

    def same(particles):
        particles.set("acceleration", -300 * (particles.position - [0.4, 0.2]))

    other = solver_of()
    solver.on_step(spring, library="torch")
    other.on_step(same)
    for run in (solver, other):
        run.advance_steps(10)
    assert (solver.fields().position == other.fields().position).all()


@pytest.mark.parametrize("library", ["cupy", "torch"])
def test_on_cuda_the_same_function_has_the_forces_of_the_cpu(library):
    pytest.importorskip(library)
    if "cuda:0" not in shoal.devices():
        pytest.skip("shoal finds no CUDA device")

    def spring(particles):
        x, y = particles.position.T
        particles.set("acceleration", (-300 * (x - 0.4), -300 * (y - 0.2)))

    on_device, host = solver_of("cuda:0"), solver_of()
    on_device.on_step(spring, library=library)
    host.on_step(spring)
    for run in (on_device, host):
        run.advance_steps(20)
    assert on_device.fields().position == pytest.approx(host.fields().position, abs=1e-9)
    with pytest.raises(shoal.Error, match="library = .numpy. has no arrays on cuda:0"):
        on_device.particles("numpy")


def test_reference_counts_of_the_callback_return():
    def function(particles):
        pass

    before = sys.getrefcount(function)
    solver = solver_of()
    solver.on_step(function)
    solver.on_step(None)
    assert sys.getrefcount(function) == before
