// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision/directions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/directions/direction_sets.hpp"
#include "core/text.hpp"

namespace shoal::collision {

namespace {

/// Returns true for one of each two opposite points.
bool is_upper(const std::array<double, 3>& n) {
  for (const int axis : {2, 1, 0})
    if (std::abs(n[static_cast<std::size_t>(axis)]) > 1e-12) return n[static_cast<std::size_t>(axis)] > 0;
  return false;
}

}  // namespace

Directions directions(const DirectionOptions& options) {
  const bool design = options.family == DirectionFamily::design;
  constexpr int largest_degree = 19;
  require(options.degree >= 1 && options.degree <= largest_degree, "collision: ", to_name(options.family),
          " directions of degree ", options.degree, " are not available, expected 1 to ", largest_degree, ".");
  const Directions half = design ? design_directions(options.degree) : octahedral_directions(options.degree);
  if (options.half) return half;
  Directions full{{}, {}, half.degree};
  for (const double sign : {1.0, -1.0})
    for (std::size_t k = 0; k < half.point.size(); ++k) {
      const auto& n = half.point[k];
      full.point.push_back({sign * n[0], sign * n[1], sign * n[2]});
      full.weight.push_back(half.weight[k] / 2);
    }
  return full;
}

Directions upper_half(const Directions& full) {
  Directions half{{}, {}, full.degree};
  for (std::size_t k = 0; k < full.point.size(); ++k)
    if (is_upper(full.point[k])) {
      half.point.push_back(full.point[k]);
      half.weight.push_back(2 * full.weight[k]);
    }
  double sum = 0;
  for (const double weight : half.weight) sum += weight;
  for (double& weight : half.weight) weight *= 4 * std::numbers::pi / sum;
  return half;
}

}  // namespace shoal::collision
