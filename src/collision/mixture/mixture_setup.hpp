// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// Checked arguments of a plan for two gases: one setup for the collisions in each gas, one for those between them.
struct MixtureSetup {
  std::array<double, 2> shares;        ///< a, share of each molecule in the mass of a pair of unlike molecules
  std::array<CollisionSetup, 2> like;  ///< Collisions in each gas.
  CollisionSetup unlike;  ///< Collisions between the gases, with directions of the whole sphere: n and −n differ.

  /// @param whole  has the grid and the options of all collisions
  /// @throws Error  a member of the mixture is out of range: names it; the approach is not spectral
  MixtureSetup(const CollisionSetup& whole, const Mixture& mixture);
};

/// Checks the models, masses and collisions of a mixture.
/// @throws Error  a member is out of range: names it
void check_mixture(const Mixture& mixture);

/// Molecules whose collision kernel is that of pairs of unlike molecules.
Molecules unlike_molecules(const Mixture& mixture);

}  // namespace shoal::collision
