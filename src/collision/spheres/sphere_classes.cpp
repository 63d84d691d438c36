// SPDX-License-Identifier: Apache-2.0
#include "collision/spheres/sphere_classes.hpp"

#include <algorithm>

namespace shoal {

SphereClasses::SphereClasses(const VelocitySupport& support) {
  const int n = support.n;
  const auto key = [](const Displacement& pair) {
    const int parity = pair.parity(0) + 2 * pair.parity(1) + 4 * pair.parity(2);
    return static_cast<std::size_t>(pair.square() * 8 + parity);
  };
  const auto for_each_half = [&](auto visit) {
    for (int z = 0; z < n; ++z)
      for (int y = z == 0 ? 0 : 1 - n; y < n; ++y)
        for (int x = z == 0 && y == 0 ? 1 : 1 - n; x < n; ++x)
          if (const Displacement pair{{x, y, z}}; pair.square() <= support.square) visit(pair);
  };
  std::vector<std::size_t> start(static_cast<std::size_t>(3 * (n - 1) * (n - 1) * 8 + 9));
  for_each_half([&](const Displacement& pair) { ++start[key(pair) + 1]; });
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
  displacements_.resize(start.back());
  std::vector<std::size_t> next = start;
  for_each_half([&](const Displacement& pair) { displacements_[next[key(pair)]++] = pair; });
  int group = 0;
  for (std::size_t k = 0; k + 1 < start.size(); ++k) {
    if (start[k] == start[k + 1]) continue;
    const Displacement* first = displacements_.data() + start[k];
    groups_[group].push_back(
        {{first->parity(0), first->parity(1), first->parity(2)}, first->square(), {first, start[k + 1] - start[k]}});
    group = (group + 1) % collision_groups;
  }
}

std::vector<SphereClass> SphereClasses::in_order() const {
  std::vector<SphereClass> all;
  for (std::size_t k = 0; k < groups_[0].size(); ++k)
    for (const std::vector<SphereClass>& group : groups_)
      if (k < group.size()) all.push_back(group[k]);
  return all;
}

void SphereRows::make(const SphereClass& of, const VelocitySupport& support) {
  const int n = n_ = support.n;
  std::copy_n(of.parity, 3, parity_);
  stride_ = n / 2 + 1;
  least_.assign(static_cast<std::size_t>(stride_ * stride_), n);
  for (const Displacement& pair : of.half) {
    int& here = least_[static_cast<std::size_t>(of.margin(pair, 2) * stride_ + of.margin(pair, 1))];
    here = std::min(here, of.margin(pair, 0));
  }
  for (int z = 0; z < stride_; ++z)
    for (int y = 0; y < stride_; ++y) {
      int& here = least_[static_cast<std::size_t>(z * stride_ + y)];
      if (y > 0) here = std::min(here, (&here)[-1]);
      if (z > 0) here = std::min(here, (&here)[-stride_]);
    }
  for (int z = 0; z < stride_; ++z)
    for (int y = 0; y < stride_; ++y) {
      int& here = least_[static_cast<std::size_t>(z * stride_ + y)];
      const auto in_reach = [&](int x) {
        const int c[3] = {support.center(x, parity_[0]), support.center(y, parity_[1]), support.center(z, parity_[2])};
        return support.dot(c, c) <= support.square - of.square;
      };
      while (here < n && !in_reach(here)) ++here;
    }
}

}  // namespace shoal
