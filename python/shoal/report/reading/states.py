# SPDX-License-Identifier: Apache-2.0
"""Particles and meshes at the output times of a run: VTKHDF, and VTP with its list. docs/output.md has the layouts."""

import re
from contextlib import contextmanager

import numpy as np

from ..errors import ReportError


@contextmanager
def _reading(path, expected):
    """Context manager that turns errors of HDF5 into a ReportError with the file name."""
    try:
        yield
    except (OSError, KeyError, ValueError, IndexError, RuntimeError) as error:
        raise ReportError(
            f"{path}: truncated, damaged or not written by shoal: {error}. Expected {expected}. A run that was "
            "killed leaves complete states; a copy may be cut."
        ) from error


class _VtkHdf:
    """A temporal VTKHDF file: times, and rows of an array by state."""

    def __init__(self, path, expected):
        import h5py  # here, because runs without fields do not need it

        self.path, self.expected = path, expected
        with _reading(path, expected):
            self._root = h5py.File(path, "r")["VTKHDF"]
            self._steps = self._root["Steps"]
            self.times = self._steps["Values"][:]

    def _rows(self, name, first, count):
        rows = self._root[name][first : first + count]
        if len(rows) != count:
            raise ReportError(
                f"{self.path}: {name} ends after {first + len(rows)} rows, expected {first + count}: truncated."
            )
        return rows


class VtkHdfParticles(_VtkHdf):
    """Particles in fields.vtkhdf: temporal PolyData, one part per state."""

    def __init__(self, path):
        super().__init__(path, "temporal PolyData of VTKHDF 2.0")
        with _reading(path, self.expected):
            self.names = sorted(self._root["PointData"])

    def _count(self, state):
        part, parts = self._steps["PartOffsets"][state], self._steps["NumberOfParts"][state]
        return int(self._root["NumberOfPoints"][part : part + parts].sum())

    def positions(self, state):
        """Positions [n, 3] in m."""
        with _reading(self.path, self.expected):
            return self._rows("Points", int(self._steps["PointOffsets"][state]), self._count(state))

    def array(self, name, state):
        """Array [n] or [n, 3]; constant arrays are stored once."""
        with _reading(self.path, self.expected):
            offsets = self._steps.get(f"PointDataOffsets/{name}", self._steps["PointOffsets"])
            return self._rows(f"PointData/{name}", int(offsets[state]), self._count(state))


class VtkHdfSurface(_VtkHdf):
    """Triangles in isosurface.vtkhdf: temporal PolyData, one part per state."""

    def __init__(self, path):
        super().__init__(path, "temporal PolyData of VTKHDF 2.0 with polygons")

    def triangles(self, state):
        """(points [n, 3] in m, corners [triangles, 3])."""
        with _reading(self.path, self.expected):
            part = self._steps["PartOffsets"][state]
            count = int(self._root["NumberOfPoints"][part])
            corners = int(self._root["Polygons/NumberOfConnectivityIds"][part])
            first = int(self._steps["ConnectivityIdOffsets"][state][2])  # those of polygons are the third of four kinds
            points = self._rows("Points", int(self._steps["PointOffsets"][state]), count)
            return points, self._rows("Polygons/Connectivity", first, corners).reshape(-1, 3)


class VtpParticles:
    """Particles in fields.pvd and its .vtp files, with raw appended data as shoal writes them."""

    TYPES = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "Int64": "<i8", "UInt8": "u1"}
    START = b'<AppendedData encoding="raw">'

    def __init__(self, path):
        self.path = path
        listed = re.findall(r'timestep="([^"]+)"[^>]*file="([^"]+)"', path.read_text(encoding="utf-8"))
        if not listed:
            raise ReportError(f"{path}: lists no states, expected lines with timestep and file.")
        self.times = np.array([float(time) for time, _ in listed])
        self._files = [path.parent / file for _, file in listed]
        self._open = (None, {})
        self.names = sorted(set(self._state(0)) - {"Points", "connectivity", "offsets"})

    def positions(self, state):
        return self._state(state)["Points"]

    def array(self, name, state):
        return self._state(state)[name]

    def _state(self, state):
        if self._open[0] != state:
            self._open = (state, self._read(self._files[state]))
        return self._open[1]

    def _read(self, path):
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ReportError(f"{path}: cannot read this state, which {self.path} lists: {error.strerror}.") from error
        head, start, data = content.partition(self.START)
        data = data[data.find(b"_") + 1 :]
        arrays = {}
        pattern = rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d)" format="appended" offset="(\d+)"'
        for kind, name, components, offset in re.findall(pattern, head):
            kind, name, components, offset = kind.decode(), name.decode(), int(components), int(offset)
            size = int(np.frombuffer(data[offset : offset + 8].ljust(8, b"\0"), "<u8")[0])
            block = data[offset + 8 : offset + 8 + size]
            if not start or len(block) != size or kind not in self.TYPES:
                raise ReportError(f"{path}: truncated, damaged or not written by shoal: array {name} is incomplete.")
            values = np.frombuffer(block, self.TYPES[kind])
            arrays[name] = values.reshape(-1, components) if components > 1 else values
        if "Points" not in arrays:
            raise ReportError(f"{path}: not a state of particles written by shoal: it has no array Points.")
        return arrays


class VtkHdfMesh(_VtkHdf):
    """Mesh in distance.vtkhdf: temporal UnstructuredGrid with a constant mesh and values of cells or nodes."""

    def __init__(self, path):
        super().__init__(path, "temporal UnstructuredGrid of VTKHDF 2.0")
        with _reading(path, self.expected):
            self.part = "CellData" if "CellData" in self._root else "PointData"
            self.names = sorted(self._root[self.part])
            self.points = self._root["Points"][:]
            self.corners = self._root["Connectivity"][:]
            self.starts = self._root["Offsets"][:]

    @property
    def of_cells(self):
        return self.part == "CellData"

    def array(self, name, state):
        with _reading(self.path, self.expected):
            count = len(self.starts) - 1 if self.of_cells else len(self.points)
            first = int(self._steps[f"{self.part}Offsets/{name}"][state])
            return self._rows(f"{self.part}/{name}", first, count)
