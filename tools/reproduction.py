# SPDX-License-Identifier: Apache-2.0
"""Steps of tools/reproduce: what each measures, where it writes, and how long it took.

A step is done if its result file is of the commit of the build. The file also keeps how many seconds the step took, so
that nothing but the result files is needed to resume.
"""

import contextlib
import dataclasses
import datetime
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import measured_sources
import result_files
from result_files import ROOT, ResultError

CONTEXT_OF_NO_USE = ("host_name", "executable", "load_avg", "mhz_per_cpu", "cpu_scaling_enabled")
BENCHMARK_OPTIONS = ["--benchmark_out_format=json", "--benchmark_min_time=0.1"]  # s


@dataclasses.dataclass(frozen=True)
class Site:
    """The build, the machine and the folders of a reproduction."""

    build: Path
    results: Path  # of this machine
    header: dict[str, str]  # of the build, without the command
    python: str  # interpreter of the build's Python package
    allow_dirty: bool

    @property
    def has_gpu(self) -> bool:
        return self.header["driver"] != "none"

    @property
    def best_device(self) -> str:
        return "cuda" if self.has_gpu else "cpu"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other reproductions of this build from writing, such as one on each GPU, since several steps share a file."""
        with (self.build / "reproduce.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def dirty_option(self) -> list[str]:
        return ["--allow-dirty"] if self.allow_dirty else []

    def environment(self) -> dict[str, str]:
        """The environment of programs that import the build's Python package, before what PYTHONPATH names."""
        folders = [str(self.build / "python"), *filter(None, [os.environ.get("PYTHONPATH")])]
        return os.environ | {"PYTHONPATH": os.pathsep.join(folders)}

    def existing_scratch(self, name: str) -> Path:
        """The folder for the output of a step, below the build."""
        return self.build / "reproduce" / name

    def scratch(self, name: str) -> Path:
        """The same folder, made anew."""
        folder = self.existing_scratch(name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def header_of(self, step: str, seconds: float) -> dict[str, str]:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        command = f"tools/reproduce --only {step}"
        return self.header | {"date": now, "command": command, "duration": f"{seconds:.1f} s"}


def machine_folder(machine: str) -> str:
    """Folder of a machine: nvidia-h200 with a GPU, intel-xeon-2-threads without."""
    parts = machine.split("; ")
    name = parts[0].lower() if len(parts) > 1 else re.sub(r"\((r|tm)\)|@.*ghz|\b(processor|cpu)\b", " ", parts[0].lower())
    return re.sub(r"[^a-z0-9]+", "-", name).strip("-")


def run(command: list[object], **options) -> None:
    """Runs a command in the root of the repository. Raises ResultError if it fails."""
    words = [str(word) for word in command]
    finished = subprocess.run(words, cwd=ROOT, check=False, **options)
    if finished.returncode != 0:
        raise ResultError(f"exit status {finished.returncode}: {shlex.join(words)}")


def seconds_of(text: str) -> float | None:
    match = re.fullmatch(r"([\d.]+) s", text)
    return float(match.group(1)) if match else None


def header_of_file(path: Path) -> dict[str, str]:
    """The header of a file of comments, with its duration; empty if there is no such file."""
    if not path.is_file():
        return {}
    return result_files.split_comments(path.read_text(encoding="utf-8"))[0]


def parts_of(header: dict[str, str]) -> dict[str, float]:
    """Seconds of the parts of a file, by the name of their step."""
    pairs = (part.split(" ") for part in header.get("parts", "").split("; ") if part)
    return {name: float(seconds) for name, seconds, _ in pairs}


class Step:
    """A measurement with result files of its own."""

    name: str
    device: str
    roughly: float  # s, where nothing is known

    def record(self, site: Site) -> tuple[str, float | None]:
        """Commit and seconds of the results that there are; an empty commit if there are none."""
        raise NotImplementedError

    def take(self, site: Site) -> object:
        """Measures. Returns what store() writes. Raises ResultError."""
        raise NotImplementedError

    def store(self, site: Site, results: object, seconds: float) -> None:
        """Writes the results of take(), which took so long. Raises ResultError."""
        raise NotImplementedError

    def measure(self, site: Site) -> None:
        """Measures and writes the results. Raises ResultError."""
        begin = time.monotonic()
        results = self.take(site)
        seconds = time.monotonic() - begin
        with site.locked():
            self.store(site, results, seconds)

    def sources(self) -> list[str]:
        """Pathspecs of what is measured."""
        raise NotImplementedError

    def place(self, site: Site) -> Path:
        """The file or folder with the results; several steps can be parts of one."""
        raise NotImplementedError

    def is_done(self, site: Site) -> bool:
        return self.record(site)[0] == site.header["commit"]

    def is_of_same_sources(self, site: Site) -> bool:
        """Returns true if there are results, of this commit or of one with the same sources."""
        commit = self.record(site)[0]
        return self.is_done(site) or measured_sources.are_same(ROOT, commit, site.header["commit"], self.sources())

    def seconds(self, site: Site) -> float:
        """Time of the last run, or a rough estimate."""
        seconds = self.record(site)[1]
        return self.roughly if seconds is None else seconds


@dataclasses.dataclass(frozen=True)
class BenchmarkStep(Step):
    """Benchmarks of one method on one device, a part of <operation>.json."""

    operation: str
    device: str
    method: str
    program: Path
    roughly: float = 30

    @property
    def name(self) -> str:
        return f"benchmark/{self.operation}/{self.device}/{self.method}"

    def file(self, site: Site) -> Path:
        return site.results / f"{self.operation}.json"

    def sources(self) -> list[str]:
        return measured_sources.of_operation(self.operation)

    def place(self, site: Site) -> Path:
        return self.file(site)

    def content(self, site: Site) -> dict:
        file = self.file(site)
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}

    def record(self, site: Site) -> tuple[str, float | None]:
        context = self.content(site).get("context", {})
        seconds = context.get("parts", {}).get(self.name)
        return (context.get("commit", "") if seconds is not None else ""), seconds

    def is_part(self, entry: dict) -> bool:
        return entry["name"].split("/")[1:3] == [self.method, self.device]

    def take(self, site: Site) -> dict:
        out = site.scratch(self.name) / "part.json"
        chosen = f"--benchmark_filter=^[^/]+/{self.method}/{self.device}(/|$)"
        run([self.program, chosen, f"--benchmark_out={out}", *BENCHMARK_OPTIONS, *site.dirty_option()])
        part = json.loads(out.read_text(encoding="utf-8"))
        if part["context"]["commit"] != site.header["commit"]:
            raise ResultError(f"{self.program} is of commit {part['context']['commit']}, shoal-bench of "
                              f"{site.header['commit']}; build both")  # fmt: skip
        return part

    def store(self, site: Site, part: dict, seconds: float) -> None:
        merged = self.content(site)
        if merged.get("context", {}).get("commit") != site.header["commit"]:
            merged = {"context": {"parts": {}}, "benchmarks": []}
        context = {key: value for key, value in part["context"].items() if key not in CONTEXT_OF_NO_USE}
        parts = merged["context"]["parts"] | {self.name: round(seconds, 1)}
        command = f"tools/reproduce --only benchmark/{self.operation}"
        merged["context"] = context | site.header | {"date": context["date"], "command": command, "parts": parts}
        kept = [entry for entry in merged["benchmarks"] if not self.is_part(entry)]
        merged["benchmarks"] = kept + part["benchmarks"]
        file = self.file(site)
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_suffix(".part")
        unfinished.write_text(json.dumps(merged, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(file)


@dataclasses.dataclass(frozen=True)
class PaperStep(Step):
    """The tables of a paper: all files that shoal-bench writes, or the rows of one method in each of them."""

    operation: str
    device: str
    options: tuple[str, ...]
    method: str = ""  # empty: all at once
    roughly: float = 400

    @property
    def name(self) -> str:
        return f"paper/{self.operation}" + (f"/{self.method}" if self.method else "")

    def folder(self, site: Site) -> Path:
        return site.results / "paper" / self.operation

    def sources(self) -> list[str]:
        more = ["sph"] if self.operation == "neighbors" else []  # its searches stand beside steps of a dam break
        return measured_sources.of_operation(self.operation, *more)

    def place(self, site: Site) -> Path:
        return self.folder(site)

    def parts(self, site: Site) -> dict[str, float]:
        """Seconds of the parts that are done for the commit of the first file."""
        files = sorted(self.folder(site).glob("*.csv"))
        return parts_of(header_of_file(files[0])) if files else {}

    def record(self, site: Site) -> tuple[str, float | None]:
        commits = {header_of_file(path).get("commit", "") for path in self.folder(site).glob("*.csv")}
        seconds = self.parts(site).get(self.name)
        return (commits.pop() if len(commits) == 1 and seconds is not None else ""), seconds

    def command(self) -> list[str]:
        methods = ["--methods", self.method] if self.method else []
        return [self.operation, "--paper", "--device", self.device, *self.options, *methods]

    def take(self, site: Site) -> Path:
        out = site.scratch(self.name)
        run([site.build / "cli/shoal-bench", *self.command(), "--out", out, *site.dirty_option()])
        return out

    def store(self, site: Site, out: Path, seconds: float) -> None:
        header = site.header_of(self.name, seconds)
        header["command"] = f"shoal-bench {shlex.join(self.command())}"
        parts = {self.name: seconds_of(header.pop("duration"))}
        commits = {header_of_file(path).get("commit") for path in self.folder(site).glob("*.csv")}
        if self.method and commits == {header["commit"]}:
            parts = self.parts(site) | parts
            header["command"] = f"tools/reproduce --only paper/{self.operation}"
        else:
            shutil.rmtree(self.folder(site), ignore_errors=True)
        header["parts"] = "; ".join(f"{name} {seconds} s" for name, seconds in parts.items())
        self.merge(out, header, site)

    def merge(self, out: Path, header: dict[str, str], site: Site) -> None:
        """Replaces the rows of this part in the files, and the header of all files."""
        folder = self.folder(site)
        for path in sorted({path.name for path in [*out.glob("*.csv"), *folder.glob("*.csv")]}):
            old = result_files.read(folder / path).records if (folder / path).exists() else []
            new = result_files.read(out / path).records if (out / path).exists() else []
            kept = [record for record in old if record.get("part") != self.method]
            tagged = [{"part": self.method} | record for record in new] if self.method else new
            result_files.write(folder / path, header, kept + tagged, site.allow_dirty)
        if not self.method:  # the plots of a part show this part alone
            for plot in out.glob("*.svg"):
                shutil.copy(plot, folder)


class FileStep(Step):
    """A step with one file of rows."""

    def file(self, site: Site) -> Path:
        return site.results / f"{self.name}.csv"

    def place(self, site: Site) -> Path:
        return self.file(site)

    def record(self, site: Site) -> tuple[str, float | None]:
        header = header_of_file(self.file(site))
        seconds = seconds_of(header.get("duration", ""))
        return (header.get("commit", "") if seconds is not None else ""), seconds

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        """Measures. Returns the records of the file."""
        raise NotImplementedError

    def take(self, site: Site) -> list[result_files.Record]:
        return self.rows(site, site.scratch(self.name))

    def store(self, site: Site, rows: list[result_files.Record], seconds: float) -> None:
        result_files.write(self.file(site), site.header_of(self.name, seconds), rows, site.allow_dirty)
