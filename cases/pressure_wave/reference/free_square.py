#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact pressure in a square of liquid with free sides after an instant Gaussian temperature rise at its center.

Linear acoustics: p = p0 exp(-(r/b)^2) and v = 0 at t = 0, p = 0 on all sides of a square with edge L. The series in
the modes of the square, with m and n odd,

    p(x, y, t) = sum A_mn sin(m pi x/L) sin(n pi y/L) cos(c k t),    k = (pi/L) sqrt(m^2 + n^2),
    A_mn = (4 pi b^2/L^2) p0 exp(-b^2 k^2/4) sin(m pi/2) sin(n pi/2),

holds for b much smaller than L, and contains every reflection. Run as a script, it writes traces.csv beside itself.
"""

from pathlib import Path

import numpy as np

EDGE = 0.1  # m, L
RADIUS = 0.004  # m, b: where the temperature rise is 1/e of that at the center
SOUND_SPEED = 1490.0  # m/s, of mercury
MODES = 200  # of each direction; the last one kept is exp(-157) of the first


def pressure(x, y, times, edge=EDGE, radius=RADIUS, sound_speed=SOUND_SPEED):
    """p/p0 at one place, measured from the center of the square, for an array of times in s."""
    m = np.arange(1, MODES, 2)
    signs = np.where(m % 4 == 1, 1.0, -1.0)  # sin(m pi/2)
    along_x = signs * np.sin(m * np.pi * (x / edge + 0.5))
    along_y = signs * np.sin(m * np.pi * (y / edge + 0.5))
    wave_number = np.pi / edge * np.hypot(m[:, None], m[None, :])
    amplitude = 4 * np.pi * (radius / edge) ** 2 * np.exp(-((radius * wave_number / 2) ** 2)) * np.outer(along_x, along_y)
    return np.array([(amplitude * np.cos(sound_speed * wave_number * time)).sum() for time in np.atleast_1d(times)])


def main():
    places = [(0, 0), (0.025, 0), (0.040, 0), (0.025, 0.025)]
    times = np.arange(0, 100.25e-6, 0.5e-6)
    columns = [times] + [pressure(x, y, times) for x, y in places]
    names = ["time"] + [f"{1e3 * x:g} {1e3 * y:g}" for x, y in places]
    with open(Path(__file__).with_name("traces.csv"), "w") as file:
        file.write("# Exact p/p0 over time in s at places given as x y in mm from the center; written by free_square.py,\n")
        file.write(f"# which has the formula. L = {EDGE} m, b = {RADIUS} m, c = {SOUND_SPEED} m/s.\n")
        file.write(",".join(names) + "\n")
        for row in zip(*columns):
            file.write(f"{row[0]:.4g}," + ",".join(f"{round(value, 5) + 0.0:.5f}" for value in row[1:]) + "\n")


if __name__ == "__main__":
    main()
