// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/points.hpp>
#include <shoal/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// The shape of a cell or of a face of a boundary. The values, and the order of the corners, are VTK's and SU2's.
enum class CellShape : std::uint8_t {
  point = 1,
  segment = 3,
  triangle = 5,
  polygon = 7,
  quadrilateral = 9,
  tetrahedron = 10,
  hexahedron = 12,
  prism = 13,
  pyramid = 14
};

/// What stands for a cell when its distance to the walls is asked about.
enum class CellCenter {
  mean,     ///< of the corners
  centroid  ///< of the area (2-D) or volume (3-D); the mean where that is zero
};

/// Coordinates of points in host memory.
struct MeshPoints {
  std::vector<double> x, y, z;  ///< [count] m; z is empty in 2-D

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
  Points<double> points() const { return {x, y, z}; }
};

/// A named part of the boundary: its faces, which are segments in 2-D, triangles, quadrilaterals or polygons in 3-D.
struct MeshMarker {
  std::string name;
  std::vector<std::int64_t> face_start = {0};  ///< [faces + 1] as WallMesh::face_start
  std::vector<std::int64_t> corners;           ///< [face_start[faces]] numbers of nodes

  std::int64_t face_count() const { return static_cast<std::int64_t>(face_start.size()) - 1; }
};

/// A mesh in host memory: nodes, the cells between them, and the markers of its boundary. A surface in 3-D, as in STL,
/// has no cells.
struct MeshFile {
  std::string name;                            ///< of the file, for messages
  int dimensions = 0;                          ///< 2 or 3
  MeshPoints nodes;                            ///< also such that no cell uses
  std::vector<CellShape> cell_shape;           ///< [cells]
  std::vector<std::int64_t> cell_start = {0};  ///< [cells + 1] corners of cell c begin at cell_corners[cell_start[c]]
  std::vector<std::int64_t> cell_corners;      ///< numbers of nodes, in VTK's order
  std::vector<MeshMarker> markers;             ///< all of different names, in the order of the file

  std::int64_t cell_count() const { return static_cast<std::int64_t>(cell_shape.size()); }

  /// A point in each cell, [cell_count()].
  /// @throws Error  the mesh has no cells
  MeshPoints cell_centers(CellCenter center = CellCenter::mean) const;

  /// The faces of the markers with these names, in the order of `names`, and those nodes that they use, in the order of
  /// their numbers; nodes in the same place become one point, so that blocks that touch make a closed wall. Without
  /// names all markers of a mesh that has no cells; of one that has, whose markers are also inflow and far field, only
  /// a single one.
  /// @throws Error  no marker of that name (those that exist are listed), no names where some are needed, no faces
  WallMesh walls(const std::vector<std::string>& names = {}) const;
};

/// A wall of a Plot3D file, which has no names of its own: nodes `from` to `to` of a block, i, j and k. One of the
/// three does not change (in 2-D: i or j); all are counted from 1, and -1 is the last, -2 the one before it.
struct IndexWall {
  std::string name;
  std::int64_t block = 1;
  std::array<std::int64_t, 3> from = {1, 1, 1};
  std::array<std::int64_t, 3> to = {-1, -1, -1};
};

/// Reads "airfoil=1/:/1/:": a name, a block, and i, j, k as one number, as from:to, or as : for all. k may be left out.
/// @throws Error  the text is no such thing
IndexWall index_wall(std::string_view text);

/// What some kinds of files do not say themselves. docs/meshes.md has the whole of it.
struct MeshFileOptions {
  std::vector<IndexWall> index_walls = {};  ///< of a Plot3D file; walls of one name are one marker
  std::string marker_array = {};            ///< array of CellData (VTK) with a whole number a face: the marker's name
};

/// Reads a mesh whose kind its extension says: .su2, .stl, .obj, .msh (gmsh), .vtk, .vtu, .vtp, .x, .xyz, .p3d
/// (Plot3D), or .cgns.
///
/// Cells and faces are those with straight edges. Elements of higher order are refused, not flattened.
///
/// Cost: one pass over the file, which is held in memory while it is read; 8 bytes a coordinate and a corner.
/// @throws Error  no such file, another extension, not of the kind that its extension says, truncated, text where a
///                number should be, a coordinate that is not finite, a node that is not there, both 2-D and 3-D:
///                names the file and the line and column, or the byte
MeshFile read_mesh(const std::filesystem::path& file, const MeshFileOptions& options = {});

}  // namespace shoal::io

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::CellCenter> = std::array<std::string_view, 2>{"mean", "centroid"};

}  // namespace shoal
