# SPDX-License-Identifier: Apache-2.0
"""Color maps with equal steps: 256 colors along a curve in the color space OKLab, at equal distances.

Distances in OKLab (Ottosson 2020) correspond to perceived differences. The lightness of `sequential` only increases, so
that order is visible without color; `diverging` is lightest in the middle and symmetric.
"""

import numpy as np

# OKLab to linear light, from Ottosson's definition.
_TO_LMS = np.array(
    [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
)
_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)

# Lightness, chroma and hue in degrees of the points that the curves pass through.
_SEQUENTIAL = [
    (0.345, 0.13, 287),
    (0.44, 0.13, 264),
    (0.55, 0.105, 230),
    (0.68, 0.105, 190),
    (0.80, 0.135, 150),
    (0.93, 0.155, 108),
]
_BELOW = [(0.36, 0.115, 265), (0.52, 0.125, 255), (0.74, 0.085, 240), (0.95, 0, 240)]
_ABOVE = [(0.95, 0, 50), (0.74, 0.105, 48), (0.52, 0.155, 32), (0.36, 0.115, 22)]

#: Colors of categories: distinguishable with any color vision, and from the gray of walls.
CATEGORY_COLORS = ["#3b6fb6", "#e08a2e", "#2f9e77", "#b5508f", "#c9b53a", "#5bb5d6", "#8c6a4f", "#7a6fc0"]


def to_rgb(lab):
    """sRGB in 0 to 1 of OKLab [n, 3], clipped to the gamut."""
    linear = ((lab @ _TO_LMS.T) ** 3) @ _TO_RGB.T
    linear = linear.clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def _curve(points):
    """Fine polyline in OKLab through points of lightness, chroma and hue; hue takes the shorter way around."""
    points = np.array(points, dtype=float)
    hue = np.unwrap(np.radians(points[:, 2]))
    parameter = np.linspace(0, len(points) - 1, 2000)
    lightness, chroma, hue = (
        np.interp(parameter, np.arange(len(points)), column) for column in (points[:, 0], points[:, 1], hue)
    )
    return np.stack([lightness, chroma * np.cos(hue), chroma * np.sin(hue)], axis=1)


def _equal_steps(curve, count):
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    position = np.linspace(0, length[-1], count)
    return np.stack([np.interp(position, length, curve[:, i]) for i in range(3)], axis=1)


def color_map(scale):
    """Color map of a scale: sRGB [256, 3] in 0 to 1."""
    if scale == "diverging":
        lab = np.concatenate([_equal_steps(_curve(_BELOW), 128), _equal_steps(_curve(_ABOVE), 128)])
    else:
        lab = _equal_steps(_curve(_SEQUENTIAL), 256)
    return to_rgb(lab)


def as_hex(colors):
    return "".join(f"{int(part):02x}" for part in np.rint(255 * np.asarray(colors)).reshape(-1))
