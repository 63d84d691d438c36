# SPDX-License-Identifier: Apache-2.0
"""Particles of a run over time."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import ReportError
from ..reading.states import VtkHdfParticles, VtpParticles
from .parts import part_numbers, parts_of_case, present_parts
from .quantities import categories_of, quantity_of
from .surface import Surface, read_surface

CONSTANT = ("wall", "material", "wall_number", "body")  # arrays that a particle keeps
NOT_SHOWN = {"id", "wall", "wall_number", "body", "nearest_face"}  # arrays that identify an item


@dataclass
class Particles:
    """Particles over time, in slots: slot i is the same particle in every state."""

    times: np.ndarray  # s
    positions: np.ndarray  # [states, items, dimensions] m; NaN where a particle has left
    ids: np.ndarray
    wall: np.ndarray  # True for wall particles
    parts: list  # of parts.Part
    part: np.ndarray  # number of the part of each item
    spacing: float  # m between the particles shown
    quantities: list
    velocity: np.ndarray | None  # [states, items, dimensions] m/s; NaN as positions; None: not stored
    surface: Surface | None  # of the fluid, in 3-D
    total: int  # particles of the run
    one_in: int  # every one_in-th particle of the run is shown
    box: tuple  # (low, high) m: all walls and nearly all positions of the fluid

    @property
    def dimensions(self):
        return self.positions.shape[2]

    @cached_property
    def speed(self):
        """Magnitude of the velocity that 99 % of the particles do not exceed, m/s."""
        magnitudes = np.linalg.norm(self.velocity, axis=2)
        magnitudes = magnitudes[np.isfinite(magnitudes) & (magnitudes > 0)]
        return float(np.percentile(magnitudes, 99)) if len(magnitudes) else 0.0

    @property
    def has_arrows(self):
        return self.velocity is not None and self.speed > 0


def _states_of(folder):
    if folder.has("fields.vtkhdf"):
        return VtkHdfParticles(folder.folder / "fields.vtkhdf")
    if folder.has("fields.pvd"):
        return VtpParticles(folder.folder / "fields.pvd")
    return None


def _chosen(available, names):
    """Names of the arrays to show: the requested ones, or all physical fields."""
    if not names:
        return [name for name in ("pressure", "velocity", "density", "energy") if name in available] + sorted(
            set(available) - NOT_SHOWN - {"material", "pressure", "velocity", "density", "energy"}
        )
    unknown = [name for name in names if name not in available]
    if unknown:
        raise ReportError(f"unknown quantity `{unknown[0]}`; the output has: {', '.join(sorted(available))}.")
    return names


def every_state(count, most):
    """Indices of at most `most` states, evenly spread, with the first and the last."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(int))


