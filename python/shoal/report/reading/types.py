# SPDX-License-Identifier: Apache-2.0
"""Types of the values that reports read from case.toml and summary.json, which may be damaged or from anyone."""

from numbers import Real
from pathlib import PurePath

from ..errors import ReportError


class FileName(str):
    """Name of a file in the output folder, without its extension."""


class Required:
    """Type of a value that must exist."""

    def __init__(self, expected):
        self.type = expected


POINT = [Real]
BOX = {"from": POINT, "to": POINT}
CASE = {
    "kind": str,
    "title": str,
    "run": {"duration": Real},
    "particles": {"dimensions": Real, "spacing": Real},
    "scheme": {"gravity": POINT},
    "material": {any: {"density": Real, "sound_speed": Real}},
    "body": [{"name": str, "material": str, "box": BOX}],
    "wall": [{"name": str, "box": BOX}],
    "heat_pulse": [{"at": POINT, "radius": Real, "energy": Real}],
    "probe": [{"kind": str, "name": FileName, "at": POINT}],
    "mesh": {"walls": [str], "around": str},
    "grid": {"half_width": Required(Real), "center": POINT},
}
SPH_CASE = {"probe": [{"kind": Required(str)}]}
SUMMARY = {
    "name": str,
    "device": str,
    "interrupted": bool,
    "seconds": {"kernels": {any: Real}, any: Real},
    "machine": {},
    "warnings": [object],
    **dict.fromkeys(("particles", "points", "nodes", "time", "step", "steps", "updates", "mass_drift"), Real),
    **dict.fromkeys(("iterations", "residual"), Real),
    **dict.fromkeys(("evaluations_per_second", "queries_per_second"), Real),
}
REMEDY = "Another program wrote this file, or it is damaged."
NAMES = {dict: "a table", list: "a list", str: "text", Real: "a number", bool: "true or false", FileName: "a file name"}


def require_types(file, value, expected, key=""):
    """Raises a ReportError about the first value of another type.

    `expected` is a class, [type of the items], or {key: type of its value}, where `any` stands for the other keys.
    """
    if isinstance(expected, Required):
        expected = expected.type
    kind = next((kind for kind in (dict, list) if isinstance(expected, kind)), expected)
    if not _is_a(value, kind):
        at = f"`{key}` is" if key else "the content is"
        shown = repr(value)[:60]
        raise ReportError(f"{file}: {at} {shown}, expected {NAMES[kind]}. {REMEDY}")
    if isinstance(expected, list):
        for number, item in enumerate(value):
            require_types(file, item, expected[0], f"{key}.{number}")
    elif isinstance(expected, dict):
        _require_table(file, value, expected, f"{key}." if key else "")


def _require_table(file, table, types, prefix):
    for name, expected in types.items():
        if isinstance(expected, Required) and name not in table:
            raise ReportError(f"{file}: missing key `{prefix}{name}`. {REMEDY}")
    for name, value in table.items():
        expected = types.get(name, types.get(any))
        if expected is not None and value is not None:
            require_types(file, value, expected, f"{prefix}{name}")


def _is_a(value, kind):
    if kind is FileName:
        is_name = isinstance(value, str) and PurePath(value).name == value and value != ".."
        return is_name and "\\" not in value and "\0" not in value
    return isinstance(value, kind) and (kind is not Real or not isinstance(value, bool))
