# SPDX-License-Identifier: Apache-2.0
"""Contents and size of a report."""

import json
import re

import h5py
import numpy as np
import pytest
from report_runs import SUMMARY, GasRun, RelaxationRun, SphRun, WallDistanceRun, write_surface
from shoal.report import ReportError, command, write_report
from shoal.report.contents import gather
from shoal.report.curves.charts import over_time
from shoal.report.html.page import thinned
from shoal.report.reading.run_folder import RunFolder
from shoal.report.scene.cells import read_cells
from shoal.report.scene.distribution import read_distribution
from shoal.report.scene.particles import bytes_of_particles, every_state, keep_one_in, read_particles
from shoal.report.scene.parts import part_numbers, parts_of_case, present_parts
from shoal.report.scene.quantities import color_limits
from shoal.report.units import prefixed, round_up, shown


def page_of(folder, **options):
    return write_report(folder, force=True, **options).read_text(encoding="utf-8")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def test_particles_keep_their_slot_when_one_leaves(tmp_path):
    run = SphRun(tmp_path / "out", leaves=True)
    scene = read_particles(RunFolder(run.folder))
    assert scene.ids.tolist() == run.ids.tolist()
    assert scene.wall.tolist() == (run.wall == 1).tolist()
    for state, here in enumerate(run.here):
        assert np.isnan(scene.positions[state, ~here]).all()
        assert (scene.positions[state, here] == run.positions[state][:, :2]).all()
    pressure = next(quantity for quantity in scene.quantities if quantity.name == "pressure")
    fluid = run.here[4] & (run.wall == 0)
    assert (pressure.values[4, fluid] == run.arrays["pressure"][4][run.wall[run.here[4]] == 0]).all()
    assert np.isnan(pressure.values[:, run.wall == 1]).all()


CASE_WITH_PARTS = {
    "body": [{"material": "water"}, {"material": "oil"}, {"material": "oil"}],
    "wall": [{"name": "tank"}, {"name": "box"}, {"motion": "rotation"}, {"name": "paddle"}],
    "rigid_body": [{"wall": "box"}],
    "wavemaker": [{"wall": "paddle"}],
}


def test_parts_are_bodies_and_walls_by_name():
    parts = parts_of_case(CASE_WITH_PARTS)
    fluids = ["water", "oil, body 2", "oil, body 3"]
    assert [part.name for part in parts] == [*fluids, "tank", "box", "wall 3", "paddle", "fluid that came in"]
    assert [part.name for part in parts if part.moves] == ["box", "wall 3", "paddle"]
    numbers = part_numbers(
        CASE_WITH_PARTS,
        wall=np.array([False, False, True, True, False]),
        wall_number=np.array([-1, -1, 0, 3, -1]),
        body=np.array([0, 2, -1, -1, -1]),
    )
    assert numbers.tolist() == [0, 2, 3, 6, 7]
    present, renumbered = present_parts(parts, numbers[[1, 3, 3]])
    assert [part.name for part in present] == ["oil, body 3", "paddle"] and renumbered.tolist() == [0, 1, 1]


def test_parts_of_fields_without_numbers():
    case = {"body": [{}], "wall": [{}]}
    numbers = part_numbers(case, np.array([False, True]), None, None)
    assert [parts_of_case(case)[k].name for k in numbers] == ["fluid", "walls"]


def test_materials_are_categories_that_can_be_asked_for(tmp_path):
    run = SphRun(tmp_path / "out")
    with pytest.raises(ReportError, match="all particles are of one material"):
        read_particles(RunFolder(run.folder), ["material"])
    case = run.folder / "case.toml"
    case.write_text(case.read_text() + "\n[material.oil]\ndensity = 800\n")
    with h5py.File(run.folder / "fields.vtkhdf", "r+") as file:
        file["VTKHDF/PointData/material"][:3] = 1
    (quantity,) = read_particles(RunFolder(run.folder), ["material"]).quantities
    assert quantity.scale == "categories" and quantity.categories == ["water", "oil"]
    assert quantity.values[0, :5].tolist() == [1, 1, 1, 0, 0]


