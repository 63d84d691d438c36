# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import signal
import threading

import numpy
import pytest

import shoal
from shoal.report import write_report
from shoal.sph import Case, Solver



@pytest.fixture
def ctrl_c():
    """Ctrl-C after 0.3 s, with the default handler, because background programs ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    yield
    timer.join()
    signal.signal(signal.SIGINT, before)


SECTIONS = {
    "title": "A column of water",
    "run": {"duration": 0.1, "output_every": 0.02, "precision": "double"},
    "particles": {"dimensions": 2, "spacing": 0.1},
    "body": [{"material": "water", "box": {"from": [0, 0], "to": [1, 1]}}],
    "wall": [{"name": "tank", "box": {"from": (0, 0), "to": numpy.array([2.0, 2.0])}, "open": ["top"]}],
    "material": {"water": {"density": 1000, "sound_speed": 30}},
    "scheme": {"gravity": [0, -9.81]},
    "probe": [{"name": "front", "kind": "surge_front"}],
}


def column(**overrides):
    return Case(overrides=overrides, **SECTIONS)


def on_cpu(case, **options):
    return Solver(case, device="cpu", **options)


def test_the_number_of_threads_holds_for_the_best_device():
    best = "cpu, 1 thread" if shoal.devices() == ["cpu"] else shoal.device_name("cuda:0")
    assert Solver(column(), "best", threads=1).device == best


def test_a_case_that_is_built_is_the_case_of_its_text(tmp_path):
    case = column()
    file = tmp_path / "case.toml"
    file.write_text(case.text)
    assert Case.read(file).text == case.text
    assert (case.title, case.dimensions, case.spacing, case.duration) == ("A column of water", 2, 0.1, 0.1)
    assert Case.read(file, {"particles.spacing": 0.05, "run.precision": "float"}).spacing == 0.05


def test_a_liquid_that_is_too_soft_is_a_warning_of_python_and_of_the_report(tmp_path):
    soft = column(**{"material.water.sound_speed": 2, "run.duration": 1})
    about_case = "material.water.sound_speed = 2 m/s lets the density change by about 245 %"  # g H / (2 m/s)^2
    assert len(soft.warnings) == 1 and soft.warnings[0].startswith(about_case)
    assert column().warnings == []
    with pytest.warns(UserWarning, match="245 %"):
        solver = on_cpu(soft)
    with pytest.warns(UserWarning, match="the liquid is too soft for its speeds"):
        report = solver.write(tmp_path / "out")
    assert report.warnings[0] == soft.warnings[0] and "root mean square" in report.warnings[1]
    page = write_report(tmp_path / "out").read_text()
    assert about_case in page and "the liquid is too soft" in page


def test_fluids_that_are_not_newtonian_have_a_viscosity():
    mud = column(
        **{
            "material.water.rheology.model": "bingham",
            "material.water.rheology.consistency": 2,
            "material.water.rheology.yield_stress": 10,
            "material.water.rheology.regularization": 30,
            "scheme.viscosity.laminar": True,
        }
    )
    fields = on_cpu(mud).fields()
    assert (fields.viscosity == numpy.where(fields.wall == 1, 0, 302)).all()  # at rest
    assert on_cpu(column()).fields().viscosity.size == 0


def test_fields_have_the_vorticity_that_a_case_asks_for():
    solver = on_cpu(column(**{"run.vorticity": True}))
    solver.advance_to(0.05)
    fields = solver.fields()
    assert fields.vorticity.shape == (len(fields.id), 3)
    assert (fields.vorticity[fields.wall == 1] == 0).all() and abs(fields.vorticity[:, 2]).max() > 0
    assert (fields.vorticity[:, :2] == 0).all()  # in 2-D along z
    assert on_cpu(column()).fields().vorticity.size == 0


def test_a_sound_speed_may_be_left_out():
    sections = SECTIONS | {"material": {"water": {"density": 1000}}}
    assert "sound_speed = 31.32091952673165" in Case(**sections).text  # 10 (9.81 m/s^2 1 m)^(1/2)


def test_steps_move_the_clock_and_keep_the_mass():
    solver = on_cpu(column())
    before = solver.balance()
    solver.advance_to(0.05)
    after = solver.balance()
    assert solver.clock.time == pytest.approx(0.05) and solver.clock.lost == 0
    assert after.mass == before.mass == pytest.approx(1000) and after.kinetic > 0 and after.potential < before.potential
    steps = solver.clock.step
    solver.advance_steps(20)
    assert solver.clock.step == steps + 20


def test_fields_are_arrays_of_their_own_memory():
    solver = on_cpu(column())
    fields = solver.fields()
    n = solver.clock.particles
    assert fields.position.shape == fields.velocity.shape == (n, 3) and fields.position.dtype == "float64"
    assert fields.pressure.shape == (n,) and fields.pressure.dtype == "float32"
    assert fields.position.ctypes.data == fields.position.ctypes.data
    water = fields.wall == 0
    assert (fields.wall_number == numpy.where(water, -1, 0)).all() and (fields.body == numpy.where(water, 0, -1)).all()
    assert water.sum() == 100 and (numpy.sort(fields.id) == fields.id).all()
    x = fields.position[water, 0]
    assert x.min() == pytest.approx(0.05) and x.max() == pytest.approx(0.95)
    del fields
    assert x.max() == pytest.approx(0.95)


def test_fields_are_copies_that_cannot_be_written():
    fields = on_cpu(column()).fields()
    for name in ("id", "material", "wall", "wall_number", "body", "position", "velocity", "density", "pressure", "energy"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(fields, name)[:] = 7


def test_a_callback_sees_every_output_and_may_end_the_run():
    times = []
    solver = column().run(lambda now: times.append(now.clock.time), device="cpu")
    assert times == pytest.approx([0, 0.02, 0.04, 0.06, 0.08, 0.1]) and solver.clock.time == pytest.approx(0.1)
    solver = column().run(lambda now: now.clock.time < 0.05, device="cpu")
    assert solver.clock.time == pytest.approx(0.06)


def test_outputs_end_with_the_run():
    assert column(**{"run.output_every": 0.04}).output_times() == pytest.approx([0, 0.04, 0.08, 0.1])
    assert column(**{"run.output_every": 0.0}).output_times() == pytest.approx([0, 0.1])
    odd = column(**{"run.output_every": 0.1, "run.duration": 1.1}).output_times()  # 1.1 / 0.1 is more than 11
    assert len(odd) == 12 and odd[-1] == 1.1
    given = Case(**{**SECTIONS, "run": {"duration": 0.1, "output_times": [0.01, 0.05]}})
    assert given.output_times() == [0, 0.01, 0.05, 0.1] and given.output_at == [0.01, 0.05]


def test_a_run_writes_its_output_folder(tmp_path):
    seen = []
    solver = on_cpu(column())
    report = solver.write(tmp_path / "out", lambda now: seen.append(now.fields().position.shape[0]))
    assert len(seen) == 6 and set(seen) == {solver.clock.particles}
    assert not report.interrupted and report.last.mass == report.first.mass and "mass" in str(report)
    assert {"case.toml", "restart.h5", "balance.csv"} <= {file.name for file in (tmp_path / "out").iterdir()}
    with pytest.raises(shoal.Error, match="out"):
        on_cpu(column()).write(tmp_path / "out")
    on_cpu(column()).write(tmp_path / "out", force=True)


CUBE = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 1 5 8 4
"""


