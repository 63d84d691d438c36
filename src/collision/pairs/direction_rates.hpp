// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "collision/pairs/pair_item.hpp"
#include "collision/setup/collision_setup.hpp"

namespace shoal {

/// The share of direction n for pairs of a displacement, per steradian.
SHOAL_HD double direction_share(const CollisionKernel& kernel, const Displacement& pair, const double* n) {
  if (kernel.isotropic()) return kernel.share(0);
  return kernel.share((n[0] * pair.d[0] + n[1] * pair.d[1] + n[2] * pair.d[2]) / pair.length());
}

/// h³ |V| σ of each direction for pairs of a displacement, with the directions' weights; they add up to h³ |V| σ_T.
/// @param rates  [directions] overwritten
inline void direction_rates(const CollisionSetup& setup, const Displacement& pair, std::vector<double>& rates) {
  const Directions& directions = setup.directions;
  rates.resize(directions.weight.size());
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k)
    sum += rates[k] = directions.weight[k] * direction_share(setup.kernel, pair, directions.at[k].data());
  const double scale = setup.volume() * setup.kernel.total(pair.length() * setup.spacing()) / sum;
  for (double& rate : rates) rate *= scale;
}

}  // namespace shoal
