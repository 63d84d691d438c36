# SPDX-License-Identifier: Apache-2.0
"""The operations that dominate the run time of fluid-simulation codes, on many-core CPUs and on GPUs.

Arrays of NumPy, CuPy, PyTorch and JAX are used without a copy; results have the same library and device.

>>> import numpy, shoal
>>> points = numpy.random.rand(1000, 3)
>>> offsets, indices, *_ = shoal.neighbors(points, radius=0.1)
"""

from ._openmp import limited_spinning
from ._plugin import cuda_status, load_compiled_part
from ._results import (
    CellList,
    NearestSources,
    NeighborList,
    NeighborPairs,
    PointsWithGhosts,
    WallDistances,
    WallFacesTested,
)

try:
    with limited_spinning():
        load_compiled_part()
    from ._core import (
        BkwSolution,
        Cells,
        Collision,
        CollisionDefects,
        Deposit,
        DepositGrid,
        Error,
        GhostPoints,
        Grid,
        MeshFile,
        MethodInfo,
        Mixture,
        Molecules,
        NearestNeighbors,
        Neighbors,
        NeighborSets,
        NeighborStream,
        OutOfMemory,
        PeriodicNeighbors,
        Relaxation,
        RelaxationState,
        RigidTransform,
        TwoBeams,
        VelocityGrid,
        VelocityMoments,
        WallDistance,
        WallMesh,
        cells,
        circle_case,
        collision,
        deposit,
        deposit_current,
        device_name,
        devices,
        interpolate,
        mesh_gradient,
        methods,
        naca0012_case,
        nearest_neighbors,
        neighbors,
        periodic_neighbors,
        read_mesh,
        six_spheres_case,
        wall_distance,
        write_cgns_field,
        write_openfoam_field,
        write_su2_field,
    )
    from ._core import commit as __commit__
    from ._core import version as __version__
    from . import _core, _display, _results
    from . import cases, gas, mpi, sph  # after the names that they import
    from ._neighbor_list import neighbor_list

    _display.display(_core, _results)
except ModuleNotFoundError as missing:  # in a checkout: shoal.report and shoal.plot need no compiled part
    if missing.name != "shoal._core":
        raise

    def __getattr__(name: str) -> object:
        raise ImportError(f"shoal.{name} needs the compiled part of shoal. Install it with `pip install .`")


__all__ = [
    "BkwSolution",
    "CellList",
    "Cells",
    "Collision",
    "CollisionDefects",
    "Deposit",
    "DepositGrid",
    "Error",
    "GhostPoints",
    "Grid",
    "MeshFile",
    "MethodInfo",
    "Mixture",
    "Molecules",
    "NearestNeighbors",
    "NearestSources",
    "NeighborList",
    "NeighborPairs",
    "NeighborSets",
    "NeighborStream",
    "Neighbors",
    "OutOfMemory",
    "PeriodicNeighbors",
    "PointsWithGhosts",
    "Relaxation",
    "RelaxationState",
    "RigidTransform",
    "TwoBeams",
    "VelocityGrid",
    "VelocityMoments",
    "WallDistance",
    "WallDistances",
    "WallFacesTested",
    "WallMesh",
    "__commit__",
    "__version__",
    "cases",
    "cells",
    "circle_case",
    "collision",
    "cuda_status",
    "deposit",
    "deposit_current",
    "device_name",
    "devices",
    "gas",
    "interpolate",
    "mesh_gradient",
    "methods",
    "mpi",
    "naca0012_case",
    "nearest_neighbors",
    "neighbor_list",
    "neighbors",
    "periodic_neighbors",
    "read_mesh",
    "six_spheres_case",
    "sph",
    "wall_distance",
    "write_cgns_field",
    "write_openfoam_field",
    "write_su2_field",
]
