# SPDX-License-Identifier: Apache-2.0
"""Writes the same 1000 points in every layout that points files come in, without our code.

    make_points.py FOLDER

Point i is at (i + 0.25, 10 i - 3, (i % 7) / 2), its mass is 100 + i, its velocity (i, 2 i, 3 i): exact in float.
"""

import base64
import pathlib
import struct
import sys
import zlib

import h5py
import numpy as np

n = 1000
i = np.arange(n)
points = np.stack([i + 0.25, 10.0 * i - 3, (i % 7) / 2], axis=1)
mass = 100.0 + i
velocity = np.stack([i, 2 * i, 3 * i], axis=1).astype("f4")
folder = pathlib.Path(sys.argv[1])


def write_npy():
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / f"version_{version[0]}.npy", "wb") as out:
            np.lib.format.write_array(out, points, version=version)
    np.save(folder / "fortran.npy", np.asfortranarray(points))
    np.save(folder / "float.npy", points.astype("f4"))
    np.save(folder / "fortran_float.npy", np.asfortranarray(points.astype("f4")))
    np.save(folder / "two.npy", points[:, :2])
    np.save(folder / "one.npy", points[:, :1])
    np.save(folder / "flat.npy", points[:, 0])
    np.save(folder / "none.npy", points[:0])
    np.save(folder / "with_mass.npy", np.column_stack([mass, points]))
    np.save(folder / "fortran_with_mass.npy", np.asfortranarray(np.column_stack([mass, points])))


class Vtk:
    """One VTK XML file. `form` is ascii, binary, raw or base64 (the latter two appended)."""

    types = {"f4": "Float32", "f8": "Float64", "i4": "Int32", "u1": "UInt8", "i8": "Int64"}

    def __init__(self, form, header, block=0):
        self.form, self.header, self.block, self.appended = form, header, block, b""

    def packed(self, data):
        """The header and the bytes of an array; they are encoded apart when compressed, together when not."""
        size = "<I" if self.header == "UInt32" else "<Q"
        if not self.block:
            return [struct.pack(size, len(data)) + data]
        blocks = [data[at : at + self.block] for at in range(0, len(data), self.block)]
        small = [zlib.compress(block) for block in blocks]
        last = len(data) % self.block
        numbers = [len(blocks), self.block, last] + [len(block) for block in small]
        return [b"".join(struct.pack(size, number) for number in numbers), b"".join(small)]

    def array(self, name, values):
        columns = values.shape[1] if values.ndim == 2 else 1
        head = f'<DataArray type="{self.types[values.dtype.str[1:]]}" Name="{name}" NumberOfComponents="{columns}"'
        if self.form == "ascii":
            return f'{head} format="ascii">\n{" ".join(str(v) for v in values.ravel())}\n</DataArray>\n'
        parts = self.packed(values.tobytes())
        text = b"".join(base64.b64encode(part) for part in parts)
        if self.form == "binary":
            key = '<InformationKey name="L2_NORM_RANGE"><Value index="0">3</Value></InformationKey>'
            return f'{head} format="binary">\n  {text.decode()}\n{key}</DataArray>\n'
        offset = len(self.appended)
        self.appended += text if self.form == "base64" else b"".join(parts)
        return f"{head} format='appended' offset='{offset}'/>\n"

    def piece(self, rows):
        return (f'<Piece NumberOfPoints="{len(points[rows])}"><!-- one of them -->\n<PointData Scalars="mass">\n'
                + self.array("mass", mass[rows]) + self.array("velocity", velocity[rows])
                + self.array("id", i[rows].astype("i8")) + "</PointData>\n<CellData/>\n<Points>\n"
                + self.array("Points", points[rows].astype("f4")) + "</Points>\n</Piece>\n")

    def write(self, name, kind="PolyData", pieces=(slice(None),)):
        compressor = ' compressor="vtkZLibDataCompressor"' if self.block else ""
        text = (f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" '
                f'header_type="{self.header}"{compressor}>\n<{kind}>\n')
        text += "".join(self.piece(rows) for rows in pieces) + f"</{kind}>\n"
        content = text.encode()
        if self.form in ("raw", "base64"):
            content += f'<AppendedData encoding="{self.form}">\n  _'.encode() + self.appended + b"\n</AppendedData>\n"
        (folder / name).write_bytes(content + b"</VTKFile>\n")


def write_vtk():
    Vtk("ascii", "UInt32").write("ascii.vtp")
    Vtk("ascii", "UInt32").write("grid.vtu", kind="UnstructuredGrid")
    for form in ["binary", "raw", "base64"]:
        for header in ["UInt32", "UInt64"]:
            Vtk(form, header).write(f"{form}_{header}.vtp")
            Vtk(form, header, block=1000).write(f"{form}_{header}_zlib.vtp")
    Vtk("raw", "UInt64").write("pieces.vtp", pieces=[slice(0, 300), slice(300, 300), slice(300, None)])
    Vtk("binary", "UInt32", block=4096).write("pieces_zlib.vtp", pieces=[slice(0, 1), slice(1, None)])


def write_vtkhdf(name, kind="PolyData", parts=(n,), steps=0, variable_text=False):
    """With steps, the points of step t are shifted by 1000 t in x, and the masses are those of all steps."""
    with h5py.File(folder / name, "w") as file:
        vtk = file.create_group("VTKHDF")
        vtk.attrs["Version"] = [2, 0]
        vtk.attrs["Type"] = kind if variable_text else np.bytes_(kind)
        count = max(1, steps)
        vtk["NumberOfPoints"] = np.array(list(parts) * count, dtype="i8")
        vtk["Points"] = np.concatenate([points + [1000.0 * t, 0, 0] for t in range(count)])
        vtk["PointData/mass"] = mass
        vtk["PointData/velocity"] = np.tile(velocity, (count, 1))
        if steps:
            group = vtk.create_group("Steps")
            group.attrs["NSteps"] = steps
            group["Values"] = 0.5 * np.arange(steps)
            group["PartOffsets"] = len(parts) * np.arange(steps)
            group["PointOffsets"] = n * np.arange(steps)
            group["PointDataOffsets/mass"] = np.zeros(steps, dtype="i8")


folder.mkdir(exist_ok=True)
write_npy()
write_vtk()
write_vtkhdf("one.vtkhdf")
write_vtkhdf("parts.vtkhdf", parts=(100, 0, 900), variable_text=True)
write_vtkhdf("grid.hdf", kind="UnstructuredGrid", parts=(400, 600))
write_vtkhdf("steps.vtkhdf", parts=(250, 750), steps=3)
