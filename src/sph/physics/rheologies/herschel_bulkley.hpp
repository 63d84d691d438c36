// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/rheologies/flow_curve.hpp"

namespace shoal::sph {

/// η = K γ̇ⁿ⁻¹ + τ_y (1 − exp(−m γ̇))/γ̇ (Herschel and Bulkley 1926; Papanastasiou 1987). With m → ∞ the stress of a fluid
/// that flows is τ_y + K γ̇ⁿ.
struct HerschelBulkley {
  static constexpr RheologyModel kind = RheologyModel::herschel_bulkley;
  static constexpr const char* formula = "eta = K s^(n-1) + tau_y (1 - exp(-m s))/s";
  static constexpr std::string_view keys[] = {"consistency", "exponent", "yield_stress", "regularization",
                                              "most_viscosity"};

  static void check(const Rheology& rheology) {
    check_viscosity(rheology);
    check_exponent(rheology);
    check_yielding(rheology);
  }
  static Rheology herschel_bulkley(const Material& material) { return material.rheology; }
};

}  // namespace shoal::sph
