#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact velocity of a Bingham fluid between two plates, over that of its plug: python3 channel.py > profile.csv

The force density G = rho g along the plates is in balance with the stress G y at the height y. The fluid is rigid where
|y| < h = tau_y / G, and has the shear rate (G |y| - tau_y) / K elsewhere:

    u = G/(2 K) ((H - h)^2 - (max(|y|, h) - h)^2)

The column `regularized` has the fluid of the case, with the factor of Papanastasiou: its shear rate s solves
K s + tau_y (1 - exp(-m s)) = G |y|, and the velocity is the integral of s from y to the plate.
"""

import math

K, TAU_Y, M = 0.5, 6.0, 2.0  # Pa s, Pa, s
G, H = 2000.0, 0.01  # N/m3, m
POINTS, PARTS = 39, 2000


def bingham(y):
    plug = TAU_Y / G
    return G / (2 * K) * ((H - plug) ** 2 - (max(abs(y), plug) - plug) ** 2)


def shear_rate(stress):
    low, high = 0.0, stress / K
    for _ in range(100):
        middle = (low + high) / 2
        if K * middle - TAU_Y * math.expm1(-M * middle) < stress:
            low = middle
        else:
            high = middle
    return low


def regularized(y):
    width = (H - abs(y)) / PARTS
    return sum(width * shear_rate(G * (abs(y) + (k + 0.5) * width)) for k in range(PARTS))


def main():
    print("# Exact velocity over that of the plug of a Bingham fluid, 0.098 m/s, at the height y in m, which is named time")
    print("# as in every reference; written by channel.py.")
    print("time,bingham,regularized")
    for k in range(POINTS):
        y = 0.0095 * (2 * k / (POINTS - 1) - 1)
        print(f"{y:.4f},{bingham(y) / bingham(0):.6f},{regularized(y) / bingham(0):.6f}")


if __name__ == "__main__":
    main()
