// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "core/text.hpp"
#include "io/mesh/cgns/cgns_zone.hpp"

namespace shoal::io {

namespace {

constexpr const char* axis_names[] = {"i", "j", "k"};

/// Adds the faces of one condition of a structured zone.
class StructuredCondition {
 public:
  StructuredCondition(MeshBuilder& mesh, const CgnsZone& zone, const StructuredBlock& block,
                      const CgnsCondition& condition)
      : mesh_(mesh),
        zone_(zone),
        block_(block),
        condition_(condition),
        axes_(static_cast<std::size_t>(zone.cell_dimensions)),
        group_(mesh.group({condition.name})) {}

  void add() {
    if (condition_.points.size() % axes_ != 0 || (condition_.is_range && condition_.points.size() != 2 * axes_))
      refuse("has ", condition_.points.size(), " indices, expected ", axes_, " for each point.");
    if (condition_.location == CgnsLocation::vertex)
      add_nodes();
    else
      add_faces();
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(text(zone_.file, ": boundary condition `", condition_.name, "` of zone `", zone_.name, "` ", parts...));
  }

  /// Indices of point number `number` from 0.
  BlockIndex point(std::size_t number) const {
    BlockIndex index{};
    for (std::size_t axis = 0; axis < axes_; ++axis) index[axis] = condition_.points[axes_ * number + axis] - 1;
    return index;
  }

  /// Smallest and largest indices of all points.
  std::pair<BlockIndex, BlockIndex> extent() const {
    BlockIndex first = point(0), last = first;
    for (std::size_t number = 1; number < condition_.points.size() / axes_; ++number)
      for (std::size_t axis = 0; axis < axes_; ++axis) {
        first[axis] = std::min(first[axis], point(number)[axis]);
        last[axis] = std::max(last[axis], point(number)[axis]);
      }
    return {first, last};
  }

  void require_within(const BlockIndex& first, const BlockIndex& last, std::size_t axis, std::int64_t count,
                      const char* items) const {
    if (first[axis] < 0 || last[axis] >= count)
      refuse("has ", axis_names[axis], " from ", first[axis] + 1, " to ", last[axis] + 1, ", and the zone has ", items,
             " 1 to ", count, ".");
  }

  void add_nodes() {
    if (!condition_.is_range)
      refuse("is a list of nodes, expected a range, or faces: GridLocation IFaceCenter and the like.");
    const auto [first, last] = extent();
    std::size_t constant = 0;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      require_within(first, last, axis, block_.nodes[axis], "nodes");
      if (first[axis] == last[axis]) ++constant;
    }
    if (constant == 0) refuse("is a range in which all indices vary, expected one that is constant.");
    add_range_of_block(mesh_, block_, first, last, group_);
  }

  void add_faces() {
    if (condition_.points.empty()) return;
    const auto [first, last] = extent();
    const std::size_t normal = normal_axis(first, last);
    for (std::size_t axis = 0; axis < axes_; ++axis)
      require_within(first, last, axis, axis == normal ? block_.nodes[axis] : block_.nodes[axis] - 1,
                     axis == normal ? "nodes" : "cells");
    const auto end_of = [&](BlockIndex index) {
      for (std::size_t axis = 0; axis < axes_; ++axis)
        if (axis != normal) ++index[axis];
      return index;
    };
    if (condition_.is_range)
      add_range_of_block(mesh_, block_, first, end_of(last), group_);
    else
      for (std::size_t number = 0; number < condition_.points.size() / axes_; ++number)
        add_range_of_block(mesh_, block_, point(number), end_of(point(number)), group_);
  }

  /// Axis across the faces: that of the location, else the constant index. If several indices are constant, it is that
  /// behind the last cell.
  std::size_t normal_axis(const BlockIndex& first, const BlockIndex& last) const {
    constexpr CgnsLocation locations[] = {CgnsLocation::face_i, CgnsLocation::face_j, CgnsLocation::face_k};
    std::vector<std::size_t> constant, behind;
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      const bool is_constant = first[axis] == last[axis];
      if (condition_.location == locations[axis]) {
        if (!is_constant && condition_.is_range)
          refuse("has ", axis_names[axis], " from ", first[axis] + 1, " to ", last[axis] + 1, ", expected one value.");
        return axis;
      }
      if (is_constant) constant.push_back(axis);
      if (is_constant && first[axis] == block_.nodes[axis] - 1) behind.push_back(axis);
    }
    if (constant.size() == 1) return constant.front();
    if (behind.size() != 1)
      refuse("has faces of which ", constant.size(),
             " indices are constant, expected one. Write them with GridLocation ",
             "IFaceCenter, JFaceCenter or KFaceCenter.");
    return behind.front();
  }

  MeshBuilder& mesh_;
  const CgnsZone& zone_;
  const StructuredBlock& block_;
  const CgnsCondition& condition_;
  std::size_t axes_;
  std::int32_t group_;
};

}  // namespace

void add_structured_condition(MeshBuilder& mesh, const CgnsZone& zone, const StructuredBlock& block,
                              const CgnsCondition& condition) {
  StructuredCondition(mesh, zone, block, condition).add();
}

}  // namespace shoal::io
