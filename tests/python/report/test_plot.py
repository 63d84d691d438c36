# SPDX-License-Identifier: Apache-2.0
"""PNGs of the contents of a report."""

import struct

import pytest
from report_runs import GasRun, RelaxationRun, SphRun, WallDistanceRun

pytest.importorskip("matplotlib")
from shoal.plot import main, write_plots
from shoal.report import ReportError


def size_of(path):
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", content[16:24])


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (SphRun, ["states", "energy"]),
        (lambda folder: SphRun(folder, dimensions=3, leaves=True), ["states", "energy"]),
        (WallDistanceRun, ["states", "least_distance", "greatest_distance", "reused"]),
        (
            lambda folder: WallDistanceRun(folder, nodes=True),
            ["states", "least_distance", "greatest_distance", "reused"],
        ),
        (RelaxationRun, ["states", "moments", "stress", "entropy", "drift"]),
        (
            GasRun,
            [f"profile_{name}" for name in ("density", "velocity_y", "temperature", "stress_xx", "stress_xy", "heat_flux_y")],
        ),
    ],
)
def test_every_kind_of_run_has_its_pictures(tmp_path, make, names):
    run = make(tmp_path / "out")
    paths = write_plots(run.folder, out=tmp_path / "pictures", dpi=50)
    assert [path.stem for path in paths] == names
    assert all(min(size_of(path)) > 100 for path in paths)


def test_times_choose_the_states(tmp_path):
    run = SphRun(tmp_path / "out", states=11)
    one = size_of(write_plots(run.folder, times=[0.5], dpi=50)[0])
    two = size_of(write_plots(run.folder, times=[0.5, 0.9], dpi=50, force=True)[0])
    assert two[0] > 1.5 * one[0] and two[1] == one[1]
    with pytest.raises(ReportError, match="no state near t = 1.2 s; the output has states from 0 s to 1 s"):
        write_plots(run.folder, times=[1.2])


def test_errors_have_no_traceback(tmp_path, capsys):
    damaged = SphRun(tmp_path / "damaged")
    case = damaged.folder / "case.toml"
    case.write_text(case.read_text().replace("gravity = [0, -9.81]", "gravity = [0]"))
    assert main([str(damaged.folder)]) == 1
    assert "the files of this run are damaged" in capsys.readouterr().err
    assert main([str(tmp_path / "nowhere")]) == 1
    assert "shoal plot: " in capsys.readouterr().err
    run = SphRun(tmp_path / "out")
    assert main([str(run.folder), "--quantity", "presure"]) == 1
    assert "unknown quantity `presure`" in capsys.readouterr().err


def test_pictures_replace_files_only_by_force(tmp_path, capsys):
    run = SphRun(tmp_path / "out")
    (run.folder / "energy.png").write_text("mine")
    assert main([str(run.folder), "--dpi", "50"]) == 1
    assert "energy.png: this file exists" in capsys.readouterr().err
    assert (run.folder / "energy.png").read_text() == "mine"
    assert not (run.folder / "states.png").exists()
    assert main([str(run.folder), "--dpi", "50", "--force"]) == 0


def test_pictures_are_not_written_through_links(tmp_path):
    run = SphRun(tmp_path / "out")
    (tmp_path / "mine").write_text("mine")
    for name in ("states.png", "states.png.partial"):
        (run.folder / name).symlink_to(tmp_path / "mine")
    write_plots(run.folder, dpi=50, force=True)
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (run.folder / "states.png").is_symlink()
