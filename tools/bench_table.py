#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmark results as Markdown tables: one for each operation and machine, with a column for each method; one of runs.

A benchmark is named <subject>/<method>/<device>/<size>; its counters `items` (per second) and `ceiling_share` come from
benchmarks/support/google.hpp. Files in a folder `runs` are the summaries that `shoal run` writes.
"""

import argparse
import json
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "benchmarks/results"


def read_results(path):
    """Contents of a JSON file of Google Benchmark: (context, {(subject, size): {(device, method): benchmark}})."""
    data = json.loads(path.read_text())
    rows = {}
    for entry in data["benchmarks"]:
        if entry.get("error_occurred") or entry.get("run_type") == "aggregate":
            continue
        parts = [part for part in entry["name"].split("/") if part != "real_time" and not part.startswith("min_time:")]
        subject, method, device, *size = parts
        rows.setdefault((subject, "/".join(size)), {})[device, method] = entry
    return data["context"], rows


def cell(entry):
    """Text such as 2.31e+09 (31 %): items per second, and their share of the ceiling."""
    if entry is None:
        return ""
    text = f"{entry['items']:.3g}" if "items" in entry else f"{entry['real_time']:.4g} {entry['time_unit']}"
    return text + (f" ({100 * entry['ceiling_share']:.2g} %)" if "ceiling_share" in entry else "")


def table(path):
    context, rows = read_results(path)
    columns = list(dict.fromkeys(key for methods in rows.values() for key in methods))
    machine = [f"{key} {context[key]}" for key in ("cuda", "driver", "processor", "compiler", "commit") if key in context]
    lines = [f"### {path.stem}, {path.parent.name}", "", "; ".join([*machine, context["date"][:10]]), ""]
    lines.append("| | size | " + " | ".join(f"{device}: {method}" for device, method in columns) + " |")
    lines.append("|---|---:|" + "---:|" * len(columns))
    for (subject, size), methods in rows.items():
        lines.append(f"| {subject} | {size} | " + " | ".join(cell(methods.get(column)) for column in columns) + " |")
    return "\n".join(lines) + "\n"


def table_of_runs(folder):
    lines = [f"### runs, {folder.parent.name}", ""]
    lines += ["| | particles | steps | evaluations/s | whole run, s |", "|---|---:|---:|---:|---:|"]
    for path in sorted(folder.glob("*.json")):
        run = json.loads(path.read_text())
        lines.append(
            f"| {path.stem} | {run['particles']:,} | {run['steps_of_this_run']:,} "
            f"| {run['evaluations_per_second']:.3g} | {run['seconds']['wall']:.3g} |"
        )
    return "\n".join(lines) + "\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="*", type=Path, default=[RESULTS], help="result files or folders of them")
    files = []
    for path in arguments.parse_args().paths:
        files += sorted(path.rglob("*.json")) if path.is_dir() else [path]
    if not files:
        sys.exit("bench_table: there are no result files; tools/gpu-test writes them.")
    for path in files:
        if path.parent.name != "runs":
            print(table(path))
    for folder in dict.fromkeys(path.parent for path in files if path.parent.name == "runs"):
        print(table_of_runs(folder))


if __name__ == "__main__":
    main()
