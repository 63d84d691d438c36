// SPDX-License-Identifier: Apache-2.0
#include "collision/spheres/sphere_classes.hpp"

#include <algorithm>

namespace shoal::collision {

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
    group = (group + 1) % work_groups;
  }
}

std::vector<SphereClass> SphereClasses::by_distance() const {
  std::vector<SphereClass> classes;
  for (std::size_t k = 0; k < groups_[0].size(); ++k)
    for (const std::vector<SphereClass>& group : groups_)
      if (k < group.size()) classes.push_back(group[k]);
  return classes;
}

void CenterRows::make(const SphereClass& sphere_class, const VelocitySupport& support) {
  const int n = n_ = support.n;
  std::copy_n(sphere_class.parity, 3, parity_);
  stride_ = n / 2 + 1;
  margin_.assign(static_cast<std::size_t>(stride_ * stride_), n);
  for (const Displacement& pair : sphere_class.displacements) {
    int& margin =
        margin_[static_cast<std::size_t>(sphere_class.margin(pair, 2) * stride_ + sphere_class.margin(pair, 1))];
    margin = std::min(margin, sphere_class.margin(pair, 0));
  }
  for (int z = 0; z < stride_; ++z)
    for (int y = 0; y < stride_; ++y) {
      int& margin = margin_[static_cast<std::size_t>(z * stride_ + y)];
      if (y > 0) margin = std::min(margin, (&margin)[-1]);
      if (z > 0) margin = std::min(margin, (&margin)[-stride_]);
    }
  for (int z = 0; z < stride_; ++z)
    for (int y = 0; y < stride_; ++y) {
      int& margin = margin_[static_cast<std::size_t>(z * stride_ + y)];
      const auto in_reach = [&](int x) {
        const int c[3] = {support.center(x, parity_[0]), support.center(y, parity_[1]), support.center(z, parity_[2])};
        return support.dot(c, c) <= support.square - sphere_class.distance2;
      };
      while (margin < n && !in_reach(margin)) ++margin;
    }
}

}  // namespace shoal::collision
