// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <numbers>

namespace shoal::collision {

/// Collision kernel |V| σ(|V|, χ) of a pair of molecules:  factor |V|^power · share(cos χ).
struct CollisionKernel {
  double factor = 1;      ///< Factor of |V| σ_T.
  double power = 0;       ///< Exponent of |V| in |V| σ_T.
  double scattering = 1;  ///< α: share ∝ cos^(2α − 2)(χ/2); 1 is isotropic

  SHOAL_HD bool isotropic() const { return scattering == 1; }

  /// |V| σ_T, the integral over all directions.
  SHOAL_HD double total(double speed) const { return power == 0 ? factor : factor * std::pow(speed, power); }

  /// Share of a direction, per steradian: the mean of n and −n, which are the same collision.
  /// @param cosine  cos χ = n·V / |V|
  SHOAL_HD double share(double cosine) const {
    constexpr double sphere = 4 * std::numbers::pi;
    if (isotropic()) return 1 / sphere;
    const double forward = std::pow((1 + cosine) / 2, scattering - 1);
    const double backward = std::pow((1 - cosine) / 2, scattering - 1);
    return scattering * (forward + backward) / (2 * sphere);
  }

  /// Mean of the Legendre polynomial P_l(cos χ) over all directions, l even: Π (α − j) / (α + j), j = 1 to l.
  double legendre_mean(int l) const {
    double mean = 1;
    for (int j = 1; j <= l; ++j) mean *= (scattering - j) / (scattering + j);
    return mean;
  }
};

}  // namespace shoal::collision
