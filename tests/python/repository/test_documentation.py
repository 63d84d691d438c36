# SPDX-License-Identifier: Apache-2.0
"""Every Python block of docs/ and README.md that uses the package runs, in the order of its page."""

import pathlib
import re

import pytest

import shoal

ROOT = pathlib.Path(__file__).parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = {page: BLOCK.findall(page.read_text()) for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]}
PAGES = {page: blocks for page, blocks in PAGES.items() if re.search(r"^(import|from) .*\bshoal\b", "".join(blocks), re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    if "shoal.mpi." in "".join(PAGES[page]):
        request.getfixturevalue("mpi")
    if "out/dam_break" in "".join(PAGES[page]):  # a small version of the run that pages use
        case = ROOT / "cases" / "dam_break" / "case.toml"
        small = {"run.duration": 0.08, "particles.spacing": 0.05, "scheme.dt": 0.001}
        shoal.sph.Case.read(case, small).run(folder="out/dam_break", device="cpu")
    names = {}
    for block in PAGES[page]:
        exec(compile(block, str(page), "exec"), names)


def test_the_page_of_the_package_has_blocks():
    assert ROOT / "docs" / "python.md" in PAGES


def test_every_page_is_on_the_site():
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert pages <= set(re.findall(r"^(\w+)$", index, re.M))
