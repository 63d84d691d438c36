# SPDX-License-Identifier: Apache-2.0
"""The output folder of a run: case, fields (temporal VTKHDF) and probes (CSV). docs/output.md has the layout."""

import csv
import tomllib
from pathlib import Path

import h5py
import numpy as np


class RunError(Exception):
    """Something about the output folder that its reader must know."""


def read_columns(path):
    """A CSV file as {column name: array}; lines that start with # are comments."""
    with open(path, newline="") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#")) if row]
    if len(rows) < 2:
        raise RunError(f"{path} has no rows.")
    values = np.array(rows[1:], dtype=float)
    return {name.strip(): values[:, i] for i, name in enumerate(rows[0])}


class Run:
    """What a run left in `folder`."""

    def __init__(self, folder):
        self.folder = Path(folder)
        try:
            self.case = tomllib.loads((self.folder / "case.toml").read_text())
            self._fields = h5py.File(self.folder / "fields.vtkhdf", "r")["VTKHDF"]
        except OSError as error:
            raise RunError(f"{folder} is not the output of a run: {error}") from error
        self.times = self._fields["Steps/Values"][:]

    @property
    def spacing(self):
        return self.case["particles"]["spacing"]

    def step_at(self, time):
        """The stored step nearest to `time`, which must be within half a step of it."""
        step = int(np.argmin(abs(self.times - time)))
        every = np.diff(self.times).max() if len(self.times) > 1 else 0
        if abs(self.times[step] - time) > 0.51 * every:
            raise RunError(f"{self.folder} has no fields near t = {time} s; the nearest are at {self.times[step]:.6g} s.")
        return step

    def positions(self, step):
        return self._rows("Points", self._fields["Steps/PointOffsets"][step], step)

    def field(self, name, step):
        offsets = self._fields["Steps"].get(f"PointDataOffsets/{name}", self._fields["Steps/PointOffsets"])
        return self._rows(f"PointData/{name}", offsets[step], step)

    def _rows(self, dataset, first, step):
        steps = self._fields["Steps"]
        part, parts = steps["PartOffsets"][step], steps["NumberOfParts"][step]
        count = self._fields["NumberOfPoints"][part : part + parts].sum()
        return self._fields[dataset][first : first + count]

    def probes(self, kind):
        """[(probe table of the case, times in s, values)] of one kind of probe."""
        found = []
        for probe in self.case.get("probe", []):
            if probe["kind"] == kind:
                columns = list(read_columns(self.folder / f"{probe['name']}.csv").values())
                found.append((probe, columns[0], columns[1]))
        return found

    def probe(self, kind):
        found = self.probes(kind)
        if not found:
            raise RunError(f"The case in {self.folder} has no probe of kind {kind}.")
        return found[0]
