// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/mesh_file.hpp>

#include <algorithm>
#include <span>

#include "core/text.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/file_kind.hpp"
#include "io/formats/text/strings.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/merged_points.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

namespace {

using Reader = MeshFile (*)(const std::filesystem::path&, const MeshFileOptions&);

/// Options that a kind of file uses.
enum class Uses { nothing, index_walls, marker_array, decomposed };

struct Kind {
  const char* extension;
  Reader read;
  Uses uses;
};

constexpr Kind kinds[] = {
    {".su2", read_su2_mesh, Uses::nothing},          {".stl", read_stl_mesh, Uses::nothing},
    {".obj", read_obj_mesh, Uses::nothing},          {".msh", read_msh_mesh, Uses::nothing},
    {".x", read_plot3d_mesh, Uses::index_walls},     {".xyz", read_plot3d_mesh, Uses::index_walls},
    {".p3d", read_plot3d_mesh, Uses::index_walls},   {".vtk", read_vtk_legacy_mesh, Uses::marker_array},
    {".vtu", read_vtk_xml_mesh, Uses::marker_array}, {".vtp", read_vtk_xml_mesh, Uses::marker_array},
    {".cgns", read_cgns_mesh, Uses::nothing},        {".ply", read_ply_mesh, Uses::nothing},
    {".cas", read_fluent_mesh, Uses::nothing},       {".foam", read_openfoam_mesh, Uses::decomposed},
};

/// A folder is a mesh of OpenFOAM.
const Kind& kind_of(const std::filesystem::path& file) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(file, ignored);
  return kind_by_extension(is_folder ? std::filesystem::path("folder.foam") : file, kinds, "a mesh");
}

std::vector<std::string> names_of(const std::vector<MeshMarker>& markers) {
  std::vector<std::string> names;
  for (const MeshMarker& marker : markers) names.push_back(marker.name);
  return names;
}

/// Markers with the requested names.
std::vector<const MeshMarker*> choose_markers(const MeshFile& mesh, const std::vector<std::string>& names) {
  const std::vector<std::string> present = names_of(mesh.markers);
  std::vector<std::string> declared;
  for (const MeshMarker& marker : mesh.markers)
    if (marker.is_wall) declared.push_back(marker.name);
  require(!present.empty(), mesh.name, ": this mesh has no walls: no face of its boundary is in the file.");
  const bool are_clear = mesh.cell_count() == 0 || present.size() == 1 || !declared.empty();
  require(!names.empty() || are_clear, mesh.name, ": name the markers that are walls. It has ", join(present), ".");
  std::vector<const MeshMarker*> chosen;
  for (const std::string& name : !names.empty() ? names : !declared.empty() ? declared : present) {
    const auto position = std::find(present.begin(), present.end(), name);
    require(position != present.end(), missing_text(mesh.name, "wall", name, present));
    const MeshMarker* const marker = &mesh.markers[static_cast<std::size_t>(position - present.begin())];
    require(std::find(chosen.begin(), chosen.end(), marker) == chosen.end(), mesh.name, ": wall `", name,
            "` is named twice. Name it once.");
    chosen.push_back(marker);
  }
  return chosen;
}

/// Copies the points that faces use, in the order of their numbers, and renumbers the corners. Points with equal
/// coordinates are merged: adjacent blocks and zones repeat their common points, and an O-grid those of its seam.
void add_points_in_use(WallMesh& walls, const MeshPoints& nodes) {
  std::vector<std::int64_t> number(nodes.x.size(), -1);
  for (const std::int64_t corner : walls.corners) number[static_cast<std::size_t>(corner)] = 0;
  Places places;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = places.number_of({nodes.x[i], nodes.y[i], nodes.z.empty() ? 0.0 : nodes.z[i]});
    if (number[i] < walls.point_count()) continue;
    walls.x.push_back(nodes.x[i]);
    walls.y.push_back(nodes.y[i]);
    if (!nodes.z.empty()) walls.z.push_back(nodes.z[i]);
  }
  for (std::int64_t& corner : walls.corners) corner = number[static_cast<std::size_t>(corner)];
}

}  // namespace

MeshPoints MeshFile::cell_centers(CellCenter center) const {
  require(cell_count() > 0, name, ": it has no cells, only faces. Ask about points of your own.");
  MeshPoints centers;
  for (std::int64_t cell = 0; cell < cell_count(); ++cell) {
    const auto cell_center = center_of_cell(*this, cell, center);
    centers.x.push_back(cell_center[0]);
    centers.y.push_back(cell_center[1]);
    if (dimensions == 3) centers.z.push_back(cell_center[2]);
  }
  return centers;
}

WallMesh MeshFile::walls(const std::vector<std::string>& names) const {
  WallMesh walls;
  walls.dimensions = dimensions;
  for (const MeshMarker* const marker : choose_markers(*this, names)) {
    const auto number = static_cast<std::int32_t>(walls.wall_names.size());
    walls.wall_names.push_back(marker->name);
    const auto first = static_cast<std::int64_t>(walls.corners.size());
    walls.corners.insert(walls.corners.end(), marker->corners.begin(), marker->corners.end());
    for (std::size_t face = 1; face < marker->face_start.size(); ++face)
      walls.face_start.push_back(first + marker->face_start[face]);
    walls.wall.resize(walls.face_start.size() - 1, number);
  }
  add_points_in_use(walls, nodes);
  return walls;
}

std::vector<std::string> mesh_extensions() {
  std::vector<std::string> extensions;
  for (const Kind& kind : kinds) extensions.emplace_back(kind.extension);
  return extensions;
}

MeshFile read_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
  const std::string name = file.string();
  const Kind& kind = kind_of(file);
  if (kind.read != read_openfoam_mesh) require_file(file, "a mesh");
  require(kind.uses == Uses::index_walls || options.index_walls.empty(), name, ": a ", kind.extension,
          " file names its walls itself; walls by index are for Plot3D.");
  require(kind.uses == Uses::marker_array || options.marker_array.empty(), name, ": a ", kind.extension,
          " file names its markers itself; `marker_array` is for VTK.");
  require(kind.uses == Uses::decomposed || !options.decomposed, name, ": `decomposed` is for OpenFOAM, and this is a ",
          kind.extension, " file.");
  return checked_read(file, [&] { return kind.read(file, options); });
}

}  // namespace shoal::io
