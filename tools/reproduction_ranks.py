# SPDX-License-Identifier: Apache-2.0
"""Steps of tools/reproduce on several GPUs."""

import dataclasses
import hashlib
import json
import shutil
from pathlib import Path

import measured_sources
import result_files
from reproduction import FileStep, Site, run
from result_files import ROOT, ResultError


def counts_up_to(gpus: int) -> list[int]:
    """Numbers of ranks to measure: powers of two, and all GPUs."""
    return sorted({1 << k for k in range(gpus.bit_length())} | {gpus})


def run_on_ranks(count: int, command: list[object]) -> None:
    """Runs a program on ranks, which MPI must not bind to one core each. Raises ResultError if it fails."""
    run(["mpirun", "--bind-to", "none", "-n", count, *command])


@dataclasses.dataclass(frozen=True)
class ExchangeStep(FileStep):
    """The exchange between all GPUs of the machine, by the number of bytes."""

    program: Path
    device: str = "cuda"
    roughly: float = 10
    name = "exchange"

    def sources(self) -> list[str]:
        return measured_sources.of_operation("ranks")

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        table = scratch / "exchange.csv"
        run_on_ranks(result_files.gpus_of(site.header["machine"]), [self.program, "--output", table])
        return result_files.read(table).records


@dataclasses.dataclass(frozen=True)
class ScalingStep(FileStep):
    """A case on one rank, and on twice as many up to all GPUs of the machine."""

    program: Path
    case: str
    scaling: str  # weak or strong
    particles: int  # of each GPU, or with strong scaling of all
    steps: int
    device: str = "cuda"
    roughly: float = 30

    @property
    def name(self) -> str:
        return f"scaling/{self.case}_{self.scaling}_{self.particles}"

    def sources(self) -> list[str]:
        return measured_sources.of_operation("sph", "ranks")

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        chosen = ["--case", self.case, "--particles", self.particles, "--steps", self.steps, "--warm-up", self.steps]
        if self.scaling == "strong":
            chosen.append("--strong")
        reference = scratch / "1.csv"
        run_on_ranks(1, [self.program, *chosen, "--output", reference])
        records = result_files.read(reference).records
        for ranks in counts_up_to(result_files.gpus_of(site.header["machine"]))[1:]:
            table = scratch / f"{ranks}.csv"
            run_on_ranks(ranks, [self.program, *chosen, "--reference", reference, "--output", table])
            records += result_files.read(table).records
        return records


@dataclasses.dataclass(frozen=True)
class RankOperationsStep(FileStep):
    """An operation other than sph on one rank, and on twice as many up to all GPUs of the machine, with the same bits."""

    program: Path
    operation: str
    items: int  # of all ranks, or with weak scaling of each
    scaling: str = "strong"  # weak or strong
    device: str = "cuda"
    roughly: float = 60

    @property
    def name(self) -> str:
        return f"ranks/{self.operation}_{self.items}" + ("_each" if self.scaling == "weak" else "")

    def sources(self) -> list[str]:
        callers = {"relaxation": "collision", "gas_bgk": "gas", "gas_carleman": "gas"}
        return measured_sources.of_operation(callers.get(self.operation, self.operation), "ranks")

    def on_ranks(self, ranks: int, items: int, scratch: Path) -> list[result_files.Record]:
        table = scratch / f"{ranks}.csv"
        run_on_ranks(ranks, [self.program, "--operation", self.operation, "--items", items, "--output", table])
        return result_files.read(table).records

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        records = []
        for ranks in counts_up_to(result_files.gpus_of(site.header["machine"])):
            weak = self.scaling == "weak"
            records += self.on_ranks(ranks, ranks * self.items if weak else self.items, scratch)
            first = self.on_ranks(1, ranks * self.items, scratch)[0] if weak and ranks > 1 else records[0]
            if records[-1]["checksum"] != first["checksum"]:
                raise ResultError(f"{self.name}: the checksums differ: {[first, records[-1]]}. "
                                  "Results must not depend on ranks.")  # fmt: skip
        one = float(records[0]["items per GPU [1/s]"])
        for record in records:
            record["efficiency"] = float(record["items per GPU [1/s]"]) / one
        return records


@dataclasses.dataclass(frozen=True)
class RankBitsStep(FileStep):
    """Whole runs of a case on one rank, and on twice as many up to all GPUs, which write the same bytes.

    Two runs stop halfway, with the same state, and continue on another number of ranks. They write the same bytes, too.
    """

    shoal: Path
    spacing: float = 0.0043  # m: ten million particles with walls
    duration: float = 0.024  # s: more than 200 steps
    device: str = "cuda"
    roughly: float = 120
    name = "bits_of_ranks"

    def sources(self) -> list[str]:
        return measured_sources.of_runs()

    def run_case(self, ranks: int, folder: Path, duration: float) -> None:
        case = ROOT / "cases/dam_break_3d/case.toml"
        keys = (f"particles.spacing={self.spacing}", f"run.duration={duration}", f"run.output_every={self.duration}")
        chosen = [word for key in keys for word in ("--set", key)]
        command = [self.shoal, "run", case, "--device", self.device, "--out", folder, "--quiet", *chosen]
        run_on_ranks(ranks, command)

    def row_of(self, ranks: str, folder: Path) -> result_files.Record:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        with (folder / "restart.h5").open("rb") as restart:
            digest = hashlib.file_digest(restart, "sha256").hexdigest()
        shutil.rmtree(folder)
        values = {"ranks": ranks, "particles": summary["particles"], "steps": summary["step"]}
        return values | {"SHA-256 of restart.h5": digest}

    def whole(self, ranks: int, folder: Path) -> result_files.Record:
        self.run_case(ranks, folder, self.duration)
        return self.row_of(str(ranks), folder)

    def in_two_parts(self, first: int, then: int, folder: Path) -> result_files.Record:
        self.run_case(first, folder, self.duration / 2)
        words = ["--device", self.device, "--until", self.duration, "--quiet"]
        run_on_ranks(then, [self.shoal, "resume", folder, *words])
        return self.row_of(f"{first}, then {then}", folder)

    def rows(self, site: Site, scratch: Path) -> list[result_files.Record]:
        counts = counts_up_to(result_files.gpus_of(site.header["machine"]))
        one, half, most = counts[0], counts[-2], counts[-1]
        runs = [[self.whole(ranks, scratch / "whole") for ranks in counts],
                [self.in_two_parts(first, then, scratch / "parts") for first, then in ((most, half), (one, most))]]  # fmt: skip
        for same in runs:
            if len({record["SHA-256 of restart.h5"] for record in same}) != 1:
                raise ResultError(f"{self.name}: the runs differ: {same}. Results must not depend on ranks.")
        return sum(runs, [])
