#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What binds the kernels of work with a target: figures of Nsight Compute (ncu), the longest launch of each kernel.

    tools/kernel_profiles.py --build build/reproduce [--only deposit] [--out benchmarks/results/MACHINE/profiles.csv]

Kernels are replayed for the figures at the clock that the device has. A share is that of the largest rate of a unit.
"""

import argparse
import csv
import dataclasses
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import result_files  # noqa: E402  a file beside this one

SECTIONS = (
    "SpeedOfLight",
    "ComputeWorkloadAnalysis",
    "MemoryWorkloadAnalysis",
    "WarpStateStats",
    "Occupancy",
    "LaunchStats",
)
MORE = ("smsp__inst_executed.sum", "smsp__thread_inst_executed_per_inst_executed.ratio", "dram__bytes.sum")
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+)_per_issue_active\.ratio")
PIPE = re.compile(r"sm__inst_executed_pipe_(\w+?)\.(?:avg|sum)\.pct_of_peak_sustained_active")
SCALES = {"second": 1e3, "msecond": 1, "usecond": 1e-3, "nsecond": 1e-6, "s": 1e3, "ms": 1, "us": 1e-3, "ns": 1e-6,
          "byte": 1e-9, "Kbyte": 1e-6, "Mbyte": 1e-3, "Gbyte": 1}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Profile:
    """Work whose kernels are profiled."""

    work: str
    program: str  # within the build
    options: tuple[str, ...]
    kernels: str  # regular expression of their names
    launches: int


def benchmark(operation: str, name: str) -> tuple[str, tuple[str, ...]]:
    return (f"benchmarks/shoal_{operation}_benchmark",
            (f"--benchmark_filter=^{name}(/|$)", "--benchmark_min_time=0.001"))  # fmt: skip


def target(name: str) -> tuple[str, tuple[str, ...]]:
    return "benchmarks/shoal_targets", ("--seconds", "0.001", "--only", name)


def case(name: str, *settings: str) -> tuple[str, tuple[str, ...]]:
    chosen = tuple(word for setting in settings for word in ("--set", setting))
    return "cli/shoal", ("run", f"cases/{name}", "--device", "cuda", "--quiet", "--force", "--out", "/tmp/profiled_run",
                         *chosen)  # fmt: skip


SORT = "find_each|Onesweep|find_starts|order_each"
SEARCH = "mask_neighbors|write_rows|write_medium_rows|write_long_rows"
SUMS = "sum_cells|sum_nodes|write_nodes"
SPHERES = "transfers|losses|pairs"
STEP = "advance_stage|find_neighbors|set_wall_pressures"
WALLS = "search_candidates|evaluate_candidates|search_crowded"
TRANSPORT = "advance_line|advance_plane"
IN_3D = ("particles.spacing=0.01", "run.duration=0.001")
PROFILES = (
    Profile("neighbors: update, uniform", *benchmark("neighbors", "update_float_uniform_shuffled/rows/cuda/10000000"), SEARCH, 4),
    Profile("neighbors: update, cluster", *benchmark("neighbors", "update_float_clump/rows/cuda/10000000"), SEARCH, 4),
    Profile("neighbors: in the order of visits", *target("order of visits, 10000000"), SEARCH, 4),
    Profile("deposit: 3 values", *target("3 values in the order of cells, 11700000"), SUMS, 3),
    Profile("deposit: 1 value", *target("1 value in the order of cells, 11700000"), SUMS, 3),
    Profile("deposit: sparse", *target("3 values of sparse particles, 10000000"), SUMS, 2),
    Profile("deposit: bin in double", *target("bin, 11700000, double"), SORT, 5),
    Profile("deposit: bin in float", *target("bin, 11700000, float"), SORT, 5),
    Profile("collision: conservative, box", *benchmark("collision", "conservative_double/spheres/cuda/64"), SPHERES, 6),
    Profile("collision: conservative, ball", *target("in a ball, 64, double"), SPHERES, 6),
    Profile("gas: line, double", *benchmark("gas", "transport_double/none/cuda/4000"), TRANSPORT, 4),
    Profile("gas: line, float", *benchmark("gas", "transport_float/none/cuda/4000"), TRANSPORT, 4),
    Profile("gas: plane, double", *benchmark("gas", "plane_double/none/cuda/64"), TRANSPORT, 4),
    Profile("gas: plane, float", *benchmark("gas", "plane_float/none/cuda/64"), TRANSPORT, 4),
    Profile("sph: 2-D", *benchmark("sph", "dam_break_float/rows/cuda/28"), STEP, 6),
    Profile("sph: 3-D", *case("dam_break_3d/case.toml", *IN_3D), STEP, 5),
    Profile("sph: 3-D, fourtakas", *case("dam_break_3d/case.toml", *IN_3D, "scheme.density_diffusion=fourtakas"), STEP, 5),
    Profile("wall_distance: near walls", *benchmark("wall_distance", "columns/bvh/cuda/106000"), WALLS, 4),
    Profile("wall_distance: far", *benchmark("wall_distance", "far/bvh/cuda/330000"), WALLS, 4),
)  # fmt: skip


def ncu() -> str | None:
    """The program of Nsight Compute; None if there is none."""
    found = shutil.which("ncu")
    others = sorted(Path("/opt/nvidia/nsight-compute").glob("*/ncu"))
    return found or (str(others[-1]) if others else None)


def number(text: str) -> float:
    return float(text.replace(",", ""))


def figures_of(names: list[str], units: list[str], values: list[str]) -> dict[str, str]:
    """Figures of a launch by name, times in ms and bytes in GB."""
    figures = {}
    for name, unit, value in zip(names, units, values, strict=True):
        scale = SCALES.get(unit) if name.endswith(".sum") else None
        figures[name] = str(number(value) * scale) if scale and value else value
    return figures


def largest(figures: dict[str, str], pattern: re.Pattern) -> tuple[str, float]:
    """Name and value of the largest figure whose name matches."""
    matches = [
        (match[1], number(value)) for name, value in figures.items() if (match := pattern.fullmatch(name)) and value
    ]
    return max(matches, key=lambda match: match[1], default=("", 0.0))


def percent(figures: dict[str, str], *names: str) -> float | str:
    """The first of these figures that there is."""
    return next((number(figures[name]) for name in names if figures.get(name)), "")


def record_of(work: str, figures: dict[str, str]) -> result_files.Record:
    peak, active = ".avg.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active"
    pipe, pipe_share = largest(figures, PIPE)
    stalls = {name: value for name, value in figures.items() if "not_selected" not in name and "selected" not in name}
    stall, warps = largest(stalls, STALL)
    named = figures["Kernel Name"].replace("<unnamed>::", "").replace("(anonymous namespace)::", "")
    kernel = re.sub(r"<.*|\(.*|void ", "", named).split("::")[-1]
    return {
        "work": work,
        "kernel": kernel,
        "time [ms]": percent(figures, "gpu__time_duration.sum"),
        "issue [%]": percent(figures, f"sm__issue_active{peak}", f"sm__inst_issued{peak}"),
        "busiest pipe": pipe,
        "pipe [%]": pipe_share,
        "L1 [%]": percent(figures, f"l1tex__throughput{active}", f"l1tex__throughput{peak}"),
        "L2 [%]": percent(figures, f"lts__throughput{peak}"),
        "DRAM [%]": percent(figures, f"dram__throughput{peak}", f"gpu__dram_throughput{peak}"),
        "DRAM [GB]": percent(figures, "dram__bytes.sum"),
        "lanes": percent(figures, "smsp__thread_inst_executed_per_inst_executed.ratio"),
        "occupancy [%]": percent(figures, f"sm__warps_active{active}"),
        "registers": percent(figures, "launch__registers_per_thread"),
        "instructions": percent(figures, "smsp__inst_executed.sum"),
        "longest stall": stall,
        "warps in it": warps,
    }


def records_of(work: str, printed: str) -> list[result_files.Record]:
    """A record of the longest launch of each kernel, from what ncu prints."""
    lines = [line for line in printed.splitlines() if line.startswith('"')]
    if len(lines) < 3:
        return []
    names, units, *launches = csv.reader(lines)
    records = {}
    for values in launches:
        record = record_of(work, figures_of(names, units, values))
        kept = records.get(record["kernel"])
        if kept is None or record["time [ms]"] > kept["time [ms]"]:
            records[record["kernel"]] = record
    return list(records.values())


def measured(build: Path, profile: Profile) -> list[result_files.Record]:
    sections = [word for section in SECTIONS for word in ("--section", section)]
    command = [ncu(), "--clock-control", "none", "--csv", "--page", "raw", *sections, "--metrics", ",".join(MORE),
               "-k", f"regex:{profile.kernels}", "-c", str(profile.launches), build / profile.program, *profile.options]  # fmt: skip
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ, cwd=result_files.ROOT)
    return records_of(profile.work, printed.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True, help="folder of a build with benchmarks")
    parser.add_argument("--only", default="", help="part of the names of the work that is profiled; default: all")
    parser.add_argument("--out", type=Path, help="result file; default: print the records")
    parser.add_argument("--allow-dirty", action="store_true", help="write a file of changed sources, which says so")
    options = parser.parse_args()
    if ncu() is None:
        sys.exit("kernel_profiles: ncu of Nsight Compute was not found")
    build = options.build.resolve()
    records = []
    for profile in PROFILES:
        if options.only in profile.work:
            records += measured(build, profile)
            print(*records[-1:], sep="\n", flush=True)
    if options.out:
        header = result_files.origin_here(build / "cli/shoal-bench", sys.argv)
        result_files.write(options.out, header, records, options.allow_dirty)


if __name__ == "__main__":
    main()
