# SPDX-License-Identifier: Apache-2.0
"""Walls from the mesh objects of meshio and PyVista, which need not be installed: their attributes tell all."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional

import numpy

from ._core import Error

Walls = dict[str, tuple[Any, ...]]  # faces by wall: tables [faces, corners], one for each number of corners
Blocks = list[tuple[str, Any]]  # cells of one type: its name in meshio, and a table [cells, corners]
CellsOfBlocks = list[Any]  # numbers of cells in each block

LINES = ("line",)
SURFACES = ("triangle", "quad", "polygon")
VOLUMES = ("tetra", "pyramid", "wedge", "hexahedron", "polyhedron")

# VTK's numbers of cell types.
VTK_TYPES = {
    1: "vertex",
    2: "vertex",
    3: "line",
    5: "triangle",
    7: "polygon",
    8: "pixel",
    9: "quad",
    10: "tetra",
    11: "hexahedron",
    12: "hexahedron",
    13: "wedge",
    14: "pyramid",
    42: "polyhedron",
}


def meshio_walls(mesh: Any, wall: str | Sequence[str] | None, marker_array: Optional[str]) -> tuple[Any, Walls]:
    """Points and walls of a meshio.Mesh; `wall` names cell sets, physical groups, or numbers in `marker_array`."""
    blocks = [(block.type, numpy.asarray(block.data)) for block in mesh.cells]
    points, is_flat = _space(mesh.points, blocks)
    if marker_array is None:
        return points, _walls(blocks, is_flat, _chosen(_named_cells(mesh, 1 if is_flat else 2), wall))
    marks = [numpy.asarray(part) for part in _marker_data(mesh.cell_data, marker_array)]
    return points, _walls(blocks, is_flat, _chosen(_marked_cells(marks, blocks, is_flat, marker_array), wall, True))


def _space(mesh_points: Any, blocks: Blocks) -> tuple[Any, bool]:
    """Points of the walls, and whether the mesh is two-dimensional, so that its lines are the faces."""
    types = {name for name, _ in blocks}
    unknown = sorted(name for name in types - {"vertex", *LINES, *SURFACES} if not name.startswith(VOLUMES))
    if unknown:
        raise Error(
            f"wall_mesh: the mesh has cells of type {', '.join(unknown)}, expected {', '.join(LINES + SURFACES)} as "
            "faces. Shapes of higher order are not flattened: convert them first."
        )
    points, is_flat = numpy.asarray(mesh_points, dtype=float), False
    if not any(name.startswith(VOLUMES) for name in types):
        is_flat = points.shape[1] == 2 or (len(points) > 0 and bool(numpy.ptp(points[:, 2]) == 0) and "line" in types)
    return points[:, :2] if is_flat else points, is_flat


def _walls(blocks: Blocks, is_flat: bool, chosen: Mapping[str, Optional[CellsOfBlocks]]) -> Walls:
    """Faces of the chosen walls; None stands for all faces."""
    of_faces = _types_of_faces(is_flat)
    faces = [(k, table) for k, (name, table) in enumerate(blocks) if name in of_faces]
    if not faces:
        raise Error(f"wall_mesh: the mesh has no cells of type {', '.join(of_faces)}, of which walls are made.")
    walls: Walls = {}
    for name, cells in chosen.items():
        tables = tuple(table if cells is None else table[cells[k]] for k, table in faces)
        walls[name] = tuple(table for table in tables if len(table) > 0)
        if not walls[name]:
            raise Error(f'wall_mesh: wall "{name}" has no face: none of its cells is a {" or ".join(of_faces)}.')
    return walls


def _types_of_faces(is_flat: bool) -> tuple[str, ...]:
    return LINES if is_flat else SURFACES


def _named_cells(mesh: Any, dimensions: int) -> dict[str, CellsOfBlocks]:
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


def _marker_data(cell_data: Any, marker_array: str) -> Any:
    """The array of cell data of this name."""
    names = list(cell_data.keys())
    if marker_array not in names:
        raise Error(
            f'wall_mesh: there is no array "{marker_array}" of cell data; the mesh has {", ".join(names) or "none"}.'
        )
    return cell_data[marker_array]


def _marked_cells(
    marks: Sequence[Any], blocks: Blocks, is_flat: bool, marker_array: str
) -> dict[str, CellsOfBlocks]:
    """Numbers of cells in each block by their mark, for the marks of faces in ascending order."""
    for part in marks:
        if part.dtype.kind not in "iu" or part.ndim != 1:
            raise Error(
                f'wall_mesh: array "{marker_array}" is {part.dtype} with {part.ndim} dimensions, expected an integer '
                "for each cell, which names its wall."
            )
    of_faces = _types_of_faces(is_flat)
    of_walls = [part for part, (name, _) in zip(marks, blocks, strict=True) if name in of_faces]
    numbers: Any = numpy.unique(numpy.concatenate(of_walls)) if of_walls else []
    return {str(number): [numpy.flatnonzero(part == number) for part in marks] for number in numbers}


def _chosen(
    named: Mapping[str, Any], wall: str | Sequence[str] | None, all_by_name: bool = False
) -> dict[str, Optional[CellsOfBlocks]]:
    """Entries of these names; without names all entries, or all faces as one wall."""
    if wall is None:
        return dict(named) if all_by_name and named else {"wall": None}
    names = [wall] if isinstance(wall, str) else list(wall)
    for name in names:
        if name not in named:
            present = ", ".join(named) if named else "none"
            raise Error(f'wall_mesh: there is no wall "{name}"; the mesh names {present}.')
    return {name: named[name] for name in names}


def pyvista_walls(mesh: Any, wall: str | Sequence[str] | None, marker_array: Optional[str]) -> tuple[Any, Walls]:
    """Points and walls of a pyvista.PolyData or UnstructuredGrid, or of a MultiBlock of them, as readers return it."""
    if hasattr(mesh, "keys") and hasattr(mesh, "n_blocks"):
        if marker_array is not None:
            raise Error("wall_mesh: marker_array is for one surface; the blocks of a MultiBlock name the walls.")
        surfaces = dict(zip(mesh.keys(), mesh, strict=True))
        names = list(surfaces) if wall is None else [wall] if isinstance(wall, str) else list(wall)
        return _joined((name, _chosen(surfaces, name)[name]) for name in names)
    if marker_array is None and wall is not None and not isinstance(wall, str):
        raise Error(
            f"wall_mesh: {len(wall)} names for one surface; expected one name, a MultiBlock of surfaces, or a "
            "marker_array."
        )
    name = wall if isinstance(wall, str) else "wall"
    numbered = _numbered_cells(name, mesh)
    blocks = [(type_name, table) for type_name, table, _ in numbered]
    points, is_flat = _space(mesh.points, blocks)
    if marker_array is None:
        return points, _walls(blocks, is_flat, {name: None})
    data = numpy.asarray(_marker_data(mesh.cell_data, marker_array))
    marks = [data[numbers] for _, _, numbers in numbered]
    return points, _walls(blocks, is_flat, _chosen(_marked_cells(marks, blocks, is_flat, marker_array), wall, True))


def _numbered_cells(name: str, mesh: Any) -> list[tuple[str, Any, Any]]:
    """Type, corners and numbers of the cells of a PolyData or UnstructuredGrid."""
    return _grid_cells(mesh) if hasattr(mesh, "celltypes") else _polygons(name, mesh)


def _grid_cells(grid: Any) -> list[tuple[str, Any, Any]]:
    """Type, corners and numbers of the cells of an UnstructuredGrid, for each type and number of corners."""
    stream, types = numpy.asarray(grid.cells), numpy.asarray(grid.celltypes)
    if len(stream) == 0:
        return []
    starts = _starts(stream)
    counts = stream[starts]
    cells = []
    for number, count in sorted(set(zip(types.tolist(), counts.tolist(), strict=True))):
        numbers = numpy.flatnonzero((types == number) & (counts == count))
        table = stream[starts[numbers, None] + 1 + numpy.arange(count)]
        name = VTK_TYPES.get(number, f"{number} of VTK")
        if name == "pixel":
            name, table = "quad", table[:, [0, 1, 3, 2]]
        cells.append((name, table, numbers))
    return cells


def _polygons(name: str, surface: Any) -> list[tuple[str, Any, Any]]:
    """Type, corners and numbers of the polygons of a PolyData, which are its last cells."""
    if not hasattr(surface, "faces") or not hasattr(surface, "lines"):
        raise Error(
            f'wall_mesh: "{name}" is a {type(surface).__name__}, expected PolyData or UnstructuredGrid. The boundary '
            "of another grid is its extract_surface()."
        )
    if getattr(surface, "n_strips", 0):
        raise Error(f'wall_mesh: "{name}" has triangle strips. Call triangulate() first.')
    stream = numpy.asarray(surface.faces)
    if len(stream) == 0:
        raise Error(f'wall_mesh: "{name}" has no faces.')
    starts = _starts(stream)
    counts, numbers = stream[starts], numpy.arange(len(starts)) - len(starts)  # from the end
    return [
        ("polygon", stream[starts[counts == count, None] + 1 + numpy.arange(count)], numbers[counts == count])
        for count in numpy.unique(counts)
    ]


def _starts(stream: Any) -> Any:
    """Positions of the faces in VTK's stream of counts and corners."""
    width = int(stream[0]) + 1
    if len(stream) % width == 0 and (stream[::width] == width - 1).all():
        return numpy.arange(0, len(stream), width)
    starts, position = [], 0
    while position < len(stream):
        starts.append(position)
        position += int(stream[position]) + 1
    return numpy.asarray(starts)


def _joined(surfaces: Iterable[tuple[str, Any]]) -> tuple[Any, Walls]:
    """Points and walls of several surfaces, in space."""
    points, walls, first = [], {}, 0
    for name, surface in surfaces:
        blocks = [(type_name, table + first) for type_name, table, _ in _numbered_cells(name, surface)]
        walls |= _walls(blocks, False, {name: None})
        points.append(numpy.asarray(surface.points, dtype=float))
        first += len(points[-1])
    return numpy.concatenate(points), walls
