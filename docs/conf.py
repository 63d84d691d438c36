# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site, which `tools/docs` builds from the Markdown of this folder.

The reference of C++ consists of the comments of the public headers, which doxygen reads, that of Python of the docstrings.
"""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import notebooks  # noqa: E402  a file of tools

project = "shoal"
author = "The shoal authors"
copyright = author
release = re.search(r"project\(shoal VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
exclude_patterns = ["images", "site"]
html_theme = "furo"
templates_path = ["site"]
html_context = {"site_version": os.environ.get("SHOAL_DOCS_VERSION", "development")}
html_sidebars = {
    "**": ["sidebar/brand.html", "sidebar/search.html", "versions.html", "sidebar/scroll-start.html", "sidebar/navigation.html",
           "sidebar/scroll-end.html"]
}  # fmt: skip
html_title = f"shoal {release}"
html_extra_path = [str(ROOT / "build/docs/extra")]  # copied as it is
notebooks.write(ROOT / "build/docs/extra/notebooks")
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


def offer_notebook(app, docname, source):
    """Begins a tutorial with a link to its notebook."""
    folder, _, page = docname.rpartition("/")
    if folder == "tutorials":
        title, _, text = source[0].partition("\n")
        link = f'<a href="../notebooks/{page}.ipynb" download>This page as a notebook</a>'
        source[0] = f"{title}\n\n{link}\n{text}"


def setup(app):
    app.connect("source-read", name_files_of_the_repository)
    app.connect("source-read", offer_notebook)
