# SPDX-License-Identifier: Apache-2.0
"""Walls from the mesh objects of other packages."""

import types

import numpy
import pytest

import shoal


class MeshioMesh:
    """The attributes of a meshio.Mesh that `from_meshio` reads."""

    def __init__(self, points, blocks, cell_sets=None, cell_data=None, field_data=None):
        self.points = points
        self.cells = [types.SimpleNamespace(type=name, data=numpy.array(data)) for name, data in blocks]
        self.cell_sets = cell_sets or {}
        self.cell_data = cell_data or {}
        self.field_data = field_data or {}


SQUARE = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1.0]])
PYRAMID = [("quad", [[0, 3, 2, 1]]), ("triangle", [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])]


def test_walls_of_meshio_are_named_by_cell_sets_and_physical_groups():
    sets = {"base": [[0], []], "sides": [None, [0, 2]], "gmsh:bounding_entities": [[0], [1]]}
    mesh = shoal.WallMesh.from_meshio(MeshioMesh(SQUARE, PYRAMID, sets), ["sides", "base"])
    assert (mesh.wall_names, mesh.face_count, mesh.dimensions) == (["sides", "base"], 3, 3)
    numpy.testing.assert_array_equal(mesh.wall_of_face, [0, 0, 1])
    distances = shoal.wall_distance(mesh, [[0.5, 0.5, -2]])
    assert distances.distance[0] == 2

    data = {"gmsh:physical": [numpy.array([7]), numpy.array([8, 8, 7, 8])]}
    groups = MeshioMesh(SQUARE, PYRAMID, None, data, {"inlet": [8, 2], "wall": [7, 2], "air": [7, 3]})
    assert shoal.WallMesh.from_meshio(groups, "wall").face_count == 2
    assert shoal.WallMesh.from_meshio(groups).face_count == 5
    with pytest.raises(shoal.Error, match='there is no wall "outlet"; the mesh names inlet, wall'):
        shoal.WallMesh.from_meshio(groups, "outlet")


def test_lines_of_meshio_are_walls_in_the_plane():
    blocks = [("triangle", [[0, 1, 2]]), ("line", [[0, 1], [1, 2]]), ("vertex", [[0]])]
    mesh = shoal.WallMesh.from_meshio(MeshioMesh(SQUARE[:4], blocks))
    assert (mesh.dimensions, mesh.face_count) == (2, 2)
    assert shoal.WallMesh.from_meshio(MeshioMesh(SQUARE[:4, :2], blocks[1:])).face_count == 2
    with pytest.raises(shoal.Error, match='wall "corner" has no face: none of its cells is a line'):
        shoal.WallMesh.from_meshio(MeshioMesh(SQUARE[:4], blocks, {"corner": [None, None, [0]]}), "corner")


def test_numbers_of_cells_name_walls_of_meshio():
    data = {"patch": [numpy.array([4]), numpy.array([7, 4, 4, 7])], "height": [numpy.zeros(1), numpy.zeros(4)]}
    mesh = MeshioMesh(SQUARE, PYRAMID, None, data)
    walls = shoal.WallMesh.from_meshio(mesh, marker_array="patch")
    assert walls.wall_names == ["4", "7"]
    numpy.testing.assert_array_equal(walls.wall_of_face, [0, 0, 0, 1, 1])
    assert shoal.WallMesh.from_meshio(mesh, "7", marker_array="patch").face_count == 2
    with pytest.raises(shoal.Error, match='no array "part" of cell data; the mesh has patch, height'):
        shoal.WallMesh.from_meshio(mesh, marker_array="part")
    with pytest.raises(shoal.Error, match='array "height" is float64 with 1 dimensions, expected an integer for each'):
        shoal.WallMesh.from_meshio(mesh, marker_array="height")
    with pytest.raises(shoal.Error, match='there is no wall "5"; the mesh names 4, 7'):
        shoal.WallMesh.from_meshio(mesh, ["4", "5"], marker_array="patch")


def test_meshes_of_meshio_without_walls_are_errors():
    with pytest.raises(shoal.Error, match="no cells of type triangle, quad, polygon"):
        shoal.WallMesh.from_meshio(MeshioMesh(SQUARE, [("pyramid", [[0, 1, 2, 3, 4]])]))
    with pytest.raises(shoal.Error, match="has cells of type triangle6, expected line, triangle, quad, polygon"):
        shoal.WallMesh.from_meshio(MeshioMesh(SQUARE, [("triangle6", [[0, 1, 2, 3, 4, 0]])]))


