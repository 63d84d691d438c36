// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

namespace {

/// Corners of the segment, quadrilateral or hexahedron that extends from `first_node` along the axes, in VTK's order.
std::vector<std::int64_t> corners_along(const StructuredBlock& block, const BlockIndex& first_node,
                                        const std::vector<std::size_t>& axes) {
  constexpr int steps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<std::int64_t> corners;
  for (std::size_t corner = 0; corner < (std::size_t{1} << axes.size()); ++corner) {
    BlockIndex node = first_node;
    for (std::size_t a = 0; a < axes.size(); ++a) node[axes[a]] += steps[corner][a];
    corners.push_back(block.number(node));
  }
  return corners;
}

}  // namespace

void add_range_of_block(MeshBuilder& mesh, const StructuredBlock& block, const BlockIndex& first,
                        const BlockIndex& last, std::int32_t group) {
  constexpr CellShape shapes[] = {CellShape::point, CellShape::segment, CellShape::quadrilateral,
                                  CellShape::hexahedron};
  std::vector<std::size_t> axes;
  BlockIndex last_element = last;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (last[axis] > first[axis]) axes.push_back(axis), --last_element[axis];
  BlockIndex node;
  for (node[2] = first[2]; node[2] <= last_element[2]; ++node[2])
    for (node[1] = first[1]; node[1] <= last_element[1]; ++node[1])
      for (node[0] = first[0]; node[0] <= last_element[0]; ++node[0])
        mesh.add(shapes[axes.size()], corners_along(block, node, axes), group);
}

}  // namespace shoal::io
