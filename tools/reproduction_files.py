# SPDX-License-Identifier: Apache-2.0
"""Steps of tools/reproduce with a file of rows of their own: runs, checks, growth, threads, peers and accuracy."""

import dataclasses
import json
import os
import shutil
from pathlib import Path

import measured_sources
import result_files
from reproduction import BENCHMARK_OPTIONS, FileStep, Site, run
from result_files import ROOT, ResultError


@dataclasses.dataclass(frozen=True)
class RunStep(FileStep):
    """A whole run of a case, from its case file to the last output file."""

    case: Path
    device: str
    roughly: float = 60

    @property
    def name(self) -> str:
        return f"runs/{self.case.parent.name}_{self.case.stem}"

    def sources(self) -> list[str]:
        return measured_sources.of_runs()

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        out = scratch / "out"
        run([site.build / "cli/shoal", "run", self.case, "--device", self.device, "--out", out, "--quiet"])
        summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
        row = {
            "case": f"{self.case.parent.name}_{self.case.stem}",
            "device": self.device,
            "particles": summary["particles"],
            "steps": summary["steps_of_this_run"],
            "evaluations/s": summary["evaluations_per_second"],
            "time in the solver [s]": summary["seconds"]["solving"],
            "time of the whole run [s]": summary["seconds"]["wall"],
        }
        return [row]


@dataclasses.dataclass(frozen=True)
class ValidationStep(FileStep):
    """The checks of a case against its references."""

    case: str
    device: str
    roughly: float = 120

    @property
    def name(self) -> str:
        return f"validation/{self.case}"

    def sources(self) -> list[str]:
        return measured_sources.of_runs()

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "checks.csv"
        try:
            run([site.build / "cli/shoal", "validate", self.case, "--device", self.device, "--out", scratch, "--quiet"])
        except ResultError:
            if not table.is_file():  # a failed check is a result, too
                raise
        return result_files.csv_records(table.read_text(encoding="utf-8").splitlines())


@dataclasses.dataclass(frozen=True)
class GrowthStep(FileStep):
    """Time and memory of an operation against the size of the problem, with plots."""

    operation: str
    program: Path
    device: str
    roughly: float = 60

    @property
    def name(self) -> str:
        return f"growth/{self.operation}_{self.device}"

    def sources(self) -> list[str]:
        return measured_sources.of_operation(self.operation, "growth")

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "growth.csv"
        run([self.program, "--device", self.device, "--operations", self.operation, "--output", table, "--plots",
             scratch, *site.dirty_option()])  # fmt: skip
        return result_files.read(table).records

    def store(self, site: Site, rows: list[result_files.Record], seconds: float) -> None:
        super().store(site, rows, seconds)
        for plot in site.existing_scratch(self.name).glob("*.svg"):
            kind = plot.stem.removeprefix(f"{self.operation}_")
            shutil.copy(plot, self.file(site).with_name(f"{self.operation}_{self.device}_{kind}.svg"))


@dataclasses.dataclass(frozen=True)
class TargetsStep(FileStep):
    """Work with a target of its own that the benchmarks of the operations leave out."""

    program: Path
    device: str
    name: str = "targets"
    roughly: float = 20

    def sources(self) -> list[str]:
        return measured_sources.of_operation("neighbors", "deposit", "collision", "targets")

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "targets.csv"
        run([self.program, "--device", self.device, "--output", table, *site.dirty_option()])
        return result_files.read(table).records


@dataclasses.dataclass(frozen=True)
class ProfilesStep(FileStep):
    """What binds the kernels of work with a target."""

    device: str = "cuda"
    name: str = "profiles"
    roughly: float = 150

    def sources(self) -> list[str]:
        return measured_sources.of_operation("neighbors", "deposit", "collision", "gas", "sph", "wall_distance", "targets")

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "profiles.csv"
        run([ROOT / "tools/kernel_profiles.py", "--build", site.build, "--out", table, *site.dirty_option()])
        return result_files.read(table).records


@dataclasses.dataclass(frozen=True)
class PeersStep(FileStep):
    """Other codes beside shoal on so many points; on "cuda" neighbors alone."""

    operation: str
    points: int
    device: str = "cpu"
    roughly: float = 200

    @property
    def name(self) -> str:
        return f"peers/{self.subject}/{self.points}"

    @property
    def subject(self) -> str:
        """Name of the folder that compare.py writes."""
        return self.operation if self.device == "cpu" else f"{self.operation}_{self.device}"

    def sources(self) -> list[str]:
        return [*measured_sources.of_operation(self.operation, "peers"), "python"]

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        options = ["--operations", self.operation, "--device", self.device, "--sizes", self.points, "--rounds", 3, "--most-seconds", 10]
        run([site.python, ROOT / "benchmarks/peers/compare.py", *options, "--build", site.build, "--out", scratch,
             *site.dirty_option()], env=site.environment())  # fmt: skip
        return result_files.read(scratch / f"{self.subject}/{self.points}.csv").records


@dataclasses.dataclass(frozen=True)
class ThreadsStep(FileStep):
    """A benchmark on one thread of the CPU, and on twice as many up to sixteen."""

    operation: str
    program: Path
    benchmark: str
    device: str = "cpu"
    roughly: float = 40

    @property
    def name(self) -> str:
        return f"threads/{self.operation}"

    def sources(self) -> list[str]:
        return measured_sources.of_operation(self.operation)

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        records = []
        threads = 1
        while threads <= min(16, len(os.sched_getaffinity(0))):
            out = scratch / f"{threads}.json"
            chosen = f"--benchmark_filter=^{self.benchmark}(/|$)"
            environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
            run([self.program, chosen, f"--benchmark_out={out}", *BENCHMARK_OPTIONS, *site.dirty_option()], env=environment)
            entries = json.loads(out.read_text(encoding="utf-8"))["benchmarks"]
            (measured,) = result_files.google_benchmark_records(entries)
            time = measured["time [ms]"]
            efficiency = records[0]["time [ms]"] / (time * threads) if records else 1
            records.append({"operation": self.operation, "benchmark": self.benchmark, "threads": threads,
                            "time [ms]": time, "efficiency": efficiency})  # fmt: skip
            threads *= 2
        return records


@dataclasses.dataclass(frozen=True)
class AccuracyStep(FileStep):
    """Errors against exact solutions, which depend on no speed."""

    operation: str
    device: str = "cpu"
    roughly: float = 60

    @property
    def name(self) -> str:
        return f"accuracy/{self.operation}"

    def sources(self) -> list[str]:
        return [*measured_sources.of_operation(self.operation), "python"]

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "accuracy.csv"
        run([site.python, ROOT / f"benchmarks/python/{self.operation}_accuracy.py", table], env=site.environment())
        return result_files.csv_records(table.read_text(encoding="utf-8").splitlines())
