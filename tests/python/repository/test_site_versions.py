# SPDX-License-Identifier: Apache-2.0
"""tools/site_versions.py: one site of the documentation of all releases."""

import importlib.util
import json
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parents[3]
BUILD = """#!/bin/sh
mkdir -p build/docs/html/theory
echo "$SHOAL_DOCS_VERSION: $(cat page)" > build/docs/html/index.html
cp build/docs/html/index.html build/docs/html/theory/sph.html
echo built >> {log}
"""


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("site_versions", ROOT / "tools/site_versions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def repository(tmp_path):
    """A repository with two releases and a documentation that states its version."""
    folder = tmp_path / "repository"
    (folder / "tools").mkdir(parents=True)
    (folder / "tools/docs").write_text(BUILD.format(log=tmp_path / "log"), encoding="utf-8")
    (folder / "tools/docs").chmod(0o755)

    def git(*arguments):
        identity = ["-c", "user.name=shoal", "-c", "user.email=shoal@example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)

    git("init")
    for tag in ("v0.9.0", "v0.10.0", "nightly", "v1"):
        (folder / "page").write_text(f"text of {tag}", encoding="utf-8")
        git("add", ".")
        git("commit", "-m", tag)
        git("tag", tag)
    page = folder / "build/docs/html"
    page.mkdir(parents=True)
    (page / "index.html").write_text("text of the checkout", encoding="utf-8")
    return folder


def known(site):
    text = (site / "versions.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("window.shoalVersions = ").removesuffix(";\n"))


def test_every_release_has_a_folder_of_its_own_text(script, repository):
    site = repository / "build/docs/site"
    assert script.make_site(repository, repository / "build/docs/html", site) == ["development", "0.10.0", "0.9.0"]
    assert (site / "0.9.0/index.html").read_text() == "0.9.0: text of v0.9.0\n"
    assert (site / "0.10.0/theory/sph.html").read_text() == "0.10.0: text of v0.10.0\n"
    assert (site / "development/index.html").read_text() == "text of the checkout"
    pages = {"development": ["index"], "0.10.0": ["index", "theory/sph"], "0.9.0": ["index", "theory/sph"]}
    assert known(site) == {"stable": "0.10.0", "pages": pages}
    assert "url=0.10.0/index.html" in (site / "index.html").read_text()
    assert "url=../0.10.0/index.html" in (site / "stable/index.html").read_text()
    assert [path.name for path in (repository / "build/docs").iterdir() if path.name.startswith("checkout")] == []


def test_releases_are_built_once_and_the_checkout_each_time(script, repository, tmp_path):
    site = repository / "build/docs/site"
    for text in ("one", "two"):
        (repository / "build/docs/html/index.html").write_text(text, encoding="utf-8")
        script.make_site(repository, repository / "build/docs/html", site)
        assert (site / "development/index.html").read_text() == text
    assert (tmp_path / "log").read_text().split() == ["built", "built"]  # once for each release


def test_without_a_release_the_site_begins_with_the_checkout(script, tmp_path):
    site = tmp_path / "site"
    (site / "development").mkdir(parents=True)
    (site / "development/index.html").write_text("text", encoding="utf-8")
    script.write_versions(site, ["development"])
    assert known(site) == {"stable": None, "pages": {"development": ["index"]}}
    assert "url=development/index.html" in (site / "index.html").read_text()
    assert not (site / "stable").exists()


def test_the_sidebar_reads_the_list(script):
    template = (ROOT / "docs/site/versions.html").read_text(encoding="utf-8")
    assert "../versions.js" in template and "shoalVersions" in template and "site_version" in template
