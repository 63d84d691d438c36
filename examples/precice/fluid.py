# SPDX-License-Identifier: Apache-2.0
"""Water that moves a piston, coupled by preCICE to the program of its mass and spring: run spring.py beside it."""

import pathlib
import sys

import shoal

try:
    import precice
except ImportError:
    print("skipped: there is no module precice; install preCICE 3 and pyprecice")
    sys.exit(0)

case = shoal.sph.Case(
    title="A piston that another program moves",
    run={"duration": 1},  # s; preCICE says when the run ends
    particles={"dimensions": 2, "spacing": 0.02},
    body=[{"material": "water", "box": {"from": [0, 0], "to": [1, 0.3]}, "pressure": "hydrostatic"}],
    wall=[
        {"name": "tank", "box": {"from": [-0.6, 0], "to": [1, 0.8]}, "open": ["top"]},
        {"name": "piston", "box": {"from": [-0.06, 0.02], "to": [0, 0.6]}, "solid": True},
    ],
    rigid_body=[{"wall": "piston", "mass": 200}],
    material={"water": {"density": 1000, "sound_speed": 25}},
    scheme={"gravity": [0, -9.81], "walls": "dynamic", "viscosity": {"artificial": 0.05}},
    probe=[
        {"name": "load", "kind": "force", "wall": "piston"},
        {"name": "place", "kind": "body_center", "wall": "piston"},
    ],
)
MESH = "Fluid-Mesh"
solver = shoal.sph.Solver(case, device="cpu")


def measured(probe):
    """Vector that a probe has now."""
    return list(solver.measure()[probe].values())


participant = precice.Participant("Fluid", str(pathlib.Path(__file__).with_name("precice-config.xml")), 0, 1)
vertices = participant.set_mesh_vertices(MESH, [measured("place")])
participant.initialize()
while participant.is_coupling_ongoing():
    if participant.requires_writing_checkpoint():
        raise SystemExit("the coupling is implicit, but the fluid does not go back in time; take an explicit scheme")
    window = participant.get_max_time_step_size()  # s; the solver divides it into its own steps
    velocity = participant.read_data(MESH, "Velocity", vertices, window)[0]
    solver.drive("piston", velocity)
    solver.advance_to(solver.clock.time + window)
    participant.write_data(MESH, "Force", vertices, [measured("load")])
    participant.advance(window)
participant.finalize()
print(f"fluid: the center of the piston is at x = {measured('place')[0]:.9f} m after {solver.clock.time:.6f} s")
