# SPDX-License-Identifier: Apache-2.0
"""A quantity to color by: its values, its scale and its color limits."""

from dataclasses import dataclass, field

import numpy as np

from ..units import label_of, round_up


@dataclass
class Quantity:
    """Values to color by; NaN for missing items. `scale` is linear, diverging, log or categories."""

    name: str
    label: str
    unit: str
    values: np.ndarray  # [states, items]
    scale: str
    limits: tuple  # color limits, the same for all states
    categories: list = field(default_factory=list)


def color_limits(values, scale):
    """Color limits that contain nearly all values and ignore a few extreme ones."""
    finite = values[np.isfinite(values)]
    if scale == "log":
        finite = finite[finite > 0]
    if not len(finite):
        return (1.0, 10.0) if scale == "log" else (0.0, 1.0)
    if scale == "log":
        low, high = np.percentile(finite, [25, 99.8])  # cells at walls are too small to be visible
        low, high = np.floor(np.log10(low)), np.ceil(np.log10(high) - 1e-9)
        return 10.0**low, 10.0 ** max(high, low + 1)
    low, high = (float(limit) for limit in np.percentile(finite, [1, 99]))
    if scale == "diverging":
        most = round_up(max(-low, high, 1e-300))
        return -most, most
    if high - low < 1e-12 * max(abs(low), abs(high)):
        low, high = float(finite.min()), float(finite.max())
    if high == low:
        return low, low + (abs(low) or 1.0)
    if low > 0.2 * high or high < 0.2 * low:  # far from zero, such as a density: round the range, not its ends
        step = round_up((high - low) / 4)
        return step * np.floor(low / step), step * np.ceil(high / step)
    return (round_up(low) if low < -0.1 * high else 0.0), round_up(high)


def scale_of(name, values):
    if name == "wall_distance":
        return "log"
    finite = values[np.isfinite(values)]
    if len(finite):
        low, high = np.percentile(finite, [1, 99])
        if low < 0 < high and min(-low, high) > 0.4 * max(-low, high):
            return "diverging"
    return "linear"


def quantity_of(name, values, shown=slice(None)):
    """Quantity whose limits are determined by the items `shown`, which exclude walls."""
    label, unit = label_of(name)
    scale = scale_of(name, values[:, shown])
    return Quantity(name, label, unit, values, scale, color_limits(values[:, shown], scale))


def categories_of(name, values, categories):
    """Quantity whose values are numbers of categories."""
    label, unit = label_of(name)
    return Quantity(name, label, unit, values.astype(np.float32), "categories", (0, len(categories) - 1), categories)
