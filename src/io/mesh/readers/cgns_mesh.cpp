// SPDX-License-Identifier: Apache-2.0
// Reader of CGNS: structured and unstructured zones of all bases. Markers are boundary conditions, by their names.
// Faces of an unstructured zone without a condition belong to a marker with the name of their section.
#ifdef SHOAL_WITH_CGNS
#include "io/mesh/cgns/cgns_file.hpp"
#endif

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

#ifdef SHOAL_WITH_CGNS

namespace {

class CgnsMesh {
 public:
  explicit CgnsMesh(const std::filesystem::path& path) : file_(path), mesh_(file_.name()) {}

  MeshFile read() {
    int bases = 0;
    file_.check(cg_nbases(file_.number(), &bases), "counting bases");
    require(bases > 0, file_.name(), ": it has no base.");
    for (key_.base = 1; key_.base <= bases; ++key_.base) read_base();
    for (const auto& [name, is_wall] : is_wall_)
      if (is_wall) mesh_.declare_wall(name);
    return mesh_.finish(dimensions_ == 2 ? std::optional(2) : std::nullopt);
  }

 private:
  void read_base() {
    char base[cgns_name_bytes];
    int zones = 0, cell_dimensions = 0, dimensions = 0;
    file_.check(cg_base_read(file_.number(), key_.base, base, &cell_dimensions, &dimensions), "reading a base");
    require(dimensions == 2 || dimensions == 3, file_.name(), ": base `", base, "` has ", dimensions,
            " dimensions, expected 2 or 3.");
    require(cell_dimensions == 2 || cell_dimensions == 3, file_.name(), ": base `", base, "` has cells of ",
            cell_dimensions, " dimensions, expected 2 or 3.");
    require(key_.base == 1 || dimensions == dimensions_, file_.name(), ": base `", base, "` has ", dimensions,
            " dimensions, and the one before ", dimensions_, ", expected the same. Write them to files of their own.");
    dimensions_ = dimensions;
    file_.check(cg_nzones(file_.number(), key_.base, &zones), text("counting the zones of base ", base));
    for (key_.zone = 1; key_.zone <= zones; ++key_.zone) read_zone(base, cell_dimensions);
  }

  /// Number of nodes of a structured zone.
  std::int64_t node_count(const StructuredBlock& block, const std::string& zone) const {
    std::int64_t count = 1;
    for (const std::int64_t nodes : block.nodes) {
      file_.possible(nodes, zone, "nodes along an axis");
      const bool is_too_large = nodes > 0 && count > file_.most_items() / nodes;
      count = static_cast<std::int64_t>(
          file_.possible(is_too_large ? file_.most_items() + 1 : count * nodes, zone, "nodes or more"));
    }
    return count;
  }

  void read_zone(const std::string& base, int cell_dimensions) {
    char name[cgns_name_bytes];
    std::array<cgsize_t, 9> size{};
    file_.check(cg_zone_read(file_.number(), key_.base, key_.zone, name, size.data()), "reading a zone");
    CGNS_ENUMT(ZoneType_t) type;
    file_.check(cg_zone_type(file_.number(), key_.base, key_.zone, &type), text("reading the type of zone ", name));
    key_.path = base + "/" + name;
    CgnsZone zone{file_.name(), name, cell_dimensions, dimensions_, 0, mesh_.node_count(), 0};
    if (type == CGNS_ENUMV(Structured)) {
      const auto axes = static_cast<std::size_t>(cell_dimensions);
      StructuredBlock block{{1, 1, 1}, zone.first_node};
      for (std::size_t axis = 0; axis < axes; ++axis) block.nodes[axis] = size[axis];
      zone.nodes = node_count(block, zone.name);
      read_nodes(zone, {size[0], size[1], size[2]});
      add_structured(zone, block, axes);
    } else {
      require(type == CGNS_ENUMV(Unstructured), file_.name(), ": zone `", name,
              "` is neither structured nor unstructured.");
      zone.nodes = static_cast<std::int64_t>(file_.possible(size[0], zone.name, "nodes"));
      zone.cells = static_cast<std::int64_t>(file_.possible(size[1], zone.name, "cells"));
      read_nodes(zone, {size[0], 1, 1});
      std::vector<CgnsSection> sections = file_.sections(key_, zone);
      add_unstructured_zone(mesh_, zone, std::move(sections), conditions(zone, 1));
    }
  }

  void read_nodes(const CgnsZone& zone, std::array<cgsize_t, 3> last) {
    const char* const axis_names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    std::array<std::vector<double>, 3> coordinates;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      coordinates[axis].resize(static_cast<std::size_t>(zone.nodes));
      if (static_cast<int>(axis) >= dimensions_) continue;
      const std::array<cgsize_t, 3> first = {1, 1, 1};
      file_.check(cg_coord_read(file_.number(), key_.base, key_.zone, axis_names[axis], CGNS_ENUMV(RealDouble),
                                first.data(), last.data(), coordinates[axis].data()),
                  text("reading ", axis_names[axis], " of zone ", zone.name));
      for (std::size_t i = 0; i < coordinates[axis].size(); ++i)
        if (!std::isfinite(coordinates[axis][i]))
          zone.refuse(axis_names[axis], " of node ", i + 1, " is ", coordinates[axis][i], ", expected a finite one.");
    }
    for (std::size_t i = 0; i < coordinates[0].size(); ++i)
      mesh_.add_node(coordinates[0][i], coordinates[1][i], coordinates[2][i]);
  }

  /// Conditions of a zone. Those of one name are one marker.
  std::vector<CgnsCondition> conditions(const CgnsZone& zone, std::size_t indices) {
    std::vector<CgnsCondition> conditions = file_.conditions(key_, zone, indices);
    for (const CgnsCondition& condition : conditions) {
      const auto [first, is_new] = is_wall_.try_emplace(condition.name, condition.is_wall);
      if (first->second != condition.is_wall)
        zone.refuse("boundary condition `", condition.name, "` is ", condition.is_wall ? "a wall" : "no wall",
                    ", unlike that of the same name before. Rename one of them.");
    }
    return conditions;
  }

  /// Adds the cells and boundary conditions of a structured zone.
  /// @param axes  number of indices of the zone: 2 (i and j) or 3 (i, j and k)
  void add_structured(const CgnsZone& zone, const StructuredBlock& block, std::size_t axes) {
    const BlockIndex last = {block.nodes[0] - 1, block.nodes[1] - 1, block.nodes[2] - 1};
    add_range_of_block(mesh_, block, {0, 0, 0}, last, mesh_.group({zone.name}));
    for (const CgnsCondition& condition : conditions(zone, axes))
      add_structured_condition(mesh_, zone, block, condition);
  }

  CgnsFile file_;
  MeshBuilder mesh_;
  CgnsZoneKey key_;
  int dimensions_ = 0;
  std::map<std::string, bool> is_wall_;  ///< type of the conditions of a name
};

}  // namespace

MeshFile read_cgns_mesh(const std::filesystem::path& file, const MeshFileOptions&) { return CgnsMesh(file).read(); }

std::string cgns_version() {
  return text(CGNS_VERSION / 1000, ".", CGNS_VERSION / 100 % 10, ".", CGNS_VERSION / 10 % 10);
}

#else

MeshFile read_cgns_mesh(const std::filesystem::path& file, const MeshFileOptions&) {
  throw Error(
      text(file.string(),
           ": it is CGNS, which this build of shoal has not. Build with the CGNS library (3.4 or newer), or write "
           "the mesh as SU2, gmsh or VTK."));
}

std::string cgns_version() { return {}; }

#endif

}  // namespace shoal::io
