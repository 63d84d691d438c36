// SPDX-License-Identifier: Apache-2.0
// Writer of a mesh with values as UnstructuredGrid in VTKHDF 1.0, of one part.
#include <shoal/version.hpp>

#include "io/formats/disk_space.hpp"
#include "io/mesh/writers/grid_hdf5.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

namespace {

template <class T>
void add(hid_t vtk, const std::string& path, const T* values, std::int64_t count, int columns = 1) {
  std::vector<hsize_t> size = {static_cast<hsize_t>(count / columns)};
  if (columns > 1) size.push_back(static_cast<hsize_t>(columns));
  hdf5::write_dataset(vtk, path, hdf5::type_of<T>(), size, values);
}

template <class T>
void add(hid_t vtk, const std::string& path, const std::vector<T>& values, int columns = 1) {
  add(vtk, path, values.data(), static_cast<std::int64_t>(values.size()), columns);
}

class GridWriter {
 public:
  explicit GridWriter(const std::filesystem::path& path)
      : file_(hdf5::create_file(path)), vtk_(hdf5::create_group(file_, "VTKHDF")) {}

  void write(const MeshValues& values) {
    constexpr std::int64_t layout = 1;
    write_grid(file_, vtk_, values.mesh, layout);
    for (const MeshArray& array : values.arrays)
      std::visit(
          [&]<class T>(const View<const T>& numbers) {
            add(vtk_, std::string(data_section(values.part)) + "/" + array.name, numbers.data, numbers.count,
                array.columns);
          },
          array.values);
    vtk_.close("writing");
    file_.close("writing");
  }

 private:
  hdf5::Handle file_, vtk_;
};

std::uint64_t bytes_of(const MeshValues& values) {
  std::uint64_t bytes = bytes_of_grid(values.mesh);
  for (const MeshArray& array : values.arrays)
    bytes += std::visit(
        []<class T>(const View<const T>& numbers) { return static_cast<std::uint64_t>(numbers.count) * sizeof(T); },
        array.values);
  return bytes;
}

}  // namespace

std::uint64_t bytes_of_grid(const MeshFile& mesh) {
  return 24 * mesh.nodes.x.size() + 8 * (mesh.cell_corners.size() + mesh.cell_start.size()) + mesh.cell_shape.size();
}

void write_grid(hid_t file, hid_t vtk, const MeshFile& mesh, std::int64_t layout) {
  const std::int64_t version_of_layout[] = {layout, 0};
  hdf5::write_attribute(vtk, "Version", H5T_NATIVE_INT64, version_of_layout, 2);
  hdf5::write_text_attribute(vtk, "Type", "UnstructuredGrid");
  add(vtk, "NumberOfPoints", std::vector{mesh.nodes.count()});
  add(vtk, "NumberOfCells", std::vector{mesh.cell_count()});
  add(vtk, "NumberOfConnectivityIds", std::vector{static_cast<std::int64_t>(mesh.cell_corners.size())});
  const hdf5::Handle shoal_group = hdf5::create_group(file, "shoal");
  hdf5::write_text_attribute(shoal_group, "version", std::string(version()));
  add(vtk, "Points", interleaved_nodes(mesh), 3);
  add(vtk, "Connectivity", mesh.cell_corners);
  add(vtk, "Offsets", mesh.cell_start);
  add(vtk, "Types", vtk_types(mesh));
}

void write_mesh_vtkhdf(const std::filesystem::path& path, const MeshValues& values) {
  const hdf5::Quiet quiet;
  GridWriter writer(path);
  constexpr std::uint64_t metadata = 1 << 16;
  reserve_space(path, bytes_of(values) + metadata);
  writer.write(values);
}

}  // namespace shoal::io