def test_velocities_are_packed_for_arrows(tmp_path):
    data = data_of(page_of(SphRun(tmp_path / "out").folder))["scene"]
    assert data["arrows"]["speed"] == pytest.approx(np.hypot(0.5, 0.4), rel=0.01)
    assert data["parts"] == [
        {"name": "fluid", "wall": False, "moves": False}, {"name": "tank", "wall": True, "moves": False},
    ]  # fmt: skip
    still = SphRun(tmp_path / "still")
    still.arrays["velocity"] = [0 * each for each in still.arrays["velocity"]]
    still.write_fields()
    assert "arrows" not in data_of(page_of(still.folder))["scene"]


CORNER = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def test_the_surface_is_that_of_the_states_shown(tmp_path):
    run = SphRun(tmp_path / "out", dimensions=3)
    write_surface(run.folder, run.times, *CORNER)
    surface = read_particles(RunFolder(run.folder), most_states=3).surface
    assert [points[0, 2] for points in surface.points] == pytest.approx(run.times[[0, 2, 5]])
    assert all((corners == CORNER[1]).all() for corners in surface.corners)
    data = data_of(page_of(run.folder))["scene"]["surface"]
    assert data["points"] == 24 and data["first_point"] == [0, 4, 8, 12, 16, 20, 24]
    assert data["first_corner"] == [0, 12, 24, 36, 48, 60, 72]
    write_surface(run.folder, run.times[:4], *CORNER)
    assert read_particles(RunFolder(run.folder)).surface is None, "two states have none"


def test_a_surface_that_does_not_fit_is_left_out(tmp_path):
    run = SphRun(tmp_path / "out", dimensions=3)
    noise = np.random.default_rng(7)
    write_surface(run.folder, run.times, noise.random((20_000, 3)), noise.integers(0, 20_000, (40_000, 3)))
    page = page_of(run.folder, megabytes=0.3)
    assert "surface" not in data_of(page)["scene"]
    assert "it leaves out the surface of the fluid" in page
    assert "surface" in data_of(page_of(run.folder))["scene"]


def test_a_vector_is_shown_as_its_length(tmp_path):
    scene = read_particles(RunFolder(SphRun(tmp_path / "out").folder), ["velocity"])
    assert [quantity.label for quantity in scene.quantities] == ["Speed"]
    assert scene.quantities[0].values[5, 0] == pytest.approx(np.hypot(0.5, 0.4))


def test_vtp_is_read_as_vtkhdf_is(tmp_path):
    run = SphRun(tmp_path / "out")
    expected = read_particles(RunFolder(run.folder))
    (run.folder / "fields").mkdir()
    entries = []
    kinds = {"f4": "Float32", "f8": "Float64", "i8": "Int64", "u1": "UInt8"}
    for state, time in enumerate(run.times):
        arrays = {name: values[state] for name, values in run.arrays.items()}
        arrays |= {"id": run.ids, "wall": run.wall, "Points": run.positions[state].astype(float)}
        head, data = "", b""
        for name, values in arrays.items():
            components = values.shape[1] if values.ndim == 2 else 1
            head += (
                f'<DataArray type="{kinds[values.dtype.str[1:]]}" Name="{name}" NumberOfComponents="{components}" '
                f'format="appended" offset="{len(data)}"/>'
            )
            data += np.uint64(values.nbytes).tobytes() + values.tobytes()
        content = f'<VTKFile>{head}<AppendedData encoding="raw">_'.encode() + data + b"</AppendedData></VTKFile>"
        (run.folder / f"fields/{state}.vtp").write_bytes(content)
        entries.append(f'<DataSet timestep="{time}" part="0" file="fields/{state}.vtp"/>')
    (run.folder / "fields.pvd").write_text("\n".join(entries))
    (run.folder / "fields.vtkhdf").unlink()
    scene = read_particles(RunFolder(run.folder))
    assert (scene.positions == expected.positions).all() and (scene.times == expected.times).all()
    assert [quantity.name for quantity in scene.quantities] == [quantity.name for quantity in expected.quantities]

    cut = run.folder / "fields/2.vtp"
    cut.write_bytes(cut.read_bytes()[:-200])
    with pytest.raises(ReportError, match=r"2\.vtp: truncated.*incomplete"):
        write_report(run.folder)


