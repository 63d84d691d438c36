# SPDX-License-Identifier: Apache-2.0
"""Fields of a run for display: particles or cells over time, quantities with units and color limits."""

from dataclasses import dataclass, field

import numpy as np

from .errors import ReportError
from .states import VtkHdfMesh, VtkHdfParticles, VtpParticles
from .units import label_of, round_up

NOT_SHOWN = {"id", "wall", "wall_number", "body", "nearest_face"}  # arrays that identify an item


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


@dataclass
class Particles:
    """Particles over time, in slots: slot i is the same particle in every state."""

    times: np.ndarray  # s
    positions: np.ndarray  # [states, items, dimensions] m; NaN where a particle has left
    ids: np.ndarray
    wall: np.ndarray  # True for wall particles
    spacing: float  # m between the particles shown
    quantities: list
    total: int  # particles of the run
    one_in: int  # every one_in-th particle of the run is shown
    box: tuple  # (low, high) m: all walls and nearly all positions of the fluid

    @property
    def dimensions(self):
        return self.positions.shape[2]


@dataclass
class Cells:
    """Fixed polygons with values over time; polygon i has the corners from starts[i] to starts[i + 1]."""

    times: np.ndarray
    points: np.ndarray  # [nodes, 2], in the units of `axes`
    corners: np.ndarray
    starts: np.ndarray
    owners: np.ndarray | None  # polygon i shows value owners[i]; None: value i
    quantities: list
    box: tuple  # (low, high): the refined part of the mesh
    axes: tuple = (("x", "m"), ("y", "m"))
    dimensions: int = 2


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


def _quantity(name, values, shown=slice(None)):
    """Quantity whose limits are determined by the items `shown`, which exclude walls."""
    label, unit = label_of(name)
    scale = scale_of(name, values[:, shown])
    return Quantity(name, label, unit, values, scale, color_limits(values[:, shown], scale))


def _categories(name, values, categories):
    label, unit = label_of(name)
    return Quantity(name, label, unit, values.astype(np.float32), "categories", (0, len(categories) - 1), categories)


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
    """Size of the particles of a run before compression: 16 bits per coordinate, 8 bits per value."""
    source = _states_of(folder)
    if source is None or not len(source.times):
        return 0
    dimensions = _dimensions(folder)
    states = min(len(source.times), most_states)
    return len(source.positions(0)) * states * (2 * dimensions + len(_chosen(source.names, names)))


def read_particles(folder, names=None, most_states=400, one_in=1):
    """Particles of a run of kind sph, or None if it has no fields. Keeps one particle in `one_in`."""
    source = _states_of(folder)
    if source is None:
        return None
    if not len(source.times):
        raise ReportError(f"{source.path}: has no states: the run ended before it wrote the first one.")
    chosen = _chosen(source.names, names)
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
    wall = np.zeros(len(ids), bool)
    material = np.zeros(len(ids), np.uint8)
    for row, (state, present) in enumerate(zip(which, ids_of)):
        slot = np.minimum(np.searchsorted(ids, present), len(ids) - 1)
        kept = np.flatnonzero(ids[slot] == present)
        slot = slot[kept]
        positions[row, slot] = source.positions(state)[kept, :dimensions]
        for name in chosen:
            array = source.array(name, state)[kept]
            values[name][row, slot] = np.linalg.norm(array, axis=1) if array.ndim == 2 else array
        if "wall" in source.names:
            wall[slot] = source.array("wall", state)[kept] != 0
        if "material" in source.names:
            material[slot] = source.array("material", state)[kept]

    fluid = np.flatnonzero(~wall)
    quantities = [_quantity(name, values[name], fluid) for name in chosen]
    materials = list(folder.case.get("material", {}))
    if len(np.unique(material[fluid])) > 1 and len(materials) > material.max():
        quantities.append(_categories("material", np.broadcast_to(material, positions.shape[:2]), materials))
    for quantity in quantities:
        quantity.values[:, wall] = np.nan  # walls are gray
    spacing = float(folder.case.get("particles", {}).get("spacing", 0)) or _spacing(positions[0])
    if one_in > 1:  # fewer particles are drawn larger, without gaps
        spacing *= 1.25 * one_in ** (1 / dimensions)
    box = _box_of(positions, wall, spacing)
    return Particles(source.times[which], positions, ids, wall, spacing, quantities, total, one_in, box)


def _box_of(positions, wall, spacing):
    """Box of all walls and 99.96 % of the fluid, so that a few distant drops do not shrink the picture."""
    corners = []
    for items, share in ((wall, [0, 100]), (~wall, [0.02, 99.98])):
        if items.any():
            corners.append(np.nanpercentile(positions[:, items].reshape(-1, positions.shape[2]), share, axis=0))
    low, high = np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))
    return [float(x) for x in low - spacing / 2], [float(x) for x in high + spacing / 2]


