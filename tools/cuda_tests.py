#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the CUDA tests of a build in many processes, on all GPUs of this machine.

    tools/cuda_tests.py --build build/gpu                     every test, on all cores
    tools/cuda_tests.py --build build/gpu --tool memcheck     the same under compute-sanitizer; or racecheck
    tools/cuda_tests.py --build build/gpu --suites sph io     tests of these executables

Results go to benchmarks/results/<machine>/tests/<tool>.csv: for each suite the numbers of tests that passed, were
skipped, failed, and had not ended when the time was over (--for). Exit status 1 if a test failed.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import reproduction  # noqa: E402  files beside this one
import result_files  # noqa: E402

FILTER = "*cuda*:*Cuda*:*CUDA*"
STATES = {"OK": "passed", "SKIPPED": "skipped", "FAILED": "failed"}
ERRORS = re.compile(r"ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard")
FILLS_MEMORY = re.compile(r"Memory|NotFit|IsFree|WhatIsOnTheDevice")  # others find no room beside these
BATCHES_PER_JOB = 6  # of a suite: few starts of a process, and short waits for the last one


@dataclasses.dataclass
class Batch:
    suite: str
    executable: Path
    tests: list[str]


@dataclasses.dataclass
class Outcome:
    """What became of the tests of a batch."""

    batch: Batch
    states: dict[str, str]  # by test
    seconds: dict[str, float]  # by test
    report: str  # what was printed, if anything is wrong


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--tool", choices=["none", "memcheck", "racecheck"], default="none")
    parser.add_argument("--suites", nargs="+", default=[], help="default: all")
    parser.add_argument("--filter", default=FILTER, help="tests, as --gtest_filter names them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--for", dest="limit", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--results", type=Path, default=result_files.RESULTS, help="folder of the machines' folders")
    parser.add_argument("--allow-dirty", action="store_true", help="write results of changed sources")
    return parser.parse_args()


def suite_of(executable):
    return executable.name.removeprefix("shoal_").removesuffix("_tests")


def executables(build, suites):
    """Test programs of one process. Those of ranks run under mpirun."""
    paths = [path for path in sorted(build.rglob("shoal_*_tests")) if path.is_file() and os.access(path, os.X_OK)]
    paths = [path for path in paths if not path.name.startswith("shoal_ranks_")]
    return [path for path in paths if not suites or suite_of(path) in suites]


def tests_of(executable, pattern):
    listed = subprocess.run([executable, "--gtest_list_tests", f"--gtest_filter={pattern}"], check=True,
                            capture_output=True, text=True).stdout  # fmt: skip
    names, group = [], ""
    for line in listed.splitlines():
        line = line.split("#")[0].rstrip()
        if line.endswith("."):
            group = line
        elif line.startswith("  "):
            names.append(group + line.strip())
    return names


def batches_of(tests_by_path, jobs, fills_memory):
    """Tests that fill the memory of a device or the others. Those of a batch are far apart in their suite, where neighbors
    take about as long. All suites progress alike, so that a run whose time is over has tests of each."""
    placed = []
    for path, names in tests_by_path.items():
        tests = [name for name in names if bool(FILLS_MEMORY.search(name)) == fills_memory]
        count = max(1, min(len(tests), BATCHES_PER_JOB * jobs))
        placed += [(k / count, Batch(suite_of(path), path, tests[k::count])) for k in range(count) if tests]
    return [batch for _, batch in sorted(placed, key=lambda pair: pair[0])]


def wrapper_of(tool):
    """The command before that of a test."""
    if tool == "none":
        return []
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    # Tests provoke errors of the API, such as a lack of memory. Only memcheck reports them.
    options = ["--report-api-errors", "no"] if tool == "memcheck" else []
    return [sanitizer, "--tool", tool, *options, "--error-exitcode", "1"]


def command_of(batch, tool):
    return [*wrapper_of(tool), batch.executable, f"--gtest_filter={':'.join(batch.tests)}"]


def run(batch, gpu, options, end):
    """Runs a batch until it ends, or until the time is over."""
    environment = os.environ | {"CUDA_VISIBLE_DEVICES": str(gpu), "OMP_NUM_THREADS": "2"}
    left = end - time.monotonic()
    if left <= 0:
        return Outcome(batch, {}, {}, "")
    process = subprocess.Popen(command_of(batch, options.tool), env=environment, text=True, errors="replace",
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
    try:
        printed = process.communicate(timeout=None if left == float("inf") else left)[0]
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the test, too, where the process is a sanitizer
        printed, status = process.communicate()[0], None
    states, seconds = {}, {}
    for state, name, milliseconds in re.findall(r"^\[ *(OK|SKIPPED|FAILED) *\] ([^\s,]+).* \((\d+) ms\)$", printed, re.M):
        states[name], seconds[name] = STATES[state], int(milliseconds) / 1e3
    errors = sum(int(a or b) for a, b in ERRORS.findall(printed))
    if status is not None and (status != 0 or errors) and "failed" not in states.values():
        states |= {name: "failed" for name in batch.tests}  # the sanitizer does not say which test it was
    return Outcome(batch, states, seconds, printed if "failed" in states.values() else "")


def outcomes(batches, options, gpus, jobs, end):
    """Runs all batches. Each process has one GPU, and as many share it as there are jobs for a GPU."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run, batch, gpus[k % len(gpus)], options, end) for k, batch in enumerate(batches)]
        return [future.result() for future in futures]


def rows_of(done):
    """A row for each suite."""
    rows = {}
    for outcome in done:
        suite = outcome.batch.suite
        row = rows.setdefault(suite, {"suite": suite, "tests": 0, "passed": 0, "skipped": 0, "failed": 0, "not ended": 0})
        row["tests"] += len(outcome.batch.tests)
        counts = collections.Counter(outcome.states.get(name, "not ended") for name in outcome.batch.tests)
        for state, count in counts.items():
            row[state] += count
    return list(rows.values())


def print_table(rows):
    for cells in [list(rows[0]), *[list(row.values()) for row in rows]]:
        print("".join(f"{cell!s:>14}" for cell in cells))


def print_details(done):
    slowest = sorted(((seconds, name) for outcome in done for name, seconds in outcome.seconds.items()), reverse=True)
    print("slowest:", ", ".join(f"{name} {seconds:.1f} s" for seconds, name in slowest[:8]))
    for outcome in done:
        for name in outcome.batch.tests:
            state = outcome.states.get(name, "not ended")
            if state in ("failed", "not ended"):
                print(f"{state}: {outcome.batch.suite} {name}")
        if outcome.report:
            print(outcome.report[-4000:])


def main():
    options = parse()
    header = result_files.origin_here(options.build.resolve() / "cli/shoal-bench", sys.argv)
    result_files.require_clean(header, options.allow_dirty)
    count = result_files.gpus_of(header["machine"])
    if count < 1:
        sys.exit("cuda_tests: this machine has no GPU")
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    gpus = visible.split(",") if visible else list(range(count))
    begin = time.monotonic()
    tests_by_path = {path: tests_of(path, options.filter) for path in executables(options.build, options.suites)}
    if not any(tests_by_path.values()):
        sys.exit(f"cuda_tests: {options.build} has no tests that --suites and --filter name")
    done = []
    for fills_memory, jobs in ((False, options.jobs), (True, 1)):
        batches = batches_of(tests_by_path, jobs, fills_memory)
        done += outcomes(batches, options, gpus, jobs, begin + options.limit)
    rows = rows_of(done)
    print_details(done)
    print_table(rows)
    print(f"{time.monotonic() - begin:.0f} s in {options.jobs} processes on {count} GPUs")
    machine = options.results / reproduction.machine_folder(header["machine"])
    result_files.write(machine / "tests" / f"{options.tool}.csv", header, rows, options.allow_dirty)
    sys.exit(1 if any(row["failed"] for row in rows) else 0)


if __name__ == "__main__":
    main()
