#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests cmake/ShoalCommit.cmake, which gives result files their commit, in a repository of its own.

    tests/tools/commit_test.py [CMAKE]
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "cmake/ShoalCommit.cmake"
CMAKE = sys.argv.pop(1) if len(sys.argv) > 1 else "cmake"


class Commit(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.header = self.folder / "commit.hpp"
        self.source = self.folder / "source"
        self.write("main.cpp", "int main() {}\n")
        self.write("benchmarks/results/machine/sph.json", "{}\n")

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *words):
        identity = ["-c", "user.name=tester", "-c", "user.email=tester@example.com", "-c", "commit.gpgsign=false"]
        command = ["git", *identity, *words]
        return subprocess.run(command, cwd=self.source, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "a change")
        return self.git("rev-parse", "--short=12", "HEAD")

    def written(self):
        variables = [f"-DSOURCE={self.source}", "-DFALLBACK=fallback", f"-DHEADER={self.header}"]
        environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(self.folder)}
        subprocess.run([CMAKE, *variables, "-P", SCRIPT], check=True, env=environment)
        return self.header.read_text(encoding="utf-8").split('"')[1]

    def test_is_the_fallback_without_a_repository(self):
        self.assertEqual(self.written(), "fallback")

    def test_follows_the_repository(self):
        self.git("init", "--quiet")
        first = self.commit()
        self.assertEqual(self.written(), first)
        self.write("main.cpp", "int main() { return 1; }\n")
        self.assertEqual(self.written(), first + "-dirty")
        second = self.commit()
        self.assertNotEqual(first, second)
        self.assertEqual(self.written(), second)

    def test_new_results_and_new_files_do_not_count(self):
        self.git("init", "--quiet")
        commit = self.commit()
        self.write("benchmarks/results/machine/sph.json", "{1}\n")
        self.write("notes.txt", "not added\n")
        self.assertEqual(self.written(), commit)

    def test_an_archive_has_its_commit(self):
        self.git("init", "--quiet")
        for name in (".gitattributes", "cmake/commit.txt"):
            self.write(name, (ROOT / name).read_text(encoding="utf-8"))
        commit = self.commit()
        self.assertEqual(self.written(), commit)
        self.git("archive", "--prefix=inner/", "--output", str(self.folder / "inner.tar"), "HEAD")
        self.write("main.cpp", "int main() { return 1; }\n")
        self.commit()
        shutil.unpack_archive(self.folder / "inner.tar", self.source)
        self.source /= "inner"  # within another repository
        self.assertEqual(self.written(), commit)

    def test_leaves_a_current_header_alone(self):
        self.git("init", "--quiet")
        self.commit()
        self.written()
        os.utime(self.header, (1, 1))
        self.written()
        self.assertEqual(self.header.stat().st_mtime, 1)


if __name__ == "__main__":
    unittest.main()
