# SPDX-License-Identifier: Apache-2.0
"""`python -m shoal report DIR` and `python -m shoal plot DIR`: results of a run."""

import importlib
import sys

COMMANDS = {"report": "shoal.report", "plot": "shoal.plot"}
NEEDED = {"numpy", "h5py", "matplotlib"}


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] not in COMMANDS:
        unknown = f"unknown command `{argv[0]}`; " if argv and argv[0] not in ("-h", "--help") else ""
        print(f"shoal: {unknown}expected one of: {', '.join(COMMANDS)}. Each has --help.", file=sys.stderr)
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
