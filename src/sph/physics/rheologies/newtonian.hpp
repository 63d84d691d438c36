// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/rheologies/flow_curve.hpp"

namespace shoal::sph {

/// η = ρ₀ ν: a fluid whose viscosity does not depend on its flow.
struct Newtonian {
  static constexpr RheologyModel kind = RheologyModel::newtonian;
  static constexpr const char* formula = "eta = rho_0 nu";
  static constexpr std::string_view keys[] = {"kinematic_viscosity"};

  static void check(const Rheology&) {}
  static Rheology herschel_bulkley(const Material& material) {
    return {.consistency = material.density * material.kinematic_viscosity};
  }
};

}  // namespace shoal::sph
