// SPDX-License-Identifier: Apache-2.0
// Reader of OpenFOAM's polyMesh folders. Cells are made from the faces of both of their sides; patches become markers.
// The parts of a decomposed case are read one after the other, and patches with the same name are one marker.
#include <algorithm>

#include "core/text.hpp"
#include "io/mesh/csr_row.hpp"
#include "io/mesh/openfoam/foam_case.hpp"
#include "io/mesh/openfoam/poly_mesh.hpp"
#include "io/mesh/polyhedra.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

/// Faces of each cell.
struct CellFaces {
  std::vector<std::int64_t> start;  ///< [cells + 1] CSR offsets into `face`
  std::vector<std::int64_t> face;   ///< ascending within a cell
};

CellFaces faces_of_cells(const PolyMesh& poly) {
  CellFaces list{std::vector<std::int64_t>(static_cast<std::size_t>(poly.cells) + 1), {}};
  const auto visit = [&](auto&& visitor) {  // each face with each of its cells
    for (std::size_t face = 0; face < poly.owner.size(); ++face) {
      visitor(face, static_cast<std::size_t>(poly.owner[face]));
      if (face < poly.neighbor.size()) visitor(face, static_cast<std::size_t>(poly.neighbor[face]));
    }
  };
  visit([&](std::size_t, std::size_t cell) { ++list.start[cell + 1]; });
  for (std::size_t cell = 1; cell < list.start.size(); ++cell) list.start[cell] += list.start[cell - 1];
  list.face.resize(static_cast<std::size_t>(list.start.back()));
  std::vector<std::int64_t> next(list.start.begin(), list.start.end() - 1);
  visit([&](std::size_t face, std::size_t cell) {
    list.face[static_cast<std::size_t>(next[cell]++)] = static_cast<std::int64_t>(face);
  });
  return list;
}

class OpenFoamMesh {
 public:
  explicit OpenFoamMesh(std::string name) {
    mesh_.name = std::move(name);
    mesh_.dimensions = 3;
  }

  void add(const PolyMesh& poly, const PolyMeshPart& part) {
    const std::int64_t first_node = mesh_.nodes.count();
    append(mesh_.nodes.x, poly.points.x);
    append(mesh_.nodes.y, poly.points.y);
    append(mesh_.nodes.z, poly.points.z);
    add_cells(poly, first_node);
    for (const PolyPatch& patch : poly.patches)
      if (!patch.joins_parts()) add_patch(poly, patch, first_node, part);
  }

  MeshFile finish() {
    finish_polyhedra(mesh_);
    return std::move(mesh_);
  }

 private:
  static void append(std::vector<double>& values, const std::vector<double>& more) {
    values.insert(values.end(), more.begin(), more.end());
  }

  void add_cells(const PolyMesh& poly, std::int64_t first_node) {
    const CellFaces cells = faces_of_cells(poly);
    FacesOfCell faces;
    for (std::size_t cell = 0; cell + 1 < cells.start.size(); ++cell) {
      faces.clear();
      for (const std::int64_t face : csr_row(cells.face, cells.start, cell))
        faces.push_back(corners_seen_from(poly, static_cast<std::size_t>(face), cell, first_node));
      append_cell(mesh_, faces);
    }
  }

  /// Corners of a face in the order in which its normal points out of the cell.
  static std::vector<std::int64_t> corners_seen_from(const PolyMesh& poly, std::size_t face, std::size_t cell,
                                                     std::int64_t first_node) {
    std::vector<std::int64_t> corners;
    for (const std::int64_t corner : csr_row(poly.face_corners, poly.face_start, face))
      corners.push_back(first_node + corner);
    if (poly.owner[face] != static_cast<std::int64_t>(cell)) std::reverse(corners.begin(), corners.end());
    return corners;
  }

  void add_patch(const PolyMesh& poly, const PolyPatch& patch, std::int64_t first_node, const PolyMeshPart& part) {
    const auto named = [&](const MeshMarker& marker) { return marker.name == patch.name; };
    auto marker = std::find_if(mesh_.markers.begin(), mesh_.markers.end(), named);
    if (marker == mesh_.markers.end()) {
      marker = mesh_.markers.emplace(marker);
      marker->name = patch.name;
      marker->is_wall = patch.is_wall;
    }
    require(marker->is_wall == patch.is_wall, part.name_of("boundary"), ": patch ", patch.name,
            patch.is_wall ? " is a wall, and none" : " is no wall, and one",
            " in the parts before. Decompose the case again.");
    for (std::int64_t face = patch.first; face < patch.first + patch.faces; ++face) {
      for (const std::int64_t corner : csr_row(poly.face_corners, poly.face_start, static_cast<std::size_t>(face)))
        marker->corners.push_back(first_node + corner);
      marker->face_start.push_back(static_cast<std::int64_t>(marker->corners.size()));
    }
  }

  MeshFile mesh_;
};

}  // namespace

MeshFile read_openfoam_mesh(const std::filesystem::path& path, const MeshFileOptions& options) {
  std::error_code ignored;
  require(std::filesystem::exists(path, ignored), path.string(), ": there is no such file.");
  OpenFoamMesh mesh(path.string());
  for (const PolyMeshPart& part : find_poly_meshes(path, options.decomposed)) mesh.add(read_poly_mesh(part), part);
  return mesh.finish();
}

}  // namespace shoal::io