def test_a_file_that_meshio_reads_has_the_walls_of_ours(tmp_path):
    meshio = pytest.importorskip("meshio")
    file = tmp_path / "pyramid.stl"
    meshio.Mesh(SQUARE, [PYRAMID[1]]).write(file)
    theirs, ours = shoal.WallMesh.from_meshio(meshio.read(file)), shoal.read_mesh(file).walls()
    points = numpy.random.default_rng(5).random((50, 3))
    numpy.testing.assert_array_equal(
        shoal.wall_distance(theirs, points).distance, shoal.wall_distance(ours, points).distance
    )


class Surface:
    """The attributes of a pyvista.PolyData that `from_pyvista` reads."""

    lines = ()

    def __init__(self, points, faces, n_strips=0, cell_data=None):
        self.points, self.faces, self.n_strips = points, numpy.array(faces), n_strips
        self.cell_data = cell_data or {}


class Grid:
    """The attributes of a pyvista.UnstructuredGrid that `from_pyvista` reads; cells are (type of VTK, corners)."""

    def __init__(self, points, cells, cell_data=None):
        self.points, self.cell_data = points, cell_data or {}
        self.celltypes = numpy.array([number for number, _ in cells], "uint8")
        self.cells = numpy.array([entry for _, corners in cells for entry in [len(corners), *corners]])


class Blocks(dict):
    """The attributes of a pyvista.MultiBlock, which is iterated by its blocks."""

    n_blocks = property(len)

    def __iter__(self):
        return iter(self.values())

    def keys(self):
        return list(super().keys())


def test_surfaces_of_pyvista_are_walls():
    tent = Surface(SQUARE, [4, 0, 3, 2, 1, 3, 0, 1, 4])
    mesh = shoal.WallMesh.from_pyvista(tent, "tent")
    assert (mesh.wall_names, mesh.face_count) == (["tent"], 2)
    blocks = Blocks(tent=tent, flat=Surface(SQUARE + [0, 0, 3], [3, 0, 1, 2, 3, 0, 2, 3]))
    mesh = shoal.WallMesh.from_pyvista(blocks)
    assert (mesh.wall_names, mesh.point_count) == (["tent", "flat"], 10)
    found = shoal.wall_distance(mesh, [[0.75, 0.25, 3.5]], ["distance", "wall"])
    assert (found.distance[0], found.wall[0]) == (0.5, 1)
    assert shoal.WallMesh.from_pyvista(blocks, "flat").wall_names == ["flat"]


def test_objects_of_pyvista_without_faces_are_errors():
    for mesh, wall, message in [
        (Surface(SQUARE, []), None, '"wall" has no faces'),
        (Surface(SQUARE, [3, 0, 1, 2], n_strips=1), None, "has triangle strips. Call triangulate"),
        (types.SimpleNamespace(points=SQUARE), None, "expected PolyData or UnstructuredGrid. The boundary of another"),
        (Grid(SQUARE, [(14, [0, 1, 2, 3, 4])]), None, "no cells of type triangle, quad, polygon"),
        (Grid(SQUARE, [(22, [0, 1, 2, 3, 4, 0])]), None, "has cells of type 22 of VTK, expected line, triangle"),
        (Surface(SQUARE, [3, 0, 1, 2]), ["a", "b"], "2 names for one surface"),
        (Blocks(tent=Surface(SQUARE, [3, 0, 1, 2])), "roof", 'there is no wall "roof"; the mesh names tent'),
    ]:
        with pytest.raises(shoal.Error, match=message):
            shoal.WallMesh.from_pyvista(mesh, wall)


