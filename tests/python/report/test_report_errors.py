# SPDX-License-Identifier: Apache-2.0
"""Messages of a report for folders that are not those of runs, for damaged files and for arguments that cannot be."""

import re

import h5py
import pytest
from report_runs import RelaxationRun, SphRun, WallDistanceRun
from shoal.report import ReportError, main, write_report


def test_a_folder_that_is_not_one(tmp_path, capsys):
    with pytest.raises(ReportError, match="there is no such folder"):
        write_report(tmp_path / "nowhere")
    with pytest.raises(ReportError, match=r"is not the output folder of a run: it has no case\.toml"):
        write_report(tmp_path)
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("shoal report: ")
    (tmp_path / "case.toml").write_text("kind = [")
    with pytest.raises(ReportError, match=r"case\.toml: not a case file"):
        write_report(tmp_path)
    (tmp_path / "case.toml").write_text('kind = "chess"')
    with pytest.raises(ReportError, match="unknown kind `chess`; expected one of: sph, wall_distance, relaxation, gas"):
        write_report(tmp_path)


@pytest.mark.parametrize("keep", [0, 100, 0.5, 0.9])
def test_truncated_fields(tmp_path, keep):
    run = SphRun(tmp_path / "out", columns=200)
    fields = run.folder / "fields.vtkhdf"
    content = fields.read_bytes()
    fields.write_bytes(content[: keep if keep > 1 else int(keep * len(content))])
    with pytest.raises(ReportError, match=r"fields\.vtkhdf: truncated, damaged or not written by shoal"):
        write_report(run.folder)
    assert not (run.folder / "report.html").exists()


def test_fields_with_fewer_rows_than_their_steps_say(tmp_path):
    run = SphRun(tmp_path / "out")
    with h5py.File(run.folder / "fields.vtkhdf", "a") as file:
        pressure = file["VTKHDF/PointData/pressure"][:-5]
        del file["VTKHDF/PointData/pressure"]
        file["VTKHDF/PointData/pressure"] = pressure
    with pytest.raises(ReportError, match="PointData/pressure ends after 139 rows, expected 144"):
        write_report(run.folder)


def edit_case(folder, old, new):
    case = folder / "case.toml"
    text = case.read_text()
    assert old in text
    case.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "A column of water"', "title = 5", r"case\.toml: `title` is 5, expected text"),
        ('[[probe]]\nname = "front"\nkind = "surge_front"', "", None),
        ('title = "A column of water"', "probe = 3", r"case\.toml: `probe` is 3, expected a list"),
        ('kind = "surge_front"', "", r"missing key `probe\.0\.kind`"),
        ('kind = "surge_front"', "kind = [1]", r"`probe\.0\.kind` is \[1\], expected text"),
        ('name = "front"', 'name = "../../front"', r"`probe\.0\.name` is '\.\./\.\./front', expected a file name"),
        ('name = "front"', 'name = "/etc/front"', r"`probe\.0\.name` is '/etc/front', expected a file name"),
        ('name = "front"', 'name = ".."', r"`probe\.0\.name` is '\.\.', expected a file name"),
        ('name = "front"', 'name = "front"\nat = "here"', r"`probe\.0\.at` is 'here', expected a list"),
        ('name = "front"', 'name = "front"\nat = ["x"]', r"`probe\.0\.at\.0` is 'x', expected a number"),
        ("spacing = 0.1", "spacing = true", r"`particles\.spacing` is True, expected a number"),
        ("gravity = [0, -9.81]", "gravity = [0]", "the files of this run are damaged or do not belong together"),
        ("[material.water]\ndensity = 1000", "[material]\nwater = 1000", r"`material\.water` is 1000, expected a table"),
    ],
)
def test_a_damaged_case_has_no_traceback(tmp_path, capsys, old, new, message):
    run = SphRun(tmp_path / "out")
    if "probe = 3" in new:
        edit_case(run.folder, '[[probe]]\nname = "front"\nkind = "surge_front"', "")
    edit_case(run.folder, old, new)
    code = main([str(run.folder)])
    said = capsys.readouterr().err
    assert (code, said) == (0, "") if message is None else (code == 1 and re.search(message, said))


