# SPDX-License-Identifier: Apache-2.0
"""tools/gallery.py: the page of all cases, and what it takes from them. docs.gallery compares the page with the cases."""

import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import gallery  # noqa: E402  a file of tools

NAMES = sorted(path.parent.name for path in (ROOT / "cases").glob("*/case.toml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_case_has_a_title_a_whole_sentence_and_its_commands(name):
    title, sentence = gallery.described(name)
    assert title and not title.startswith("#")
    assert re.fullmatch(r"[A-Z].*\.", sentence, re.DOTALL) and "](" not in sentence and len(sentence) < 400
    section = gallery.section(name)
    assert f"shoal run cases/{name}/case.toml --out out/{name}" in section
    assert (f"shoal validate {name}" in section) == (ROOT / "cases" / name / "validation.toml").exists()


def test_the_page_has_every_case_once_below_its_kind():
    parts = re.split(r"^## ", gallery.page(), flags=re.MULTILINE)[1:]
    found = {part.partition("\n")[0]: re.findall(r"\(\.\./cases/(\w+)/README\.md\)", part) for part in parts}
    assert sorted(name for names in found.values() for name in names) == NAMES
    assert found["Distances from walls"] == ["circle", "passing_body", "pitching_airfoil"]


def test_a_picture_is_of_the_first_run_of_the_validation():
    assert gallery.first_run("dam_break") == (ROOT / "cases/dam_break/case.toml", ["run.duration=1.75"])
    assert gallery.first_run("circle") == (ROOT / "cases/circle/case.toml", [])  # which is not validated


def test_every_picture_has_a_case():
    assert {path.stem for path in (ROOT / "docs/images/gallery").glob("*.png")} <= set(NAMES)


def test_a_picture_is_drawn_from_a_run(tmp_path, monkeypatch):
    pytest.importorskip("h5py")
    pytest.importorskip("matplotlib")
    import shoal

    shoal.cases.run(ROOT / "cases/two_beams/case.toml", tmp_path / "run", {"run.duration": 0.5}, device="cpu")
    monkeypatch.setattr(gallery, "PICTURES", tmp_path / "pictures")
    gallery.draw("two_beams", tmp_path / "run")
    assert (tmp_path / "pictures/two_beams.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_is_colored_by_the_liquids_or_a_chosen_quantity(tmp_path, monkeypatch):
    pytest.importorskip("PIL")
    import shoal.plot

    asked = []
    monkeypatch.setattr(shoal.plot, "write_plots", lambda *_, **options: asked.append(options["quantity"]))
    for quantity in (None, "velocity"):
        with pytest.raises(SystemExit, match="nothing to draw"):
            gallery.draw("rising_bubble", tmp_path, quantity)
    assert asked == ["material", "velocity"]
