# SPDX-License-Identifier: Apache-2.0
"""Case files of every kind, checked, run and resumed from Python."""

import os
import signal
import threading

import numpy
import pytest

import shoal

COLUMN = """kind = "sph"
[run]
duration = 0.05
output_every = 0.01
precision = "double"
[particles]
dimensions = 2
spacing = 0.1
[[body]]
material = "water"
box = { from = [0, 0], to = [1, 1] }
[[wall]]
name = "tank"
box = { from = [0, 0], to = [2, 2] }
open = ["top"]
[material.water]
density = 1000
sound_speed = 45
[scheme]
gravity = [0, -9.81]
[[probe]]
name = "front"
kind = "surge_front"
"""
BODY = """kind = "wall_distance"
[run]
duration = 0.1
step = 0.05
[mesh]
source = "o_grid"
around = "naca0012"
points_around = 33
points_out = 17
[[body]]
name = "store"
shape = "round"
center = [-2, -0.5]
radius = 0.2
motion = "translation"
velocity = [2, 0]
"""
BEAMS = """kind = "relaxation"
[run]
duration = 0.5
output_every = 0.25
[grid]
nodes = 14
half_width = 5.2
[initial]
distribution = "two_beams"
temperature = 0.6
apart = [0.96, 0.72, 0]
[collision]
stencil = "two_pair"
"""
SLAB = """kind = "gas"
[cells]
count = 4
[grid]
nodes = 12
half_width = 5
[right]
temperature = 1.1
[scheme]
model = "bgk"
[steady]
residual = 1e-3
"""
KINDS = {
    "sph": (COLUMN, "restart.h5"),
    "wall_distance": (BODY, "distances.csv"),
    "relaxation": (BEAMS, "moments.csv"),
    "gas": (SLAB, "profiles.csv"),
}


@pytest.fixture
def column(tmp_path):
    file = tmp_path / "column.toml"
    file.write_text(COLUMN)
    return file


def front_times(folder):
    """Times of the rows of the probe `front`, s."""
    return numpy.loadtxt(folder / "front.csv", delimiter=",", skiprows=1, ndmin=2)[:, 0]


def test_kinds_are_those_that_run():
    assert set(shoal.cases.kinds()) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_checked_and_run(tmp_path, kind):
    text, result = KINDS[kind]
    file = tmp_path / "case.toml"
    file.write_text(text)
    assert "this case can run" in shoal.cases.check(file)
    outcome = shoal.cases.run(file, tmp_path / "out", device="cpu", threads=1)
    assert (tmp_path / "out" / result).stat().st_size > 0 and str(outcome) == outcome.summary != ""


def test_warnings_of_a_case_are_those_of_python(tmp_path):
    file = tmp_path / "case.toml"
    file.write_text(BEAMS)
    with pytest.warns(UserWarning, match="the spacing is .* thermal speeds"):
        shoal.cases.run(file, tmp_path / "out", {"grid.nodes": 12}, device="cpu")


def test_overrides_replace_values_of_the_file(tmp_path, column):
    shoal.cases.run(column, tmp_path / "out", {"run.duration": 0.02}, device="cpu")
    assert front_times(tmp_path / "out")[-1] == 0.02


def test_a_resumed_run_has_the_rows_of_an_undisturbed_one(tmp_path, column):
    shoal.cases.run(column, tmp_path / "whole", device="cpu")
    shoal.cases.run(column, tmp_path / "parts", {"run.duration": 0.03}, device="cpu")
    shoal.cases.resume(tmp_path / "parts", 0.05, device="cpu")
    assert (tmp_path / "parts" / "front.csv").read_bytes() == (tmp_path / "whole" / "front.csv").read_bytes()


def test_an_existing_output_is_replaced_only_if_asked(tmp_path, column):
    shoal.cases.run(column, tmp_path / "out", {"run.duration": 0.01}, device="cpu")
    with pytest.raises(shoal.Error, match="out"):
        shoal.cases.run(column, tmp_path / "out", device="cpu")
    shoal.cases.run(column, tmp_path / "out", {"run.duration": 0.01}, device="cpu", force=True)


def test_mistakes_are_errors(tmp_path, column):
    with pytest.raises(shoal.Error, match="does it exist"):
        shoal.cases.check(tmp_path / "none.toml")
    with pytest.raises(shoal.Error, match="spacing"):
        shoal.cases.run(column, tmp_path / "out", {"particles.spacing": -1}, device="cpu")
    with pytest.raises(shoal.Error, match="restart"):
        shoal.cases.resume(tmp_path, device="cpu")
    with pytest.raises(shoal.Error, match="cpu"):
        shoal.cases.run(column, tmp_path / "out", device="gpu9")


def test_ctrl_c_leaves_a_run_that_resumes(tmp_path, column):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        shoal.cases.run(column, tmp_path / "out", {"run.duration": 1000}, device="cpu")
    timer.join()
    signal.signal(signal.SIGINT, before)
    times = front_times(tmp_path / "out")
    shoal.cases.resume(tmp_path / "out", times[-1] + 0.02, device="cpu")
    resumed = front_times(tmp_path / "out")
    assert len(resumed) > len(times) and (numpy.diff(resumed) > 0).all()
