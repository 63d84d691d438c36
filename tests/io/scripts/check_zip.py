# SPDX-License-Identifier: Apache-2.0
"""Checks the zip file of tests/io/lists/neighbor_file_test.cpp with Python's own module: check_zip.py FILE."""

import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    assert archive.namelist() == ["a.txt", "b.txt"], archive.namelist()
    assert archive.read("a.txt") == b"head body" and archive.read("b.txt") == 100 * b"b"
    assert all(member.compress_type == zipfile.ZIP_STORED for member in archive.infolist())
