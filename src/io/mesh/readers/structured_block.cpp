// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

namespace {

/// Corners of the segment, quadrilateral or hexahedron that extends from `at` along the axes, in VTK's order.
std::vector<std::int64_t> corners_along(const StructuredBlock& block, const BlockIndex& at,
                                        const std::vector<std::size_t>& axes) {
  constexpr int steps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  std::vector<std::int64_t> corners;
  for (std::size_t corner = 0; corner < (std::size_t{1} << axes.size()); ++corner) {
    BlockIndex node = at;
    for (std::size_t a = 0; a < axes.size(); ++a) node[axes[a]] += steps[corner][a];
    corners.push_back(block.number(node));
  }
  return corners;
}

}  // namespace

void add_range_of_block(MeshBuilder& mesh, const StructuredBlock& block, const BlockIndex& from, const BlockIndex& to,
                        std::int32_t group) {
  constexpr CellShape shapes[] = {CellShape::point, CellShape::segment, CellShape::quadrilateral,
                                  CellShape::hexahedron};
  std::vector<std::size_t> axes;
  BlockIndex last = to;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (to[axis] > from[axis]) axes.push_back(axis), --last[axis];
  BlockIndex at;
  for (at[2] = from[2]; at[2] <= last[2]; ++at[2])
    for (at[1] = from[1]; at[1] <= last[1]; ++at[1])
      for (at[0] = from[0]; at[0] <= last[0]; ++at[0])
        mesh.add(shapes[axes.size()], corners_along(block, at, axes), group);
}

}  // namespace shoal::io
