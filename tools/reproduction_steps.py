# SPDX-License-Identifier: Apache-2.0
"""The steps that tools/reproduce can take with a build on a machine."""

import shutil
import subprocess
from collections.abc import Iterator

import kernel_profiles
from reproduction import BenchmarkStep, PaperStep, Site, Step
from reproduction_files import (
    AccuracyStep,
    GrowthStep,
    PeersStep,
    ProfilesStep,
    RunStep,
    TargetsStep,
    ThreadsStep,
    ValidationStep,
)
from reproduction_ranks import ExchangeStep, RankBitsStep, RankOperationsStep, ScalingStep
from result_files import ROOT, gpus_of


def benchmark_steps(site: Site) -> Iterator[Step]:
    """A step for each operation, device and method of the build."""
    for program in sorted((site.build / "benchmarks").glob("shoal_*_benchmark")):
        operation = program.name.removeprefix("shoal_").removesuffix("_benchmark")
        listed = subprocess.run([program, "--benchmark_list_tests"], check=True, capture_output=True, text=True).stdout
        names = dict.fromkeys(tuple(name.split("/")[1:3]) for name in listed.split())
        for method, device in names:
            yield BenchmarkStep(operation, device, method, program)


PAPER_OPTIONS = {  # by operation: on a GPU, and on a CPU, where the sizes of the papers take hours
    "neighbors": (("--most-seconds", "5"), ("--most-seconds", "20", "--largest", "100000")),
    "deposit": (("--most-seconds", "0.5"), ("--most-seconds", "2", "--largest", "1170000")),
    "wall_distance": (("--most-seconds", "1"), ("--most-seconds", "2", "--largest", "1000")),
    "collision": (("--slowest-curve", "10", "--most-seconds", "3"), ("--largest", "16")),
    "sph": (
        ("--core-seconds", "2", "--most-seconds", "2", "--largest", "10000000"),
        ("--largest", "100000", "--most-steps", "100"),
    ),
}


PARTED = ("collision", "sph")  # papers whose tables take long, on a GPU one method at a time


def paper_steps(site: Site, benchmarks: list[Step]) -> Iterator[Step]:
    """A step for each paper, or for each of its methods."""
    device = site.best_device
    for operation, options in PAPER_OPTIONS.items():
        chosen = options[not site.has_gpu]
        methods = [step.method for step in benchmarks if (step.operation, step.device) == (operation, device)]
        if site.has_gpu and operation in PARTED and methods:
            yield from (PaperStep(operation, device, chosen, method) for method in methods)
        else:
            yield PaperStep(operation, device, chosen)


THREADS = {  # by operation: a benchmark that is measured on one thread and more
    "neighbors": "find_float_uniform_shuffled/rows/cpu/500000",
    "deposit": "to_nodes_3_uniform/sorted/cpu/10000000",
    "wall_distance": "columns/bvh/cpu/106000",
    "sph": "dam_break_float/list/cpu/4",
    "collision": "carleman_128_cells_double/fftw/cpu/32",
}


def threads_steps(site: Site) -> Iterator[Step]:
    """A step for each operation of the build that has threads on the CPU."""
    for operation, benchmark in THREADS.items():
        program = site.build / f"benchmarks/shoal_{operation}_benchmark"
        if program.exists():
            yield ThreadsStep(operation, program, benchmark)


def targets_steps(site: Site) -> Iterator[Step]:
    """On a GPU, what the targets ask for beside the benchmarks."""
    program = site.build / "benchmarks/shoal_targets"
    if site.has_gpu and program.exists():
        yield TargetsStep(program, site.best_device)
        if kernel_profiles.ncu():
            yield ProfilesStep()


def growth_steps(site: Site) -> Iterator[Step]:
    """A step for each operation."""
    program = site.build / "benchmarks/shoal_growth"
    if program.exists():
        for operation in ("cells", "neighbors", "deposit", "wall_distance", "collision", "sph"):
            yield GrowthStep(operation, program, site.best_device)


SCALING = (  # case, scaling, particles, steps of a measurement
    ("box", "weak", 5_000_000, 100),
    ("box", "weak", 125_000_000, 10),
    ("box", "strong", 10_000_000, 100),
    ("box", "strong", 100_000_000, 10),
    ("dam_break", "weak", 5_000_000, 100),
    ("dam_break", "weak", 20_000_000, 40),
    ("dam_break", "weak", 100_000_000, 10),
    ("dam_break", "weak", 125_000_000, 10),
    ("dam_break", "weak", 250_000_000, 10),
    ("dam_break", "strong", 10_000_000, 100),
    ("dam_break", "strong", 100_000_000, 10),
)


OPERATIONS_ON_RANKS = (  # operation, particles, points or cells of all ranks, or of each with weak scaling
    ("deposit", 1_000_000_000),
    ("neighbors", 100_000_000),
    ("wall_distance", 1_000_000_000),
    ("relaxation", 1_024),
    ("gas_bgk", 200, "weak"),
    ("gas_carleman", 200, "weak"),
)


def ranks_steps(site: Site) -> Iterator[Step]:
    """Steps on several GPUs: their exchange, and one for each case and operation."""
    names = ("scaling", "exchange", "operations")
    scaling, exchange, operations = (site.build / f"benchmarks/shoal_rank_{name}" for name in names)
    if gpus_of(site.header["machine"]) > 1 and scaling.exists() and shutil.which("mpirun"):
        yield ExchangeStep(exchange)
        yield from (ScalingStep(scaling, *chosen) for chosen in SCALING)
        yield from (RankOperationsStep(operations, *chosen) for chosen in OPERATIONS_ON_RANKS)
        yield RankBitsStep(site.build / "cli/shoal")


def steps(site: Site) -> list[Step]:
    """All steps that this machine and this build can take, short ones first within each kind."""
    device = site.best_device
    list_of_steps: list[Step] = list(benchmark_steps(site))
    if (site.build / "cli/shoal-bench").exists():
        list_of_steps += paper_steps(site, list(list_of_steps))
    list_of_steps += ranks_steps(site)
    list_of_steps += targets_steps(site)
    list_of_steps += growth_steps(site)
    list_of_steps += threads_steps(site)
    if (site.build / "cli/shoal").exists():
        cases = sorted((ROOT / "cases").glob("dam_break/*.toml")) + sorted((ROOT / "cases").glob("pressure_wave/*.toml"))
        cases = [case.relative_to(ROOT) for case in cases if case.name != "validation.toml"]
        list_of_steps += [RunStep(case, device) for case in cases if site.has_gpu or case.stem == "case"]
        validated = sorted(path.parent.name for path in (ROOT / "cases").glob("*/validation.toml"))
        list_of_steps += [ValidationStep(case, device) for case in validated]
    if (site.build / "python/shoal").exists():
        list_of_steps.append(AccuracyStep("collision"))
        sizes = (10_000, 100_000, 1_000_000)
        list_of_steps += [PeersStep(name, size) for name in ("neighbors", "deposit", "wall_distance") for size in sizes]
        few = (100, 1_000)
        list_of_steps += [PeersStep("neighbors", size) for size in few]
        if site.has_gpu:
            list_of_steps += [PeersStep("neighbors", size, "cuda") for size in (*few, *sizes, 10_000_000)]
    return list_of_steps
