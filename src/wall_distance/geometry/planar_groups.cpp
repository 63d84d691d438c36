// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/planar_groups.hpp"

#include <algorithm>

namespace shoal {

std::vector<FlatGroup> flat_groups(const std::vector<FacePiece>& pieces) {
  std::vector<FlatGroup> groups;
  for (std::size_t begin = 0; begin < pieces.size(); begin += FlatGroup::width) {
    const auto piece = [&](int i) -> const FacePiece& {
      return pieces[std::min(begin + static_cast<std::size_t>(i), pieces.size() - 1)];
    };
    FlatGroup& group = groups.emplace_back();
    double size = 0;
    const auto take_axis = [&](int axis, const double(FacePiece::*at)[3]) {
      group.origin[axis] = (piece(0).*at)[0];
      for (int i = 0; i < FlatGroup::width; ++i)
        for (const double coordinate : piece(i).*at) size = std::max(size, std::abs(coordinate - group.origin[axis]));
    };
    take_axis(0, &FacePiece::x);
    take_axis(1, &FacePiece::y);
    take_axis(2, &FacePiece::z);
    group.size = static_cast<float>(size) * (1 + 0x1p-20f);
    for (int i = 0; i < FlatGroup::width; ++i) group.flat.put(i, flat_piece(piece(i), group.origin));
  }
  return groups;
}

}  // namespace shoal
