# SPDX-License-Identifier: Apache-2.0
"""A block of water on a bed in two dimensions, for tests of programs that control a simulation."""

from shoal.sph import Case, Solver

SECTIONS = {
    "run": {"duration": 0.1, "precision": "double"},
    "particles": {"dimensions": 2, "spacing": 0.1},
    "body": [{"material": "water", "box": {"from": [0, 0], "to": [1, 0.5]}}],
    "domain": {"from": [-2, -2], "to": [3, 3]},
    "material": {"water": {"density": 1000, "sound_speed": 30}},
    "wall": [{"name": "bed", "box": {"from": [0, -0.3], "to": [1, 0]}, "solid": True}],
}
WATER = 50  # particles; their ids come first


def solver_of(device="cpu", **overrides):
    return Solver(Case(overrides=overrides, **SECTIONS), device=device)
