#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the words that tools/check_language.py reports, and those that it keeps."""

import importlib.util
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_language.py"
SPECIFICATION = importlib.util.spec_from_file_location("check_language", TOOL)
check_language = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(check_language)


class CheckLanguage(unittest.TestCase):
    def findings(self, source, kept=()):
        """Returns the findings in a C++ file, without its name; `kept` are its words in KEPT."""
        with tempfile.TemporaryDirectory() as folder:
            name = str(Path(folder) / "sample.cpp")
            Path(name).write_text(source, encoding="utf-8")
            check_language.KEPT[name] = list(kept)
            return [finding.removeprefix(name + ":").strip() for finding in check_language.check_file(name)]

    def test_reports_words_names_and_comments(self):
        self.assertEqual(self.findings("int cells = 3;\ndouble centre = 0;\n"), ["2: `centre`: write center"])
        self.assertEqual(self.findings("double at = 0;\n"), ["1: `double at`: a name is a noun with a meaning"])
        self.assertEqual(len(self.findings("const auto& [name, all] = pair;\n")), 1)
        self.assertEqual(self.findings("return at;\n"), [])
        self.assertEqual(len(self.findings("const auto all = [] { return 3; };\n")), 1)
        self.assertEqual(len(self.findings("\n/// Whether it is closed.\nbool closed;\n")), 1)

    def test_keeps_words_of_the_list(self):
        self.assertEqual(self.findings("double centre = 0, colour = 0;\n", ["centre"]), ["1: `colour`: write color"])
        self.assertEqual(self.findings("double at = 0;\n", ["double at"]), [])

    def test_reports_words_of_the_list_that_the_file_does_not_have(self):
        self.assertEqual(
            self.findings("double center = 0;\n", ["centre"]),
            ["no `centre`; remove it from KEPT of tools/check_language.py"],
        )


if __name__ == "__main__":
    unittest.main()
