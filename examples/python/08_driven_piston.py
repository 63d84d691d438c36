# SPDX-License-Identifier: Apache-2.0
"""A piston on a spring, moved from Python by the force of the water on it."""

import matplotlib.pyplot as plt

import shoal

case = shoal.sph.Case(
    title="A piston on a spring",
    run={"duration": 0.6},
    particles={"dimensions": 2, "spacing": 0.02},
    body=[{"material": "water", "box": {"from": [0, 0], "to": [1, 0.3]}, "pressure": "hydrostatic"}],
    wall=[
        {"name": "tank", "box": {"from": [-0.6, 0], "to": [1, 0.8]}, "open": ["top"]},
        {"name": "piston", "box": {"from": [-0.06, 0.02], "to": [0, 0.6]}, "solid": True},
    ],
    rigid_body=[{"wall": "piston", "mass": 200, "locked_shifts": ["y"], "locked_turns": ["z"]}],
    material={"water": {"density": 1000, "sound_speed": 25}},
    scheme={"gravity": [0, -9.81], "walls": "dynamic", "viscosity": {"artificial": 0.05}},
    probe=[
        {"name": "load", "kind": "force", "wall": "piston"},
        {"name": "place", "kind": "body_center", "wall": "piston"},
    ],
)
MASS, STIFFNESS = 200, 4000  # kg/m, N/m per meter of depth

solver = shoal.sph.Solver(case, device="cpu")
history = []
speed = 0.0  # m/s


def move_piston(particles):
    """Integrates the speed of the piston, and drives it."""
    global speed
    now = solver.measure()
    force, place = now["load"]["force_x [N/m]"], now["place"]["body_center_x [m]"]
    speed += (force - STIFFNESS * (place + 0.03)) / MASS * particles.clock.next_dt
    solver.drive("piston", [speed, 0])
    history.append((particles.clock.time, place, force))


solver.on_step(move_piston)
solver.advance_to(case.duration)

times, places, forces = zip(*history, strict=True)
print(f"{len(times)} steps, the piston moved by {min(places) - places[0]:.3f} m")
figure, (upper, lower) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
upper.plot(times, places)
upper.set_ylabel("place, m")
lower.plot(times, forces)
lower.set(xlabel="time, s", ylabel="force, N/m")
figure.savefig("08_driven_piston.png", dpi=120)
