// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/mesh_file.hpp>
#include <shoal/wall_distance/wall_mesh.hpp>
#include "wall_distance/cases/wall_cases.hpp"

#include "bindings.hpp"
#include "support/host_arrays.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

/// Converts numbers of any integer type to int64 [faces][corners].
nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig> index_table(nb::handle faces, const std::string& wall) {
  const nb::object numpy = nb::module_::import_("numpy");
  require_no_mask("wall_mesh", "faces", faces);
  const nb::object table = numpy.attr("asarray")(faces);
  const std::string kind = text_of(table.attr("dtype").attr("kind"));
  require(kind == "i" || kind == "u", "wall_mesh: faces of wall \"", wall, "\" are ", text_of(table.attr("dtype")),
          ", expected integers: the numbers of points.");
  require(nb::cast<int>(table.attr("ndim")) == 2, "wall_mesh: faces of wall \"", wall, "\" have the shape ",
          text_of(table.attr("shape")), ", expected (faces, corners).");
  return nb::cast<nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig>>(
      numpy.attr("ascontiguousarray")(table, "int64"));
}

WallMesh make_mesh(nb::handle points, const nb::dict& walls) {
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object table = numpy.attr("ascontiguousarray")(as_array("wall_mesh", "points", points), "float64");
  const std::string shape = text_of(table.attr("shape"));
  nb::ndarray<const double, nb::ndim<2>, nb::c_contig> positions;
  const bool is_table = nb::try_cast(table, positions, false) && (positions.shape(1) == 2 || positions.shape(1) == 3);
  require(is_table, "wall_mesh: points have the shape ", shape, ", expected (n, 2) or (n, 3).");
  WallMesh mesh;
  mesh.dimensions = static_cast<int>(positions.shape(1));
  for (std::size_t i = 0; i < positions.shape(0); ++i) {
    const double* const p = positions.data() + i * positions.shape(1);
    mesh.add_point(p[0], p[1], mesh.dimensions == 3 ? p[2] : 0);
  }
  for (const auto& [key, value] : walls) {
    const std::string name = text_of(nb::borrow(key));
    const std::int32_t wall = mesh.add_wall(name);
    const bool is_sequence = PyTuple_Check(value.ptr()) ||
                             (PyList_Check(value.ptr()) && nb::len(value) > 0 && nb::hasattr(value[0], "shape"));
    const nb::list tables = is_sequence ? nb::list(value) : nb::list();
    const auto add = [&](nb::handle faces) {
      const auto corners = index_table(faces, name);
      for (std::size_t f = 0; f < corners.shape(0); ++f) {
        const std::int64_t* const first = corners.data() + f * corners.shape(1);
        mesh.add_face({first, first + corners.shape(1)}, wall);
      }
    };
    if (!is_sequence) add(value);
    for (const nb::handle faces : tables) add(faces);
  }
  require_valid(mesh);
  return mesh;
}

/// Mesh of the points and walls that a function of shoal._surfaces finds in another package's object.
WallMesh mesh_from(const char* function, nb::handle mesh, nb::handle wall, nb::handle marker_array) {
  const nb::object parts = nb::module_::import_("shoal._surfaces").attr(function)(mesh, wall, marker_array);
  return make_mesh(parts[0], nb::cast<nb::dict>(parts[1]));
}

nb::object points_of(const WallMesh& mesh) { return table_of(mesh.x, mesh.y, mesh.z); }

nb::tuple with_points(wall_distance::WallCase wall_case) {
  nb::object points = table_of(wall_case.x, wall_case.y, wall_case.z);
  return nb::make_tuple(std::move(wall_case.mesh), points);
}

