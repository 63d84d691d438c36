# SPDX-License-Identifier: Apache-2.0
"""Parts of a run of particles that can be shown and hidden: bodies of fluid, and walls."""

from dataclasses import dataclass

import numpy as np

MOVERS = ("motion", "rigid_body", "wavemaker")  # tables that name a wall that moves


@dataclass
class Part:
    name: str
    wall: bool
    moves: bool = False  # walls that move are shown in 3-D, where those at rest would hide the fluid


def _name_of_body(bodies, number):
    """The material names a body if no other body has it."""
    if len(bodies) == 1:
        return "fluid"
    material = bodies[number].get("material", "body")
    same = sum(body.get("material", "body") == material for body in bodies)
    return material if same == 1 else f"{material}, body {number + 1}"


def _name_of_wall(walls, number):
    return walls[number].get("name") or ("walls" if len(walls) == 1 else f"wall {number + 1}")


def parts_of_case(case):
    """Part of each [[body]], then of each [[wall]], then of the fluid that came in through open boundaries."""
    bodies, walls = case.get("body", []), case.get("wall", [])
    moved = {table.get("wall") for kind in MOVERS for table in case.get(kind, [])}
    parts = [Part(_name_of_body(bodies, i), False) for i in range(len(bodies))]
    for i, wall in enumerate(walls):
        moves = wall.get("motion", "none") != "none" or wall.get("name") in moved
        parts.append(Part(_name_of_wall(walls, i), True, moves))
    return [*parts, Part("fluid that came in", False)]


def part_numbers(case, wall, wall_number, body):
    """Number of the part of each particle in parts_of_case().

    Fields of versions that wrote neither `wall_number` nor `body` (None) count as the first body and the first wall.
    """
    bodies = len(case.get("body", []))
    walls = np.where(wall, 0, -1) if wall_number is None else wall_number
    fluid = np.zeros(len(wall), int) if body is None else body
    incoming = bodies + len(case.get("wall", []))
    return np.where(walls >= 0, bodies + walls, np.where(fluid >= 0, fluid, incoming))


def present_parts(parts, numbers):
    """(parts, numbers): those that particles have, numbered anew."""
    used, renumbered = np.unique(numbers, return_inverse=True)
    return [parts[k] for k in used], renumbered.astype(np.uint16)
