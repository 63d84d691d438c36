// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/rheologies/flow_curve.hpp"

namespace shoal::sph {

/// η = K + τ_y (1 − exp(−m γ̇))/γ̇ (Bingham 1922; Papanastasiou 1987): nearly rigid below the yield stress τ_y, with the
/// plastic viscosity K above it. With m → ∞ the stress of a fluid that flows is τ_y + K γ̇.
struct Bingham {
  static constexpr RheologyModel kind = RheologyModel::bingham;
  static constexpr const char* formula = "eta = K + tau_y (1 - exp(-m s))/s";
  static constexpr std::string_view keys[] = {"consistency", "yield_stress", "regularization", "most_viscosity"};

  static void check(const Rheology& rheology) {
    check_viscosity(rheology);
    check_yielding(rheology);
  }
  static Rheology herschel_bulkley(const Material& material) {
    Rheology curve = material.rheology;
    curve.exponent = 1;
    return curve;
  }
};

}  // namespace shoal::sph
