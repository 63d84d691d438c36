# SPDX-License-Identifier: Apache-2.0
"""Runs are compared with the reference curves of the cases that they repeat, and only with those."""

import numpy as np
import pytest
from report_runs import REPOSITORY, GasRun, SphRun, write_front
from shoal.report.contents import gather
from shoal.report.curves import comparisons
from shoal.report.curves.comparisons import comparisons_of
from shoal.report.reading.run_folder import RunFolder
from shoal.report.reading.tables import read_columns

PEER = read_columns(REPOSITORY / "cases/dam_break/reference/front_peer.csv")


def run_with_front(folder, ahead=0.0):
    """A run whose front is `ahead` of the reference at H/40."""
    run = SphRun(folder)
    time = PEER["time"] * np.sqrt(1 / 9.81)
    write_front(run.folder, time, 2 + PEER["H_40"] + ahead)
    return RunFolder(run.folder)


def test_a_front_like_the_reference_passes_and_another_does_not(tmp_path):
    for ahead, passed in ((0.0, 10), (0.05, 10), (0.07, 0)):
        verdicts = comparisons_of(run_with_front(tmp_path / "out", ahead))[0].verdicts()
        assert (verdicts.passed, len(verdicts.rows)) == (passed, 10), ahead


def test_the_chart_of_a_front_has_the_run_and_all_references(tmp_path):
    contents = gather(run_with_front(tmp_path / "out"))
    chart = next(chart for chart in contents.measured if chart.name == "front")
    assert chart.series[0].y == pytest.approx(PEER["H_40"], abs=1e-4)
    assert chart.series[0].x == pytest.approx(PEER["time"], abs=1e-4)
    assert sum(series.style == "marks" for series in chart.series) == 5
    assert [chart.name for chart in contents.measured].count("front") == 1, "not drawn again as a mere probe"


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("box.to = [2, 1, 1]", "box.to = [1, 1, 1]"),  # height equals width
        ("box.to = [5.366, 2, 1]", "box.to = [3, 2, 1]"),  # the far wall is too near
        ("gravity = [0, -9.81]", "gravity = [1, -9.81]"),
        ("dimensions = 2", "dimensions = 3"),
    ],
)
def test_other_dam_breaks_are_not_compared(tmp_path, text, instead):
    folder = run_with_front(tmp_path / "out")
    assert gather(folder).verdicts is not None
    file = folder.folder / "case.toml"
    file.write_text(file.read_text().replace(text, instead))
    assert gather(RunFolder(folder.folder)).verdicts is None
    assert "front" in [chart.name for chart in gather(RunFolder(folder.folder)).measured], "drawn as a mere probe"


VALIDATION = """kind = "validation"
[[check]]
quantity = "front at t* = 1"
table = "front"
time = 1
time_unit = 0.5
zero = 2
unit = 0.25
reference = "reference/peer.csv"
reference_column = "H_80"
[[check]]
quantity = "share within the repeats"
table = "front"
time_unit = 0.5
zero = 2
unit = 0.25
reference = "reference/peer.csv"
band = ["low", "high"]
[[check]]
quantity = "scaled in another way: another run's"
table = "front"
reference = "reference/other.csv"
[[check]]
quantity = "of a table that this run does not have"
table = "pressure"
reference = "reference/other.csv"
"""


def test_references_of_a_case_are_drawn_in_its_units(tmp_path, monkeypatch):
    cases = tmp_path / "cases"
    (cases / "another/reference").mkdir(parents=True)
    (cases / "another/validation.toml").write_text(VALIDATION)
    peer = "# Fronts of a peer: Somebody (2014). Source: elsewhere.\ntime,low,H_80,high\n0,0,0.1,0.2\n1,1,1.1,1.2\n"
    (cases / "another/reference/peer.csv").write_text(peer)
    monkeypatch.setattr(comparisons, "reference_folder", lambda: cases)
    run = SphRun(tmp_path / "out", dimensions=3)  # no other comparison applies in 3-D
    write_front(run.folder, [0, 0.5, 1], [2, 2.25, 2.5])
    (cases / "another/case.toml").write_text('title = "Something else"')
    assert [len(chart.series) for chart in gather(RunFolder(run.folder)).measured] == [1]
    (cases / "another/case_2.toml").write_text('title = "A column of water"')

    contents = gather(RunFolder(run.folder))
    assert contents.verdicts is None
    (chart,) = contents.measured
    assert (chart.name, chart.x_label, chart.y_label) == ("front", "t / 0.5 s", "(front − 2 m) / 0.25 m")
    assert chart.note == "Reference: Fronts of a peer: Somebody (2014)."
    assert chart.per_second == 2
    drawn = {series.label: (series.style, list(series.x), list(series.y)) for series in chart.series}
    assert drawn == {
        "This run": ("line", [0, 1, 2], [0, 1, 2]),
        "Reference, H 80": ("marks", [0, 1], [0.1, 1.1]),
        "Reference, low": ("faint", [0, 1], [0, 1]),
        "Reference, high": ("faint", [0, 1], [0.2, 1.2]),
    }


WAVE = """kind = "sph"
[particles]
spacing = 0.00025
[[body]]
material = "mercury"
box.from = [-0.05, -0.05]
box.to = [0.05, 0.05]
[[heat_pulse]]
at = [0, 0]
radius = 0.004
energy = 376.8
[material.mercury]
density = 13540
sound_speed = 1490
equation_of_state = "polynomial"
energy = [1.96, 1.96]
[[probe]]
name = "side"
kind = "pressure"
at = [0.025, 0]
"""


