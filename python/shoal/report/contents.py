# SPDX-License-Identifier: Apache-2.0
"""Contents of a report, gathered from the output folder; independent of its layout."""

from dataclasses import dataclass, field

from .curves import charts
from .curves.comparisons import comparisons_of, profile_references
from .curves.profiles import gas_balance, profile_charts
from .scene.cells import Cells, read_cells
from .scene.distribution import read_distribution
from .scene.particles import read_particles
from .units import grouped, shown


@dataclass
class Timing:
    """Wall time by part: {part: s} that add up to `wall`, and threads that ran in parallel."""

    wall: float = 0.0
    parts: dict = field(default_factory=dict)
    parallel: dict = field(default_factory=dict)


@dataclass
class Contents:
    folder: object
    scene: object  # Particles, Cells or None
    figures: list  # (label, text)
    measured: list  # Chart
    verdicts: object  # Verdicts or None
    balance: object  # Balance
    timing: Timing
    machine: list  # (label, text)
    notices: list  # text

    def leave_out_surface(self):
        """Leaves out the surface of the fluid. Returns true if there was one."""
        if getattr(self.scene, "surface", None) is None:
            return False
        self.scene.surface = None
        self.notices.append(
            "To keep this file small, it leaves out the surface of the fluid. Allow more with --megabytes, or choose "
            "fewer states with --states."
        )
        return True

    @property
    def all_charts(self):
        return [*self.measured, *self.balance.charts]


def gather(folder, quantities=None, most_states=400, one_in=1):
    """Contents of a report on a RunFolder; `quantities` names arrays to show, None means all that vary."""
    scene, measured, verdicts, balance = None, [], None, charts.Balance()
    if folder.kind == "sph":
        scene = read_particles(folder, quantities, most_states, one_in)
        comparisons = comparisons_of(folder)
        compared = {name for comparison in comparisons for name in comparison.compared()}
        measured = [chart for comparison in comparisons for chart in comparison.charts()]
        measured += charts.probe_charts(folder, compared)
        verdicts = next(filter(None, (comparison.verdicts() for comparison in comparisons)), None)
        balance = charts.sph_balance(folder)
    elif folder.kind == "wall_distance":
        scene = read_cells(folder, quantities, most_states)
        measured = charts.wall_distance_charts(folder)
    elif folder.kind == "gas":
        measured, balance = profile_charts(folder, profile_references(folder)), gas_balance(folder)
    else:
        scene = read_distribution(folder)
        if folder.has("moments.csv"):
            measured, balance = charts.relaxation_charts(folder), charts.relaxation_balance(folder)
    return Contents(
        folder,
        scene,
        _figures(folder, scene),
        measured,
        verdicts,
        balance,
        _timing(folder.summary),
        _machine(folder.summary),
        _notices(folder, scene),
    )


def _figures(folder, scene):
    """Key figures: size and speed of the run."""
    summary, figures = folder.summary, []

    def add(label, key, text):
        if summary.get(key) is not None:
            figures.append((label, text(summary[key])))

    if summary.get("particles") is not None:
        figures.append(("Particles", grouped(summary["particles"])))
    elif folder.kind == "sph" and scene is not None:
        figures.append(("Particles", grouped(scene.total)))
    add("Points", "points", grouped)
    add("Nodes", "nodes", grouped)
    if "time" in summary:
        figures.append(("Time simulated", shown(summary["time"], "s")))
    add("Steps", "step", grouped)
    add("Steps", "steps", grouped)
    add("Iterations", "iterations", grouped)
    add("Residual", "residual", lambda residual: shown(residual, "", 2))
    add("Updates", "updates", grouped)
    if "wall" in summary.get("seconds", {}):
        figures.append(("Wall time", shown(summary["seconds"]["wall"], "s", 3)))
    add("Evaluations per second", "evaluations_per_second", lambda rate: shown(rate, "", 3))
    add("Queries per second", "queries_per_second", lambda rate: shown(rate, "", 3))
    add("Mass drift", "mass_drift", lambda drift: shown(drift, "", 2))
    return figures


PARTS = {
    "solving": "Solver",
    "updating": "Updates of the distances",
    "collecting": "Collecting output",
    "waiting_for_writer": "Waiting for the writer",
    "writing": "Writing",
}


def _timing(summary):
    """Parts of the wall time in summary.json; if the run measured kernels, they replace the solver."""
    seconds = summary.get("seconds", {})
    timing = Timing(seconds.get("wall", 0.0))
    kernels = seconds.get("kernels", {})
    for key, label in PARTS.items():
        if key not in seconds:
            continue
        if key == "solving" and kernels:
            for kernel, spent in sorted(kernels.items(), key=lambda item: -item[1]):
                timing.parts[f"Solver: {kernel.replace('_', ' ')}"] = spent
        else:
            timing.parts[label] = seconds[key]
    rest = timing.wall - sum(timing.parts.values())
    if timing.parts and rest > 0.005 * timing.wall:
        timing.parts["Start, restart file, the rest"] = rest
    if "writer_thread" in seconds:
        timing.parallel["Writer thread, parallel to the solver"] = seconds["writer_thread"]
    return timing


def _machine(summary):
    rows = [(key, summary[key]) for key in ("device", "method", "approach", "model") if summary.get(key)]
    rows += summary.get("machine", {}).items()
    proper_names = {"shoal": "shoal", "cuda": "CUDA"}
    return [(proper_names.get(key, key.replace("_", " ").capitalize()), str(value)) for key, value in rows]


def _notices(folder, scene):
    notices = []
    if not folder.summary:
        notices.append(
            "The run has not ended or was killed: it has no summary.json. The report shows what it has written so far."
        )
    elif folder.summary.get("interrupted"):
        notices.append("The run was interrupted. The report shows what it had written.")
    if scene is None and folder.kind != "gas":
        notices.append("The run has written no states.")
    notices += [str(warning) for warning in folder.summary.get("warnings", [])]
    if scene is not None and not isinstance(scene, Cells) and scene.one_in > 1:
        notices.append(
            f"To keep this file small, the pictures show 1 in {scene.one_in} of {grouped(scene.total)} particles."
        )
    return notices
