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
};

}  // namespace shoal::sph
