// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cgns/zone_elements.hpp"

#include <algorithm>
#include <cstdlib>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/csr_row.hpp"

namespace shoal::io {

namespace {

void require_corners(const CgnsZone& zone, const CgnsSection& section, std::size_t i) {
  const auto corners = csr_row(section.entries, section.start, i);
  const ShapeFacts& facts = facts_of(section.shape[i]);
  const auto expected = static_cast<std::size_t>(facts.corners);
  if (expected == 0 ? corners.size() < 3 : corners.size() != expected)
    zone.refuse("section `", section.name, "` has a ", facts.name, " of ", corners.size(), " corners.");
  for (const std::int64_t corner : corners)
    if (corner < 1 || corner > zone.nodes)
      zone.refuse("section `", section.name, "` has node ", corner, ", expected 1 to ", zone.nodes, ".");
}

/// Collects the polyhedra from the cells on both sides of polygons.
class ParentCells {
 public:
  ParentCells(const CgnsZone& zone, const ZoneElements& elements) : zone_(zone), elements_(elements) {}

  ZonePolyhedra collect() {
    ZonePolyhedra polyhedra;
    find_first_cell();
    polyhedra.start.assign(static_cast<std::size_t>(zone_.cells) + 1, 0);
    for_each_side([&](std::size_t cell, std::int64_t) { ++polyhedra.start[cell + 1]; });
    for (std::size_t cell = 1; cell < polyhedra.start.size(); ++cell)
      polyhedra.start[cell] += polyhedra.start[cell - 1];
    polyhedra.faces.resize(static_cast<std::size_t>(polyhedra.start.back()));
    std::vector<std::int64_t> next(polyhedra.start.begin(), polyhedra.start.end() - 1);
    for_each_side(
        [&](std::size_t cell, std::int64_t face) { polyhedra.faces[static_cast<std::size_t>(next[cell]++)] = face; });
    return polyhedra;
  }

 private:
  /// Calls `use(section, index, side, parent)` for each parent of a face.
  template <class Use>
  void for_each_parent(const Use& use) const {
    for (const CgnsSection& section : elements_.sections())
      if (!section.parents.empty() && !elements_.is_cell(section.shape.front()))
        for (std::size_t side = 0; side < 2; ++side)
          for (std::size_t i = 0; i < section.shape.size(); ++i) {
            const std::int64_t parent = section.parents[side * section.shape.size() + i];
            if (parent != 0) use(section, i, side, parent);
          }
  }

  /// Cells are numbered from 1, or after the faces: both are in use.
  void find_first_cell() {
    const std::int64_t last = elements_.last();
    std::int64_t largest = 0;
    for_each_parent([&](const CgnsSection&, std::size_t, std::size_t, std::int64_t parent) {
      largest = std::max(largest, parent);
    });
    first_cell_ = largest <= zone_.cells ? 1 : last + 1;
  }

  /// Calls `use(cell, face)` for both sides of each face, with the cell from 0 and the signed number of the face.
  template <class Use>
  void for_each_side(const Use& use) const {
    for_each_parent([&](const CgnsSection& section, std::size_t i, std::size_t side, std::int64_t parent) {
      const std::int64_t face = section.first + static_cast<std::int64_t>(i), cell = parent - first_cell_;
      if (cell < 0 || cell >= zone_.cells)
        zone_.refuse("section `", section.name, "`: face ", face, " has cell ", parent, " as a parent, expected ",
                     first_cell_, " to ", first_cell_ + zone_.cells - 1, ", or 0 for none.");
      use(static_cast<std::size_t>(cell), side == 0 ? face : -face);
    });
  }

