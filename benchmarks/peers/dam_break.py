#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PySPH beside shoal on CPU threads: steps of a two-dimensional dam break from the same particles, in one session.

    PYTHONPATH=build/dev/python benchmarks/peers/dam_break.py --build build/dev [--out benchmarks/results/MACHINE/peers]

A column of 1 m by 2 m in a tank of 4 m with three layers of wall particles: the kernel Wendland C2 with h = 1.3 spacings,
artificial viscosity 0.1, Tait's equation of state, one evaluation in a step, double. PySPH has the scheme of its own example. The
codes take turns, --rounds times, and the table has the median time of a step. PySPH's steps grow to the same length within
fifty. The mean velocities of the fluids, divided by that of free fall, must agree, or the file has no times.
PySPH (`python -m pip install --pre pysph`) compiles its equations at the start.
"""

import argparse
import importlib.metadata
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parents[1] / "tools")]
import codes  # noqa: E402  files beside this one
import result_files  # noqa: E402

SOUND_SPEED = 10 * math.sqrt(2 * 9.81 * 2)  # m/s
MOST_DIFFERENCE = 0.02  # of velocities, relative to that of free fall
UNTIMED = 5  # steps at the start of a run


def time_step(spacing):
    return 0.125 * 1.3 * spacing / SOUND_SPEED


class Shoal:
    """Steps of shoal."""

    code, call = "shoal", "step, verlet"

    def __init__(self, spacing):
        import shoal

        self.version, self.spacing = shoal.__version__, spacing
        case = shoal.sph.Case(
            title="Dam break",
            run={"duration": 1.0, "precision": "double"},
            particles={"dimensions": 2, "spacing": spacing, "smoothing": 1.3},
            body=[{"material": "water", "box": {"from": [0, 0], "to": [1, 2]}}],
            wall=[{"name": "tank", "box": {"from": [0, 0], "to": [4, 4]}, "open": ["top"], "layers": 3}],
            material={"water": {"density": 1000, "equation_of_state": "tait", "exponent": 7, "sound_speed": SOUND_SPEED}},
            scheme={
                "integrator": "verlet",
                "time_step": "fixed",
                "dt": time_step(spacing),
                "kernel": "wendland_c2",
                "density_diffusion": "none",
                "viscosity": {"artificial": 0.1},
                "walls": "dynamic",
                "gravity": [0, -9.81],
            },
        )
        self.make = lambda: shoal.sph.Solver(case, "cpu")

    def points(self):
        """Positions of the fluid and of the wall at the start."""
        fields = self.make().fields()
        positions, is_wall = numpy.asarray(fields.position)[:, :2], numpy.asarray(fields.wall) != 0
        return positions[~is_wall], positions[is_wall]

    def run(self, steps):
        """Seconds of a step, the number of particles, and the mean velocity of the fluid over that of free fall."""
        solver = self.make()
        solver.advance_steps(UNTIMED)
        start = time.perf_counter()
        solver.advance_steps(steps)
        seconds = (time.perf_counter() - start) / steps
        fields = solver.fields()
        is_fluid = numpy.asarray(fields.wall) == 0
        velocity = numpy.asarray(fields.velocity)[is_fluid].mean(axis=0)[:2]
        return seconds, len(is_fluid), velocity / (9.81 * solver.clock.time)


class PySph:
    """Steps of PySPH's example."""

    code, call = "PySPH", "step, scheme wcsph, PECIntegrator"

    def __init__(self, spacing, fluid, wall):
        """Takes the positions of the particles from another code."""
        from pysph.base.utils import get_particle_array
        from pysph.examples.dam_break_2d import DamBreak2D

        self.version, self.spacing = importlib.metadata.version("pysph"), spacing
        same = {"m": 1000 * spacing**2, "rho": 1000.0, "h": 1.3 * spacing}

        class Timed(DamBreak2D):
            def create_particles(self):
                sets = [
                    get_particle_array(name=name, x=points[:, 0], y=points[:, 1], **same)
                    for name, points in (("fluid", fluid), ("boundary", wall))
                ]
                self.scheme.setup_properties(sets)
                return sets

            def post_step(self, solver):
                self.ends.append(time.perf_counter())

        self.make = Timed

    def run(self, steps):
        """Seconds of a step, the number of particles, and the mean velocity of the fluid over that of free fall."""
        with tempfile.TemporaryDirectory() as folder:
            app = self.make()
            app.ends = []
            app.run(
                [
                    *("--openmp", "--scheme", "wcsph", "--dx", repr(self.spacing), "--hdx", "1.3"),
                    *("--timestep", repr(time_step(self.spacing)), "--no-adaptive-timestep", "--disable-output"),
                    *("--max-steps", str(UNTIMED + steps), "--directory", folder),
                ]
            )
        fluid, wall = app.particles
        seconds = (app.ends[-1] - app.ends[UNTIMED - 1]) / (len(app.ends) - UNTIMED)
        velocity = numpy.array([fluid.u.mean(), fluid.v.mean()])
        return seconds, len(fluid.x) + len(wall.x), velocity / (9.81 * app.solver.t)


def compare(spacing, steps, rounds):
    """Records of a result file."""
    shoal = Shoal(spacing)
    contestants = [shoal, PySph(spacing, *shoal.points())]
    seconds, particles, velocities = ({contestant.code: [] for contestant in contestants} for _ in range(3))
    for _ in range(rounds):
        for contestant in contestants:
            taken, count, velocity = contestant.run(steps)
            seconds[contestant.code].append(taken)
            particles[contestant.code], velocities[contestant.code] = count, velocity
    difference = float(numpy.abs(velocities["PySPH"] - velocities["shoal"]).max())
    print(f"mean velocities over that of free fall: {velocities['shoal']}, {velocities['PySPH']}")
    for contestant in contestants:
        agrees = difference <= MOST_DIFFERENCE
        yield {
            "operation": "sph",
            "input": "2-D dam break",
            "points": particles[contestant.code],
            "code": contestant.code,
            "version": contestant.version,
            "call": contestant.call,
            "threads": codes.ALL_THREADS,
            "time [ms]": 1e3 * statistics.median(seconds[contestant.code]) if agrees else "",
            "result": "agrees" if agrees else "differs from shoal",
        }


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spacing", type=float, default=0.005, help="m, between particles")
    parser.add_argument("--steps", type=int, default=40, help="measured steps of a run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each code")
    parser.add_argument("--build", type=Path, help="folder of a build with shoal-bench, which has its commit")
    parser.add_argument("--out", type=Path, help="folder for sph/PARTICLES.csv; needs --build")
    parser.add_argument("--allow-dirty", action="store_true", help="write files of changed sources, which say so")
    options = parser.parse_args(words)
    header = result_files.origin_here(options.build / "cli/shoal-bench", ["dam_break.py", *words]) if options.out else {}
    if options.out:
        result_files.require_clean(header, options.allow_dirty)
    records = list(compare(options.spacing, options.steps, options.rounds))
    for record in records:
        print(f"{record['code']:8}{record['points']:>9} particles{record['time [ms]'] or '-':>12} ms  {record['result']}")
    if options.out:
        result_files.write(options.out / f"sph/{records[0]['points']}.csv", header, records, options.allow_dirty)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except result_files.ResultError as problem:
        sys.exit(f"dam_break.py: {problem}")
