# SPDX-License-Identifier: Apache-2.0
"""A dam break, built in code and advanced step by step; Ctrl-C stops it between two steps."""

import matplotlib.pyplot as plt

import shoal

case = shoal.sph.Case(
    title="Dam break",
    run={"duration": 0.9, "output_every": 0.3},
    particles={"dimensions": 2, "spacing": 0.05},
    body=[{"material": "water", "box": {"from": [0, 0], "to": [2, 1]}, "pressure": "hydrostatic"}],
    wall=[{"name": "tank", "box": {"from": [0, 0], "to": [4, 2]}, "open": ["top"]}],
    material={"water": {"density": 1000, "sound_speed": 45}},
    scheme={"gravity": [0, -9.81], "viscosity": {"artificial": 0.02}},
    probe=[{"name": "front", "kind": "surge_front"}],
)

figure, frames = plt.subplots(2, 2, figsize=(10, 5.2), layout="constrained", sharex=True, sharey=True)
frames = iter(frames.flat)


def draw(solver):
    fields = solver.fields()  # arrays of the solver's own memory
    water, axes = fields.wall == 0, next(frames)
    axes.scatter(*fields.position[~water, :2].T, s=2, color="0.7", linewidths=0)
    dots = axes.scatter(
        *fields.position[water, :2].T, c=fields.pressure[water] / 1000, s=5, linewidths=0, vmin=0, vmax=10
    )
    (front,) = solver.measure()["front"].values()  # m
    axes.set(aspect="equal", title=f"t = {solver.clock.time:.1f} s, front at {front:.2f} m")
    axes.set_ylim(-0.2, 2.2)
    return dots


solver = shoal.sph.Solver(case)
start = solver.balance()
for time in case.output_times():
    solver.advance_to(time)
    dots = draw(solver)
end = solver.balance()
print(f"{solver.device}: {solver.clock.step} steps, mass {end.mass - start.mass:+.1e} kg, kinetic {end.kinetic:.0f} J")

figure.colorbar(dots, ax=figure.axes, label="pressure, kPa", shrink=0.8)
figure.supxlabel("x, m")
figure.supylabel("y, m")
figure.savefig("06_dam_break.png", dpi=120)
