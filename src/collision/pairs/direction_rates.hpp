// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "collision/pairs/pair_item.hpp"
#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// Share of direction n in the collisions of pairs with a displacement, per steradian.
SHOAL_HD double direction_share(const CollisionKernel& kernel, const Displacement& pair, const double* n) {
  if (kernel.isotropic()) return kernel.share(0);
  return kernel.share((n[0] * pair.d[0] + n[1] * pair.d[1] + n[2] * pair.d[2]) / pair.length());
}

/// Computes the rates of all directions for pairs with a displacement: h³ |V| σ times the weights of the directions,
/// scaled so that they add up to h³ |V| σ_T.
/// @param rates  [directions] overwritten
inline void direction_rates(const CollisionSetup& setup, const Displacement& pair, std::vector<double>& rates) {
  const Directions& directions = setup.directions;
  rates.resize(directions.weight.size());
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k)
    sum += rates[k] = directions.weight[k] * direction_share(setup.kernel, pair, directions.point[k].data());
  const double scale = setup.volume() * setup.kernel.total(pair.length() * setup.spacing()) / sum;
  for (double& rate : rates) rate *= scale;
}

}  // namespace shoal::collision
