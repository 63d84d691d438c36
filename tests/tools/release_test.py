#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tools/release in a repository of its own, with the few files that it reads."""

import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CHANGELOG = """\
# Changelog

Versions follow a scheme.

## Unreleased

### cells

- `Cells` is faster.

## [0.1.0] - 2025-01-02

- The first version.
"""


class Release(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.source = self.folder / "source"
        self.write("CMakeLists.txt", "project(shoal VERSION 0.1.0 LANGUAGES CXX)\n")
        self.write("CITATION.cff", "cff-version: 1.2.0\nversion: 0.1.0\nauthors: []\n")
        self.write("packaging/conda/recipe.yaml", 'context:\n  version: "0.1.0"\n')
        self.write("CHANGELOG.md", CHANGELOG)
        self.write(".gitignore", "/build/\n")
        for name in ("NOTICE", "tools/release"):
            self.write(name, (ROOT / name).read_text(encoding="utf-8"))
        self.git("init", "--quiet")
        self.commit("first")

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.source / name).read_text(encoding="utf-8")

    def git(self, *words):
        identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *words]
        return subprocess.run(command, cwd=self.source, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, subject):
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", subject)

    def release(self, *words, code=0):
        command = [sys.executable, "-B", self.source / "tools/release", *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def refused(self, *words):
        return self.release(*words, code=1)

    def prepared(self):
        self.release("0.2.0", "--prepare", "--date", "2026-03-04")
        self.commit("0.2.0")

    def made(self, out="build/release"):
        folder = self.source / out / "shoal-0.2.0"
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def test_prepare_writes_the_version_and_dates_the_section(self):
        before = self.git("rev-parse", "HEAD")
        printed = self.release("0.2.0", "--prepare", "--date", "2026-03-04")
        changed = ["CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "packaging/conda/recipe.yaml"]
        self.assertEqual(self.git("diff", "--name-only").splitlines(), changed)
        for name in changed:
            self.assertIn(name, printed)
        self.assertEqual(self.git("rev-parse", "HEAD"), before)
        self.assertEqual(self.read("CHANGELOG.md"), CHANGELOG.replace("Unreleased", "[0.2.0] - 2026-03-04"))
        dated = "cff-version: 1.2.0\nversion: 0.2.0\ndate-released: 2026-03-04\nauthors: []\n"
        self.assertEqual(self.read("CITATION.cff"), dated)
        self.assertIn("nothing under `## Unreleased`", self.refused("0.3.0", "--prepare"))

    def test_a_release_has_archive_notes_libraries_and_sums(self):
        self.prepared()
        wheel = self.folder / "shoal-0.2.0-cp311-abi3-linux_x86_64.whl"
        wheel.write_bytes(b"wheel")
        printed = self.release("0.2.0", wheel.name)
        files = self.made()
        sums = files.pop("SHA256SUMS").decode()
        self.assertIn(sums, printed)
        made = {f"shoal-0.2.0{end}" for end in (".tar.gz", ".cdx.json", "-notes.md")}
        self.assertEqual(files.keys(), made | {wheel.name})
        expected = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}" for name in sorted(files)]
        self.assertEqual(sums.splitlines(), expected)

        with tarfile.open(fileobj=io.BytesIO(files["shoal-0.2.0.tar.gz"])) as archive:
            tracked = {f"shoal-0.2.0/{name}" for name in self.git("ls-files").splitlines()}
            self.assertEqual({entry.name for entry in archive if entry.isfile()}, tracked)
            self.assertTrue(archive.getmember("shoal-0.2.0/tools").isdir())
        notes = files["shoal-0.2.0-notes.md"].decode()
        self.assertTrue(notes.startswith("# shoal 0.2.0\n\n### cells\n\n- `Cells` is faster.\n\nTo check"), notes)
        self.assertNotIn("The first version", notes)

        listed = json.loads(files["shoal-0.2.0.cdx.json"])
        self.assertEqual(listed["metadata"]["component"]["version"], "0.2.0")
        (digest,) = listed["metadata"]["component"]["hashes"]
        self.assertEqual(digest["content"], hashlib.sha256(files["shoal-0.2.0.tar.gz"]).hexdigest())
        licenses = {each["name"]: each["licenses"][0] for each in listed["components"]}
        self.assertEqual(licenses["HDF5"], {"expression": "BSD-3-Clause"})
        self.assertEqual(licenses["FFTW"], {"expression": "GPL-2.0-or-later"})
        self.assertEqual(licenses["CUDA runtime and cuFFT"]["license"].keys(), {"name"})

    def test_a_release_has_the_same_bytes_in_another_clone(self):
        self.prepared()
        self.release("0.2.0")
        first = self.made()
        clone = self.folder / "clone"
        self.git("clone", "--quiet", str(self.source), str(clone))
        shutil.rmtree(self.source)
        self.source = clone
        self.release("0.2.0", "--out", str(clone / "build/again"))
        self.assertEqual(self.made("build/again"), first)
        self.release("0.2.0", "--out", str(clone / "build/again"))  # replaces its own folder
        self.assertEqual(self.made("build/again"), first)

    def test_versions_that_differ_are_refused(self):
        self.prepared()
        self.write("CITATION.cff", "version: 0.1.0\n")
        self.write("packaging/conda/recipe.yaml", "{}\n")
        self.commit("a change")
        refused = self.refused("0.2.0")
        self.assertIn("CITATION.cff: 0.1.0, packaging/conda/recipe.yaml: None; expected 0.2.0", refused)
        self.assertIn("expected three numbers", self.refused("v0.2"))
        self.write("CHANGELOG.md", CHANGELOG)
        self.assertIn("no version was found in packaging/conda/recipe.yaml", self.refused("0.3.0", "--prepare"))

    def test_changes_that_are_not_committed_are_refused(self):
        self.prepared()
        self.write("new.txt", "not tracked\n")
        self.assertIn("?? new.txt", self.refused("0.2.0"))
        (self.source / "new.txt").unlink()
        self.write("NOTICE", "changed\n")
        self.assertIn("M NOTICE", self.refused("0.2.0"))

    def test_a_changelog_without_the_section_is_refused(self):
        self.prepared()
        self.write("CHANGELOG.md", CHANGELOG)
        self.assertIn("0 sections `## [0.2.0] - DATE`", self.refused("0.2.0"))
        self.write("CHANGELOG.md", CHANGELOG.replace("## [0", "## [0.2.0] - 2026-03-04\n\n- This.\n\n## [0"))
        self.assertIn("has lines under `## Unreleased`", self.refused("0.2.0"))
        self.write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n## [0.2.0] - 2026-03-04\n")
        self.assertIn("says nothing under `## [0.2.0]", self.refused("0.2.0"))

    def test_a_tag_at_another_commit_is_refused(self):
        self.prepared()
        self.git("tag", "v0.2.0")
        self.release("0.2.0")
        self.write("more.txt", "one more\n")
        self.commit("a change")
        self.assertIn("the tag v0.2.0 is at", self.refused("0.2.0"))

    def test_files_of_other_versions_are_refused(self):
        self.prepared()
        for name in ("shoal-0.1.0.whl", "shoal-0.2.01.whl", "wheel.whl"):
            (self.folder / name).write_bytes(b"wheel")
            self.assertIn(f"{name} is not named after shoal 0.2.0", self.refused("0.2.0", name))
        self.assertIn("there is no file none.whl", self.refused("0.2.0", "none.whl"))


if __name__ == "__main__":
    unittest.main()
