# SPDX-License-Identifier: Apache-2.0
"""A dam break that ranks share; rank 0 collects the parts of all and draws them.

    mpirun -n 4 python 07_dam_break_on_ranks.py
"""

import matplotlib.pyplot as plt
import numpy
from mpi4py import MPI

import shoal

ranks = shoal.mpi.of(MPI.COMM_WORLD)
case = shoal.sph.Case(
    title="Dam break",
    run={"duration": 0.6},
    particles={"dimensions": 2, "spacing": 0.05},
    body=[{"material": "water", "box": {"from": [0, 0], "to": [2, 1]}, "pressure": "hydrostatic"}],
    wall=[{"name": "tank", "box": {"from": [0, 0], "to": [4, 2]}, "open": ["top"]}],
    material={"water": {"density": 1000, "sound_speed": 45}},
    scheme={"gravity": [0, -9.81], "viscosity": {"artificial": 0.02}},
)

queue = shoal.mpi.queue(ranks)  # a GPU, or a share of the cores, for each rank
solver = shoal.sph.Solver(case, queue, ranks=ranks)
solver.advance_to(case.duration)

balance = solver.balance()  # of the whole run, the same on all ranks
part = solver.fields()  # the rows of this rank, in the order of ids
print(f"{ranks.name}, {queue.name}: rows {part.first} to {part.first + len(part.id) - 1} of {part.total}")

parts = MPI.COMM_WORLD.gather((part.wall, part.position, part.pressure))
if ranks.rank == 0:
    wall, position, pressure = (numpy.concatenate(arrays) for arrays in zip(*parts))
    rank = numpy.repeat(numpy.arange(ranks.size), [len(arrays[0]) for arrays in parts])
    water = wall == 0
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(8, 7.5), layout="constrained", sharex=True, sharey=True)
    frames = [(upper, pressure / 1000, "pressure, kPa"), (lower, rank, "rank that reports the particle")]
    for axes, values, label in frames:
        axes.scatter(*position[~water, :2].T, s=2, color="0.7", linewidths=0)
        dots = axes.scatter(*position[water, :2].T, c=values[water], s=8, linewidths=0, vmin=0)
        axes.set(aspect="equal", ylabel="y, m")
        figure.colorbar(dots, ax=axes, label=label)
    upper.set_title(f"t = {balance.clock.time:.1f} s, kinetic energy {balance.kinetic:.0f} J")
    lower.set_xlabel("x, m")
    figure.savefig("07_dam_break_on_ranks.png", dpi=120)
