#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reader of the result files in benchmarks/results/, and a check of their format.

    tools/result_files.py [PATH...]     reports what is wrong with result files; exit status 1 if anything is

docs/benchmarks.md describes the format: a header that names the origin of the numbers, in the comments of a .csv or
.txt file or in the context of a .json file of Google Benchmark, and below it rows with names and units.
"""

import argparse
import csv
import dataclasses
import datetime
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
FIELDS = ("schema", "machine", "driver", "compiler", "commit", "date", "command")
NOT_RECORDED = "not recorded"  # a value that the program of an older file did not write
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}

Record = dict[str, object]


class ResultError(Exception):
    """What is wrong with a result file."""


@dataclasses.dataclass(frozen=True)
class ResultFile:
    path: Path
    header: dict[str, str]  # by the names in FIELDS
    records: list[Record]  # values of a row by the name of their column; none for a report in .txt

    def origin(self) -> str:
        """Machine, commit and date, for the line above a table."""
        return f"{self.header['machine']}; commit {self.header['commit']}, {self.header['date'][:10]}"


def gpus_of(machine: str) -> int:
    """Number of GPUs of a machine, which stand before its processor."""
    return len(machine.split("; ")) - 1


def utc(date: str) -> str:
    """A date of ISO 8601 in UTC, with seconds; a date without time stays one."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        return date
    moment = datetime.datetime.fromisoformat(date)
    if moment.tzinfo is None:
        raise ValueError(f"{date} has no time zone")
    return moment.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def split_comments(text: str) -> tuple[dict[str, str], list[str]]:
    """The fields of the comments at the head of a file, and the lines after them."""
    lines = text.splitlines()
    count = next((k for k, line in enumerate(lines) if not line.startswith("#")), len(lines))
    header = {}
    for line in lines[:count]:
        name, separator, value = line.removeprefix("#").partition(":")
        if not separator:
            raise ResultError(f"{line!r} is no line \"# name: value\"")
        header[name.strip()] = value.strip()
    return header, lines[count:]


def csv_records(lines: list[str]) -> list[Record]:
    rows = list(csv.reader(lines))
    if len(rows) < 2:
        raise ResultError("there are no rows below the names of the columns")
    names = rows[0]
    for name in names:
        if not name or names.count(name) > 1:
            raise ResultError(f"column {name!r}: expected names that differ")
        if name.startswith("time") and not re.search(r"\[[^\]]+\]$", name):
            raise ResultError(f"column {name!r}: expected a unit, such as {name + ' [ms]'!r}")
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(names):
            raise ResultError(f"row {number} has {len(row)} values, expected {len(names)}")
    return [dict(zip(names, row)) for row in rows[1:]]


def google_benchmark_records(entries: list[dict]) -> list[Record]:
    """What, method, device, n, `time [ms]`, `time [us]` and counters of each benchmark that ran."""
    records = []
    for entry in entries:
        if entry.get("error_occurred") or entry.get("run_type") == "aggregate":
            continue
        parts = [part for part in entry["name"].split("/") if not re.match("real_time$|min_time:", part)]
        what, method, device, size = [*parts, "", "", ""][:4]
        time = entry["real_time"] * MILLISECONDS[entry["time_unit"]]
        record = {"what": what, "method": method, "device": device, "n": size}
        record |= {"time [ms]": time, "time [us]": 1e3 * time}
        if "ceiling_share" in entry:
            record["share of the ceiling [%]"] = 100 * entry["ceiling_share"]
        records.append(record | {key: entry[key] for key in entry if key not in record and key != "name"})
    if not records:
        raise ResultError("there are no benchmarks that ran")
    return records


def checked(header: dict[str, str]) -> dict[str, str]:
    """The fields of a header with its date in UTC, if every one of them has a value."""
    for field in FIELDS:
        value = header.get(field, "")
        if not value:
            raise ResultError(f"the header has no {field}")
        if value in (NOT_RECORDED, "unknown") and field in ("machine", "commit", "date"):
            raise ResultError(f"{field} is {value!r}; without it nobody can repeat the numbers")
    if header["schema"] != "1":
        raise ResultError(f"schema {header['schema']}, expected 1")
    if not re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?", header["commit"]):
        raise ResultError(f"commit {header['commit']!r}, expected 7 to 40 hexadecimal digits")
    try:
        return {field: header[field] for field in FIELDS} | {"date": utc(header["date"])}
    except ValueError as error:
        raise ResultError(f"date: {error}; expected UTC, such as 2026-01-31T23:59:00Z") from error


