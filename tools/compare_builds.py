#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the same benchmarks of two builds in turn, on one machine, and prints the ratio of their times.

  tools/compare_builds.py OLD_BUILD NEW_BUILD [--repeat N] [--filter REGEX] [--operations NAME...] [--json FILE]

A build is a folder of CMake with SHOAL_BENCHMARKS=ON. Both builds run N times, alternately; the table has the median
of each and their ratio. The exit status is 1 if a median of NEW_BUILD is slower than --limit allows.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

OPERATIONS = ["cells", "neighbors", "deposit", "wall_distance", "collision", "sph"]


def run(build, operation, benchmark_filter, min_time):
    """Times of one run in seconds, by name of the benchmark."""
    program = next(pathlib.Path(build).rglob(f"shoal_{operation}_benchmark"))
    command = [str(program), "--benchmark_format=json", f"--benchmark_filter={benchmark_filter}",
               f"--benchmark_min_time={min_time}"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    return {entry["name"]: entry["real_time"] * unit[entry["time_unit"]] for entry in report["benchmarks"]
            if not entry.get("error_occurred")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("builds", nargs=2, metavar="BUILD")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--filter", default=".")
    parser.add_argument("--min-time", default="0.05", help="of Google Benchmark, s")
    parser.add_argument("--operations", nargs="+", default=OPERATIONS)
    parser.add_argument("--limit", type=float, default=1.01, help="largest ratio new / old that is accepted")
    parser.add_argument("--json", metavar="FILE", help="writes all times")
    arguments = parser.parse_args()

    times = ({}, {})
    for operation in arguments.operations:
        for _ in range(arguments.repeat):
            for build, samples in zip(arguments.builds, times):
                for name, seconds in run(build, operation, arguments.filter, arguments.min_time).items():
                    samples.setdefault(f"{operation}: {name}", []).append(seconds)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"old": times[0], "new": times[1]}, indent=1) + "\n")

    slower = 0
    print(f"{'benchmark':72} {'old ms':>10} {'new ms':>10} {'new/old':>8} {'spread':>7}")
    for name in sorted(times[0].keys() & times[1].keys()):
        old, new = (statistics.median(samples[name]) for samples in times)
        spread = max((max(samples[name]) - min(samples[name])) / statistics.median(samples[name]) for samples in times)
        slower += new / old > arguments.limit
        print(f"{name:72} {old * 1e3:10.4f} {new * 1e3:10.4f} {new / old:8.4f} {spread:7.1%}")
    only = sorted(times[0].keys() ^ times[1].keys())
    if only:
        print("in one build only:", ", ".join(only))
    print(f"{slower} of {len(times[0].keys() & times[1].keys())} are slower than {arguments.limit} times the old build")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
