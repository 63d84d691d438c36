// SPDX-License-Identifier: Apache-2.0
// Writer of a mesh with values as UnstructuredGrid in VTK's XML format, of one piece.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"
#include "io/formats/vtk/vtk_xml_writer.hpp"
#include "io/mesh/cell_shape.hpp"
#include "io/mesh/csr_row.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

void add_values(VtkXmlText& xml, const MeshValues& values) {
  xml.open(data_section(values.part));
  for (const MeshArray& array : values.arrays)
    std::visit(
        [&]<class T>(const View<const T>& numbers) {
          xml.add(array.name, std::span<const T>(numbers.data, static_cast<std::size_t>(numbers.count)), array.columns);
        },
        array.values);
  xml.close(data_section(values.part));
}

namespace {

/// Adds the faces of polyhedra: for each polyhedron the number of its faces, then each face as the number of its corners
/// and the corners. The offsets are the ends of the polyhedra in this array, -1 for other cells.
void add_polyhedra(VtkXmlText& xml, const PolyhedronFaces& polyhedra) {
  std::vector<std::int64_t> faces, offsets;
  for (std::size_t cell = 0; cell + 1 < polyhedra.cell_start.size(); ++cell) {
    const std::int64_t begin = polyhedra.cell_start[cell], end = polyhedra.cell_start[cell + 1];
    if (begin < end) faces.push_back(end - begin);
    for (std::int64_t face = begin; face < end; ++face) {
      const auto corners = csr_row(polyhedra.corners, polyhedra.face_start, static_cast<std::size_t>(face));
      faces.push_back(static_cast<std::int64_t>(corners.size()));
      faces.insert(faces.end(), corners.begin(), corners.end());
    }
    offsets.push_back(begin < end ? static_cast<std::int64_t>(faces.size()) : -1);
  }
  xml.add("faces", faces, 1);
  xml.add("faceoffsets", offsets, 1);
}

}  // namespace

void write_mesh_vtu(const std::filesystem::path& path, const MeshValues& values) {
  const MeshFile& mesh = values.mesh;
  VtkXmlText vtu;
  add_values(vtu, values);
  vtu.open("Points");
  vtu.add("Points", interleaved_nodes(mesh), 3);
  vtu.close("Points");
  vtu.open("Cells");
  vtu.add("connectivity", mesh.cell_corners, 1);
  vtu.add("offsets", std::span<const std::int64_t>(mesh.cell_start).subspan(1), 1);
  vtu.add("types", vtk_types(mesh), 1);
  if (has_polyhedra(mesh)) add_polyhedra(vtu, mesh.polyhedron_faces);
  vtu.close("Cells");
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << vtu.whole("UnstructuredGrid",
                   fmt::format(R"(NumberOfPoints="{}" NumberOfCells="{}")", mesh.nodes.count(), mesh.cell_count()))
      << std::flush;
  require(out.good(), std::strerror(errno), ".");
}

}  // namespace shoal::io
