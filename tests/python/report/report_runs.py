# SPDX-License-Identifier: Apache-2.0
"""Small output folders of runs, made by h5py in the layout of docs/output.md, for the tests of reports."""

import importlib.util
import json
import sys
from pathlib import Path

import h5py
import numpy as np

REPOSITORY = Path(__file__).resolve().parents[3]
if importlib.util.find_spec("shoal") is None:  # reports need no compiled part: use the checkout
    sys.path.insert(0, str(REPOSITORY / "python"))

DAM_BREAK = """kind = "sph"
title = "A column of water"

[run]
duration = 1.0  # s

[particles]
dimensions = {dimensions}
spacing = 0.1  # m

[[body]]
material = "water"
box.from = [0, 0, 0]  # m
box.to = [2, 1, 1]  # m

[[wall]]
name = "tank"
box.from = [0, 0, 0]  # m
box.to = [5.366, 2, 1]  # m

[material.water]
density = 1000  # kg/m3

[scheme]
gravity = [0, -9.81]  # m/s2

[[probe]]
name = "front"
kind = "surge_front"
"""

SUMMARY = {
    "name": "column", "device": "cpu, 2 threads", "interrupted": False, "time": 1.0, "step": 100, "particles": 24,
    "evaluations_per_second": 2e6, "mass_drift": 0.0,
    "seconds": {"wall": 2.0, "solving": 1.5, "collecting": 0.25, "waiting_for_writer": 0.05, "writer_thread": 0.2},
    "machine": {"processor": "A fast one", "hardware_threads": 2},
}  # fmt: skip


def lattice(columns=5, rows=4, dimensions=2):
    """Positions [n, 3] of a block of particles, spacing 0.1 m."""
    x, y, z = np.meshgrid(np.arange(columns), np.arange(rows), np.arange(rows if dimensions == 3 else 1), indexing="ij")
    return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1) * 0.1


class SphRun:
    """A falling block of particles and four wall particles; particle 3 leaves after state 2 if `leaves`."""

    def __init__(self, folder, states=6, dimensions=2, title=None, leaves=False, columns=5, summary=SUMMARY):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.times = np.linspace(0, 1, states)
        fluid = lattice(columns, dimensions=dimensions)
        wall = np.stack([np.arange(4) * 0.1, np.full(4, -0.1), np.zeros(4)], axis=1)
        self.ids = np.arange(len(fluid) + len(wall))
        self.wall = np.repeat([0, 1], [len(fluid), len(wall)]).astype(np.uint8)
        self.positions, self.arrays, self.here = [], {"pressure": [], "velocity": [], "density": []}, []
        for state, time in enumerate(self.times):
            moved = np.concatenate([fluid + [0.5 * time, -0.2 * time * time, 0], wall])
            here = np.ones(len(moved), bool)
            here[3] = not (leaves and state > 2)
            self.here.append(here)
            self.positions.append(moved[here].astype(np.float32))
            velocity = np.where(self.wall[:, None] == 1, 0, [0.5, -0.4 * time, 0])
            self.arrays["velocity"].append(velocity[here].astype(np.float32))
            self.arrays["pressure"].append((1000 * (1 - moved[:, 1]) * (1 + time))[here].astype(np.float32))
            self.arrays["density"].append(np.full(here.sum(), 1000 + time, np.float32))
        text = DAM_BREAK.format(dimensions=dimensions)
        (folder / "case.toml").write_text(text if title is None else text.replace("A column of water", title))
        if summary is not None:
            (folder / "summary.json").write_text(json.dumps(summary))
        self.write_fields()
        rows = [f"{time},{i * 10},2000,{4 - time},{time},24,0" for i, time in enumerate(self.times)]
        head = "time [s],step,mass [kg],potential [J],kinetic [J],particles,lost"
        (folder / "balance.csv").write_text("\n".join([head, *rows]) + "\n")

    def add_noise(self):
        """Replaces all arrays by noise, which compresses worse than any flow."""
        noise = np.random.default_rng(5)
        for stored in (self.positions, *self.arrays.values()):
            for state, values in enumerate(stored):
                stored[state] = (values + noise.normal(scale=1e-3 * abs(values).max(), size=values.shape)).astype(
                    np.float32
                )
        self.write_fields()

    def write_fields(self):
        counts = np.array([here.sum() for here in self.here])
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        with h5py.File(self.folder / "fields.vtkhdf", "w") as file:
            root = file.create_group("VTKHDF")
            root.attrs["Type"] = np.bytes_("PolyData")
            root["Points"] = np.concatenate(self.positions)
            root["NumberOfPoints"] = counts
            for name, values in self.arrays.items():
                root[f"PointData/{name}"] = np.concatenate(values)
            # Constant arrays are stored again only after particles left.
            blocks, offsets, length = [], [], 0
            for state, here in enumerate(self.here):
                if state == 0 or (here != self.here[state - 1]).any():
                    blocks.append(here)
                    length += here.sum()
                offsets.append(length - here.sum())
            parts = [("wall_number", self.wall.astype(np.int32) - 1), ("body", -self.wall.astype(np.int32))]
            for name, values in [("id", self.ids), ("wall", self.wall), ("material", np.zeros_like(self.wall)), *parts]:
                root[f"PointData/{name}"] = np.concatenate([values[here] for here in blocks])
                root[f"Steps/PointDataOffsets/{name}"] = np.array(offsets)
            root["Steps/Values"] = self.times
            root["Steps/PointOffsets"] = first
            root["Steps/PartOffsets"] = np.arange(len(counts))
            root["Steps/NumberOfParts"] = np.ones(len(counts), int)