def test_cells_have_their_polygons_and_bodies_their_names(tmp_path):
    run = WallDistanceRun(tmp_path / "out")
    scene = read_cells(RunFolder(run.folder))
    assert scene.owners is None and len(scene.starts) == 13
    assert [quantity.name for quantity in scene.quantities] == ["wall_distance", "body"]
    assert scene.quantities[1].categories == ["at rest", "floor"]
    assert scene.quantities[0].values == pytest.approx(run.distance)
    assert (scene.quantities[1].values == (run.distance >= 1.4)).all()


def test_nodes_share_the_area_of_the_cells(tmp_path):
    run = WallDistanceRun(tmp_path / "out", nodes=True)
    scene = read_cells(RunFolder(run.folder))
    area = np.zeros(len(run.points))
    for owner, first in zip(scene.owners, scene.starts[:-1], strict=True):
        x, y = scene.points[scene.corners[first : first + 4]].T
        area[owner] += 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    at_edge = np.isin(run.points[:, 0], [0, 4]).astype(int) + np.isin(run.points[:, 1], [0, 3])
    assert area == pytest.approx(0.5**at_edge)


def test_the_plane_of_a_distribution_is_that_of_its_label(tmp_path):
    run = RelaxationRun(tmp_path / "out")
    scene = read_distribution(RunFolder(run.folder))
    assert scene.quantities[0].label == "Distribution f at v_z = 0.5 m/s"  # nodes at -1.5, -0.5, 0.5, 1.5
    assert scene.quantities[0].values[0] == pytest.approx(run.distribution[2].ravel())
    x, y = scene.points[scene.corners[4 * 7 : 4 * 8]].T  # node 3 along x, 1 along y
    assert (x.min(), x.max(), y.min(), y.max()) == (1, 2, -1, 0)


@pytest.mark.parametrize("make", [SphRun, WallDistanceRun, RelaxationRun])
def test_a_page_is_whole(tmp_path, make):
    page = page_of(make(tmp_path / "out").folder)
    assert page.startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    assert not re.search(r"\{\{\w+\}\}", page)
    assert not re.search(r"""(src|href)=["'](?!data:)""", page), "requests another file"
    assert "default-src 'none'" in page
    data = data_of(page)
    for quantity in data["scene"]["quantities"]:
        assert f'id="block-values-{quantity["name"]}"' in page
    numbers = re.findall(r'data-chart="(\d+)"><h3>(.*?)</h3>', page)
    assert numbers == [(str(i), chart["title"]) for i, chart in enumerate(data["charts"])]


def test_a_page_of_a_gas_has_its_profiles(tmp_path):
    run = GasRun(tmp_path / "out")
    contents = gather(RunFolder(run.folder))
    names = ["density", "velocity_y", "temperature", "stress_xx", "stress_xy", "heat_flux_y"]
    assert [chart.name for chart in contents.measured] == [f"profile_{name}" for name in names], "others are zero"
    start, end = contents.measured[1].series
    assert (start.label, start.style, end.label, end.style) == ("t = 0 s", "faint", "iteration 9", "line")
    assert (list(end.x), list(end.y)) == ([0.5, 1.5, 2.5], [-0.5, 0, 0.5])
    assert [(row.name, row.first, row.last) for row in contents.balance.rows] == [("Mass", 3, 3), ("Residual", 2, 1e-6)]
    assert ("Iterations", "9") in contents.figures and not contents.notices
    page = page_of(run.folder)
    assert [chart["title"] for chart in data_of(page)["charts"]][1] == "Velocity y"


def test_a_page_of_a_plane_of_gas_has_profiles_over_both_axes(tmp_path):
    run = GasRun(tmp_path / "out")
    table = (run.folder / "profiles.csv").read_text()
    (run.folder / "profiles_y.csv").write_text(table.replace("x [m]", "y [m]"))
    over_x, over_y = (charts := gather(RunFolder(run.folder)).measured)[:6], charts[6:]
    assert [chart.name for chart in over_y] == [f"{chart.name}_over_y" for chart in over_x]
    assert (over_x[1].title, over_x[1].x_label, over_y[1].title, over_y[1].x_label) == (
        "Velocity y", "x, m", "Velocity y over y", "y, m",
    )  # fmt: skip


def test_a_gas_without_profiles_has_a_page_that_says_so(tmp_path):
    run = GasRun(tmp_path / "out")
    for name in ("profiles.csv", "fluxes.csv", "summary.json"):
        (run.folder / name).unlink()
    contents = gather(RunFolder(run.folder))
    assert not contents.measured and not contents.balance.rows
    assert "The run has not ended or was killed" in contents.notices[0]
    assert page_of(run.folder)


