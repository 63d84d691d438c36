// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/rheologies/flow_curve.hpp"

namespace shoal::sph {

/// η = K γ̇ⁿ⁻¹ (de Waele 1923; Ostwald 1925): a fluid that thins (n < 1) or thickens (n > 1) under shear.
struct PowerLaw {
  static constexpr RheologyModel kind = RheologyModel::power_law;
  static constexpr const char* formula = "eta = K s^(n-1)";
  static constexpr std::string_view keys[] = {"consistency", "exponent", "most_viscosity"};

  static void check(const Rheology& rheology) {
    check_viscosity(rheology);
    check_exponent(rheology);
  }
  static Rheology herschel_bulkley(const Material& material) {
    Rheology curve = material.rheology;
    curve.yield_stress = curve.regularization = 0;
    return curve;
  }
};

}  // namespace shoal::sph
