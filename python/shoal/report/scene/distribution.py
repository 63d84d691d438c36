# SPDX-License-Identifier: Apache-2.0
"""The distribution of the molecules at the end of a relaxation, in its middle plane."""

import numpy as np

from ..errors import ReportError
from ..units import round_up
from .cells import Cells
from .quantities import Quantity, color_limits, scale_of


def read_distribution(folder):
    """f at the end of a relaxation as Cells, in the plane of nodes just above the middle along z."""
    if not folder.has("distribution.npy"):
        return None
    path = folder.folder / "distribution.npy"
    try:
        f = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ReportError(f"{path}: truncated, damaged or not written by shoal: {error}.") from error
    n, grid = f.shape[0], folder.case["grid"]
    if f.shape != (n, n, n):
        raise ReportError(f"{path}: shape {f.shape}, expected that of a cube of nodes.")
    step = 2 * grid["half_width"] / n
    low = np.array(grid.get("center", [0, 0, 0])) - grid["half_width"]
    line = np.arange(n + 1) * step
    points = np.stack(np.meshgrid(low[0] + line, low[1] + line), axis=-1).reshape(-1, 2)
    first = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).reshape(-1, 1)
    corners = (first + np.array([0, 1, n + 2, n + 1])).reshape(-1)
    values = np.array(f[n // 2], dtype=np.float32).reshape(1, -1)
    scale = scale_of("f", values)
    limits = (0.0, round_up(float(values.max()))) if scale == "linear" else color_limits(values, scale)
    label = f"Distribution f at v_z = {low[2] + (n // 2 + 0.5) * step:.3g} m/s"
    quantity = Quantity("distribution", label, "s³/m⁶", values, scale, limits)
    time = folder.summary.get("time", folder.case["run"]["duration"])
    starts = np.arange(0, 4 * n * n + 1, 4)
    box = ([float(x) for x in points[0]], [float(x) for x in points[-1]])
    return Cells(
        np.array([float(time)]), points, corners, starts, None, [quantity], box, (("v_x", "m/s"), ("v_y", "m/s"))
    )