def test_an_output_folder_has_the_files_of_its_case(tmp_path):
    mesh, folder = tmp_path / "cube.obj", tmp_path / "out"
    mesh.write_text(CUBE)
    case = Case(
        run={"duration": 0.002},
        particles={"dimensions": 3, "spacing": 0.2},
        body=[{"material": "water", "surface": {"file": str(mesh)}}],
        material={"water": {"density": 1000, "sound_speed": 20}},
    )
    case.run(folder=folder, device="cpu")
    assert (folder / "inputs" / "cube.obj").read_text() == CUBE
    mesh.unlink()
    moved = folder.rename(tmp_path / "moved")
    shoal.cases.resume(moved, until=0.003, device="cpu")
    assert on_cpu(Case.read(moved / "case.toml")).clock.particles == 125


def test_a_folder_in_use_is_refused(tmp_path):
    def run_again(solver):
        with pytest.raises(shoal.Error, match="another run|in use"):
            column().run(folder=tmp_path / "out", device="cpu", force=True)

    column().run(run_again, folder=tmp_path / "out", device="cpu")


def test_a_surface_that_is_open_gets_a_remedy_of_its_own(tmp_path):
    mesh = tmp_path / "open.obj"
    mesh.write_text(CUBE.replace("f 1 4 3 2\n", ""))
    with pytest.raises(shoal.Error, match="this surface encloses nothing") as raised:
        Case(
            run={"duration": 0.002},
            particles={"dimensions": 3, "spacing": 0.2},
            body=[{"material": "water", "surface": {"file": str(mesh)}}],
            material={"water": {"density": 1000, "sound_speed": 20}},
        )
    assert "signs" not in str(raised.value)


