// SPDX-License-Identifier: Apache-2.0
// A mesh with values as UnstructuredGrid in VTKHDF 1.0, of one part.
#include <shoal/version.hpp>

#include "io/disk_space.hpp"
#include "io/hdf5.hpp"
#include "io/mesh_writers.hpp"

namespace shoal::io {

namespace {

class GridWriter {
 public:
  explicit GridWriter(const std::filesystem::path& path)
      : file_(hdf5::create_file(path)), vtk_(hdf5::create_group(file_, "VTKHDF")) {}

  void write(const MeshValues& values) {
    write_header(values.mesh);
    add("Points", interleaved_nodes(values.mesh), 3);
    add("Connectivity", values.mesh.cell_corners);
    add("Offsets", values.mesh.cell_start);
    add("Types", vtk_types(values.mesh));
    for (const MeshArray& array : values.arrays)
      std::visit(
          [&]<class T>(const View<const T>& numbers) {
            add(std::string(data_section(values.part)) + "/" + array.name, numbers.data, numbers.count, array.columns);
          },
          array.values);
    vtk_.close("writing");
    file_.close("writing");
  }

 private:
  void write_header(const MeshFile& mesh) const {
    const std::int64_t layout[] = {1, 0};
    hdf5::write_attribute(vtk_, "Version", H5T_NATIVE_INT64, layout, 2);
    hdf5::write_text_attribute(vtk_, "Type", "UnstructuredGrid");
    add("NumberOfPoints", std::vector{mesh.nodes.count()});
    add("NumberOfCells", std::vector{mesh.cell_count()});
    add("NumberOfConnectivityIds", std::vector{static_cast<std::int64_t>(mesh.cell_corners.size())});
    const hdf5::Handle own = hdf5::create_group(file_, "shoal");
    hdf5::write_text_attribute(own, "version", std::string(version()));
  }

  template <class T>
  void add(const std::string& path, const std::vector<T>& values, int columns = 1) const {
    add(path, values.data(), static_cast<std::int64_t>(values.size()), columns);
  }
  template <class T>
  void add(const std::string& path, const T* values, std::int64_t count, int columns) const {
    std::vector<hsize_t> size = {static_cast<hsize_t>(count / columns)};
    if (columns > 1) size.push_back(static_cast<hsize_t>(columns));
    hdf5::write_dataset(vtk_, path, hdf5::type_of<T>(), size, values);
  }

  hdf5::Handle file_, vtk_;
};

std::uint64_t bytes_of(const MeshValues& values) {
  const MeshFile& mesh = values.mesh;
  std::uint64_t bytes =
      24 * mesh.nodes.x.size() + 8 * (mesh.cell_corners.size() + mesh.cell_start.size()) + mesh.cell_shape.size();
  for (const MeshArray& array : values.arrays)
    bytes += std::visit(
        []<class T>(const View<const T>& numbers) { return static_cast<std::uint64_t>(numbers.count) * sizeof(T); },
        array.values);
  return bytes;
}

}  // namespace

void write_mesh_vtkhdf(const std::filesystem::path& path, const MeshValues& values) {
  const hdf5::Quiet quiet;
  GridWriter writer(path);
  constexpr std::uint64_t metadata = 1 << 16;
  reserve_space(path, bytes_of(values) + metadata);
  writer.write(values);
}

}  // namespace shoal::io
