# SPDX-License-Identifier: Apache-2.0
"""Every example runs, is short, and makes a picture."""

import pathlib
import runpy

import numpy
import pytest

matplotlib = pytest.importorskip("matplotlib")

EXAMPLES = sorted((pathlib.Path(__file__).parents[3] / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_leaves_a_picture(example, tmp_path, monkeypatch):
    if example.stem.startswith("03"):
        pytest.importorskip("meshio")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    picture = matplotlib.pyplot.imread(f"{example.stem}.png")
    assert picture.shape[0] > 300 and numpy.ptp(picture[..., :3]) > 0.5
    assert len(numpy.unique(picture[..., :3].reshape(-1, 3), axis=0)) > 100  # more than axes
    matplotlib.pyplot.close("all")


def test_examples_are_short_and_numbered():
    assert [example.stem[:3] for example in EXAMPLES] == [f"0{i}_" for i in range(1, len(EXAMPLES) + 1)]
    for example in EXAMPLES:
        assert len(example.read_text().splitlines()) <= 60, example.name