def test_a_callback_may_end_a_run_into_a_folder(tmp_path):
    solver = column().run(lambda now: False, folder=tmp_path / "out", device="cpu")
    assert solver.clock.time < 0.1


def test_an_error_of_a_callback_ends_the_run(tmp_path):
    def fail(now):
        raise KeyError("mine")

    for folder in (None, tmp_path / "out"):
        with pytest.raises(KeyError, match="mine"):
            column().run(fail, folder=folder, device="cpu")


def test_a_callback_looks_but_does_not_step(tmp_path):
    with pytest.raises(shoal.Error, match="in use by another thread, or by the call that runs this callback"):
        on_cpu(column()).write(tmp_path / "out", lambda now: now.advance_steps(1))


def test_a_restart_goes_on_with_the_same_bits(tmp_path):
    case = column()
    whole = on_cpu(case)
    whole.advance_steps(40)
    half = on_cpu(case)
    half.advance_steps(20)
    half.save(tmp_path / "half.h5")
    resumed = on_cpu(case, restart=tmp_path / "half.h5")
    resumed.advance_steps(20)
    assert (resumed.fields().position == whole.fields().position).all()


def test_probes_are_measured_by_name():
    measured = on_cpu(column()).measure()
    assert list(measured) == ["front"] and list(measured["front"].values()) == [pytest.approx(0.95, abs=0.06)]


def test_ctrl_c_stops_a_long_run_between_two_steps(ctrl_c):
    solver = on_cpu(column(**{"run.duration": 1e6, "particles.spacing": 0.05}))
    with pytest.raises(KeyboardInterrupt):
        solver.advance_to(1e6)
    reached = solver.clock.step
    assert 0 < solver.clock.time < 1e6
    solver.advance_steps(1)
    assert solver.clock.step == reached + 1


def test_ctrl_c_leaves_a_restart_in_the_folder(tmp_path, ctrl_c):
    solver = on_cpu(column(**{"run.duration": 1000.0, "run.output_every": 0.0}))
    with pytest.raises(KeyboardInterrupt):
        solver.write(tmp_path / "out")
    resumed = on_cpu(column(), restart=tmp_path / "out" / "restart.h5")
    assert resumed.clock.step == solver.clock.step > 0


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: Case(**SECTIONS, scheem={}), "scheem"),
        (lambda: column(**{"scheme.kernel": "gauss"}), "^override scheme.kernel: .*gauss"),
        (lambda: column(**{"scheme.kernl": "cubic"}), "^override scheme.kernl: unknown key"),
        (lambda: column(**{"particles.spacing": -1}), "spacing"),
        (lambda: Case.read("nowhere.toml"), "nowhere.toml"),
        (lambda: Solver(column(), device="gpu"), "gpu"),
        (lambda: on_cpu(column(), restart="nowhere.h5"), "nowhere.h5"),
        (lambda: on_cpu(column()).advance_steps(-1), "steps = -1, expected at least 0"),
        (lambda: on_cpu(column(**{"run.method": "magic"})), "magic"),
        (lambda: on_cpu(column()).save("/nowhere/restart.h5"), "nowhere"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call()


def test_a_truncated_restart_is_named(tmp_path):
    file = tmp_path / "half.h5"
    on_cpu(column()).save(file)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(shoal.Error, match="half.h5"):
        on_cpu(column(), restart=file)


def test_a_value_that_a_case_cannot_have_is_a_type_error():
    with pytest.raises(TypeError, match="expected a number, text, a sequence or a dict"):
        Case(**SECTIONS, domain={"from": object()})


def test_paths_are_text():
    assert Case(**{**SECTIONS, "title": pathlib.PurePosixPath("a/b")}).title == "a/b"
