# SPDX-License-Identifier: Apache-2.0
"""The sources that a measurement depends on, and whether they changed between two commits."""

import subprocess
from pathlib import Path

NEEDS = {  # the operations that a measured operation calls
    "cells": ["cells"],
    "collision": ["collision"],
    "deposit": ["cells", "deposit"],
    "flumes": ["cells", "flumes", "neighbors", "sph"],
    "gas": ["collision", "gas"],
    "impacts": ["cells", "impacts", "neighbors", "sph"],
    "neighbors": ["cells", "neighbors"],
    "ranks": [],
    "sph": ["cells", "neighbors", "sph"],
    "wall_distance": ["wall_distance"],
}
PROGRAMS = {"growth", "peers", "ranks", "targets"}  # folders of benchmarks that few results come from
OUTPUT = ["src/io", "src/mpi", "include/shoal/io"]  # read and write files, or start ranks


def of_operation(operation: str, *more: str) -> list[str]:
    """Pathspecs of the sources of an operation, its benchmarks and what it calls, without those of other operations.

    `more` names operations that are measured with it, and folders of programs that measure it.
    """
    chosen = {operation, *more}
    needed = {name for key in chosen for name in NEEDS.get(key, [])}
    excluded = ["benchmarks/results", *(f"benchmarks/{folder}" for folder in sorted(PROGRAMS - chosen))]
    if "ranks" not in chosen:
        excluded += OUTPUT
    for other in NEEDS.keys() - needed - {"ranks"}:
        excluded += [f"src/{other}", f"include/shoal/{other}", f"include/shoal/{other}.hpp", f"benchmarks/{other}.cpp",
                     f"benchmarks/papers/{other}", f"benchmarks/support/{other}_*"]  # fmt: skip
    return ["src", "include", "benchmarks", "cmake", "CMakeLists.txt", *(f":(exclude){path}" for path in excluded)]


def of_runs() -> list[str]:
    """Pathspecs of the sources of whole runs of cases."""
    return ["src", "include", "cli", "cases", "cmake", "CMakeLists.txt"]


def are_same(root: Path, before: str, after: str, sources: list[str]) -> bool:
    """Returns true if the sources are the same at two commits, which the repository has."""
    if not before or not after:
        return False
    command = ["git", "-C", str(root), "diff", "--quiet", before, after, "--", *sources]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
