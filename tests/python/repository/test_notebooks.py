# SPDX-License-Identifier: Apache-2.0
"""The notebooks of tools/notebooks.py: they have what their tutorials have, run cell by cell, and compute what these say."""

import json
import pathlib
import re
import sys

import numpy
import pytest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import notebooks  # noqa: E402  a file of tools

TUTORIALS = [path.stem for path in notebooks.TUTORIALS]


def falls_into_a_tank(names):
    assert names["front"][-1] > 1.9 and names["pressure"].max() > 5000


def conserves_energy_and_momentum(names):
    energy, velocity = numpy.array(names["energy"]), names["velocity"]
    assert numpy.ptp(energy) < 1e-3 * abs(energy[0])
    assert numpy.abs(velocity.sum(axis=0)).max() < 1e-11
    assert 0 < names["plan"].rebuilds < 20  # of 100 steps


def oscillates_with_the_plasma_frequency(names):
    assert abs(names["period"] / (2 * numpy.pi) - 1) < 0.005
    assert names["node_charge"].sum() == pytest.approx(names["charge"].sum(), rel=1e-12)
    assert numpy.abs(names["velocity"].sum(axis=0)).max() < 1e-12
    change, divergence = names["change"], names["divergence"]
    assert numpy.abs((change[1] - change[0]) / names["step"] + divergence).max() < 1e-12 < numpy.abs(divergence).max()
    assert names["shares"].sum() == pytest.approx(names["charge"][names["outside"]].sum(), rel=1e-12)


def measures_a_cylinder(names):
    assert names["error"] < 1.02 * names["arc"]
    assert list(names["inside"] < 0) == [True, True, False]
    assert names["from_file"].walls().wall_names == ["cylinder"]
    again = names["moving"].find(names["cells"]).distance
    assert numpy.array_equal(names["distances"].distance, again)


def relaxes_to_a_maxwellian(names):
    assert numpy.all(numpy.diff(names["entropy"]) > 0)
    assert numpy.ptp(names["energy"]) < 1e-12
    assert 0.47 < names["rate"] < 0.5 and names["after"] < 0.1 < 0.5 < names["before"]


FACTS = {  # what tutorials say about their results
    "first_case": falls_into_a_tank,
    "neighbors_in_your_code": conserves_energy_and_momentum,
    "deposit_in_a_pic_loop": oscillates_with_the_plasma_frequency,
    "wall_distance_of_your_mesh": measures_a_cylinder,
    "relaxation": relaxes_to_a_maxwellian,
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The notebooks as a reader of JSON sees them, by the names of their tutorials."""
    paths = notebooks.write(tmp_path_factory.mktemp("notebooks"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_a_notebook_runs(tutorial, written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in written[tutorial]["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{tutorial}, {cell['id']}", "exec"), names)
    FACTS[tutorial](names)


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_a_notebook_has_the_format_of_jupyter(tutorial, written):
    book = written[tutorial]
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5) and book["metadata"]["kernelspec"]["name"] == "python3"
    identifiers = [cell["id"] for cell in book["cells"]]
    assert len(set(identifiers)) == len(identifiers) > 8
    assert all(re.fullmatch(r"[\w-]{1,64}", each) for each in identifiers)
    for cell in book["cells"]:
        keys = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == keys | ({"execution_count", "outputs"} if cell["cell_type"] == "code" else set())
        assert not any(line.count("\n") != 1 for line in cell["source"][:-1])


@pytest.mark.parametrize("tutorial", TUTORIALS)
def test_a_notebook_has_the_blocks_and_sentences_of_its_page(tutorial, written):
    page = (ROOT / "docs" / "tutorials" / f"{tutorial}.md").read_text(encoding="utf-8")
    source = {kind: ["".join(c["source"]) for c in written[tutorial]["cells"] if c["cell_type"] == kind] for kind in
              ("code", "markdown")}  # fmt: skip
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert [code + "\n" for code in source["code"] if not code.startswith("import pathlib")] == blocks
    assert source["markdown"][0].startswith(page.partition("\n")[0])
    for heading in re.findall(r"^## .*$", page, re.MULTILINE):
        assert any(heading in text for text in source["markdown"])
    assert not any("](" in text for text in source["markdown"])


def test_a_block_with_a_name_is_a_file(written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = ["".join(cell["source"]) for cell in written["first_case"]["cells"] if cell["cell_type"] == "code"]
    exec(code[0], {})
    page = (ROOT / "docs/tutorials/first_case.md").read_text(encoding="utf-8")
    assert f"```toml\n{(tmp_path / 'tank.toml').read_text()}```" in page


def test_every_tutorial_states_facts():
    assert set(FACTS) == set(TUTORIALS)
