# SPDX-License-Identifier: Apache-2.0
"""Checks fields.vtkhdf against the layout that VTK's reader asks for, and against the values of the test's states.

    check_vtkhdf.py FILE STATES [--energy] [--double] [--compressed]

The states are those of tests/io/run/fields_test.cpp: 7, 7, 5, 5 and 0 particles at t = 0, 0.25, 0.5, 0.75 and 1.
"""

import argparse

import h5py
import numpy as np

counts = [7, 7, 5, 5, 0]
times = [0, 0.25, 0.5, 0.75, 1]
cell_groups = ["Vertices", "Lines", "Polygons", "Strips"]


def check_header(vtk):
    assert list(vtk.attrs["Version"]) == [2, 0], vtk.attrs["Version"]
    kind = vtk.attrs.get_id("Type")
    assert kind.get_type().get_class() == h5py.h5t.STRING and not kind.get_type().is_variable_str()
    assert kind.get_type().get_cset() == h5py.h5t.CSET_ASCII and kind.get_type().get_size() <= 32
    assert vtk.attrs["Type"] == b"PolyData"


def check_shapes(vtk, states):
    steps = vtk["Steps"]
    assert steps.attrs["NSteps"] == states and np.ndim(steps.attrs["NSteps"]) == 0
    for name in ["Values", "PartOffsets", "NumberOfParts", "PointOffsets"]:
        assert steps[name].shape == (states,), name
    for name in ["CellOffsets", "ConnectivityIdOffsets"]:
        assert steps[name].shape == (states, 4), name
    integers = ["NumberOfPoints"] + [f"{g}/{n}" for g in cell_groups
                                     for n in ["NumberOfCells", "NumberOfConnectivityIds", "Offsets", "Connectivity"]]
    for name in integers:
        assert vtk[name].dtype == np.int64 and vtk[name].ndim == 1, name
    parts = len(vtk["NumberOfPoints"])
    for group in cell_groups:
        cells = vtk[f"{group}/NumberOfCells"][:]
        assert len(cells) == parts, group
        assert len(vtk[f"{group}/Offsets"]) == cells.sum() + parts, group


def state_of(vtk, step):
    """Points, vertex cells and point data of one state, read the way VTK's reader does."""
    steps = vtk["Steps"]
    part = steps["PartOffsets"][step]
    assert steps["NumberOfParts"][step] == 1
    n = vtk["NumberOfPoints"][part]
    first = steps["PointOffsets"][step]
    points = vtk["Points"][first : first + n]
    cells = vtk["Vertices/NumberOfCells"][part]
    first_offset = steps["CellOffsets"][step][0] + part
    offsets = vtk["Vertices/Offsets"][first_offset : first_offset + cells + 1]
    first_id = steps["ConnectivityIdOffsets"][step][0]
    connectivity = vtk["Vertices/Connectivity"][first_id : first_id + vtk["Vertices/NumberOfConnectivityIds"][part]]
    data = {}
    for name, values in vtk["PointData"].items():
        start = steps[f"PointDataOffsets/{name}"][step] if name in steps["PointDataOffsets"] else first
        data[name] = values[start : start + n]
    return points, offsets, connectivity, data


def check_state(vtk, step, options):
    n, time = counts[step], times[step]
    assert vtk["Steps/Values"][step] == time
    points, offsets, connectivity, data = state_of(vtk, step)
    ids = np.arange(n)
    number = ids + time
    assert np.array_equal(points, np.stack([number, number + 1000, 0 * number], axis=1)), points
    assert np.array_equal(offsets, np.arange(n + 1)) and np.array_equal(connectivity, ids), (offsets, connectivity)
    expected = {
        "velocity": np.stack([-number, 2 * number, 0 * number], axis=1),
        "pressure": 3 * number,
        "density": 1000 + number,
        "id": ids,
        "material": ids % 2,
        "wall": ids % 5 == 0,
        "wall_number": np.where(ids % 5 == 0, ids // 5, -1),
        "body": np.where(ids % 5 == 0, -1, ids % 3),
    }
    if options.energy:
        expected["energy"] = 4 * number
    assert set(data) == set(expected), set(data)
    for name, values in expected.items():
        assert np.array_equal(data[name], values), (step, name, data[name])


def check_types(vtk, options):
    assert vtk["Points"].dtype == (np.float64 if options.double else np.float32)
    assert vtk["Points"].maxshape == (None, 3) and vtk["PointData/velocity"].shape[1:] == (3,)
    assert vtk["PointData/velocity"].dtype == np.float32 and vtk["PointData/pressure"].ndim == 1
    assert vtk["PointData/id"].dtype == np.int64
    assert vtk["PointData/material"].dtype == np.uint8 and vtk["PointData/wall"].dtype == np.uint8
    assert vtk["PointData/wall_number"].dtype == np.int32 and vtk["PointData/body"].dtype == np.int32
    assert vtk["Points"].compression == ("gzip" if options.compressed else None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("states", type=int)
    for flag in ["--energy", "--double", "--compressed"]:
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    with h5py.File(options.file, "r") as file:
        assert file["shoal/case"][:].tobytes().startswith(b'kind = "sph"') and file["shoal"].attrs["version"]
        vtk = file["VTKHDF"]
        check_header(vtk)
        check_shapes(vtk, options.states)
        check_types(vtk, options)
        for step in range(options.states):
            check_state(vtk, step, options)


main()