void bind_mesh_files(nb::module_& module) {
  nb::class_<io::MeshFile>(module, "MeshFile", "A mesh in a file: nodes, cells, and the markers of its boundary.")
      .def_ro("dimensions", &io::MeshFile::dimensions, "int: 2 or 3.")
      .def_prop_ro(
          "nodes", [](const io::MeshFile& mesh) { return table_of(mesh.nodes.x, mesh.nodes.y, mesh.nodes.z); },
          "array: float64 [nodes, dimensions], m.")
      .def_prop_ro("cell_count", &io::MeshFile::cell_count, "int")
      .def_prop_ro(
          "markers",
          [](const io::MeshFile& mesh) {
            nb::dict faces;
            for (const io::MeshMarker& marker : mesh.markers) faces[marker.name.c_str()] = marker.face_count();
            return faces;
          },
          nb::sig("def markers(self) -> dict[str, int]"), "dict: the number of faces of each marker, by name.")
      .def(
          "cell_centers",
          [](const io::MeshFile& mesh, const std::string& center) {
            const io::MeshPoints centers = mesh.cell_centers(from_name<io::CellCenter>(center));
            return table_of(centers.x, centers.y, centers.z);
          },
          "center"_a = std::string(to_name(io::CellCenter::mean)),
          "Point in each cell: the \"mean\" of its corners, or the \"centroid\".\n\nReturns\n-------\narray\n    "
          "float64 "
          "[cells, dimensions], m.")
      .def("walls", &io::MeshFile::walls, "names"_a = nb::tuple(),
           R"(The faces of the markers with these names.

Parameters
----------
names : sequence of str
    Names of markers. Without names: all markers of a mesh without cells, the patches of type wall of OpenFOAM, or the
    only marker of a mesh with cells.

Returns
-------
WallMesh

Raises
------
Error
    There is no marker of that name (the message lists the markers), names are needed, or there are no faces.
)");
  const std::string docstring =
      text("Reads a mesh. The extension of the file selects its format:\n", join(io::mesh_extensions()), R"(.
A folder is a case of OpenFOAM, or its polyMesh folder.

Parameters
----------
file : path
decomposed : bool
    OpenFOAM: reads the folders processor0, processor1, ... also if the case has a mesh of its own.

Raises
------
Error
    No such file, unknown extension, truncated file, invalid node number, ...: names the file and the line or byte.
)");
  module.def(
      "read_mesh",
      [](const std::filesystem::path& file, bool decomposed) {
        return io::read_mesh(file, {.decomposed = decomposed});
      },
      "file"_a, "decomposed"_a = false,
      nb::sig("def read_mesh(file: str | os.PathLike[str], decomposed: bool = False) -> MeshFile"), docstring.c_str());
}

void bind_wall_cases(nb::module_& module) {
  module.def(
      "naca0012_case",
      [](std::int64_t around, std::int64_t out) { return with_points(wall_distance::naca0012_case(around, out)); },
      "around"_a, "out"_a, nb::sig("def naca0012_case(around: int, out: int) -> tuple[WallMesh, typing.Any]"),
      R"(The wall "airfoil" of a NACA 0012 of chord 1 m, and the cell centers of an O-grid around it.

Parameters
----------
around, out : int
    Points of the grid: around the airfoil (odd; the last one is the first one again), and outwards.

Returns
-------
(WallMesh, array)
    The second float64 [(around - 1) * (out - 1), 2], m, layer by layer.

References
----------
Ladson and Brooks (1975), NASA TM X-3284.
)");
  module.def(
      "circle_case",
      [](std::int64_t around, std::int64_t out) { return with_points(wall_distance::circle_case(around, out)); },
      "around"_a, "out"_a, nb::sig("def circle_case(around: int, out: int) -> tuple[WallMesh, typing.Any]"),
      R"(The wall "circle" of radius 0.5 m, and the cell centers of the O-grid around it; see `naca0012_case`.

References
----------
Wukie, Ganapathy and Park (2014).
)");
  module.def(
      "six_spheres_case",
      [](std::int64_t faces, std::int64_t points) {
        return with_points(wall_distance::six_spheres_case(faces, points));
      },
      "faces"_a, "points"_a, nb::sig("def six_spheres_case(faces: int, points: int) -> tuple[WallMesh, typing.Any]"),
      R"(Six unit spheres of about `faces` triangles, and points anywhere in a box ten times as wide.

References
----------
Roget and Sitaraman (2013).
)");
}

}  // namespace

