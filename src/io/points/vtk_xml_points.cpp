// SPDX-License-Identifier: Apache-2.0
// Reader of points in VTK's XML files, all pieces of one file: PolyData (.vtp) and UnstructuredGrid (.vtu).
#include <algorithm>

#include "core/text.hpp"
#include "io/formats/vtk/vtk_xml.hpp"
#include "io/points/points_readers.hpp"
#include "io/points/vtk_points.hpp"

namespace shoal::io {

namespace {

void append_points(PointsFile& points, const VtkPiece& piece, const VtkEncoding& encoding) {
  const std::uint64_t count = piece.count("NumberOfPoints");
  if (count == 0) return;
  const VtkArray& array = coordinates_of(piece, points.name);
  points.single_precision = points.single_precision && array.type == "Float32";
  append_vtk_points(points, read_vtk_array(array, encoding, count));
}

void append_value(PointsFile& points, const std::string& name, const VtkPiece& piece, const VtkEncoding& encoding) {
  const std::vector<VtkArray>& arrays = piece.arrays("PointData");
  const VtkValueName value(name, names_of(arrays), points.name);
  const auto array = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const VtkArray& candidate) { return candidate.name == value.array; });
  value.require_component(points.name, array->components);
  const std::uint64_t count = piece.count("NumberOfPoints");
  if (count == 0) return;
  value.append(points.values[name], read_vtk_array(*array, encoding, count), array->components);
}

}  // namespace

PointsFile read_vtk_xml_points(const std::filesystem::path& file, const PointsFileOptions& options) {
  const VtkXml xml(file);
  PointsFile points = empty_vtk_points(file, options);
  require(!xml.pieces().empty(), points.name, ": it has no <Piece> with points.");
  for (const VtkPiece& piece : xml.pieces()) {
    append_points(points, piece, xml.encoding());
    for (const std::string& name : options.values) append_value(points, name, piece, xml.encoding());
  }
  return points;
}

}  // namespace shoal::io
