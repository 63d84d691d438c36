// SPDX-License-Identifier: Apache-2.0
// Writer of points or of the faces of a 2-D mesh, with values, as PolyData in VTK's XML format, of one piece.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"
#include "io/formats/vtk/vtk_xml_writer.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

namespace {

bool is_point(CellShape shape) { return shape == CellShape::point; }

bool is_polygon(CellShape shape) {
  return shape == CellShape::triangle || shape == CellShape::quadrilateral || shape == CellShape::polygon;
}

}  // namespace

bool are_points_or_polygons(const MeshFile& mesh) {
  return std::all_of(mesh.cell_shape.begin(), mesh.cell_shape.end(), is_point) ||
         std::all_of(mesh.cell_shape.begin(), mesh.cell_shape.end(), is_polygon);
}

void write_mesh_vtp(const std::filesystem::path& path, const MeshValues& values) {
  const MeshFile& mesh = values.mesh;
  const bool has_points = mesh.cell_count() > 0 && is_point(mesh.cell_shape.front());
  const char* const section = has_points ? "Verts" : "Polys";
  VtkXmlText vtp;
  add_values(vtp, values);
  vtp.open("Points");
  vtp.add("Points", interleaved_nodes(mesh), 3);
  vtp.close("Points");
  vtp.open(section);
  vtp.add("connectivity", mesh.cell_corners, 1);
  vtp.add("offsets", std::span<const std::int64_t>(mesh.cell_start).subspan(1), 1);
  vtp.close(section);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << vtp.whole("PolyData", fmt::format(R"(NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="0" )"
                                           R"(NumberOfStrips="0" NumberOfPolys="{}")",
                                           mesh.nodes.count(), has_points ? mesh.cell_count() : 0,
                                           has_points ? 0 : mesh.cell_count()))
      << std::flush;
  require(out.good(), std::strerror(errno), ".");
}

}  // namespace shoal::io
