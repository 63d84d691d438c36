// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// Walls whose particles are fixed fluid: they take part in all sums, and their density follows the equation of
/// continuity (Crespo et al. 2007).
struct DynamicWalls {
  static constexpr Walls kind = Walls::dynamic;
  static constexpr bool has_own_force = false;
  static constexpr bool evolves_density = true;
  static constexpr bool sums_over_fluid = false;
  static constexpr bool has_pressure = true;
};

}  // namespace shoal::sph
