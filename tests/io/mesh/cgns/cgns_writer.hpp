// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cgnslib.h>

#include <filesystem>
#include <string>
#include <vector>

namespace shoal::testing_support {

/// Writer of CGNS files by the CGNS library.
struct CgnsWriter {
  int file = 0, base = 0, zone = 0, number = 0;

  CgnsWriter(const std::filesystem::path& path, int cell_dimensions, int dimensions) {
    cg_open(path.c_str(), CG_MODE_WRITE, &file);
    add_base("base", cell_dimensions, dimensions);
  }
  ~CgnsWriter() { cg_close(file); }
  CgnsWriter(const CgnsWriter&) = delete;
  CgnsWriter& operator=(const CgnsWriter&) = delete;

  void add_base(const char* name, int cell_dimensions, int dimensions) {
    cg_base_write(file, name, cell_dimensions, dimensions, &base);
  }
  void add_zone(CGNS_ENUMT(ZoneType_t) type, const std::vector<cgsize_t>& size,
                const std::vector<std::vector<double>>& coordinates) {
    const char* const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    cg_zone_write(file, base, ("zone " + std::to_string(++number)).c_str(), size.data(), type, &zone);
    int number_of_array = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis)
      cg_coord_write(file, base, zone, CGNS_ENUMV(RealDouble), names[axis], coordinates[axis].data(), &number_of_array);
  }
  /// Adds an unstructured zone with the nodes of a quadrilateral and an adjacent triangle.
  void add_two_cells() { add_zone(CGNS_ENUMV(Unstructured), {5, 2, 0}, {{0, 1, 1, 0, 2}, {0, 0, 1, 1, 0}}); }
  void add_section(const char* name, CGNS_ENUMT(ElementType_t) type, cgsize_t first, cgsize_t last,
                   const std::vector<cgsize_t>& nodes) {
    int section = 0;
    cg_section_write(file, base, zone, name, type, first, last, 0, nodes.data(), &section);
  }
  /// Adds a section of elements of different lengths. Returns its number.
  int add_lists(const char* name, CGNS_ENUMT(ElementType_t) type, cgsize_t first, cgsize_t last,
                const std::vector<cgsize_t>& entries, const std::vector<cgsize_t>& start) {
    int section = 0;
    cg_poly_section_write(file, base, zone, name, type, first, last, 0, entries.data(), start.data(), &section);
    return section;
  }
  void add_condition(const char* name, CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points,
                     cgsize_t count, CGNS_ENUMT(GridLocation_t) location,
                     CGNS_ENUMT(BCType_t) type = CGNS_ENUMV(BCWall)) {
    int condition = 0;
    cg_boco_write(file, base, zone, name, type, set, count, points.data(), &condition);
    if (location != CGNS_ENUMV(Vertex)) cg_boco_gridlocation_write(file, base, zone, condition, location);
  }
};

}  // namespace shoal::testing_support