void bind_wall_mesh(nb::module_& module) {
  nb::class_<WallMesh>(module, "WallMesh", R"(The solid faces of a mesh: the input of `wall_distance`.

In 2-D a face is a segment, in 3-D a triangle, quadrilateral or polygon: the fan of triangles from its corner with the
smallest number. Faces are numbered in the order of the walls and of their arrays.

Parameters
----------
points : array (n, 2) or (n, 3)
    m.
walls : dict of str to array (faces, corners), or to a tuple of such arrays
    Numbers of points, from 0, in order around each face.

Raises
------
Error
    A coordinate that is not finite, a number out of range, a segment in 3-D or a polygon in 2-D, no face.

Examples
--------
>>> mesh = shoal.WallMesh(numpy.eye(3), {"wing": numpy.array([[0, 1, 2]])})
)")
      .def(
          "__init__",
          [](WallMesh* self, nb::handle points, const nb::dict& walls) {
            new (self) WallMesh(make_mesh(points, walls));
          },
          "points"_a.none(), "walls"_a,
          nb::sig("def __init__(self, points: typing.Any, walls: collections.abc.Mapping[str, typing.Any]) -> None"))
      .def_static(
          "from_meshio",
          [](nb::handle mesh, nb::handle wall, nb::handle marker_array) {
            return mesh_from("meshio_walls", mesh, wall, marker_array);
          },
          "mesh"_a, "wall"_a.none() = nb::none(), "marker_array"_a.none() = nb::none(),
          nb::sig("def from_meshio(mesh: typing.Any, wall: str | collections.abc.Sequence[str] | None = None, "
                  "marker_array: str | None = None) -> WallMesh"),
          R"(The walls of a `meshio.Mesh`.

Parameters
----------
mesh : meshio.Mesh
    With volume cells or a surface that is not flat, triangles, quadrilaterals and polygons are faces; lines are faces
    of a mesh in the plane.
wall : str or sequence of str, optional
    Names of cell sets, or of physical groups of gmsh; the walls get these names. Without names all faces are one
    wall, "wall".
marker_array : str, optional
    An array of cell data with an integer for each cell. The integers, such as "7", are then the names of the walls;
    without `wall` all of them are walls.

Returns
-------
WallMesh

Raises
------
Error
    No wall or array of that name (the message lists the names), an array of other numbers, cells of higher order, no
    faces.
)")
      .def_static(
          "from_pyvista",
          [](nb::handle mesh, nb::handle wall, nb::handle marker_array) {
            return mesh_from("pyvista_walls", mesh, wall, marker_array);
          },
          "mesh"_a, "wall"_a.none() = nb::none(), "marker_array"_a.none() = nb::none(),
          nb::sig("def from_pyvista(mesh: typing.Any, wall: str | collections.abc.Sequence[str] | None = None, "
                  "marker_array: str | None = None) -> WallMesh"),
          R"(The faces of a `pyvista.PolyData` or `pyvista.UnstructuredGrid`, or the surfaces of a `pyvista.MultiBlock`.

Parameters
----------
mesh : pyvista.PolyData, pyvista.UnstructuredGrid, or pyvista.MultiBlock of them
    Triangles, quadrilaterals and polygons; in an UnstructuredGrid in a plane z = constant without volume cells but with
    lines, the lines. The boundary of a grid of volume cells alone is its ``extract_surface()``.
wall : str or sequence of str, optional
    Name that the wall gets, "wall" without; of a MultiBlock the blocks that are walls, all without.
marker_array : str, optional
    An array of cell data with an integer for each cell. The integers, such as "7", are then the names of the walls, of
    which `wall` chooses; without `wall` all of them are walls. Not for a MultiBlock.

Returns
-------
WallMesh

Raises
------
Error
    No block, wall or array of that name (the message lists the names), an array of other numbers, another kind of grid,
    cells of higher order, triangle strips, no faces.
)")
      .def_ro("dimensions", &WallMesh::dimensions, "int: 2 or 3.")
      .def_prop_ro("points", &points_of, "array: float64 [points, dimensions], m.")
      .def_prop_ro("point_count", &WallMesh::point_count, "int")
      .def_prop_ro("face_count", &WallMesh::face_count, "int")
      .def_ro("wall_names", &WallMesh::wall_names, "list of str: by number.")
      .def_prop_ro(
          "wall_of_face", [](const WallMesh& mesh) { return copy_of(mesh.wall); }, "array: int32 [faces].")
      .def("__repr__", [](const WallMesh& mesh) {
        return text("WallMesh(", mesh.dimensions, "-D, ", mesh.face_count(), " faces, walls ", join(mesh.wall_names),
                    ")");
      });
  bind_mesh_files(module);
  bind_wall_cases(module);
}

}  // namespace shoal::python
