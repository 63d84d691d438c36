#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tutorials of docs/tutorials as Jupyter notebooks.

    tools/notebooks.py [--out FOLDER]        one notebook for each tutorial; without --out in build/notebooks

A block of Python becomes a cell of code. A block whose first line is a name in a comment, such as `# tank.toml`, is a file,
and becomes a cell that writes it. All else is text. Links to pages become the names of the pages, since a notebook may lie
anywhere. The site has the notebooks beside the tutorials.
"""

import argparse
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w.-]+\.\w+)\n")  # at the beginning of a block
LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)([^)#]+)[^)]*\)")


def text_without_links(text, page):
    """Names the target of each link to a file, from the root of the repository."""

    def named(link):
        target = (page.parent / link.group(2)).resolve().relative_to(ROOT)
        return f"{link.group(1)} (`{target}`)"

    return LINK.sub(named, text)


def code_of(language, block):
    """The code of a block's cell; None for a block that is text."""
    name = FILE.match(block)
    if language == "python":
        return block.rstrip("\n")
    if name:
        return f'import pathlib\n\n_ = pathlib.Path("{name.group(1)}").write_text("""\\\n{block}""")'
    return None


def cells_of(page):
    """Kind ("markdown" or "code") and source of each cell of a page."""
    page_text = page.read_text(encoding="utf-8")
    cells, text, end = [], "", 0
    for block in BLOCK.finditer(page_text):
        text += text_without_links(page_text[end : block.start()], page)
        end = block.end()
        code = code_of(*block.groups())
        if code is None:
            text += block.group(0)
            continue
        if text.strip():
            cells.append(("markdown", text.strip()))
        cells.append(("code", code))
        text = ""
    text += text_without_links(page_text[end:], page)
    if text.strip():
        cells.append(("markdown", text.strip()))
    return cells


def notebook(page):
    """A notebook of format 4.5, without output."""
    cells = []
    for number, (kind, source) in enumerate(cells_of(page)):
        cell = {"cell_type": kind, "id": f"{page.stem[:50]}-{number}", "metadata": {}}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell | {"source": source.splitlines(keepends=True)})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def write(folder):
    """Writes all notebooks into a folder. Returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for page in TUTORIALS:
        paths.append(folder / f"{page.stem}.ipynb")
        paths[-1].write_text(json.dumps(notebook(page), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build/notebooks", help="folder for the notebooks")
    for path in write(parser.parse_args().out):
        print(path)


if __name__ == "__main__":
    main()
