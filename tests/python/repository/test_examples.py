# SPDX-License-Identifier: Apache-2.0
"""Every example runs, is short, and makes a picture."""

import pathlib
import runpy
import sys

import numpy
import pytest

matplotlib = pytest.importorskip("matplotlib")

EXAMPLES = sorted((pathlib.Path(__file__).parents[3] / "examples" / "python").glob("*.py"))
EXAMPLES_ON_RANKS = [path for path in EXAMPLES if path.stem.endswith("on_ranks")]


def require_picture(file):
    picture = matplotlib.pyplot.imread(file)
    assert picture.shape[0] > 300 and numpy.ptp(picture[..., :3]) > 0.5
    assert len(numpy.unique(picture[..., :3].reshape(-1, 3), axis=0)) > 100  # more than axes


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_leaves_a_picture(example, tmp_path, monkeypatch, request):
    if example.stem.startswith("03"):
        pytest.importorskip("meshio")
    if example in EXAMPLES_ON_RANKS:
        pytest.importorskip("mpi4py")
        request.getfixturevalue("mpi")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    require_picture(tmp_path / f"{example.stem}.png")
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("example", EXAMPLES_ON_RANKS, ids=lambda path: path.stem)
def test_an_example_of_ranks_runs_under_mpirun(example, mpirun, tmp_path, monkeypatch):
    pytest.importorskip("mpi4py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOAL_RANKS_SHARE_DEVICES", "1")
    done = mpirun([sys.executable, str(example)])
    assert done.returncode == 0, done.stderr
    assert all(f"rank {rank} of 2 on " in done.stdout for rank in range(2)), done.stdout
    require_picture(tmp_path / f"{example.stem}.png")


def test_examples_are_short_and_numbered():
    assert [example.stem[:3] for example in EXAMPLES] == [f"0{i}_" for i in range(1, len(EXAMPLES) + 1)]
    for example in EXAMPLES:
        assert len(example.read_text().splitlines()) <= 60, example.name