def test_a_page_of_a_run_says_what_it_was(tmp_path):
    run = SphRun(tmp_path / "out")
    page = page_of(run.folder)
    for text in (
        "A column of water",
        "cpu, 2 threads",
        "A fast one",
        "Hardware threads",
        "Conservation",
        "Where 2\u202fs went",
        "spacing = 0.1",
        "75.0 %",
    ):
        assert text in page, text
    data = data_of(page)
    assert data["scene"]["times"] == pytest.approx(run.times.tolist())
    assert data["scene"]["items"] == 24
    energy = next(chart for chart in data["charts"] if chart["title"] == "Energy of the fluid")
    assert [series["label"] for series in energy["series"]] == ["Potential", "Kinetic", "Sum of these"]
    assert energy["series"][2]["y"] == pytest.approx([4] * 6)


def test_kernels_that_the_run_recorded_take_the_solver_s_place(tmp_path):
    seconds = SUMMARY["seconds"] | {"kernels": {"sort": 0.5, "advance_stage": 1.0}}
    page = page_of(SphRun(tmp_path / "out", summary=SUMMARY | {"seconds": seconds}).folder)
    rows = re.findall(r"</i>([^<]+)</td><td class=\"number\">([^<]+)<", page)
    assert rows[:3] == [
        ("Solver: advance stage", "1\u202fs"),
        ("Solver: sort", "0.5\u202fs"),
        ("Collecting output", "0.25\u202fs"),
    ]


def test_nothing_but_walls_and_a_single_line_can_be_seen(tmp_path):
    run = SphRun(tmp_path / "out")
    run.wall[:] = 1
    run.write_fields()
    assert data_of(page_of(run.folder))["scene"]["box"]["low"] == pytest.approx([-0.05, -0.25])
    run = SphRun(tmp_path / "line", dimensions=1)
    assert data_of(page_of(run.folder))["scene"]["dimensions"] == 2


def test_a_run_without_a_summary_is_reported_and_says_so(tmp_path):
    page = page_of(SphRun(tmp_path / "out", summary=None).folder)
    assert "The run has not ended or was killed" in page and 'data-role="player"' in page


def test_a_run_without_states_is_reported_and_says_so(tmp_path):
    run = SphRun(tmp_path / "out")
    (run.folder / "fields.vtkhdf").unlink()
    page = page_of(run.folder)
    assert "The run has written no states" in page and 'data-role="player"' not in page.split("<script")[0]


def test_text_of_a_case_cannot_become_part_of_the_page(tmp_path):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp; {{data}}"
    run = SphRun(tmp_path / "out", title=evil, summary=SUMMARY | {"device": evil, "warnings": [evil]})
    (run.folder / "front.csv").write_text(f"time [s],front [m],{evil} [m]\n0,2,1\n1,2.2,2\n")
    case = run.folder / "case.toml"
    case.write_text(case.read_text().replace("gravity = [0, -9.81]", "gravity = [0, 0]"))  # no reference applies
    page = page_of(run.folder)
    assert "alert(1)</script>" not in page and "<img" not in page
    assert page.count("<script") == page.count("</script>")
    series = [s for chart in data_of(page)["charts"] for s in chart["series"]]
    assert evil.replace("_", " ") in [s["label"] for s in series], "the label is there, as text"


def test_a_page_keeps_to_the_size_it_may_have(tmp_path):
    run = SphRun(tmp_path / "out", columns=1500, states=20)
    run.add_noise()
    full = len(page_of(run.folder).encode())
    page = page_of(run.folder, megabytes=0.8 * full / 1e6)
    assert len(page.encode()) <= 0.8 * full
    assert data_of(page)["scene"]["quantities"][0]["packed"]["bits"] == 8
    page = page_of(run.folder, megabytes=0.3 * full / 1e6)
    assert len(page.encode()) <= 0.3 * full
    shown_items = data_of(page)["scene"]["items"]
    one_in = int(re.search(r"show 1 in (\d+) of 6\u202f004 particles", page)[1])
    assert one_in > 1 and shown_items == pytest.approx(6004 / one_in, rel=0.2)
    with pytest.raises(ReportError, match="more than the 0.01 MB that it may have"):
        write_report(run.folder, megabytes=0.01, force=True)


