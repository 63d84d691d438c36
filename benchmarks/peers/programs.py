# SPDX-License-Identifier: Apache-2.0
"""Peers in C++: programs of CMakeLists.txt, which get the points in a file and keep them while they take their turns.

A program is started once for an input. It reads commands from standard input: `answer` writes counts and sums of the
neighbors to a file, `call` searches once. It prints a line for each command when that is complete.
"""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy
from codes import ALL_THREADS, Configuration, Neighbors
from inputs import Cloud

PROGRAMS = {"ArborX": "arborx_neighbors", "Cabana": "cabana_neighbors"}


class Program:
    """A running program that has read its input."""

    def __init__(self, path: Path, cloud: Cloud) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.points, self.answers = Path(self.folder.name, "points"), Path(self.folder.name, "answers")
        numpy.ascontiguousarray(cloud.points, dtype=numpy.float64).tofile(self.points)
        arguments = [path, self.points, str(len(cloud.points)), repr(cloud.radius), self.answers]
        environment = {"GOMP_SPINCOUNT": "10000"} | os.environ  # as shoal sets it for itself
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.line()

    def line(self) -> str:
        printed = self.process.stdout.readline()
        if not printed:
            raise RuntimeError(f"{self.process.args[0]} ended with exit status {self.process.wait()}")
        return printed.strip()

    def command(self, word: str) -> str:
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return self.line()

    def __call__(self) -> "Program":
        self.command("call")
        return self

    def __del__(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def answer(program: Program, cloud: Cloud) -> Neighbors:
    program.command("answer")
    counts, sums = numpy.fromfile(program.answers, dtype=numpy.int64).reshape(2, len(cloud.points))
    return Neighbors(counts, sums)


class ProgramConfiguration(Configuration):
    """A configuration whose version the program prints."""

    def version(self) -> str:
        if not self.package or not Path(self.package).exists():
            return ""
        return subprocess.run([self.package, "--version"], check=True, capture_output=True, text=True).stdout.strip()


def neighbor_codes(folder: Path | None) -> list[Configuration]:
    """Configurations of the programs in a folder; those that are missing are not installed."""
    configurations = []
    for code, name in PROGRAMS.items():
        path = folder / name if folder else Path("")
        configurations.append(
            ProgramConfiguration(
                code, str(path) if folder else "", "full list", ALL_THREADS, lambda cloud, path=path: Program(path, cloud),
                answer,
            )  # fmt: skip
        )
    return configurations
