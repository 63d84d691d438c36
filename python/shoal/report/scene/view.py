# SPDX-License-Identifier: Apache-2.0
"""View of 3-D scenes: its first direction, and its axes. `OrbitView` of html/assets/view.js computes the same axes."""

import numpy as np

TURN, TILT = -0.6, 0.42
"""First view direction, radians: turn about z, and tilt above the horizon."""


def view_axes(turn, tilt):
    """Matrix of a view: its rows are the unit vectors to the right, upward, and from the eye into the picture."""
    ct, st, cp, sp = np.cos(turn), np.sin(turn), np.cos(tilt), np.sin(tilt)
    return np.array([[ct, st, 0], [-st * sp, ct * sp, cp], [-st * cp, ct * cp, -sp]])
