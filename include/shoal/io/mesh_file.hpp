// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/points.hpp>
#include <shoal/wall_distance/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Shape of a cell or of a boundary face. Values and corner order are those of VTK and SU2.
enum class CellShape : std::uint8_t {
  point = 1,
  segment = 3,
  triangle = 5,
  polygon = 7,
  quadrilateral = 9,
  tetrahedron = 10,
  hexahedron = 12,
  prism = 13,
  pyramid = 14,
  polyhedron = 42
};

/// Point of a cell at which the wall distance is computed.
enum class CellCenter {
  mean,     ///< arithmetic mean of the corners
  centroid  ///< centroid of the area (2-D) or volume (3-D); the mean of the corners if that is zero
};

/// Coordinates of points in host memory.
struct MeshPoints {
  std::vector<double> x, y, z;  ///< [count] m, coordinates; z is empty in 2-D

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
  Points<double> points() const { return {x, y, z}; }
};

/// Named part of the boundary. Its faces are segments in 2-D; triangles, quadrilaterals or polygons in 3-D.
struct MeshMarker {
  std::string name;
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] CSR offsets into `corners`, as WallMesh::face_start
  std::vector<std::int64_t> corners;           ///< [face_start[faces]] node indices of the face corners
  bool is_wall = false;  ///< true: the file itself calls the marker a wall (OpenFOAM, CGNS, Fluent)

  std::int64_t face_count() const { return static_cast<std::int64_t>(face_start.size()) - 1; }
};

/// Faces of the polyhedra among the cells of a mesh. A face between two polyhedra is listed for each of them.
struct PolyhedronFaces {
  /// CSR offsets into the faces, [cells + 1]: the faces of cell c begin at cell_start[c]. Cells of other shapes have
  /// none. Without polyhedra the only entry is 0.
  std::vector<std::int64_t> cell_start = {0};
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] CSR offsets into `corners`
  std::vector<std::int64_t> corners;           ///< node indices; the normals point out of the cell
};

/// Mesh in host memory: nodes, cells and boundary markers. A surface mesh in 3-D, such as STL, has no cells.
struct MeshFile {
  std::string name;                   ///< file name for messages
  int dimensions = 0;                 ///< number of space dimensions, 2 or 3
  MeshPoints nodes;                   ///< node coordinates, including nodes that no cell uses
  std::vector<CellShape> cell_shape;  ///< [cells] shape of each cell
  /// CSR offsets, [cells + 1]: corners of cell c begin at cell_corners[cell_start[c]].
  std::vector<std::int64_t> cell_start = {0};
  /// Node indices, [cell_start[cells]], in VTK's order. The corners of a polyhedron have no order.
  std::vector<std::int64_t> cell_corners;
  PolyhedronFaces polyhedron_faces;
  std::vector<MeshMarker> markers;  ///< boundary markers with unique names, in the order of the file

  std::int64_t cell_count() const { return static_cast<std::int64_t>(cell_shape.size()); }

  /// Returns the center of each cell, [cell_count()].
  /// @throws Error  the mesh has no cells
  MeshPoints cell_centers(CellCenter center = CellCenter::mean) const;

  /// Returns the faces of the markers in `names`, in that order. The nodes of these faces follow in ascending index.
  /// Nodes at equal coordinates merge into one, so that the walls of adjacent blocks form a closed surface.
  ///
  /// Without names, a mesh without cells gives all its markers. A mesh with cells gives those with `is_wall`. If it has
  /// none, it must have a single marker, because other markers may be inflow or far field.
  /// @throws Error  an unknown marker (the message lists the markers), no names where they are required, no faces
  WallMesh walls(const std::vector<std::string>& names = {}) const;
};

/// Wall of a Plot3D file, given by node indices, because the format has no named boundaries. Nodes run from `from` to
/// `to` in i, j and k of a block. One of the indices is constant (in 2-D: i or j). Indices begin at 1; -1 is the last
/// node, -2 the one before it.
struct IndexWall {
  std::string name;
  std::int64_t block = 1;
  std::array<std::int64_t, 3> from = {1, 1, 1};
  std::array<std::int64_t, 3> to = {-1, -1, -1};
};

/// Reads "airfoil=1/:/1/:": name, block, and ranges of i, j and k. A range is one index, from:to, or : for all. k is
/// optional.
/// @throws Error  the text does not have this form
IndexWall index_wall(std::string_view text);

/// Options for formats that do not store all boundary information. docs/meshes.md describes them.
struct MeshFileOptions {
  std::vector<IndexWall> index_walls = {};  ///< walls of a Plot3D file; entries of equal name form one marker
  std::string marker_array = {};            ///< CellData array (VTK) with an integer per face, its marker name
  bool decomposed =
      false;  ///< OpenFOAM: true reads the folders processor0, ... or processorsN also if the case has a mesh
};

/// Returns the extensions of files that `read_mesh` reads, in small letters: ".su2", ".stl", ...
std::vector<std::string> mesh_extensions();

/// Reads a mesh. Its extension, one of `mesh_extensions`, selects the format; a folder is a case of OpenFOAM, or a
/// polyMesh folder. docs/meshes.md describes the formats.
///
/// Cells and faces have straight edges. Elements of higher order are errors, because straightening them would move the
/// wall.
///
/// Cost: one pass over the file, which is held in memory while it is read; 8 bytes per coordinate and per corner.
/// @throws Error  missing file, unknown extension, contents of another format, truncated file, text in place of a
///                number, non-finite coordinate, node index out of range, or mixed 2-D and 3-D elements; the message
///                gives the file and the line and column, or the byte
MeshFile read_mesh(const std::filesystem::path& file, const MeshFileOptions& options = {});

}  // namespace shoal::io

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::CellCenter> = std::array<std::string_view, 2>{"mean", "centroid"};

}  // namespace shoal
