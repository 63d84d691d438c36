# SPDX-License-Identifier: Apache-2.0
"""`python -m shoal report DIR` and `python -m shoal plot DIR`: looking at what a run left."""

import importlib
import sys

COMMANDS = {"report": "shoal.report", "plot": "shoal.plot"}


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    if not argv or argv[0] not in COMMANDS:
        asked = f"unknown command `{argv[0]}`; " if argv and argv[0] not in ("-h", "--help") else ""
        print(f"shoal: {asked}expected one of: {', '.join(COMMANDS)}. Each has --help.", file=sys.stderr)
        return 2 if asked or not argv else 0
    return importlib.import_module(COMMANDS[argv[0]]).main(argv[1:])


if __name__ == "__main__":
    sys.exit(main())
