// SPDX-License-Identifier: Apache-2.0
#include <shoal/directions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/directions/direction_sets.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// The half sphere that holds the first of each two opposite points.
bool is_upper(const std::array<double, 3>& n) {
  for (const int axis : {2, 1, 0})
    if (std::abs(n[static_cast<std::size_t>(axis)]) > 1e-12) return n[static_cast<std::size_t>(axis)] > 0;
  return false;
}

}  // namespace

Directions directions(const DirectionOptions& options) {
  const bool design = options.family == DirectionFamily::design;
  constexpr int most = 19;
  require(options.degree >= 1 && options.degree <= most, "collision: ", to_name(options.family),
          " directions of degree ", options.degree, " are not there, expected 1 to ", most, ".");
  const Directions half = design ? design_directions(options.degree) : octahedral_directions(options.degree);
  if (options.half) return half;
  Directions all{{}, {}, half.degree};
  for (const double sign : {1.0, -1.0})
    for (std::size_t k = 0; k < half.at.size(); ++k) {
      const auto& n = half.at[k];
      all.at.push_back({sign * n[0], sign * n[1], sign * n[2]});
      all.weight.push_back(half.weight[k] / 2);
    }
  return all;
}

void keep_upper_half(Directions& all) {
  Directions half{{}, {}, all.degree};
  for (std::size_t k = 0; k < all.at.size(); ++k)
    if (is_upper(all.at[k])) {
      half.at.push_back(all.at[k]);
      half.weight.push_back(2 * all.weight[k]);
    }
  double sum = 0;
  for (const double weight : half.weight) sum += weight;
  for (double& weight : half.weight) weight *= 4 * std::numbers::pi / sum;
  all = std::move(half);
}

}  // namespace shoal
