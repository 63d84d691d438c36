# SPDX-License-Identifier: Apache-2.0
"""Flows of rarefied gas along x or in a plane: the Boltzmann equation or one of its models, in time or to a steady state.

>>> molecules = shoal.gas.molecules_of_knudsen("hard_sphere", "hard_sphere", knudsen=0.1)
>>> walls = {"left": shoal.gas.GasBoundary(temperature=0.9), "right": shoal.gas.GasBoundary(temperature=1.1)}
>>> grid = shoal.VelocityGrid(nodes=24, half_width=5.5)
>>> flow = shoal.gas.Gas(grid, shoal.gas.uniform_faces(0, 1, 50), molecules, **walls, model="shakhov")
>>> flow.start(numpy.ones(50), numpy.ones(50))
>>> flow.advance_to_steady(residual=1e-5)
>>> flow.moments().heat_flux
"""

from ._core import (
    Gas,
    GasBoundary,
    GasClock,
    GasFlux,
    SteadyResult,
    behind_shock,
    mean_free_path,
    molecules_of_knudsen,
    stretched_faces,
    uniform_faces,
    viscosity,
)
from ._results import GasMoments

__all__ = [
    "Gas",
    "GasBoundary",
    "GasClock",
    "GasFlux",
    "GasMoments",
    "SteadyResult",
    "behind_shock",
    "mean_free_path",
    "molecules_of_knudsen",
    "stretched_faces",
    "uniform_faces",
    "viscosity",
]
