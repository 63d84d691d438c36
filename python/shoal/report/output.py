# SPDX-License-Identifier: Apache-2.0
"""Files that reports and plots write."""

import argparse

from .errors import ReportError

OWN_SUFFIXES = (".html", ".png", ".partial")


def path_argument(value):
    """Path on a command line, which an unset variable of a script leaves empty."""
    if not value:
        raise argparse.ArgumentTypeError("its value is empty, expected a path")
    return value


def require_output(path, folder, force):
    """Requires that `path` replaces no file of the run in `folder`, and no other existing file unless `force`."""
    if path.is_dir():
        raise ReportError(f"{path}: this is a folder, expected a file.")
    for file in folder.rglob("*") if path.exists() else ():
        if file.is_file() and file.suffix not in OWN_SUFFIXES and file.samefile(path):
            raise ReportError(f"{path}: the output would replace {file}, which belongs to the run. Write it elsewhere.")
    if not force and (path.exists() or path.is_symlink()):
        raise ReportError(f"{path}: this file exists. Choose another one, or replace it with the option `force`.")


def write_whole(path, content):
    """Writes a file of bytes that appears under its name only when it is complete. No symbolic link is followed."""
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        with open(partial, "xb") as file:
            file.write(content)
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
