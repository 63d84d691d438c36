# SPDX-License-Identifier: Apache-2.0
"""`python -m shoal`, and the command `shoal` that pip installs: `report`, `plot`, `movie` and `view` are Python, all others
the program that wheels contain: that of a plugin with CUDA methods, or the package's own."""

import importlib
import os
import sys
from pathlib import Path

from . import _plugin

COMMANDS = {"report": "shoal.report", "plot": "shoal.plot", "movie": "shoal.movie", "view": "shoal.view"}
NEEDED = {"numpy", "h5py", "matplotlib"}
PROGRAM = (_plugin.loaded or Path(__file__).parent) / "bin/shoal"


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] not in COMMANDS:
        if PROGRAM.exists():
            os.execv(PROGRAM, ["shoal", *argv])
        unknown = f"unknown command `{argv[0]}`; " if argv and argv[0] not in ("-h", "--help") else ""
        print(
            f"shoal: {unknown}expected one of: {', '.join(COMMANDS)}. Each has --help. This installation has no other "
            "command, since it was built without the command line (SHOAL_CLI=OFF).",
            file=sys.stderr,
        )
        return 2 if unknown or not argv else 0
    try:
        return importlib.import_module(COMMANDS[argv[0]]).main(argv[1:])
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        print(
            f"shoal {argv[0]}: {sys.executable} has no {error.name}. Install it (pip install {error.name}, or "
            f"apt install python3-{error.name}), or set SHOAL_PYTHON to a Python that has it.",
            file=sys.stderr,
        )
        return 1


if __name__ == "__main__":
    sys.exit(main())
