# SPDX-License-Identifier: Apache-2.0
"""The surface of the fluid over time, of runs in 3-D with [isosurface]."""

from dataclasses import dataclass

import numpy as np

from ..reading.states import VtkHdfSurface


@dataclass
class Surface:
    """Triangles of each state; corners are indices of its points, counterclockwise seen from outside."""

    points: list  # of [n, 3] m
    corners: list  # of [triangles, 3]


def read_surface(folder, times):
    """Surface at the times of the states shown, or None if the run has none at one of them."""
    if not folder.has("isosurface.vtkhdf"):
        return None
    file = VtkHdfSurface(folder.folder / "isosurface.vtkhdf")
    if not np.isin(times, file.times).all():
        return None
    states = [file.triangles(state) for state in np.searchsorted(file.times, times)]
    return Surface([points for points, _ in states], [corners for _, corners in states])
