# SPDX-License-Identifier: Apache-2.0
"""The two programs of examples/precice, coupled by a stand-in for preCICE that checks calls against the configuration."""

import pathlib
import queue
import re
import runpy
import sys
import threading
import types
from xml.etree import ElementTree

import numpy
import pytest

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "precice"
WINDOWS = 40


def configuration():
    """Elements of the file, whose tags have prefixes without a namespace."""
    return ElementTree.fromstring(re.sub(r"(</?[\w-]+):", r"\1_", (EXAMPLE / "precice-config.xml").read_text()))


class Coupling:
    """A serial explicit coupling of two participants in two threads."""

    def __init__(self):
        root = configuration()
        scheme = root.find("coupling-scheme_serial-explicit")
        self.window = float(scheme.find("time-window-size").get("value"))
        self.order = [scheme.find("participants").get(place) for place in ("first", "second")]
        self.exchanges = [(e.get("data"), e.get("from"), e.get("to")) for e in scheme.findall("exchange")]
        self.participants = {p.get("name"): p for p in root.findall("participant")}
        self.meshes = {mesh.get("name"): int(mesh.get("dimensions")) for mesh in root.findall("mesh")}
        self.channels = {name: queue.Queue() for name in self.order}  # to each participant
        self.calls = {name: [] for name in self.order}

    def partner_of(self, name):
        return self.order[1 - self.order.index(name)]


class Participant:
    """The calls of precice.Participant that the programs make. Only what preCICE 3 allows passes."""

    coupling = None

    def __init__(self, name, configuration_file, rank, size):
        assert pathlib.Path(configuration_file) == EXAMPLE / "precice-config.xml" and (rank, size) == (0, 1)
        self.name, self.given = name, self.coupling.participants[name]
        self.calls = self.coupling.calls[name]
        self.is_first = self.coupling.order[0] == name
        self.window, self.vertices, self.values, self.written = 0, {}, {}, {}

    def data_of(self, kind):
        return {(data.get("mesh"), data.get("name")) for data in self.given.findall(kind)}

    def receive(self):
        self.values = self.coupling.channels[self.name].get(timeout=60)

    def set_mesh_vertices(self, mesh, positions):
        assert not self.calls and self.given.find("provide-mesh").get("name") == mesh
        assert numpy.shape(positions) == (1, self.coupling.meshes[mesh])
        self.vertices[mesh] = numpy.arange(len(positions))
        self.calls.append("set_mesh_vertices")
        return self.vertices[mesh]

    def initialize(self):
        assert self.calls == ["set_mesh_vertices"]
        self.calls.append("initialize")
        if not self.is_first:
            self.receive()

    def is_coupling_ongoing(self):
        return self.window < WINDOWS

    def requires_writing_checkpoint(self):
        return False

    def get_max_time_step_size(self):
        return self.coupling.window

    def read_data(self, mesh, name, vertices, relative_time):
        assert (mesh, name) in self.data_of("read-data") and vertices is self.vertices[mesh]
        assert 0 <= relative_time <= self.coupling.window
        value = self.values.get(name, numpy.zeros((1, 2)))
        self.calls.append(("read", name, value[0].copy()))
        return value

    def write_data(self, mesh, name, vertices, values):
        assert (mesh, name) in self.data_of("write-data") and vertices is self.vertices[mesh]
        assert numpy.shape(values) == (1, self.coupling.meshes[mesh]) and numpy.isfinite(values).all()
        self.written[name] = numpy.array(values, dtype=float)
        self.calls.append(("write", name, self.written[name][0]))

    def advance(self, computed):
        assert computed == self.coupling.window and self.is_coupling_ongoing()
        assert {(name, self.name, self.coupling.partner_of(self.name)) for name in self.written} <= set(
            self.coupling.exchanges
        )
        self.window += 1
        self.calls.append("advance")
        self.coupling.channels[self.coupling.partner_of(self.name)].put(self.written)
        if self.is_first or self.is_coupling_ongoing():
            self.receive()

    def finalize(self):
        assert self.window == WINDOWS
        self.calls.append("finalize")


@pytest.fixture
def coupled(monkeypatch, capsys):
    """Calls of both programs, and what they print."""
    Participant.coupling = coupling = Coupling()
    module = types.ModuleType("precice")
    module.Participant = Participant
    monkeypatch.setitem(sys.modules, "precice", module)
    spring = threading.Thread(target=runpy.run_path, args=[str(EXAMPLE / "spring.py")], daemon=True)
    spring.start()
    fluid = runpy.run_path(str(EXAMPLE / "fluid.py"))
    spring.join(timeout=60)
    assert not spring.is_alive()
    return coupling, fluid["solver"], capsys.readouterr().out


def values(calls, kind):
    return numpy.array([call[2] for call in calls if call[0] == kind])


def test_the_piston_moves_as_its_mass_and_spring_do_under_the_force_of_the_water(coupled):
    coupling, solver, printed = coupled
    forces, velocities = (values(coupling.calls[name], "write") for name in coupling.order)
    assert len(forces) == len(velocities) == WINDOWS
    assert (values(coupling.calls["Spring"], "read") == forces).all()
    assert (values(coupling.calls["Fluid"], "read")[1:] == velocities[:-1]).all()  # those of the window before
    speed = place = 0
    for force, velocity in zip(forces[:, 0], velocities[:, 0], strict=True):
        speed += (force - 4000 * place) / 200 * coupling.window
        place += speed * coupling.window
        assert velocity == pytest.approx(speed, rel=1e-9, abs=1e-15)
    assert solver.clock.time == pytest.approx(WINDOWS * coupling.window, rel=1e-12)
    moved = solver.measure()["place"]["body_center_x [m]"] + 0.03
    assert moved == pytest.approx(velocities[:-1, 0].sum() * coupling.window, rel=1e-5)
    assert moved < -1e-4  # the water pushes it back
    assert "fluid: the center" in printed and "spring: the center" in printed


def test_each_window_is_read_written_and_advanced_once(coupled):
    for calls in coupled[0].calls.values():
        kinds = [call if isinstance(call, str) else call[0] for call in calls]
        assert kinds == ["set_mesh_vertices", "initialize", *["read", "write", "advance"] * WINDOWS, "finalize"]


@pytest.mark.parametrize("program", ["fluid", "spring"])
def test_without_precice_the_programs_say_so(program, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "precice", None)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(EXAMPLE / f"{program}.py"))
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("skipped: there is no module precice")
