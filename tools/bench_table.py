#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Benchmark results as Markdown tables: one an operation and machine, methods side by side, and one of whole runs.

A benchmark is named <what>/<method>/<device>/<size>; its counters `items` (a second) and `ceiling_share` come from
benchmarks/support/measure.hpp. Files in a folder `runs` are the summaries that `shoal run` leaves.
"""

import argparse
import json
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "benchmarks/results"


def read_results(path):
    """(context, {(what, size): {(device, method): benchmark}}) of one JSON file of Google Benchmark."""
    data = json.loads(path.read_text())
    rows = {}
    for entry in data["benchmarks"]:
        if entry.get("error_occurred") or entry.get("run_type") == "aggregate":
            continue
        parts = [part for part in entry["name"].split("/") if part != "real_time" and not part.startswith("min_time:")]
        what, method, device, *size = parts
        rows.setdefault((what, "/".join(size)), {})[device, method] = entry
    return data["context"], rows


def cell(entry):
    """2.31e+09 (31 %): items a second, and their share of the ceiling."""
    if entry is None:
        return ""
    text = f"{entry['items']:.3g}" if "items" in entry else f"{entry['real_time']:.4g} {entry['time_unit']}"
    return text + (f" ({100 * entry['ceiling_share']:.2g} %)" if "ceiling_share" in entry else "")


def table(path):
    context, rows = read_results(path)
    columns = list(dict.fromkeys(key for methods in rows.values() for key in methods))
    about = [f"{key} {context[key]}" for key in ("cuda", "driver", "processor", "compiler", "commit") if key in context]
    lines = [f"### {path.stem}, {path.parent.name}", "", "; ".join([*about, context["date"][:10]]), ""]
    lines.append("| | size | " + " | ".join(f"{device}: {method}" for device, method in columns) + " |")
    lines.append("|---|---:|" + "---:|" * len(columns))
    for (what, size), methods in rows.items():
        lines.append(f"| {what} | {size} | " + " | ".join(cell(methods.get(column)) for column in columns) + " |")
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
        sys.exit("bench_table: no results; tools/gpu-test writes some.")
    for path in files:
        if path.parent.name != "runs":
            print(table(path))
    for folder in dict.fromkeys(path.parent for path in files if path.parent.name == "runs"):
        print(table_of_runs(folder))


if __name__ == "__main__":
    main()
