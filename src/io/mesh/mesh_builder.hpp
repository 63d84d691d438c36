// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <map>
#include <optional>
#include <set>
#include <span>

#include "io/formats/text/file_cursor.hpp"
#include "io/mesh/polyhedra.hpp"

namespace shoal::io {

/// Collects the nodes and elements of a file, and forms cells and markers from them at the end. The dimensions of the
/// mesh decide which elements are cells.
class MeshBuilder {
 public:
  explicit MeshBuilder(std::string name) : name_(std::move(name)) {}

  std::int64_t node_count() const { return nodes_.count(); }
  const MeshPoints& nodes() const { return nodes_; }
  void add_node(double x, double y, double z = 0);

  /// Number of the group of elements that belong to these markers; new names give new markers.
  std::int32_t group(const std::vector<std::string>& markers);

  /// Adds an element.
  /// @param corners  numbers of nodes, in VTK's order; the nodes may be added later
  /// @param group    return value of `group`
  void add(CellShape shape, std::span<const std::int64_t> corners, std::int32_t group);

  /// Adds a cell of a 3-D mesh by its faces, whose normals point out of it; its nodes exist.
  void add_polyhedron(const FacesOfCell& faces, std::int32_t group);

  /// Marks markers of this name as walls, as the file itself calls them.
  void declare_wall(const std::string& marker) { walls_.insert(marker); }

  /// Mesh of the collected elements. Its cells are the elements with as many dimensions as the mesh, its faces those
  /// with one fewer; elements with yet fewer dimensions are dropped.
  /// @param dimensions  2 or 3 if the file declares them; otherwise 3 for solids and surfaces that are not flat in z
  /// @throws Error  if there are no elements, only lines in space, or corners that are no nodes
  MeshFile finish(std::optional<int> dimensions = {});

 private:
  int find_dimensions() const;
  FacesOfCell faces_of_polyhedron(std::size_t number) const;
  void require_nodes() const;

  std::string name_;
  MeshPoints nodes_;
  std::vector<std::vector<std::size_t>> groups_;  ///< marker numbers of each group
  std::map<std::vector<std::string>, std::int32_t> group_of_names_;
  std::map<std::string, std::size_t> marker_of_name_;
  std::vector<MeshMarker> markers_;
  std::vector<CellShape> shape_;
  std::vector<std::int64_t> start_ = {0}, corners_;
  std::vector<std::int32_t> group_;
  PolyhedronFaces polyhedra_;  ///< faces of the elements of shape polyhedron, which have no corners here
  std::set<std::string> walls_;
};

/// Largest node number in a file, and its position: a file may use nodes before it declares how many it has.
class LargestNode {
 public:
  void see(std::int64_t node, std::size_t position) {
    if (node > node_) node_ = node, position_ = position;
  }
  /// Checks that all nodes exist.
  /// @param first  number of the first node in the file: 0 or 1
  /// @throws Error  if a node does not exist
  void require_below(std::int64_t count, const FileCursor& file, std::int64_t first = 0) const {
    if (node_ >= count)
      file.refuse(position_, "node ", node_ + first, ", expected ", first, " to ", count - 1 + first, ".");
  }

 private:
  std::int64_t node_ = -1;
  std::size_t position_ = 0;
};

}  // namespace shoal::io
