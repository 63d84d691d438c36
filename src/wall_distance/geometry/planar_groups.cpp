// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/geometry/planar_groups.hpp"

#include <algorithm>

namespace shoal::wall_distance {

std::vector<PlanarGroup> planar_groups(const std::vector<Primitive>& primitives) {
  std::vector<PlanarGroup> groups;
  for (std::size_t begin = 0; begin < primitives.size(); begin += PlanarGroup::width) {
    const auto primitive = [&](int i) -> const Primitive& {
      return primitives[std::min(begin + static_cast<std::size_t>(i), primitives.size() - 1)];
    };
    PlanarGroup& group = groups.emplace_back();
    double size = 0;
    const auto include_axis = [&](int axis, const double(Primitive::*coordinates)[3]) {
      group.origin[axis] = (primitive(0).*coordinates)[0];
      for (int i = 0; i < PlanarGroup::width; ++i)
        for (const double coordinate : primitive(i).*coordinates)
          size = std::max(size, std::abs(coordinate - group.origin[axis]));
    };
    include_axis(0, &Primitive::x);
    include_axis(1, &Primitive::y);
    include_axis(2, &Primitive::z);
    group.size = static_cast<float>(size) * (1 + 0x1p-20f);
    for (int i = 0; i < PlanarGroup::width; ++i) group.planar.put(i, planar_primitive(primitive(i), group.origin));
  }
  return groups;
}

}  // namespace shoal::wall_distance
