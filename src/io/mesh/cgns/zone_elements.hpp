// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/mesh/cgns/cgns_zone.hpp"

namespace shoal::io {

/// Sections of a zone in the order of their numbers, and access to their elements by number.
class ZoneElements {
 public:
  /// Place of an element: its section, and its number in the section from 0.
  struct Place {
    const CgnsSection* section;
    std::size_t index;

    CellShape shape() const { return section->shape[index]; }
  };

  /// @throws Error  sections that overlap, or nodes that do not exist
  ZoneElements(const CgnsZone& zone, std::vector<CgnsSection> sections);

  const std::vector<CgnsSection>& sections() const { return sections_; }
  /// Largest number of an element.
  std::int64_t last() const { return sections_.empty() ? 0 : sections_.back().first + sections_.back().count() - 1; }
  /// Element of this number; no section if there is none.
  Place find(std::int64_t number) const;
  /// Corners of an element that is no polyhedron, as nodes of the mesh.
  std::vector<std::int64_t> corners(const Place& place) const;
  /// Returns true if an element of this shape is a cell of the zone.
  bool is_cell(CellShape shape) const;

 private:
  const CgnsZone& zone_;
  std::vector<CgnsSection> sections_;
};

/// Polyhedra of a zone, and the number of cells at each face.
struct ZonePolyhedra {
  /// CSR list of the faces of each polyhedron: numbers of elements, negative if the normal points into the cell.
  std::vector<std::int64_t> start = {0}, faces;
  std::vector<std::int8_t>
      cells_at_element;  ///< [last element + 1] number of polyhedra that have the element as a face

  std::int64_t count() const { return static_cast<std::int64_t>(start.size()) - 1; }
};

/// Collects the polyhedra of a zone, from its sections of polyhedra or from the parents of its polygons.
ZonePolyhedra find_polyhedra(const CgnsZone& zone, const ZoneElements& elements);

}  // namespace shoal::io
