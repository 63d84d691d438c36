# SPDX-License-Identifier: Apache-2.0
"""Checks a list of neighbors against the one of tests/io/lists/neighbor_file_test.cpp, with NumPy or h5py only.

    check_neighbor_file.py FILE [--wide] [--double] [--lengths] [--empty]

Points 0, 1, 3 and 4 on a line, radius 1.5, periodic from 0 to 5; no points when empty.
"""

import argparse
import zipfile

import h5py
import numpy as np


def contents(file):
    if file.endswith(".npz"):
        assert zipfile.ZipFile(file).testzip() is None
        with np.load(file) as npz:
            return {name: npz[name] for name in npz.files}
    with h5py.File(file, "r") as h5:
        found = {name: values[:] for name, values in h5.items()}
        for name, value in h5.attrs.items():
            found[name] = np.array(value.decode() if isinstance(value, bytes) else value)
        return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    for flag in ["--wide", "--double", "--lengths", "--empty"]:
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    real = np.float64 if options.double else np.float32
    expected = {
        "offsets": np.array([0, 2, 3, 4, 6]),
        "indices": np.array([1, 3, 0, 3, 0, 2], dtype=np.int64 if options.wide else np.int32),
        "radius": np.array(1.5),
        "length_unit": np.array("m"),
        "predicate": np.array("strict"),
        "order": np.array("ascending"),
        "radius_of": np.array("fixed"),
        "include_self": np.array(0),
        "half": np.array(0),
        "dimensions": np.array(1),
        "periodic": np.array([1]),
        "box_lower": np.array([0.0]),
        "box_upper": np.array([5.0]),
        "method": np.array("serial"),
        "device": np.array("cpu, 1 thread"),
    }
    if options.lengths:
        expected["distances"] = np.ones(6, dtype=real)
        expected["displacements"] = np.array([[-1], [1], [1], [-1], [-1], [1]], dtype=real)
    if options.empty:
        expected["offsets"] = expected["offsets"][:1]
        for name in {"indices", "distances", "displacements"} & set(expected):
            expected[name] = expected[name][:0]
    found = contents(options.file)
    assert str(found.pop("shoal_version")).count(".") == 2
    assert set(found) == set(expected), set(found) ^ set(expected)
    for name, value in expected.items():
        assert found[name].shape == value.shape and np.array_equal(found[name], value), (name, found[name])
        assert value.dtype.kind == "U" or found[name].dtype == value.dtype, (name, found[name].dtype)


main()
