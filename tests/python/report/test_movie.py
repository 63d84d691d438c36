# SPDX-License-Identifier: Apache-2.0
"""`shoal movie`: frames and movies of runs, and everything that it refuses."""

import shutil
import subprocess
import sys

import pytest
from report_runs import GasRun, SphRun

pytest.importorskip("matplotlib")
from shoal.movie import main, write_frames, write_movie
from shoal.report import ReportError

needs_encoder = pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")


def test_a_frame_for_each_state(tmp_path):
    run = SphRun(tmp_path / "out")
    paths = write_frames(run.folder, dpi=40)
    assert [path.name for path in paths] == [f"{state:05}.png" for state in range(6)]
    assert paths[0].parent == run.folder / "frames"
    frames = [path.read_bytes() for path in paths]
    assert all(frame.startswith(b"\x89PNG") for frame in frames) and len(set(frames)) == 6
    assert len(write_frames(run.folder, tmp_path / "few", "density", dpi=40, most_states=3)) == 3


def test_files_are_replaced_by_force_alone(tmp_path):
    run = SphRun(tmp_path / "out")
    write_frames(run.folder, dpi=40)
    with pytest.raises(ReportError, match="00000.png: this file exists"):
        write_frames(run.folder, dpi=40)
    write_frames(run.folder, dpi=40, force=True)
    with pytest.raises(ReportError, match="belongs to the run"):
        write_movie(run.folder, run.folder / "fields.vtkhdf", force=True)


def test_what_has_no_states_is_refused(tmp_path):
    with pytest.raises(ReportError, match="has written no states"):
        write_frames(GasRun(tmp_path / "gas").folder)
    run = SphRun(tmp_path / "out")
    with pytest.raises(ReportError, match="unknown quantity `heat`"):
        write_frames(run.folder, quantity="heat")
    with pytest.raises(ReportError, match="0 states a second"):
        write_movie(run.folder, rate=0)


def test_a_missing_encoder_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main([str(SphRun(tmp_path / "out").folder)]) == 1
    assert "movies need the program ffmpeg" in capsys.readouterr().err
    assert not (tmp_path / "out/movie.mp4").exists()


def encoder_that(tmp_path, monkeypatch, action):
    program = tmp_path / "ffmpeg"
    program.write_text(f"#!{sys.executable}\nimport sys\n{action}\n")
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(program))


def test_the_encoder_gets_all_frames(tmp_path, monkeypatch):
    encoder_that(tmp_path, monkeypatch, "open(sys.argv[-1], 'wb').write(sys.stdin.buffer.read())")
    run = SphRun(tmp_path / "out")
    content = write_movie(run.folder, dpi=40).read_bytes()
    assert content == b"".join(path.read_bytes() for path in write_frames(run.folder, dpi=40))


def test_a_failure_of_the_encoder_leaves_no_file(tmp_path, monkeypatch):
    encoder_that(tmp_path, monkeypatch, "open(sys.argv[-1], 'w').close(); sys.exit('Unknown encoder libx264')")
    run = SphRun(tmp_path / "out")
    with pytest.raises(ReportError, match="ffmpeg could not make this movie: Unknown encoder libx264"):
        write_movie(run.folder, dpi=40)
    assert not list(run.folder.glob("movie*"))


@needs_encoder
def test_a_movie_has_as_many_pictures_as_states(tmp_path, capsys):
    run = SphRun(tmp_path / "out")
    assert main([str(run.folder), "--rate", "10", "--dpi", "41"]) == 0
    path = run.folder / "movie.mp4"
    assert capsys.readouterr().out == f"{path}\n"
    probe = ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate", "-of", "csv=p=0"]
    assert subprocess.run([*probe, str(path)], capture_output=True, text=True, check=True).stdout.split() == ["10/1,6"]