  const CgnsZone& zone_;
  const ZoneElements& elements_;
  std::int64_t first_cell_ = 1;
};

void append_section(ZonePolyhedra& polyhedra, const CgnsSection& section) {
  for (std::size_t i = 0; i < section.shape.size(); ++i) {
    const auto faces = csr_row(section.entries, section.start, i);
    polyhedra.faces.insert(polyhedra.faces.end(), faces.begin(), faces.end());
    polyhedra.start.push_back(static_cast<std::int64_t>(polyhedra.faces.size()));
  }
}

/// Counts the polyhedra at each face, and requires that faces are polygons of one or two cells.
void count_cells(const CgnsZone& zone, const ZoneElements& elements, ZonePolyhedra& polyhedra) {
  polyhedra.cells_at_element.assign(static_cast<std::size_t>(elements.last()) + 1, 0);
  constexpr std::int64_t fewest = 4;
  for (std::size_t cell = 0; cell + 1 < polyhedra.start.size(); ++cell) {
    const auto faces = csr_row(polyhedra.faces, polyhedra.start, cell);
    if (static_cast<std::int64_t>(faces.size()) < fewest)
      zone.refuse("polyhedron ", cell + 1, " has ", faces.size(), " faces, expected ", fewest, " or more.");
    for (const std::int64_t face : faces) {
      const bool is_element = face != 0 && face >= -elements.last() && face <= elements.last();
      const ZoneElements::Place place = is_element ? elements.find(std::abs(face)) : ZoneElements::Place{};
      if (!place.section || facts_of(place.shape()).dimensions != 2)
        zone.refuse("polyhedron ", cell + 1, " has face ", face, ", expected the number of a polygon of the zone, ",
                    "negative if its normal points into the cell.");
      if (++polyhedra.cells_at_element[static_cast<std::size_t>(std::abs(face))] > 2)
        zone.refuse("face ", std::abs(face), " belongs to three polyhedra, expected two at most.");
    }
  }
}

}  // namespace

ZoneElements::ZoneElements(const CgnsZone& zone, std::vector<CgnsSection> sections)
    : zone_(zone), sections_(std::move(sections)) {
  std::sort(sections_.begin(), sections_.end(),
            [](const CgnsSection& a, const CgnsSection& b) { return a.first < b.first; });
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    const CgnsSection& section = sections_[s];
    if (s > 0 && section.first < sections_[s - 1].first + sections_[s - 1].count())
      zone_.refuse("sections `", sections_[s - 1].name, "` and `", section.name, "` both have element ", section.first,
                   ", expected one.");
    for (std::size_t i = 0; i < section.shape.size(); ++i)
      if (section.shape[i] != CellShape::polyhedron) require_corners(zone_, section, i);
  }
}

ZoneElements::Place ZoneElements::find(std::int64_t number) const {
  auto section = std::upper_bound(sections_.begin(), sections_.end(), number,
                                  [](std::int64_t wanted, const CgnsSection& s) { return wanted < s.first; });
  if (section == sections_.begin()) return {nullptr, 0};
  --section;
  if (number >= section->first + section->count()) return {nullptr, 0};
  return {&*section, static_cast<std::size_t>(number - section->first)};
}

std::vector<std::int64_t> ZoneElements::corners(const Place& place) const {
  const auto nodes = csr_row(place.section->entries, place.section->start, place.index);
  std::vector<std::int64_t> corners(nodes.begin(), nodes.end());
  for (std::int64_t& corner : corners) corner += zone_.first_node - 1;
  return corners;
}

bool ZoneElements::is_cell(CellShape shape) const { return facts_of(shape).dimensions == zone_.cell_dimensions; }

ZonePolyhedra find_polyhedra(const CgnsZone& zone, const ZoneElements& elements) {
  ZonePolyhedra polyhedra;
  bool has_cells = false, has_parents = false;
  for (const CgnsSection& section : elements.sections()) {
    if (section.shape.front() == CellShape::polyhedron) append_section(polyhedra, section);
    has_cells = has_cells || std::any_of(section.shape.begin(), section.shape.end(),
                                         [&](CellShape shape) { return elements.is_cell(shape); });
    has_parents = has_parents || !section.parents.empty();
  }
  if (!has_cells && has_parents && zone.cell_dimensions == 3) polyhedra = ParentCells(zone, elements).collect();
  count_cells(zone, elements, polyhedra);
  return polyhedra;
}

}  // namespace shoal::io
