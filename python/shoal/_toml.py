# SPDX-License-Identifier: Apache-2.0
"""Text of a case file for a case built in code."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any


def value(given: Any) -> str:
    """TOML of a value: numbers of Python and NumPy, text, sequences, mappings."""
    if hasattr(given, "tolist"):
        given = given.tolist()
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, (int, float)):
        return repr(given)
    if isinstance(given, (str, os.PathLike)):
        return json.dumps(os.fspath(given), ensure_ascii=False)
    if isinstance(given, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {value(item)}" for key, item in given.items()) + "}"
    if isinstance(given, Sequence):
        return "[" + ", ".join(value(item) for item in given) + "]"
    raise TypeError(f"case: {given!r} is of type {type(given).__name__}, expected a number, text, a sequence or a dict.")


def document(sections: Mapping[str, Any]) -> str:
    """Text of a case file: plain values first, then a table for each dict and for each dict of a list."""
    plain, tables = [], []
    for key, given in sections.items():
        name = json.dumps(key)
        if isinstance(given, Mapping):
            tables += [f"[{name}]", *(f"{json.dumps(str(k))} = {value(v)}" for k, v in given.items())]
        elif isinstance(given, (list, tuple)) and given and all(isinstance(item, Mapping) for item in given):
            for item in given:
                tables += [f"[[{name}]]", *(f"{json.dumps(str(k))} = {value(v)}" for k, v in item.items())]
        else:
            plain.append(f"{name} = {value(given)}")
    return "\n".join([*plain, *tables]) + "\n"


def assignments(overrides: Mapping[str, Any] | None) -> list[str]:
    """Overrides of a case file as `key=value` with values in TOML."""
    return [f"{key}={value(given)}" for key, given in (overrides or {}).items()]