def test_faces_of_grids_of_pyvista_are_walls():
    # a triangle, the pyramid itself, the same base as a pixel and as a pentagon with a corner between two others
    cells = [(5, [0, 1, 4]), (14, [0, 1, 2, 3, 4]), (8, [0, 1, 3, 2]), (1, [4]), (7, [0, 1, 2, 3, 3])]
    grid = Grid(SQUARE, cells, {"part": numpy.array([2, 9, 3, 9, 2])})
    mesh = shoal.WallMesh.from_pyvista(grid, "tent")
    assert (mesh.wall_names, mesh.face_count, mesh.dimensions) == (["tent"], 3, 3)
    by_number = shoal.WallMesh.from_pyvista(grid, marker_array="part")
    assert by_number.wall_names == ["2", "3"], "9 marks no face"
    numpy.testing.assert_array_equal(by_number.wall_of_face, [0, 0, 1])
    base = shoal.WallMesh.from_pyvista(grid, "3", marker_array="part")
    assert shoal.wall_distance(base, [[0.9, 0.1, -2.0]]).distance[0] == 2, "a pixel is no bow tie"


def test_lines_of_grids_of_pyvista_are_walls_in_the_plane():
    grid = Grid(SQUARE[:4], [(3, [0, 1]), (9, [0, 1, 2, 3]), (3, [2, 3])], {"part": numpy.array([5, 1, 6])})
    mesh = shoal.WallMesh.from_pyvista(grid, marker_array="part")
    assert (mesh.dimensions, mesh.wall_names, mesh.face_count) == (2, ["5", "6"], 2)


def test_numbers_of_cells_name_walls_of_pyvista():
    # The first cell is a vertex: polygons are the last cells.
    tent = Surface(SQUARE, [4, 0, 3, 2, 1, 3, 0, 1, 4], cell_data={"part": numpy.array([8, 1, 2])})
    mesh = shoal.WallMesh.from_pyvista(tent, marker_array="part")
    assert mesh.wall_names == ["1", "2"]
    assert shoal.wall_distance(mesh, [[0.5, 0.5, -1.0]], ["wall"]).wall[0] == 0
    with pytest.raises(shoal.Error, match="marker_array is for one surface"):
        shoal.WallMesh.from_pyvista(Blocks(tent=tent), marker_array="part")


def test_a_sphere_of_pyvista_is_a_wall():
    pyvista = pytest.importorskip("pyvista")
    mesh = shoal.WallMesh.from_pyvista(pyvista.Sphere(radius=1))
    assert abs(shoal.wall_distance(mesh, [[0, 0, 0]]).distance[0] - 1) < 0.01


def test_grids_of_pyvista_are_the_surfaces_that_they_hold():
    pyvista = pytest.importorskip("pyvista")
    box = pyvista.Box((0, 2, 0, 2, 0, 2), level=1).cast_to_unstructured_grid()
    box.cell_data["side"] = (box.cell_centers().points[:, 2] == 0).astype("int32")
    mesh = shoal.WallMesh.from_pyvista(box, marker_array="side")
    assert (mesh.wall_names, mesh.face_count) == (["0", "1"], 24)
    found = shoal.wall_distance(mesh, [[1.0, 1.0, 0.25], [1.0, 1.0, 2.5]], signs=True)
    assert found.distance.tolist() == [-0.25, 0.5] and found.wall.tolist() == [1, 0]
    with pytest.raises(shoal.Error, match="no cells of type triangle, quad, polygon"):
        shoal.WallMesh.from_pyvista(pyvista.examples.cells.Tetrahedron())
    with pytest.raises(shoal.Error, match="no cells of type triangle, quad, polygon"):
        shoal.WallMesh.from_pyvista(pyvista.UnstructuredGrid())


ENSIGHT = """a tetrahedron
in EnSight Gold
node id off
element id off
part
{number:10d}
hull
coordinates
{points:10d}
{coordinates}
tria3
{faces:10d}
{corners}
"""


def test_formats_that_only_vtk_reads_come_through_pyvista(tmp_path):
    pyvista = pytest.importorskip("pyvista")
    points = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    faces = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    columns = "\n".join(f"{value:12.5e}" for value in points.T.ravel())
    rows = "\n".join("".join(f"{corner + 1:10d}" for corner in face) for face in faces)
    geometry = ENSIGHT.format(number=1, points=len(points), coordinates=columns, faces=len(faces), corners=rows)
    (tmp_path / "hull.geo").write_text(geometry)
    (tmp_path / "hull.case").write_text("FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: hull.geo\n")
    mesh = shoal.WallMesh.from_pyvista(pyvista.get_reader(tmp_path / "hull.case").read())
    assert mesh.wall_names == ["hull"] and mesh.face_count == 4
    assert shoal.wall_distance(mesh, [[0.25, 0.25, 0.125]], signs=True).distance == [-0.125]
