// SPDX-License-Identifier: Apache-2.0
// Reader of meshes in VTK's XML files, all pieces of one file: UnstructuredGrid (.vtu) and PolyData (.vtp).
#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"
#include "io/formats/vtk/vtk_xml.hpp"
#include "io/mesh/readers/mesh_readers.hpp"
#include "io/mesh/readers/vtk/vtk_elements.hpp"

namespace shoal::io {

namespace {

class VtkXmlMesh {
 public:
  VtkXmlMesh(const std::filesystem::path& path, const MeshFileOptions& options)
      : xml_(path), options_(options), mesh_(path.string()) {}

  MeshFile read() {
    const bool is_grid = xml_.type() == "UnstructuredGrid";
    std::uint64_t lines = 0, polygons = 0;
    for (const VtkPiece& piece : xml_.pieces()) {
      const std::int64_t first_node = mesh_.node_count();
      add_nodes(piece);
      VtkElements elements = is_grid ? grid_elements(piece) : polydata_elements(piece);
      if (!options_.marker_array.empty() && !elements.type.empty())
        elements.marker = one_each(piece, "CellData", options_.marker_array, elements.type.size());
      add_vtk_elements(mesh_, elements, first_node, xml_.encoding().file);
      lines += piece.count("NumberOfLines");
      polygons += piece.count("NumberOfPolys");
    }
    return mesh_.finish(dimensions_of_polydata(lines, polygons, xml_.encoding().file));
  }

 private:
  void add_nodes(const VtkPiece& piece) {
    const std::uint64_t count = piece.count("NumberOfPoints");
    if (count == 0) return;
    const VtkArray& array = coordinates_of(piece, xml_.encoding().file);
    const std::vector<double> coordinates = read_vtk_array(array, xml_.encoding(), count);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      require(std::isfinite(coordinates[i]), xml_.encoding().file, ": array `", array.name, "` (byte ", array.begin,
              "): a coordinate of point ", i / 3, " is ", coordinates[i], ", expected a finite one.");
    for (std::size_t i = 0; i < coordinates.size(); i += 3)
      mesh_.add_node(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  }

  /// Array with one number per cell.
  std::vector<double> one_each(const VtkPiece& piece, const char* section, const std::string& name,
                               std::uint64_t count) const {
    const std::vector<VtkArray>& arrays = piece.arrays(section);
    const auto array =
        std::find_if(arrays.begin(), arrays.end(), [&](const VtkArray& candidate) { return candidate.name == name; });
    require(array != arrays.end(),
            missing_text(xml_.encoding().file, text("array of ", section), name, names_of(arrays)));
    require(array->components == 1, xml_.encoding().file, ": array `", name, "` has ", array->components,
            " components, expected one.");
    return read_vtk_array(*array, xml_.encoding(), count);
  }

  std::vector<std::int64_t> integers(const VtkPiece& piece, const char* section, const char* name,
                                     std::uint64_t count) const {
    const std::vector<double> numbers = one_each(piece, section, name, count);
    std::vector<std::int64_t> integers;
    for (const double number : numbers) {
      require(number >= 0 && number < 9e15, xml_.encoding().file, ": array `", name, "` of <", section, "> has ",
              number, ", expected whole numbers that are not negative.");
      integers.push_back(static_cast<std::int64_t>(number));
    }
    return integers;
  }

  /// Adds the elements of a section; its array `offsets` holds the end of the corners of each element.
  void add_section(VtkElements& elements, const VtkPiece& piece, const char* section, std::uint64_t count,
                   std::int64_t type) {
    if (count == 0) return;
    const std::vector<std::int64_t> ends = integers(piece, section, "offsets", count);
    const auto corners = static_cast<std::uint64_t>(ends.back());
    require(corners <= xml_.most_values() - corners_, xml_.encoding().file, ": cut short: <", section,
            "> has cells of ", corners, " corners, more than the file has room for.");
    corners_ += corners;
    elements.add(type, ends, integers(piece, section, "connectivity", corners));
  }

  VtkElements grid_elements(const VtkPiece& piece) {
    VtkElements elements;
    const std::uint64_t count = piece.count("NumberOfCells");
    add_section(elements, piece, "Cells", count, 0);
    if (count > 0) elements.type = integers(piece, "Cells", "types", count);
    return elements;
  }

  VtkElements polydata_elements(const VtkPiece& piece) {
    VtkElements elements;
    add_section(elements, piece, "Verts", piece.count("NumberOfVerts"), vtk_poly_vertex);
    add_section(elements, piece, "Lines", piece.count("NumberOfLines"), vtk_poly_line);
    add_section(elements, piece, "Polys", piece.count("NumberOfPolys"), vtk_polygon);
    add_section(elements, piece, "Strips", piece.count("NumberOfStrips"), vtk_triangle_strip);
    return elements;
  }

  VtkXml xml_;
  const MeshFileOptions& options_;
  MeshBuilder mesh_;
  std::uint64_t corners_ = 0;  ///< number of corners of the cells of all pieces so far
};

}  // namespace

MeshFile read_vtk_xml_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
  return VtkXmlMesh(file, options).read();
}

}  // namespace shoal::io
