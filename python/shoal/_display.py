# SPDX-License-Identifier: Apache-2.0
"""How plans, cases and results print, and how notebooks show them: one line of text, and a table.

A table has no scripts and loads nothing. Neither form raises an error or computes anything: a fact that an object cannot
state now, as the order of particles before the first call, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

# Classes of the compiled part, and the facts that they state, each an attribute.
PLANS = {
    "Cells": ("method", "dtype", "device"),
    "Collision": ("method", "dtype", "device", "directions", "evaluations"),
    "Deposit": ("method", "dtype", "device", "node_shape", "skipped"),
    "Gas": ("dtype", "device", "clock"),
    "GhostPoints": ("dtype", "device", "total"),
    "NearestNeighbors": ("dtype", "device"),
    "NeighborSets": ("names", "method", "dtype", "device"),
    "NeighborStream": ("method", "dtype", "device", "device_bytes"),
    "Neighbors": ("method", "dtype", "device", "rebuilds"),
    "PeriodicNeighbors": ("method", "dtype", "device"),
    "Relaxation": ("method", "time", "steps", "step"),
    "WallDistance": ("method", "device", "face_count", "bytes"),
}
VALUES = {
    "CollisionDefects": ("mass", "momentum", "energy"),
    "DepositGrid": ("grid", "cell_count", "node_count"),
    "GasBoundary": ("kind", "temperature", "velocity", "density", "accommodation", "last_temperature"),
    "GasClock": ("time", "steps", "iterations", "evaluations"),
    "GasFlux": ("mass", "momentum", "energy"),
    "MeshFile": ("dimensions", "cell_count", "markers"),
    "RelaxationState": ("entropy", "energy", "least", "moments"),
    "RigidTransform": ("rotation", "translation"),
    "SteadyResult": ("converged", "iterations", "residual"),
    "VelocityGrid": ("nodes", "half_width", "center", "spacing"),
    "VelocityMoments": ("density", "velocity", "temperature"),
}
SPH = {
    "Balance": ("mass", "momentum", "kinetic", "potential", "internal", "total"),
    "Case": ("title", "dimensions", "spacing", "duration"),
    "Fields": ("clock", "total", "position", "velocity", "density", "pressure"),
    "RunReport": ("name", "device", "last", "mass_drift", "files", "warnings"),
    "Solver": ("method", "device", "clock"),
}


def shown(value: Any) -> str:
    """A value in a few words; an array is named by its type, shape and device."""
    shape = getattr(value, "shape", None)
    if shape is not None and hasattr(value, "dtype"):
        device = getattr(value, "device", "cpu")
        return f"{value.dtype} {tuple(shape)}" + ("" if str(device) == "cpu" else f" on {device}")
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        words = ", ".join(shown(each) for each in value[:12]) + (", ..." if len(value) > 12 else "")
        return f"({words})"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {shown(each)}" for name, each in value.items())
    return str(getattr(value, "name", value))


def facts(item: Any, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of a name and a value in words."""
    for name in names:
        try:
            value = getattr(item, name)
        except Exception:  # of a plan that has not been used, or that another thread uses
            continue
        if value is not None:
            yield name, shown(value)


def line(item: Any, names: tuple[str, ...]) -> str:
    """The text of an object."""
    return f"{type(item).__name__}({', '.join(f'{name}={value}' for name, value in facts(item, names))})"


def table(item: Any, names: tuple[str, ...]) -> str:
    """The table of an object in HTML."""
    from html import escape

    style = "text-align: left; padding: 0 1em 0 0"
    rows = "".join(
        f"<tr><th style='{style}; font-weight: normal; opacity: 0.7'>{escape(name)}</th>"
        f"<td style='{style}'>{escape(value[:500])}</td></tr>"
        for name, value in facts(item, names)
    )
    return f"<table><caption style='{style}'><b>{escape(type(item).__name__)}</b></caption>{rows}</table>"


def display_by(kind: type, names: tuple[str, ...], one_line: bool = True) -> None:
    """Gives a class both forms. With `one_line` False it keeps its text."""

    def __repr__(self: object) -> str:
        return line(self, names)

    def _repr_html_(self: object) -> str:
        return table(self, names)

    __repr__.__module__ = _repr_html_.__module__ = kind.__module__  # where the stub of the compiled part looks for them
    if one_line:
        setattr(kind, "__repr__", __repr__)
    setattr(kind, "_repr_html_", _repr_html_)


def display(core: Any, results: Any) -> None:
    """Gives both forms to the classes of the compiled part, and tables to the results of operations."""
    for name, names in (PLANS | VALUES | SPH).items():
        display_by(getattr(core, name), names)
    lists = (results.CellList, results.GasMoments, results.NearestSources, results.NeighborList, results.NeighborPairs)
    for kind in (*lists, results.PointsWithGhosts, results.WallDistances):
        display_by(kind, kind._fields, one_line=False)
