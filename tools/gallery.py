#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/gallery.md: all cases, with what they are and a picture. Titles and sentences are those of the cases' own pages.

    tools/gallery.py                                           writes the page
    tools/gallery.py --check                                   reports if the page differs from the cases
    tools/gallery.py --runs FOLDER --shoal PROGRAM [CASE...]   runs cases into FOLDER/<case>, and draws their pictures
    tools/gallery.py --runs FOLDER [CASE...]                   draws the runs that are there

A picture shows the first run that the case's validation has, or else case.toml; of several liquids, where each of them is.
Pictures need h5py and Matplotlib, as `shoal plot` does. A case without a picture has none on the page.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = ROOT / "cases"
PAGE = ROOT / "docs/gallery.md"
PICTURES = ROOT / "docs/images/gallery"
KINDS = {
    "sph": ("Free surfaces, channels and waves", "[sph](sph.md)"),
    "wall_distance": ("Distances from walls", "[wall_distance](wall_distance.md)"),
    "gas": ("Rarefied gas", "[gas](gas.md)"),
    "relaxation": ("Relaxation of a gas", "[collision](collision.md)"),
}  # heading and operation of each kind of case

HEAD = """# Gallery

The cases in the folder `cases`, which installations have, too. Start from the one that is nearest to yours: copy its folder,
and change its `case.toml`. `shoal validate --list` names those that are compared with a reference.
"""


def read(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def described(name):
    """Title and first sentence of the page of a case. Links to other pages become text."""
    text = (CASES / name / "README.md").read_text(encoding="utf-8")
    title, _, rest = text.partition("\n")
    sentence = re.split(r"(?<=\.)\s+(?=[A-Z`])", rest.strip().split("\n\n")[0])[0]
    return title.removeprefix("# "), re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", sentence)


def section(name):
    title, sentence = described(name)
    picture = PICTURES / f"{name}.png"
    parts = [f"### {title}"]
    if picture.exists():
        parts.append(f"![{title}]({picture.relative_to(PAGE.parent)})")
    parts.append(sentence)
    commands = [f"shoal run cases/{name}/case.toml --out out/{name}"]
    if (CASES / name / "validation.toml").exists():
        commands.append(f"shoal validate {name}")
    parts.append("```sh\n" + "\n".join(commands) + "\n```")
    parts.append(f"More: [page of the case](../cases/{name}/README.md).")
    return "\n\n".join(parts)


def page():
    """Text of the page: cases by kind, then by name."""
    names = sorted(path.parent.name for path in CASES.glob("*/case.toml"))
    kinds = {name: read(CASES / name / "case.toml")["kind"] for name in names}
    unknown = set(kinds.values()) - set(KINDS)
    if unknown:
        raise SystemExit(f"gallery: cases of kind {', '.join(unknown)}; add a heading for it to KINDS.")
    parts = [HEAD.strip()]
    for kind, (heading, operation) in KINDS.items():
        parts.append(f"## {heading}\n\nCases of {operation}.")
        parts += [section(name) for name in names if kinds[name] == kind]
    return "\n\n".join(parts) + "\n"


def first_run(name):
    """Case file and overrides of the first run of a case's validation."""
    validation = CASES / name / "validation.toml"
    run = read(validation)["run"][0] if validation.exists() else {}
    return CASES / name / run.get("case", "case.toml"), run.get("set", [])


def run(program, name, folder):
    """Runs a case into a folder."""
    case, overrides = first_run(name)
    command = [program, "run", str(case), "--out", str(folder), "--force", "--quiet"]
    subprocess.run(command + [argument for each in overrides for argument in ("--set", each)], check=True)


def draw(name, folder, quantity=None):
    """Makes the picture of a case: states of its run, or its first curves in one dimension and without states."""
    sys.path.insert(0, str(ROOT / "python"))
    from PIL import Image  # which Matplotlib needs
    from shoal.plot import write_plots  # of the environment that has h5py and Matplotlib

    with tempfile.TemporaryDirectory() as plots:
        case = read(CASES / name / "case.toml")
        has_liquids = len({body["material"] for body in case.get("body", []) if "material" in body}) > 1
        drawn = write_plots(folder, plots, quantity=quantity or ("material" if has_liquids else None), dpi=50)
        if not drawn:
            raise SystemExit(f"gallery: the run of {name} has nothing to draw.")
        is_line = case.get("particles", {}).get("dimensions") == 1
        chosen = next((path for path in drawn if (path.stem == "states") != is_line), drawn[0])
        PICTURES.mkdir(exist_ok=True)
        picture = Image.open(chosen).convert("RGB").quantize(96, dither=Image.Dither.NONE)  # a third of the bytes
        picture.save(PICTURES / f"{name}.png", optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page differs")
    parser.add_argument("--runs", type=Path, metavar="FOLDER", help="folder with the runs of the cases")
    parser.add_argument("--shoal", metavar="PROGRAM", help="program that makes the runs")
    parser.add_argument("--quantity", metavar="NAME", help="array to color by; default: liquids, or the first of the report")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="cases to draw; default: all")
    options = parser.parse_args()
    if options.runs:
        for name in options.cases or sorted(path.parent.name for path in CASES.glob("*/case.toml")):
            if options.shoal:
                run(options.shoal, name, options.runs / name)
            draw(name, options.runs / name, options.quantity)
    text = page()
    if options.check:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print(f"{PAGE.relative_to(ROOT)} differs from the cases. Run tools/gallery.py, and commit the page.")
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