@pytest.mark.parametrize(
    ("summary", "message"),
    [
        ("[1]", r"summary\.json: the content is \[1\], expected a table"),
        ("7", r"summary\.json: the content is 7, expected a table"),
        ('{"seconds": 3}', "`seconds` is 3, expected a table"),
        ('{"seconds": {"kernels": {"a": "b"}}}', r"`seconds\.kernels\.a` is 'b', expected a number"),
        ('{"particles": "many"}', "`particles` is 'many', expected a number"),
        ('{"machine": []}', r"`machine` is \[\], expected a table"),
        ('{"warnings": "x"}', "`warnings` is 'x', expected a list"),
        ("[" * 100_000, "truncated or damaged"),
    ],
)
def test_a_damaged_summary_has_no_traceback(tmp_path, capsys, summary, message):
    run = SphRun(tmp_path / "out")
    (run.folder / "summary.json").write_text(summary)
    assert main([str(run.folder)]) == 1
    assert re.search(message, capsys.readouterr().err)


@pytest.mark.parametrize("missing", ["summary.json", "balance.csv", "fields.vtkhdf"])
def test_missing_files_are_left_out(tmp_path, missing):
    run = SphRun(tmp_path / "out")
    (run.folder / missing).unlink()
    assert write_report(run.folder).is_file()


def test_damaged_files_beside_the_fields(tmp_path):
    run = SphRun(tmp_path / "out")
    (run.folder / "balance.csv").write_text("time [s],mass [kg]\n0,1\n0.5,x\n1,1\n")
    with pytest.raises(ReportError, match=r"balance\.csv:3: `x` is not a number"):
        write_report(run.folder, force=True)
    (run.folder / "balance.csv").write_text("time [s],mass [kg]\n0,1\n0.5\n1,1\n")
    with pytest.raises(ReportError, match=r"balance\.csv:3: 1 fields, expected 2"):
        write_report(run.folder, force=True)
    (run.folder / "balance.csv").write_text("time [s],mass [kg]\n0,1\n0.5,1\n1")  # an unfinished row
    write_report(run.folder, force=True)
    (run.folder / "summary.json").write_text('{"name": "x"')
    with pytest.raises(ReportError, match=r"summary\.json: truncated or damaged"):
        write_report(run.folder, force=True)
    relaxation = RelaxationRun(tmp_path / "gas")
    file = relaxation.folder / "distribution.npy"
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ReportError, match=r"distribution\.npy: truncated"):
        write_report(relaxation.folder)


def test_arguments_that_cannot_be(tmp_path):
    run = SphRun(tmp_path / "out")
    with pytest.raises(
        ReportError, match="unknown quantity `presure`; the output has: body, density, id, material, pressure"
    ):
        write_report(run.folder, quantities=["presure"])
    with pytest.raises(ReportError, match="unknown quantity `depth`"):
        write_report(WallDistanceRun(tmp_path / "floor").folder, quantities=["depth"])
    with pytest.raises(ReportError, match="expected more than 0 MB and at least 2 states"):
        write_report(run.folder, megabytes=0)
    with pytest.raises(ReportError, match="cannot write the report"):
        write_report(run.folder, out=tmp_path / "nowhere/report.html")


def test_an_empty_path_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([str(SphRun(tmp_path / "out").folder), "--out", ""])
    assert "--out: its value is empty" in capsys.readouterr().err


def test_a_report_replaces_files_only_by_force(tmp_path):
    run = SphRun(tmp_path / "out")
    first = write_report(run.folder)
    with pytest.raises(ReportError, match=r"report\.html: this file exists"):
        write_report(run.folder)
    write_report(run.folder, force=True)
    (tmp_path / "mine").write_text("mine")
    first.unlink()
    for name in ("report.html", "report.html.partial"):
        (run.folder / name).symlink_to(tmp_path / "mine")
    write_report(run.folder, force=True)
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_report_replaces_no_file_of_the_run(tmp_path):
    run = SphRun(tmp_path / "out")
    (tmp_path / "page.html").hardlink_to(run.folder / "case.toml")
    before = (run.folder / "case.toml").read_text()
    for out in (run.folder / "case.toml", tmp_path / "page.html"):
        with pytest.raises(ReportError, match="the output would replace .*case.toml, which belongs to the run"):
            write_report(run.folder, out=out, force=True)
    assert (run.folder / "case.toml").read_text() == before