def write_front(folder, time, front):
    rows = "\n".join(f"{t:.6g},{x:.6g}" for t, x in zip(time, front, strict=True))
    (folder / "front.csv").write_text("time [s],front [m]\n" + rows + "\n")


def write_surface(folder, times, points, corners):
    """isosurface.vtkhdf with the same triangles in each state, moved up by the time."""
    states, points, corners = len(times), np.asarray(points, np.float32), np.asarray(corners, np.int64)
    with h5py.File(folder / "isosurface.vtkhdf", "w") as file:
        root = file.create_group("VTKHDF")
        root["Points"] = np.concatenate([points + [0, 0, time] for time in times]).astype(np.float32)
        root["NumberOfPoints"] = np.full(states, len(points))
        root["Polygons/Connectivity"] = np.tile(corners.ravel(), states)
        root["Polygons/NumberOfConnectivityIds"] = np.full(states, corners.size)
        root["Steps/Values"] = times
        root["Steps/PartOffsets"] = np.arange(states)
        root["Steps/PointOffsets"] = np.arange(states) * len(points)
        ids = np.zeros((states, 4), int)
        ids[:, 2] = np.arange(states) * corners.size
        root["Steps/ConnectivityIdOffsets"] = ids


class WallDistanceRun:
    """Distances from the 4 by 3 cells (or the nodes) of a mesh of squares to a sinking floor."""

    def __init__(self, folder, states=3, nodes=False):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.times = np.linspace(0, 1, states)
        x, y = np.meshgrid(np.arange(5.0), np.arange(4.0))
        points = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
        low = (np.arange(3)[:, None] * 5 + np.arange(4)).ravel()
        corners = low[:, None] + [0, 1, 6, 5]
        self.points, self.corners = points, corners
        height = points[:, 1] if nodes else points[corners].mean(axis=1)[:, 1]
        self.distance = np.stack([height + 0.01 + time for time in self.times])
        part = "PointData" if nodes else "CellData"
        with h5py.File(folder / "distance.vtkhdf", "w") as file:
            root = file.create_group("VTKHDF")
            root["Points"] = points
            root["Connectivity"] = corners.ravel()
            root["Offsets"] = np.arange(0, 4 * len(corners) + 1, 4)
            root["NumberOfCells"] = [len(corners)]
            root[f"{part}/wall_distance"] = self.distance.ravel()
            root[f"{part}/body"] = np.where(self.distance < 1.4, -1, 0).ravel().astype(np.int32)
            root["Steps/Values"] = self.times
            for name in ("wall_distance", "body"):
                root[f"Steps/{part}Offsets/{name}"] = np.arange(states) * self.distance.shape[1]
        (folder / "case.toml").write_text(
            'kind = "wall_distance"\ntitle = "A floor sinks"\n[run]\nduration = 1\n[[body]]\nname = "floor"\n'
        )
        rows = [f"{t},{d.min()},{d.max()},{12 * (t > 0)}" for t, d in zip(self.times, self.distance, strict=True)]
        head = "time [s],least distance [m],greatest distance [m],answers without a search"
        (folder / "distances.csv").write_text("\n".join([head, *rows]) + "\n")
        summary = {
            "name": "floor",
            "points": 12,
            "time": 1.0,
            "updates": states,
            "seconds": {"wall": 1.0, "updating": 0.9},
        }
        (folder / "summary.json").write_text(json.dumps(summary))


