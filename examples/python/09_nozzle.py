# SPDX-License-Identifier: Apache-2.0
"""A nozzle that a program drives: it fills a tank up to a level, and a drain takes what it lets through."""

import matplotlib.pyplot as plt
import numpy

import shoal

SPACING, LEVEL = 0.02, 0.32  # m
case = shoal.sph.Case(
    title="A tank with a nozzle and a drain",
    run={"duration": 1.5},
    particles={"dimensions": 2, "spacing": SPACING},
    body=[{"material": "water", "box": {"from": [0, 0], "to": [0.6, 0.2]}, "pressure": "hydrostatic"}],
    wall=[{"name": "tank", "box": {"from": [0, 0], "to": [0.6, 0.9]}, "open": ["top"]}],
    domain={"from": [-0.2, -0.2], "to": [0.8, 1.1]},
    material={"water": {"density": 1000, "sound_speed": 25}},
    scheme={"gravity": [0, -9.81], "viscosity": {"artificial": 0.05}},
)
SPEED = 2.0  # m/s, of the jet
MOUTH = numpy.arange(5) * SPACING + 0.11  # m, along x
TOP = 0.8  # m

solver = shoal.sph.Solver(case, device="cpu")
last = -1.0  # s, when the nozzle opened its mouth for the last time
history = []


def control(particles):
    """Lets a row of particles out as soon as the last one has gone a spacing, and drains a corner."""
    global last
    clock, position = particles.clock, particles.position
    gauge = (particles.id >= 0) & (particles.wall == 0) & (position[:, 0] > 0.4)  # beside the jet
    level = numpy.quantile(position[gauge, 1], 0.98)
    if level < LEVEL and (clock.time - last) * SPEED >= SPACING:
        row = numpy.column_stack([MOUTH, numpy.full(MOUTH.size, TOP)])
        particles.add(row, numpy.tile([0.0, -SPEED], (MOUTH.size, 1)))
        last = clock.time
    if clock.step % 40 == 0 and clock.time > 1:
        particles.remove_in([0.55, 0], [0.6, 0.03])
    balance = solver.balance()
    history.append((clock.time, balance.mass, balance.added, balance.removed))


solver.on_step(control, every=10)
solver.advance_to(case.duration)

times, masses, added, removed = numpy.array(history).T
print(f"{added[-1]:.1f} kg/m added, {removed[-1]:.1f} kg/m removed, {masses[-1]:.1f} kg/m in the tank")
figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
for values, label in ((masses, "in the tank"), (added, "added"), (removed, "removed")):
    axes.plot(times, values, label=label)
axes.set(xlabel="time, s", ylabel="mass, kg/m")
axes.legend()
figure.savefig("09_nozzle.png", dpi=120)
