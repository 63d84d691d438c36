// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_file.hpp>

#include <map>
#include <optional>
#include <span>

#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// Collects nodes and elements as a file has them, and makes cells and markers of them when all are known: which is
/// which depends on the dimensions of the mesh.
class MeshBuilder {
 public:
  explicit MeshBuilder(std::string name) : name_(std::move(name)) {}

  std::int64_t node_count() const { return nodes_.count(); }
  void add_node(double x, double y, double z = 0);

  /// A number for elements that belong to the markers of these names; makes those that are new.
  std::int32_t group(const std::vector<std::string>& markers);

  /// @param corners  numbers of nodes, in VTK's order; they may be added later
  /// @param group    as `group` gave it
  void add(CellShape shape, std::span<const std::int64_t> corners, std::int32_t group);

  /// The mesh. Elements of as many dimensions as the mesh has are its cells, those of one fewer its faces; of yet fewer
  /// none of both.
  /// @param dimensions  if the file says so: 2 or 3; else 3 for solid elements and for surfaces that are not flat in z
  /// @throws Error  no elements, or only lines in space
  MeshFile finish(std::optional<int> dimensions = {});

 private:
  int find_dimensions() const;

  std::string name_;
  MeshPoints nodes_;
  std::vector<std::vector<std::size_t>> groups_;  ///< the numbers of their markers
  std::map<std::vector<std::string>, std::int32_t> group_of_names_;
  std::map<std::string, std::size_t> marker_of_name_;
  std::vector<MeshMarker> markers_;
  std::vector<CellShape> shape_;
  std::vector<std::int64_t> start_ = {0}, corners_;
  std::vector<std::int32_t> group_;
};

/// The largest number of a node that was seen, and where: a file may name nodes before it says how many it has.
class LargestNode {
 public:
  void see(std::int64_t node, std::size_t position) {
    if (node > node_) node_ = node, position_ = position;
  }
  /// @param first  what the file calls its first node: 0 or 1
  /// @throws Error  there is no such node
  void require_below(std::int64_t count, const FileCursor& file, std::int64_t first = 0) const {
    if (node_ >= count)
      file.refuse(position_, "node ", node_ + first, ", expected ", first, " to ", count - 1 + first, ".");
  }

 private:
  std::int64_t node_ = -1;
  std::size_t position_ = 0;
};

}  // namespace shoal::io
