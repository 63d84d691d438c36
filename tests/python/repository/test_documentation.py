# SPDX-License-Identifier: Apache-2.0
"""Every Python block of docs/ and README.md that uses the package runs, in the order of its page."""

import pathlib
import re

import numpy
import pytest

import shoal

ROOT = pathlib.Path(__file__).parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```toml\n# ([\w.]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)  # whose first line is a name
PAGES = {page: BLOCK.findall(page.read_text()) for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]}
PAGES = {page: blocks for page, blocks in PAGES.items() if re.search(r"^(import|from) .*\bshoal\b", "".join(blocks), re.M)}


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    if "shoal.mpi." in "".join(PAGES[page]):
        request.getfixturevalue("mpi")
    for library in ("torch", "jax"):
        if f"shoal.{library}" in "".join(PAGES[page]):
            pytest.importorskip(library)
    if "out/dam_break" in "".join(PAGES[page]):  # a small version of the run that pages use
        case = ROOT / "cases" / "dam_break" / "case.toml"
        small = {"run.duration": 0.08, "particles.spacing": 0.05, "scheme.dt": 0.001}
        shoal.sph.Case.read(case, small).run(folder="out/dam_break", device="cpu")
    for name, content in FILE.findall(page.read_text()):
        (tmp_path / name).write_text(content)
    names = {}
    for block in PAGES[page]:
        exec(compile(block, str(page), "exec"), names)
    if page.parent.name == "tutorials":
        FACTS[page.stem](names)


def test_the_page_of_the_package_has_blocks():
    assert ROOT / "docs" / "python.md" in PAGES


def test_every_page_is_on_the_site():
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    pages |= {f"tutorials/{path.stem}" for path in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert pages <= set(re.findall(r"^([\w/]+)$", index, re.M))


def test_every_namespace_of_the_public_headers_is_on_the_site():
    headers = [path.read_text() for path in (ROOT / "include" / "shoal").rglob("*.hpp") if path.parent.name != "item"]
    declared = set(re.findall(r"^namespace (shoal[\w:]*)", "\n".join(headers), re.M))
    pages = {path.stem: path.read_text() for path in (ROOT / "docs" / "reference" / "cpp").glob("*.md")}
    shown = re.findall(r"^```\{doxygennamespace\} ([\w:]+)$", "\n".join(pages.values()), re.M)
    assert sorted(shown) == sorted(declared)
    assert set(re.findall(r"^cpp/(\w+)$", (ROOT / "docs" / "reference" / "cpp.md").read_text(), re.M)) == set(pages)