def test_the_dam_break_of_the_issue_fits(tmp_path):
    """As many particles and states as cases/dam_break, all arrays replaced by noise."""
    run = SphRun(tmp_path / "out", states=101, columns=1614)
    run.add_noise()
    assert len(run.ids) == 6460
    assert write_report(run.folder).stat().st_size <= 10e6


def test_what_cannot_fit_is_not_read(tmp_path, monkeypatch):
    run = SphRun(tmp_path / "out", columns=1000, states=20)
    folder = RunFolder(run.folder)
    assert bytes_of_particles(folder) == 4004 * 20 * (2 * 2 + 2 + 3)
    assert bytes_of_particles(folder, ["pressure"], 5) == 4004 * 5 * (2 * 2 + 2 + 1)
    tried = []
    monkeypatch.setattr(command, "gather", lambda *arguments: tried.append(arguments[3]) or gather(*arguments))
    with pytest.raises(ReportError, match="more than the 0.002 MB"):
        write_report(run.folder, megabytes=0.002)
    assert tried[0] == 31  # 720,720 bytes over 12 times 2,000


def test_states_are_spread_evenly_when_there_are_too_many(tmp_path):
    assert every_state(10, 400).tolist() == list(range(10))
    assert every_state(1001, 11).tolist() == list(range(0, 1001, 100))
    data = data_of(page_of(SphRun(tmp_path / "out", states=41).folder, most_states=5))
    assert data["scene"]["times"] == pytest.approx([0, 0.25, 0.5, 0.75, 1])


def test_one_particle_in_so_many_is_kept_without_stripes():
    ids = np.arange(90_000)
    kept = keep_one_in(ids, 4)
    assert kept.mean() == pytest.approx(0.25, rel=0.02)
    rows = kept.reshape(300, 300)
    assert rows.sum(axis=0).max() < 1.4 * 75 and rows.sum(axis=1).max() < 1.4 * 75
    assert keep_one_in(ids, 1).all()


def test_few_extreme_values_do_not_wash_out_the_rest():
    values = np.concatenate([np.linspace(0, 10_000, 10_000), [1e9]])
    assert color_limits(values, "linear") == (0, 10_000)
    assert color_limits(values - 5_000, "diverging") == (-5_000, 5_000)
    low, high = color_limits(np.linspace(997, 1003, 1000), "linear")
    assert 990 < low <= 997.1 and 1002.9 <= high < 1010
    assert color_limits(np.full(5, 3.0), "linear") == (3, 6)
    assert color_limits(np.array([np.nan]), "log") == (1, 10)
    assert color_limits(np.ones(5), "log") == (1, 10)
    assert color_limits(np.array([0, 0.02, 0.03, 5]), "log") == (0.01, 10)


def test_numbers_are_shown_with_fitting_prefixes():
    assert shown(12_345.0, "Pa") == "12.35\u202fkPa"
    assert shown(4e-5, "s") == "40\u202fµs"
    assert shown(0.4, "s") == "0.4\u202fs"
    assert shown(-3.0, "kg") == "−3\u202fkg"
    assert shown(6462) == "6\u202f462"
    assert shown(2.23e6, "", 3) == "2.23 × 10⁶"
    assert shown(445_123.4, "", 3) == "4.45 × 10⁵"
    assert shown(-1.5e-5, "m²") == "−1.500 × 10⁻⁵\u202fm²"
    assert shown(float("nan")) == "–"
    assert prefixed("kg/m³", 1e9) == (1.0, "kg/m³")
    assert [round_up(x) for x in (0, 1.01, 9.9, -23, 5e-7)] == [0, 1.2, 10, -25, 5e-7]


def test_long_curves_keep_their_extremes():
    x = np.arange(50_000.0)
    y = np.sin(x / 500)
    y[31_415] = 7
    short_x, short_y = thinned(x, y)
    assert len(short_x) <= 1502 and short_y.max() == 7 and short_x[0] == 0 and short_x[-1] == 49_999
    assert (np.diff(short_x) > 0).all()


def test_a_chart_names_the_columns_that_it_leaves_out():
    chart = over_time("a", "A", np.array([0.0, 1.0]), {f"c{i}": np.ones(2) for i in range(11)}, "m")
    assert len(chart.series) == 8 and "first 8 of 11" in chart.note
