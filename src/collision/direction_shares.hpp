// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "collision/collision_setup.hpp"
#include "collision/lattice_item.hpp"

namespace shoal {

/// h³ |V| σ of each direction for pairs of a displacement, with the directions' weights; they add up to h³ |V| σ_T.
/// @param rates  [directions] overwritten
inline void direction_rates(const CollisionSetup& setup, const Displacement& pair, std::vector<double>& rates) {
  const Directions& directions = setup.directions;
  const double length = pair.length();
  rates.resize(directions.weight.size());
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    const auto& n = directions.at[k];
    const double cosine = (n[0] * pair.d[0] + n[1] * pair.d[1] + n[2] * pair.d[2]) / length;
    sum += rates[k] = directions.weight[k] * setup.kernel.share(cosine);
  }
  const double scale = setup.volume() * setup.kernel.total(length * setup.spacing()) / sum;
  for (double& rate : rates) rate *= scale;
}

}  // namespace shoal
