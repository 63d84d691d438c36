// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cgns/cgns_zone.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "io/mesh/cell_shape.hpp"
#include "io/mesh/cgns/zone_elements.hpp"
#include "io/mesh/csr_row.hpp"

namespace shoal::io {

namespace {

/// Boundary conditions of the elements of a zone.
class ElementConditions {
 public:
  ElementConditions(const CgnsZone& zone, const ZoneElements& elements)
      : zone_(zone), elements_(elements), set_(static_cast<std::size_t>(elements.last()) + 1) {}

  /// Assigns a condition to elements: those that it lists, or the faces whose nodes it lists completely.
  void assign(const CgnsCondition& condition) {
    next_set_.clear();
    if (condition.location == CgnsLocation::vertex) {
      assign_by_nodes(condition);
    } else {
      for_each_number(condition, elements_.last(), "element ", [&](std::int64_t number) {
        require_face(condition, number);
        add(number, condition.name);
      });
    }
  }

  /// Names of the conditions of an element.
  const std::vector<std::string>& names(std::int64_t number) const {
    return sets_[static_cast<std::size_t>(set_[static_cast<std::size_t>(number)])];
  }

 private:
  template <class Use>
  void for_each_number(const CgnsCondition& condition, std::int64_t most, const char* item, const Use& use) const {
    const auto require_number = [&](std::int64_t number) {
      if (number < 1 || number > most)
        throw Error(text(zone_.file, ": boundary condition `", condition.name, "` of zone `", zone_.name, "` has ",
                         item, number, ", expected 1 to ", most, "."));
    };
    std::for_each(condition.points.begin(), condition.points.end(), require_number);
    if (condition.is_range) {
      require(condition.points.size() == 2 && condition.points[0] <= condition.points[1], zone_.file,
              ": boundary condition `", condition.name, "` of zone `", zone_.name, "` has a range of ",
              condition.points.size(), " numbers, expected the first and the last.");
      for (std::int64_t number = condition.points[0]; number <= condition.points[1]; ++number) use(number);
    } else {
      std::for_each(condition.points.begin(), condition.points.end(), use);
    }
  }

  void require_face(const CgnsCondition& condition, std::int64_t number) const {
    const ZoneElements::Place place = elements_.find(number);
    require(place.section, zone_.file, ": boundary condition `", condition.name, "` of zone `", zone_.name,
            "` has element ", number, ", which is in no section.");
    require(facts_of(place.shape()).dimensions < zone_.dimensions, zone_.file, ": boundary condition `", condition.name,
            "` of zone `", zone_.name, "` has element ", number, ", a ", facts_of(place.shape()).name,
            ", expected a face.");
  }

  void assign_by_nodes(const CgnsCondition& condition) {
    std::vector<bool> is_named(static_cast<std::size_t>(zone_.nodes));
    for_each_number(condition, zone_.nodes, "node ",
                    [&](std::int64_t node) { is_named[static_cast<std::size_t>(node - 1)] = true; });
    for (const CgnsSection& section : elements_.sections())
      for (std::size_t i = 0; i < section.shape.size(); ++i) {
        if (facts_of(section.shape[i]).dimensions >= zone_.dimensions) continue;
        const auto nodes = csr_row(section.entries, section.start, i);
        if (std::all_of(nodes.begin(), nodes.end(),
                        [&](std::int64_t node) { return is_named[static_cast<std::size_t>(node - 1)]; }))
          add(section.first + static_cast<std::int64_t>(i), condition.name);
      }
  }

  /// Adds the present condition to those of an element. Elements with equal conditions share a set.
  void add(std::int64_t number, const std::string& name) {
    std::int32_t& set = set_[static_cast<std::size_t>(number)];
    std::vector<std::string> names = sets_[static_cast<std::size_t>(set)];
    if (!names.empty() && names.back() == name) return;  // the condition lists the element twice
    const auto [next, is_new] = next_set_.try_emplace(set, static_cast<std::int32_t>(sets_.size()));
    if (is_new) {
      names.push_back(name);
      sets_.push_back(std::move(names));
    }
    set = next->second;
  }

  const CgnsZone& zone_;
  const ZoneElements& elements_;
  std::vector<std::int32_t> set_;  ///< [elements + 1] number of the set of conditions of an element
  std::vector<std::vector<std::string>> sets_ = {{}};
  std::map<std::int32_t, std::int32_t> next_set_;  ///< set with the present condition in addition, by set
};

/// Adds the polyhedra, with faces whose normals point outwards.
void add_polyhedra(MeshBuilder& mesh, const CgnsZone& zone, const ZoneElements& elements,
                   const ZonePolyhedra& polyhedra) {
  const std::int32_t group = mesh.group({zone.name});
  for (std::size_t cell = 0; cell + 1 < polyhedra.start.size(); ++cell) {
    FacesOfCell faces;
    for (const std::int64_t face : csr_row(polyhedra.faces, polyhedra.start, cell)) {
      faces.push_back(elements.corners(elements.find(std::abs(face))));
      if (face < 0) std::reverse(faces.back().begin(), faces.back().end());
    }
    if (!orient_outwards(mesh.nodes(), faces))
      zone.refuse("the faces of polyhedron ", cell + 1, " do not fit: their edges give no side that is outside. ",
                  "Write the file again.");
    mesh.add_polyhedron(faces, group);
  }
}

}  // namespace

void add_unstructured_zone(MeshBuilder& mesh, const CgnsZone& zone, std::vector<CgnsSection> sections,
                           std::span<const CgnsCondition> conditions) {
  const ZoneElements elements(zone, std::move(sections));
  const ZonePolyhedra polyhedra = find_polyhedra(zone, elements);
  ElementConditions assigned(zone, elements);
  for (const CgnsCondition& condition : conditions) assigned.assign(condition);
  add_polyhedra(mesh, zone, elements, polyhedra);
  for (const CgnsSection& section : elements.sections())
    for (std::size_t i = 0; i < section.shape.size(); ++i) {
      if (section.shape[i] == CellShape::polyhedron) continue;
      const std::int64_t number = section.first + static_cast<std::int64_t>(i);
      const std::vector<std::string>& names = assigned.names(number);
      const bool is_between_cells = polyhedra.cells_at_element[static_cast<std::size_t>(number)] == 2;
      if (is_between_cells && names.empty()) continue;
      mesh.add(section.shape[i], elements.corners({&section, i}),
               mesh.group(names.empty() ? std::vector{section.name} : names));
    }
}

}  // namespace shoal::io