def test_the_exact_wave_passes_and_one_that_is_late_does_not(tmp_path):
    (tmp_path / "case.toml").write_text(WAVE)
    exact = read_columns(REPOSITORY / "cases/pressure_wave/reference/traces.csv")
    unit = 1.96 * 13540 * 376.8
    for late, passed in ((0.0, 4), (2e-6, 2)):  # the depth is correct in both cases
        rows = [f"{t + late:.6g},{p * unit:.6g}" for t, p in zip(exact["time"], exact["25 0"], strict=True)]
        (tmp_path / "side.csv").write_text("\n".join(["time [s],pressure [Pa]", *rows]))
        comparison = comparisons_of(RunFolder(tmp_path))[0]
        assert (comparison.verdicts().passed, len(comparison.verdicts().rows)) == (passed, 4), late
    run, reference = comparison.charts()[0].series
    assert reference.style == "reference"
    assert np.interp(50, reference.x, reference.y) == pytest.approx(
        np.interp(50, 1e6 * exact["time"], exact["25 0"]), abs=2e-3
    )
    assert "wall" not in RunFolder(tmp_path).case and run.x[-1] == pytest.approx(102)


def test_a_wave_that_is_heated_in_time_is_not_compared(tmp_path):
    (tmp_path / "case.toml").write_text(WAVE.replace("energy = 376.8", "energy = 376.8\nlength = 1e-5"))
    (tmp_path / "side.csv").write_text("time [s],pressure [Pa]\n0,0\n1e-4,1\n")
    contents = gather(RunFolder(tmp_path))
    assert contents.verdicts is None and [len(chart.series) for chart in contents.measured] == [1]


def test_too_few_samples_are_drawn_and_not_judged(tmp_path):
    (tmp_path / "case.toml").write_text(WAVE)
    (tmp_path / "side.csv").write_text("time [s],pressure [Pa]\n0,0\n1e-4,1\n")
    contents = gather(RunFolder(tmp_path))
    assert contents.verdicts is None and [len(chart.series) for chart in contents.measured] == [2]


@pytest.mark.parametrize(("high", "drawn_with"), [(0.2, 3), (0.05, 1)])
def test_only_a_sensor_as_high_as_the_experiment_s_is_held_against_it(tmp_path, high, drawn_with):
    run = SphRun(tmp_path / "out")
    case = run.folder / "case.toml"
    case.write_text(case.read_text() + f'\n[[probe]]\nname = "sensor"\nkind = "pressure"\nat = [5.366, {high}]\n')
    (run.folder / "sensor.csv").write_text("time [s],pressure [Pa]\n0,0\n0.5,100\n1,200\n")
    (chart,) = gather(RunFolder(run.folder)).measured
    assert chart.name == "sensor" and len(chart.series) == drawn_with


def test_a_gas_is_drawn_with_the_references_of_its_own_case(tmp_path):
    exact = read_columns(REPOSITORY / "cases/gas_sod/free_molecular.csv")
    own = GasRun(tmp_path / "own", "Shock tube of Sod without collisions")
    charts = {chart.name: chart.series for chart in gather(RunFolder(own.folder)).measured}
    assert (charts["profile_density"][-1].style, list(charts["profile_density"][-1].y)) == ("marks", list(exact["density"]))
    assert list(charts["profile_temperature"][-1].x) == list(exact["x"])
    assert all(series.label != "Reference" for series in charts["profile_stress_xy"])
    other = GasRun(tmp_path / "other", "Shock tube of Sod, nearly a continuum")  # a case of the same folder
    charts = {chart.name: chart.series for chart in gather(RunFolder(other.folder)).measured}
    euler = read_columns(REPOSITORY / "cases/gas_sod/euler.csv")
    assert list(charts["profile_density"][-1].y) == list(euler["density"])
    assert all(series.label != "Reference" for series in charts["profile_stress_xx"])


def test_velocities_at_a_probe_of_a_gas_are_drawn_with_their_reference(tmp_path):
    run = GasRun(tmp_path / "out", "Shock tube of Sod without collisions")
    case = run.folder / "case.toml"
    case.write_text(case.read_text() + '[[probe]]\nname = "beside"\nx = 0.5\n')
    columns = "time [s],iterations,velocity x [m/s],density x [s/m4],second density x [s/m4]"
    (run.folder / "beside.csv").write_text(f"{columns}\n0,0,-1,2,3\n0,0,1,2,3\n0,9,-1,4,5\n0,9,1,6,7\n")
    charts = {chart.name: chart for chart in gather(RunFolder(run.folder)).measured}
    first, second = charts["beside_density_x"].series, charts["beside_second_density_x"].series
    assert [list(series.y) for series in first[:2]] == [[2, 2], [4, 6]] and list(first[1].x) == [-1, 1]
    exact = read_columns(REPOSITORY / "cases/gas_sod/free_molecular_velocities.csv")
    assert list(first[-1].y) == list(exact["density x"]) and len(first) == 3
    assert [series.label for series in second] == ["t = 0 s", "iteration 9"]


def test_a_plane_of_gas_is_drawn_with_references_over_both_axes(tmp_path):
    run = GasRun(tmp_path / "out", "Lid-driven cavity of hard spheres, Kn = 1")
    table = (run.folder / "profiles.csv").read_text()
    (run.folder / "profiles_y.csv").write_text(table.replace("x [m]", "y [m]"))
    charts = {chart.name: chart.series for chart in gather(RunFolder(run.folder)).measured}
    exact = read_columns(REPOSITORY / "cases/gas_cavity/free_molecular_x.csv")
    assert list(charts["profile_velocity_y"][-1].y) == list(exact["velocity y"])
    assert all(series.label != "Reference" for series in charts["profile_velocity_y_over_y"])
