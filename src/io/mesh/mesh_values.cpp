// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/mesh_values.hpp>

#include <numeric>

#include "core/text.hpp"
#include "io/formats/array_names.hpp"
#include "io/formats/file_kind.hpp"
#include "io/formats/whole_file.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

namespace {

struct Kind {
  const char* extension;
  void (*write)(const std::filesystem::path&, const MeshValues&);
};

constexpr Kind kinds[] = {
    {".vtkhdf", write_mesh_vtkhdf}, {".vtu", write_mesh_vtu}, {".vtp", write_mesh_vtp}, {".csv", write_mesh_csv}};

const Kind& kind_of(const std::filesystem::path& file) { return kind_by_extension(file, kinds, "a mesh with values"); }

void require_fits(const MeshArray& array, MeshPart part, std::int64_t count) {
  require(array.columns == 1 || array.columns == 3, "mesh: ", array.name, " has ", array.columns,
          " columns, expected 1 or 3.");
  std::visit(
      [&](const auto& values) {
        require(values.device.kind == DeviceKind::cpu, "mesh: ", array.name, " is on ", to_string(values.device),
                ", expected host memory. Copy it with to_host.");
        require(values.contiguous(), "mesh: ", array.name, " has stride ", values.stride, ", expected 1.");
        require(values.count == count * array.columns, "mesh: ", array.name, " has ", values.count, " values, and ",
                count, " ", to_name(part), " take ", count * array.columns, ".");
      },
      array.values);
}

void require_consistent(const MeshValues& values) {
  const std::int64_t count = values.part == MeshPart::cells ? values.mesh.cell_count() : values.mesh.nodes.count();
  require(values.points.count() == count, "mesh: ", values.points.count(), " points, and the mesh has ", count, " ",
          to_name(values.part), ".");
  for (const MeshArray& array : values.arrays) require_fits(array, values.part, count);
}

}  // namespace

std::vector<double> interleaved_nodes(const MeshFile& mesh) {
  std::vector<double> nodes;
  nodes.reserve(mesh.nodes.x.size() * 3);
  for (std::size_t i = 0; i < mesh.nodes.x.size(); ++i)
    nodes.insert(nodes.end(), {mesh.nodes.x[i], mesh.nodes.y[i], mesh.dimensions == 3 ? mesh.nodes.z[i] : 0});
  return nodes;
}

std::vector<std::uint8_t> vtk_types(const MeshFile& mesh) {
  std::vector<std::uint8_t> types;
  types.reserve(mesh.cell_shape.size());
  for (const CellShape shape : mesh.cell_shape) types.push_back(static_cast<std::uint8_t>(shape));
  return types;
}

void require_mesh_values_file(const std::filesystem::path& file, const std::vector<std::string>& names) {
  kind_of(file);
  require_folder_of(file);
  require_array_names(file, names);
}

void require_cells_fit(const std::filesystem::path& file, const MeshFile& mesh) {
  require(kind_of(file).write != write_mesh_vtp || are_points_or_polygons(mesh), file.string(),
          ": a .vtp file holds points or polygons, and ", mesh.name, " has other cells. Write .vtu or .vtkhdf.");
  require(kind_of(file).write != write_mesh_vtkhdf || !has_polyhedra(mesh), file.string(),
          ": VTKHDF 1.0 holds no polyhedra, and ", mesh.name, " has some. Write .vtu or .csv.");
}

MeshFile mesh_of_points(int dimensions, MeshPoints points) {
  MeshFile mesh;
  mesh.name = "points";
  mesh.dimensions = dimensions;
  mesh.nodes = std::move(points);
  mesh.cell_shape.assign(mesh.nodes.x.size(), CellShape::point);
  mesh.cell_corners.resize(mesh.nodes.x.size());
  std::iota(mesh.cell_corners.begin(), mesh.cell_corners.end(), 0);
  mesh.cell_start.resize(mesh.nodes.x.size() + 1);
  std::iota(mesh.cell_start.begin(), mesh.cell_start.end(), 0);
  return mesh;
}

void write_mesh_values(const std::filesystem::path& file, const MeshValues& values) {
  require_mesh_values_file(file, array_names(values.arrays));
  require_cells_fit(file, values.mesh);
  require_consistent(values);
  try {
    write_whole(file, [&](const std::filesystem::path& partial) { kind_of(file).write(partial, values); });
  } catch (const std::exception& error) {
    throw Error(text(file.string(), ": writing the mesh failed: ", error.what()));
  }
}

}  // namespace shoal::io