def _spacing(positions):
    """Spacing of the same number of particles evenly distributed in their box, m."""
    box = np.nanmax(positions, axis=0) - np.nanmin(positions, axis=0)
    box = box[box > 0]
    return float((box.prod() / len(positions)) ** (1 / len(box))) if len(box) else 1.0


def read_cells(folder, names=None, most_states=400):
    """Cells of a run of kind wall_distance: Cells in two dimensions, the cells' centers as Particles in three."""
    if not folder.has("distance.vtkhdf"):
        return None
    mesh = VtkHdfMesh(folder.folder / "distance.vtkhdf")
    if not len(mesh.times):
        raise ReportError(f"{mesh.path}: has no states: the run ended before it wrote the first one.")
    which = every_state(len(mesh.times), most_states)
    unknown = [name for name in names or () if name not in mesh.names]
    if unknown:
        raise ReportError(f"unknown quantity `{unknown[0]}`; the output has: {', '.join(mesh.names)}.")
    flat = np.ptp(mesh.points[:, 2]) == 0
    places = _centers_of(mesh.points, mesh.corners, mesh.starts) if mesh.of_cells else mesh.points
    box = _fine_part(mesh.points[:, : 2 if flat else 3])
    inside = np.all((places[:, : len(box[0])] >= box[0]) & (places[:, : len(box[0])] <= box[1]), axis=1)
    quantities = []
    for name in names or [name for name in ("wall_distance", "body", "wall") if name in mesh.names]:
        values = np.stack([mesh.array(name, state) for state in which])
        if name in ("body", "wall"):
            categories = _names_of(folder, name, values)
            if len(categories) > 1 or names:
                quantities.append(_categories(name, values - min(values.min(), 0), categories))
        else:
            quantities.append(_quantity(name, values.astype(np.float32), inside))
    times = mesh.times[which]
    if flat:
        polygons = (mesh.points[:, :2], mesh.corners, mesh.starts, None) if mesh.of_cells else _around_nodes(mesh)
        return Cells(times, *polygons, quantities, box)
    positions = np.broadcast_to(places.astype(np.float32), (len(which), *places.shape))
    none = np.zeros(len(places), bool)
    return Particles(times, positions, np.arange(len(places)), none, _spacing(places), quantities, len(places), 1, box)


def _fine_part(points):
    """(low, high) of the region with most nodes, if it is far smaller than the mesh; otherwise of the mesh."""
    low, high = points.min(axis=0), points.max(axis=0)
    inner_low, inner_high = np.percentile(points, [20, 80], axis=0)
    if ((inner_high - inner_low) * 3 < high - low).all():
        margin = 0.5 * (inner_high - inner_low).max()
        low, high = inner_low - margin, inner_high + margin
    return [float(x) for x in low], [float(x) for x in high]


def _names_of(folder, name, values):
    """Names of bodies or walls by number; the first name is that of -1, walls at rest, if it occurs."""
    most = int(values.max())
    bodies = [body.get("name") or f"body {i}" for i, body in enumerate(folder.case.get("body", []))]
    if name == "body":
        categories = bodies
    else:
        round_bodies = [b for b, body in zip(bodies, folder.case.get("body", [])) if body.get("shape") == "round"]
        mesh = folder.case.get("mesh", {})
        categories = mesh.get("walls") or ([mesh["around"]] if "around" in mesh else [])
        categories = [*categories, *round_bodies]
    categories = [categories[i] if i < len(categories) else f"{name} {i}" for i in range(most + 1)]
    return (["at rest"] if values.min() < 0 else []) + categories


def _centers_of(points, corners, starts):
    return np.add.reduceat(points[corners], starts[:-1], axis=0) / np.diff(starts)[:, None]


def _around_nodes(mesh):
    """(points, corners, starts, owners) of quadrilaterals that assign each node its part of the cells around it."""
    points, corners, starts = mesh.points[:, :2], mesh.corners, mesh.starts
    cell = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    entry = np.arange(len(corners))
    after = np.where(entry + 1 == starts[cell + 1], starts[cell], entry + 1)
    before = np.where(entry == starts[cell], starts[cell + 1] - 1, entry - 1)
    corner = points[corners]
    center = _centers_of(points, corners, starts)[cell]
    quadrilaterals = np.stack(
        [corner, (corner + corner[after]) / 2, center, (corner + corner[before]) / 2], axis=1
    )
    return quadrilaterals.reshape(-1, 2), np.arange(4 * len(corners)), np.arange(0, 4 * len(corners) + 1, 4), corners


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
