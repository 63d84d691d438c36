# SPDX-License-Identifier: Apache-2.0
"""Walls from the mesh objects of meshio and PyVista, which need not be installed: their attributes tell all."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy

from ._core import Error

Walls = dict[str, tuple[Any, ...]]  # faces by wall: tables [faces, corners], one for each number of corners

LINES = ("line",)
SURFACES = ("triangle", "quad", "polygon")
VOLUMES = ("tetra", "pyramid", "wedge", "hexahedron", "polyhedron")


def meshio_walls(mesh: Any, wall: str | Sequence[str] | None) -> tuple[Any, Walls]:
    """Points and walls of a meshio.Mesh; `wall` names cell sets or physical groups."""
    types = {block.type for block in mesh.cells}
    unknown = sorted(name for name in types - {"vertex", *LINES, *SURFACES} if not name.startswith(VOLUMES))
    if unknown:
        raise Error(
            f"wall_mesh: the mesh has cells of type {', '.join(unknown)}, expected {', '.join(LINES + SURFACES)} as "
            "faces. Shapes of higher order are not flattened: convert them first."
        )
    points, is_flat = numpy.asarray(mesh.points, dtype=float), False
    if not any(name.startswith(VOLUMES) for name in types):
        is_flat = points.shape[1] == 2 or (len(points) > 0 and bool(numpy.ptp(points[:, 2]) == 0) and "line" in types)
    of_faces = LINES if is_flat else SURFACES
    blocks = [(k, numpy.asarray(block.data)) for k, block in enumerate(mesh.cells) if block.type in of_faces]
    if not blocks:
        raise Error(f"wall_mesh: the mesh has no cells of type {', '.join(of_faces)}, of which walls are made.")
    named = _named_cells(mesh, 1 if is_flat else 2)
    chosen = _chosen(named, wall)
    walls: Walls = {}
    for name, cells in chosen.items():
        tables = tuple(data if cells is None else data[cells[k]] for k, data in blocks)
        walls[name] = tuple(table for table in tables if len(table) > 0)
        if not walls[name]:
            raise Error(f'wall_mesh: wall "{name}" has no face: none of its cells is a {" or ".join(of_faces)}.')
    return points[:, :2] if is_flat else points, walls


def _named_cells(mesh: Any, dimensions: int) -> dict[str, list[Any]]:
    """Numbers of cells in each block, by the name of a cell set or of a physical group of gmsh of these dimensions."""
    named = {
        name: [numpy.asarray([] if part is None else part, dtype=int) for part in parts]
        for name, parts in mesh.cell_sets.items()
        if not name.startswith("gmsh:")  # meshio's own
    }
    groups = mesh.cell_data.get("gmsh:physical")
    if groups is not None:
        for name, (number, of_group) in mesh.field_data.items():
            if of_group == dimensions:
                named.setdefault(name, [numpy.flatnonzero(numpy.asarray(part) == number) for part in groups])
    return named


def _chosen(named: Mapping[str, Any], wall: str | Sequence[str] | None) -> dict[str, Any]:
    """Entries of these names; without names all faces as one wall."""
    if wall is None:
        return {"wall": None}
    names = [wall] if isinstance(wall, str) else list(wall)
    for name in names:
        if name not in named:
            present = ", ".join(named) if named else "none"
            raise Error(f'wall_mesh: there is no wall "{name}"; the mesh names {present}.')
    return {name: named[name] for name in names}


def pyvista_walls(mesh: Any, wall: str | Sequence[str] | None) -> tuple[Any, Walls]:
    """Points and walls of a pyvista.PolyData, or of a MultiBlock of them, whose names choose the walls."""
    if hasattr(mesh, "keys") and hasattr(mesh, "n_blocks"):
        blocks = dict(zip(mesh.keys(), mesh, strict=True))
        names = list(blocks) if wall is None else [wall] if isinstance(wall, str) else list(wall)
        return _joined((name, _chosen(blocks, name)[name]) for name in names)
    if wall is not None and not isinstance(wall, str):
        raise Error(f"wall_mesh: {len(wall)} names for one surface; expected one name, or a MultiBlock of surfaces.")
    return _joined([("wall" if wall is None else wall, mesh)])


def _joined(surfaces: Iterable[tuple[str, Any]]) -> tuple[Any, Walls]:
    points, walls, first = [], {}, 0
    for name, surface in surfaces:
        if not hasattr(surface, "faces") or not hasattr(surface, "lines"):
            raise Error(
                f'wall_mesh: "{name}" is a {type(surface).__name__}, expected PolyData. The boundary of a grid is its '
                "extract_surface()."
            )
        if getattr(surface, "n_strips", 0):
            raise Error(f'wall_mesh: "{name}" has triangle strips. Call triangulate() first.')
        faces = numpy.asarray(surface.faces)
        if len(faces) == 0:
            raise Error(f'wall_mesh: "{name}" has no faces.')
        walls[name] = tuple(table + first for table in _tables(faces))
        points.append(numpy.asarray(surface.points, dtype=float))
        first += len(points[-1])
    return numpy.concatenate(points), walls


def _tables(stream: Any) -> list[Any]:
    """Faces of VTK's stream of counts and corners, in a table for each number of corners."""
    first = int(stream[0])
    if len(stream) % (first + 1) == 0:
        table = stream.reshape(-1, first + 1)
        if (table[:, 0] == first).all():
            return [table[:, 1:]]
    begins, position = [], 0
    while position < len(stream):
        begins.append(position)
        position += int(stream[position]) + 1
    starts = numpy.asarray(begins)
    counts = stream[starts]
    return [stream[starts[counts == count, None] + 1 + numpy.arange(count)] for count in numpy.unique(counts)]
