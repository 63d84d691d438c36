#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Peers beside shoal on the CPU or a GPU, in one session on the same arrays: neighbor lists, deposits, distances to walls.

    PYTHONPATH=build/dev/python benchmarks/peers/compare.py --build build/dev [--out benchmarks/results/MACHINE/peers]

--out is the folder of OPERATION/POINTS.csv, each of which is written after each input. Every code first computes its answer, which must agree with that of shoal; only then its times are reported. The codes
take turns, --rounds times, and the table has the median of each. A package that is not installed is reported as such:
SciPy, vesin, matscipy and libigl come from the Python index, ArborX and Cabana from CMakeLists.txt beside this file
(--programs is the folder of what it builds). vesin-torch, nvalchemi-toolkit-ops and torch-cluster need PyTorch. With
--device cuda the points are on a GPU, and so are the lists of the codes that have it.
"""

import argparse
import dataclasses
import faulthandler
import statistics
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parents[1] / "tools")]
import codes  # noqa: E402  files beside this one
import deposit_codes  # noqa: E402
import float_codes  # noqa: E402
import inputs  # noqa: E402
import programs  # noqa: E402
import result_files  # noqa: E402
import torch_codes  # noqa: E402

OPERATIONS = ["neighbors", "deposit", "wall_distance"]
NOT_INSTALLED = "not installed"
DIFFERS = "differs from shoal"
TOO_SLOW = "left out: too slow"
FAILED = "failed"
AGREES = "agrees"


@dataclasses.dataclass
class Contestant:
    """A configuration on one input."""

    configuration: codes.Configuration
    result: str
    pairs: int = 0  # neighbors, nodes, or distances
    call: object = None
    seconds: list[float] = dataclasses.field(default_factory=list)


def prepare(configuration, data, reference, most_seconds):
    """A contestant whose answer was compared with the reference, and that answer."""
    if not configuration.version():
        return Contestant(configuration, NOT_INSTALLED), None
    try:
        call = configuration.ready(data)
        start = time.perf_counter()
        returned = call()
        seconds = time.perf_counter() - start
        answer = configuration.answer(returned, data)
    except (ImportError, OSError) as problem:  # of a package that is there and cannot be loaded
        return without_answer(configuration, NOT_INSTALLED, problem)
    except (RuntimeError, ValueError, MemoryError) as problem:
        if reference is None:
            raise
        return without_answer(configuration, FAILED, problem)
    result = AGREES if seconds <= most_seconds else TOO_SLOW
    if reference is not None and not answer.agrees(reference):
        result = DIFFERS
    return Contestant(configuration, result, answer.size, call), answer


def without_answer(configuration, result, problem):
    print(f"{configuration.code}: {problem}", file=sys.stderr)
    return Contestant(configuration, result), None


def compare(configurations, data, rounds, most_seconds):
    """Contestants with their times; the first configuration is the reference of all. They take turns."""
    contestants, reference = [], None
    for configuration in configurations:
        if not configuration.takes(data):
            continue
        contestant, answer = prepare(configuration, data, reference, most_seconds)
        reference = answer if reference is None else reference
        contestants.append(contestant)
    for _ in range(rounds):
        for contestant in contestants:
            if contestant.result == AGREES:
                start = time.perf_counter()
                contestant.call()
                contestant.seconds.append(time.perf_counter() - start)
    return contestants


def rows(operation, size, contestants, data):
    """Records of a result file."""
    for contestant in contestants:
        milliseconds = 1e3 * statistics.median(contestant.seconds) if contestant.seconds else ""
        yield {
            "operation": operation,
            "input": data.name,
            "points": len(data.points),
            "faces": size,
            "code": contestant.configuration.code,
            "version": contestant.configuration.version(),
            "call": contestant.configuration.call,
            "threads": contestant.configuration.threads,
            "answers": contestant.pairs or "",
            "time [ms]": milliseconds,
            "result": contestant.result,
        }


def show(record):
    print(
        f"{record['operation']:14}{record['input']:26}{record['points']:>9}  {record['code']:15}{record['call']:40}"
        f"{record['threads']:>4}{record['time [ms]'] and format(record['time [ms]'], '12.4g') or '-':>12}"
        f"  {record['result']}",
        flush=True,
    )


def neighbor_codes(options):
    """Configurations on the chosen device."""
    if options.device == "cuda":
        return torch_codes.neighbor_codes("cuda")
    return [
        *codes.NEIGHBOR_CODES,
        *float_codes.NEIGHBOR_CODES,
        *torch_codes.neighbor_codes("cpu"),
        *programs.neighbor_codes(options.programs),
    ]


def subjects(n, options):
    """Operation, number of faces, configurations and input of each comparison of n points."""
    made, names = [], options.inputs
    if "neighbors" in options.operations:
        made += [("neighbors", "", neighbor_codes(options), cloud) for cloud in inputs.clouds(n, names)]
        made.append(("neighbors", "", neighbor_codes(options), inputs.crystal(n)))
    if "deposit" in options.operations:
        made += [("deposit", "", deposit_codes.DEPOSIT_CODES, given) for given in inputs.particles(n)]
    if "wall_distance" in options.operations:
        made += [
            ("wall_distance", len(walls.triangles), codes.WALL_CODES + float_codes.WALL_CODES, walls)
            for walls in inputs.walls(n, options.around)
        ]
    return [subject for subject in made if not names or subject[3].name in names]


def measure(n, options, keep):
    """Calls keep() with the records of each comparison of n points."""
    for operation, faces, configurations, data in subjects(n, options):
        chosen = [one for one in configurations if one.code == "shoal" or not options.codes or one.code in options.codes]
        contestants = compare(chosen, data, options.rounds, options.most_seconds)
        records = list(rows(operation, faces, contestants, data))
        for record in records:
            show(record)
        keep(operation, records)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="numbers of points")
    parser.add_argument("--around", type=int, default=400, help="faces along the equator of the sphere; all: around²")
    parser.add_argument("--operations", nargs="+", default=OPERATIONS, choices=OPERATIONS)
    parser.add_argument("--inputs", nargs="+", help='names as "uniform, shuffled"; the others are left out')
    parser.add_argument("--codes", nargs="+", help="names of codes beside shoal; the others are left out")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"], help="cuda: neighbors alone")
    parser.add_argument("--rounds", type=int, default=5, help="measured calls of each code")
    parser.add_argument("--most-seconds", type=float, default=30, help="slower codes are left out")
    parser.add_argument("--build", type=Path, help="folder of a build with shoal-bench, which has its commit")
    parser.add_argument("--programs", type=Path, help="folder of the programs of CMakeLists.txt")
    parser.add_argument("--out", type=Path, help="folder for OPERATION/POINTS.csv; needs --build")
    parser.add_argument("--allow-dirty", action="store_true", help="write files of changed sources, which say so")
    options = parser.parse_args(words)
    if options.out and not options.build:
        parser.error("--out needs --build, whose shoal-bench has the commit")
    if options.device == "cuda":
        options.operations = ["neighbors"]
    return options


def main(words):
    options = parse(words)
    command = ["compare.py", *words]
    header = result_files.origin_here(options.build / "cli/shoal-bench", command) if options.out else {}
    if options.out:
        result_files.require_clean(header, options.allow_dirty)
    suffix = "" if options.device == "cpu" else f"_{options.device}"
    results = set()
    for n in options.sizes:
        records = {operation: [] for operation in options.operations}

        def keep(operation, compared, n=n, records=records):
            """Adds records to those of an operation, whose file is then complete up to them."""
            results.update(record["result"] for record in compared)
            records[operation] += compared
            if options.out:
                path = options.out / f"{operation}{suffix}/{n}.csv"
                result_files.write(path, header, records[operation], options.allow_dirty)

        measure(n, options, keep)
    return 1 if DIFFERS in results else 0


if __name__ == "__main__":
    faulthandler.enable()  # names the code in which the process ends
    try:
        sys.exit(main(sys.argv[1:]))
    except result_files.ResultError as problem:
        sys.exit(f"compare.py: {problem}")
