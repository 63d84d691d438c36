# SPDX-License-Identifier: Apache-2.0
"""Runs are held against the reference curves of the cases they repeat, and only against those."""

import numpy as np
import pytest
from report_runs import REPOSITORY, SphRun, write_front
from shoal.report.comparisons import comparison_of
from shoal.report.contents import gather
from shoal.report.run_folder import RunFolder
from shoal.report.tables import read_columns

PEER = read_columns(REPOSITORY / "cases/dam_break/reference/front_peer.csv")


def run_with_front(folder, ahead=0.0):
    """A run whose front is that of the reference at H/40, or so much ahead of it."""
    run = SphRun(folder)
    time = PEER["time"] * np.sqrt(1 / 9.81)
    write_front(run.folder, time, 2 + PEER["H_40"] + ahead)
    return RunFolder(run.folder)


def test_a_front_like_the_reference_passes_and_another_does_not(tmp_path):
    for ahead, passed in ((0.0, 10), (0.05, 10), (0.07, 0)):
        verdicts = comparison_of(run_with_front(tmp_path / "out", ahead)).verdicts()
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
        ("box.to = [2, 1, 1]", "box.to = [1, 1, 1]"),  # as high as wide
        ("box.to = [5.366, 2, 1]", "box.to = [3, 2, 1]"),  # the far wall too near
        ("gravity = [0, -9.81]", "gravity = [1, -9.81]"),
        ("dimensions = 2", "dimensions = 3"),
    ],
)
def test_other_dam_breaks_are_not_compared(tmp_path, text, instead):
    folder = run_with_front(tmp_path / "out")
    assert comparison_of(folder) is not None
    file = folder.folder / "case.toml"
    file.write_text(file.read_text().replace(text, instead))
    assert comparison_of(RunFolder(folder.folder)) is None
    assert "front" in [chart.name for chart in gather(RunFolder(folder.folder)).measured], "drawn as a mere probe"


WAVE = """kind = "sph"
[particles]
spacing = 0.00025
[[body]]
material = "mercury"
box.from = [-0.05, -0.05]
box.to = [0.05, 0.05]
[[heat]]
at = [0, 0]
radius = 0.004
energy = 376.8
[material.mercury]
density = 13540
sound_speed = 1490
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
    for late, passed in ((0.0, 4), (2e-6, 2)):  # the depth is right all the same
        rows = [f"{t + late:.6g},{p * unit:.6g}" for t, p in zip(exact["time"], exact["25 0"], strict=True)]
        (tmp_path / "side.csv").write_text("\n".join(["time [s],pressure [Pa]", *rows]))
        comparison = comparison_of(RunFolder(tmp_path))
        assert (comparison.verdicts().passed, len(comparison.verdicts().rows)) == (passed, 4), late
    run, reference = comparison.charts()[0].series
    assert reference.style == "reference"
    assert np.interp(50, reference.x, reference.y) == pytest.approx(
        np.interp(50, 1e6 * exact["time"], exact["25 0"]), abs=2e-3
    )
    assert "wall" not in RunFolder(tmp_path).case and run.x[-1] == pytest.approx(102)
