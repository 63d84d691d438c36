# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site, which `tools/docs` builds from the Markdown of this folder.

The reference of C++ consists of the comments of the public headers, which doxygen reads, that of Python of the docstrings.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]

project = "shoal"
author = "The shoal authors"
copyright = author
release = re.search(r"project\(shoal VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["images"]
html_theme = "furo"
html_title = f"shoal {release}"
pygments_style = "friendly"

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

breathe_projects = {"shoal": str(ROOT / "build/docs/doxygen/xml")}
breathe_default_project = "shoal"

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autoclass_content = "both"  # the signatures of constructors
napoleon_google_docstring = False
napoleon_use_rtype = False
nitpicky = False

OUTSIDE = re.compile(r"\[([^\]]+)\]\((\.\./)+([^)]+)\)")


def name_files_of_the_repository(app, docname, source):
    """Replaces links to files of the repository that are not on the site by their names."""

    def named(link):
        target = link.group(3).rstrip("/")
        inside = (ROOT / "docs" / target.partition("#")[0]).exists() and link.group(0).count("../") == docname.count("/")
        return link.group(0) if inside else f"{link.group(1)} (`{target}`)"

    source[0] = OUTSIDE.sub(named, source[0])


def setup(app):
    app.connect("source-read", name_files_of_the_repository)