def read(path: Path) -> ResultFile:
    """The header and the records of a result file. Raises ResultError."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".json":
            content = json.loads(text)
            header = {name: str(value) for name, value in content["context"].items()}
            if "host_name" in header:
                raise ResultError("the context has a host_name; remove it")
            return ResultFile(path, checked(header), google_benchmark_records(content["benchmarks"]))
        header, lines = split_comments(text)
        return ResultFile(path, checked(header), [] if path.suffix == ".txt" else csv_records(lines))
    except ResultError as error:
        raise ResultError(f"{path}: {error}") from error
    except (KeyError, OSError, TypeError, ValueError) as error:
        raise ResultError(f"{path}: no result file: {error!r}") from error


def refuse_dirty(file: ResultFile) -> ResultFile:
    """The file, if its numbers come from a commit. Raises ResultError."""
    if file.header["commit"].endswith("-dirty"):
        raise ResultError(f"{file.path}: of changed sources, commit {file.header['commit']}; measure a commit")
    return file


def without_threads(machine: str) -> str:
    """A machine without the number of its CPU threads: the same GPU and processor come with different shares of a host."""
    return re.sub(r", \d+ threads?$", "", machine)


def read_all(path: Path, *, several_commits: bool = False) -> ResultFile:
    """A result file, or those of a folder as one, which must be of one kind of machine and of one commit.

    With `several_commits` each record has its `commit`. The header names all commits, and each machine if they differ in
    the number of their threads. Raises ResultError.
    """
    paths = sorted(path.glob("*.csv")) if path.is_dir() else [path]
    files = [refuse_dirty(read(each)) for each in paths]
    if not files:
        raise ResultError(f"{path}: no result files in this folder")
    first = files[0].header
    for file in files[1:]:
        for field, kind in (("machine", without_threads), ("commit", str)):
            if field == "commit" and several_commits:
                continue
            if kind(file.header[field]) != kind(first[field]):
                raise ResultError(f"{file.path}: {field} {file.header[field]}, {files[0].path} {first[field]}")
    joined = {field: " and ".join(sorted({file.header[field] for file in files})) for field in ("machine", "commit")}
    records = [record for file in files for record in file.records]
    if several_commits:
        records = [{**record, "commit": file.header["commit"][:7]} for file in files for record in file.records]
    return ResultFile(path, {**first, **joined}, records)


def origin_here(shoal_bench: Path, command: list[str]) -> dict[str, str]:
    """The header of a file that a command on this machine writes, as the build of `shoal_bench` gives it."""
    printed = subprocess.run([shoal_bench, "--origin"], check=True, capture_output=True, text=True).stdout
    header = dict(line.split(": ", 1) for line in printed.splitlines())
    return header | {"command": shlex.join([Path(command[0]).name, *command[1:]])}


def require_clean(header: dict[str, str], allow_dirty: bool) -> None:
    """Refuses a result file for sources that differ from their commit. Raises ResultError."""
    if header["commit"].endswith("-dirty") and not allow_dirty:
        raise ResultError(f"the sources differ from their commit, {header['commit']}: commit, build, and measure again")


def write(path: Path, header: dict[str, str], records: list[Record], allow_dirty: bool = False) -> None:
    """Writes a .csv result file, whose columns are the names of the first record. Raises ResultError."""
    require_clean(header, allow_dirty)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    with unfinished.open("w", encoding="utf-8", newline="") as file:
        file.writelines(f"# {field}: {header[field]}\n" for field in [*FIELDS, *sorted(set(header) - set(FIELDS))])
        table = csv.DictWriter(file, list(records[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(records)
    unfinished.replace(path)


def problems(paths: list[Path]) -> list[str]:
    """What is wrong with files, or with all files of folders. Plots (.svg) are drawn from tables and not read."""
    wrong = []
    for path in paths:
        files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.suffix not in (".csv", ".json", ".txt", ".svg"):
                wrong.append(f"{file}: expected .csv, .json, .txt or .svg")
            elif file.suffix != ".svg":
                try:
                    refuse_dirty(read(file))
                except ResultError as error:
                    wrong.append(str(error))
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[RESULTS], metavar="PATH", help="files or folders")
    lines = problems(parser.parse_args().paths)
    print("\n".join(lines))
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
