# SPDX-License-Identifier: Apache-2.0
"""Every Python block of docs/ and of the pages named README that uses the package runs, in the order of its page.

test_notebooks.py runs those of the tutorials."""

import pathlib
import re

import pytest

import shoal

ROOT = pathlib.Path(__file__).parents[3]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```toml\n# ([\w.]+)\n(.*?)^```", re.MULTILINE | re.DOTALL)  # whose first line is a name
READMES = [ROOT / "README.md", ROOT / "packaging" / "wheel" / "README.md"]
PAGES = {page: BLOCK.findall(page.read_text()) for page in [*READMES, *sorted((ROOT / "docs").rglob("*.md"))]}
PAGES = {page: blocks for page, blocks in PAGES.items() if page.parent.name != "tutorials"}
PAGES = {page: blocks for page, blocks in PAGES.items() if re.search(r"^(import|from) .*\bshoal\b", "".join(blocks), re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
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
