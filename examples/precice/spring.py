# SPDX-License-Identifier: Apache-2.0
"""The mass and spring of a piston, coupled by preCICE to the water that fluid.py computes: run both side by side."""

import pathlib
import sys

try:
    import precice
except ImportError:
    print("skipped: there is no module precice; install preCICE 3 and pyprecice")
    sys.exit(0)

MASS, STIFFNESS = 200, 4000  # kg/m, N/m per meter of depth
REST = -0.03  # m, center of the piston without load
MESH = "Spring-Mesh"
place, speed = REST, 0.0  # m, m/s

participant = precice.Participant("Spring", str(pathlib.Path(__file__).with_name("precice-config.xml")), 0, 1)
vertices = participant.set_mesh_vertices(MESH, [[REST, 0.31]])
participant.initialize()
while participant.is_coupling_ongoing():
    window = participant.get_max_time_step_size()
    force = participant.read_data(MESH, "Force", vertices, window)[0][0]
    speed += (force - STIFFNESS * (place - REST)) / MASS * window
    place += speed * window
    participant.write_data(MESH, "Velocity", vertices, [[speed, 0]])
    participant.advance(window)
participant.finalize()
print(f"spring: the center of the piston is at x = {place:.9f} m")