MOMENTS = (
    "time [s],m2,m4,m6,m8,m10,exact m2,exact m4,exact m6,exact m8,exact m10,stress xx [1/(m s2)],exact stress xx,"
    "stress xy [1/(m s2)],exact stress xy,entropy,exact entropy,density [1/m3],velocity x [m/s],velocity y [m/s],"
    "velocity z [m/s],temperature [m2/s2],mass drift,momentum drift,energy drift,least f [s3/m6]"
)


class RelaxationRun:
    """A gas on 4^3 nodes; its entropy is missing in the last row."""

    def __init__(self, folder):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        f = np.random.default_rng(3).random((4, 4, 4))
        np.save(folder / "distribution.npy", f)
        self.distribution = f
        (folder / "case.toml").write_text(
            'kind = "relaxation"\ntitle = "A gas relaxes"\n[run]\nduration = 2\n[grid]\nnodes = 4\nhalf_width = 2\n'
        )
        rows = []
        for time in (0.0, 1.0, 2.0):
            m4 = 1 - 0.2 * np.exp(-time)
            entropy = "" if time == 2 else f"{4 + 0.1 * time}"
            rows.append(f"{time},1,{m4},0.9,0.8,0.7,1,{m4},,,,1,1,0,0,{entropy},,1,0,0,0,1,1e-9,0,-1e-9,0.001")
        (folder / "moments.csv").write_text("\n".join([MOMENTS, *rows]) + "\n")


PROFILES = (
    "time [s],iterations,x [m],density [1/m3],velocity x [m/s],velocity y [m/s],velocity z [m/s],temperature [m2/s2],"
    "stress xx [1/(m s2)],stress yy [1/(m s2)],stress zz [1/(m s2)],stress xy [1/(m s2)],stress xz [1/(m s2)],"
    "stress yz [1/(m s2)],heat flux x [1/s3],heat flux y [1/s3],heat flux z [1/s3]"
)


class GasRun:
    """Shear between walls in three cells: the start, and a steady state after 9 iterations."""

    def __init__(self, folder, title="Shear"):
        folder.mkdir(exist_ok=True)
        self.folder = folder
        (folder / "case.toml").write_text(f'kind = "gas"\ntitle = "{title}"\n[grid]\nnodes = 4\nhalf_width = 2\n')
        rows = []
        for iterations, speed in ((0, 0.0), (9, 0.5)):
            for x in (0.5, 1.5, 2.5):
                rows.append(
                    f"0,{iterations},{x},1,1e-9,{speed * (x - 1.5)},0,1,1,1,1,{-0.3 * speed},0,0,0,{0.1 * speed},0"
                )
        (folder / "profiles.csv").write_text("\n".join([PROFILES, *rows]) + "\n")
        (folder / "fluxes.csv").write_text("time [s],iterations,residual,mass [1/m2]\n0,0,2,3\n0,9,1e-6,3\n")
        (folder / "summary.json").write_text('{"name": "shear", "iterations": 9, "residual": 1e-6, "model": "bgk"}')
