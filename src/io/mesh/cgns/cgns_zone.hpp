// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/text.hpp"
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

/// Elements of an unstructured zone that are stored together. They are numbered through all sections of the zone, from 1.
struct CgnsSection {
  std::string name;
  std::int64_t first = 1;                 ///< number of the first element
  std::vector<CellShape> shape;           ///< [elements]
  std::vector<std::int64_t> start = {0};  ///< [elements + 1] CSR offsets into `entries`
  std::vector<std::int64_t> entries;      ///< nodes of the zone, from 1; of polyhedra: numbers of faces, with signs
  std::vector<std::int64_t> parents;      ///< [2][elements] cells on both sides of faces, 0: none; empty if not stored

  std::int64_t count() const { return static_cast<std::int64_t>(shape.size()); }
};

/// Items that a boundary condition lists.
enum class CgnsLocation { vertex, face, face_i, face_j, face_k };

/// Boundary condition of a zone.
struct CgnsCondition {
  std::string name;
  bool is_wall = false;   ///< true: of a type BCWall, without BCWallInviscid
  bool is_range = false;  ///< true: from the first to the second of `points`
  CgnsLocation location = CgnsLocation::vertex;
  std::vector<std::int64_t> points;  ///< [points][indices of the zone] numbers from 1
};

/// Zone, as messages name it.
struct CgnsZone {
  std::string file, name;
  int cell_dimensions = 3;      ///< dimensions of its cells
  int dimensions = 3;           ///< dimensions of space
  std::int64_t cells = 0;       ///< number of its cells
  std::int64_t first_node = 0;  ///< number of its first node in the mesh
  std::int64_t nodes = 0;

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(text(file, ": zone `", name, "`: ", parts...));
  }
};

/// Adds the cells and the boundary faces of an unstructured zone. Faces without a condition belong to the marker of their
/// section. Polyhedra come from sections of polyhedra, else from the parents of polygons. Their faces between two cells
/// belong to no marker, unless a condition lists them.
/// @throws Error  sections that overlap, nodes or faces that do not exist, a polyhedron with fewer than four faces or with
///                faces that do not fit, a face of three cells, a condition that lists cells or other items than faces
void add_unstructured_zone(MeshBuilder& mesh, const CgnsZone& zone, std::vector<CgnsSection> sections,
                           std::span<const CgnsCondition> conditions);

/// Adds the faces of a boundary condition of a structured zone: a range of nodes in which one index is constant, or a range
/// or list of faces.
/// @throws Error  indices outside the zone, a list of nodes, faces whose axis the indices do not determine
void add_structured_condition(MeshBuilder& mesh, const CgnsZone& zone, const StructuredBlock& block,
                              const CgnsCondition& condition);

}  // namespace shoal::io