def keep_one_in(ids, one_in):
    """Mask of one particle in `one_in`, by a hash of its id, because every k-th of a lattice would leave stripes."""
    scattered = (ids.astype(np.uint64) * np.uint64(2654435761)) & np.uint64(0xFFFFFFFF)
    return scattered < np.uint64(2**32 // one_in)


def _dimensions(folder):
    """Dimensions of the picture: 1-D cases are drawn in a plane."""
    return 3 if folder.case.get("particles", {}).get("dimensions") == 3 else 2


def bytes_of_particles(folder, names=None, most_states=400):
    """Size of the particles of a run before compression: 16 bits per coordinate, 8 bits per value and per component of
    the velocity."""
    source = _states_of(folder)
    if source is None or not len(source.times):
        return 0
    dimensions = _dimensions(folder)
    states = min(len(source.times), most_states)
    components = dimensions if "velocity" in source.names else 0
    return len(source.positions(0)) * states * (2 * dimensions + components + len(_chosen(source.names, names)))


def read_particles(folder, names=None, most_states=400, one_in=1):
    """Particles of a run of kind sph, or None if it has no fields. Keeps one particle in `one_in`."""
    source = _states_of(folder)
    if source is None:
        return None
    if not len(source.times):
        raise ReportError(f"{source.path}: has no states: the run ended before it wrote the first one.")
    chosen = [name for name in _chosen(source.names, names) if name != "material"]  # in categories, below
    which = every_state(len(source.times), most_states)
    ids_of = [source.array("id", state) for state in which]
    ids = ids_of[0]
    if any(len(later) != len(ids) or (later != ids).any() for later in ids_of):
        ids = np.unique(np.concatenate(ids_of))
    total = len(ids)
    ids = np.sort(ids[keep_one_in(ids, one_in)])
    if not len(ids):
        raise ReportError(f"{source.path}: has no particles.")

    dimensions = _dimensions(folder)
    positions = np.full((len(which), len(ids), dimensions), np.nan, np.float32)
    values = {name: np.full((len(which), len(ids)), np.nan, np.float32) for name in chosen}
    velocity = np.full_like(positions, np.nan) if "velocity" in source.names else None
    constant = {name: np.zeros(len(ids), int) for name in CONSTANT if name in source.names}
    for row, (state, present) in enumerate(zip(which, ids_of)):
        slot = np.minimum(np.searchsorted(ids, present), len(ids) - 1)
        kept = np.flatnonzero(ids[slot] == present)
        slot = slot[kept]
        positions[row, slot] = source.positions(state)[kept, :dimensions]
        for name in chosen:
            array = source.array(name, state)[kept]
            values[name][row, slot] = np.linalg.norm(array, axis=1) if array.ndim == 2 else array
        if velocity is not None:
            velocity[row, slot] = source.array("velocity", state)[kept, :dimensions]
        for name, of_items in constant.items():
            of_items[slot] = source.array(name, state)[kept]

    none = np.zeros(len(ids), int)
    wall, material = constant.get("wall", none) != 0, constant.get("material", none)
    numbers = part_numbers(folder.case, wall, constant.get("wall_number"), constant.get("body"))
    parts, part = present_parts(parts_of_case(folder.case), numbers)
    fluid = np.flatnonzero(~wall)
    quantities = [quantity_of(name, values[name], fluid) for name in chosen]
    materials = list(folder.case.get("material", {}))
    if len(np.unique(material[fluid])) > 1 and len(materials) > material.max():
        quantities.append(categories_of("material", np.broadcast_to(material, positions.shape[:2]), materials))
    if not quantities:
        raise ReportError(f"{source.path}: all particles are of one material; there is nothing to color by.")
    for quantity in quantities:
        quantity.values[:, wall] = np.nan  # walls are gray
    spacing = float(folder.case.get("particles", {}).get("spacing", 0)) or mean_spacing(positions[0])
    if one_in > 1:  # fewer particles are drawn larger, without gaps
        spacing *= 1.25 * one_in ** (1 / dimensions)
    box = _box_of(positions, wall, spacing)
    times = source.times[which]
    surface = read_surface(folder, times) if dimensions == 3 else None
    return Particles(
        times, positions, ids, wall, parts, part, spacing, quantities, velocity, surface, total, one_in, box
    )


def _box_of(positions, wall, spacing):
    """Box of all walls and 99.96 % of the fluid, so that a few distant drops do not shrink the picture."""
    corners = []
    for items, share in ((wall, [0, 100]), (~wall, [0.02, 99.98])):
        if items.any():
            corners.append(np.nanpercentile(positions[:, items].reshape(-1, positions.shape[2]), share, axis=0))
    low, high = np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))
    return [float(x) for x in low - spacing / 2], [float(x) for x in high + spacing / 2]


def mean_spacing(positions):
    """Spacing of the same number of particles evenly distributed in their box, m."""
    box = np.nanmax(positions, axis=0) - np.nanmin(positions, axis=0)
    box = box[box > 0]
    return float((box.prod() / len(positions)) ** (1 / len(box))) if len(box) else 1.0
