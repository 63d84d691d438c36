// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace shoal::sph {

/// Surface tension where two fluids meet: a stress of σ δ (I − n nᵀ) along their interface, with its normal n and its
/// smoothed delta function δ, so that the pressure in a drop is higher by σ times the curvature. A free surface has none.
struct SurfaceTension {
  std::vector<std::string> between{};  ///< two materials
  double coefficient = 0;              ///< σ, N/m
  /// ε: particles of the two push each other apart with ε times their pressures, which keeps the interface sharp where the
  /// fluids differ much in density (Grenier et al. 2009). 0.01 to 0.1; it adds a tension that falls with the spacing.
  double repulsion = 0;
};

}  // namespace shoal::sph
