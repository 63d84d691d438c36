// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::sph {

enum class RheologyModel { newtonian, power_law, bingham, herschel_bulkley };

/// Apparent viscosity η of a material over the shear rate γ̇ = √(2 D:D), with D = (∇v + ∇vᵀ)/2:
///
///     newtonian         η = ρ₀ ν, with the material's kinematic viscosity
///     power_law         η = K γ̇ⁿ⁻¹
///     bingham           η = K + τ_y (1 − exp(−m γ̇))/γ̇
///     herschel_bulkley  η = K γ̇ⁿ⁻¹ + τ_y (1 − exp(−m γ̇))/γ̇
///
/// and at most most_viscosity. Sources: Ostwald (1925); Bingham (1922); Herschel and Bulkley (1926); the factor that
/// keeps η finite at rest is that of Papanastasiou (1987), J. Rheol. 31, 385.
struct Rheology {
  RheologyModel model = RheologyModel::newtonian;
  double yield_stress = 0;                 ///< τ_y, Pa
  double consistency = 0;                  ///< K, Pa sⁿ; of bingham the plastic viscosity, Pa s
  double exponent = 1;                     ///< n: below 1 the fluid thins under shear, above 1 it thickens
  double regularization = 0;               ///< m, s: a fluid that flows slower than 1/m hardly yields
  std::optional<double> most_viscosity{};  ///< Pa s; default with n = 1: K + τ_y m, the limit at rest
};

/// Models of rheology that have a case-file key of [material.NAME], such as "yield_stress".
std::vector<RheologyModel> rheology_models_with(std::string_view key);

/// Formula of the apparent viscosity, for documentation.
std::string formula_of(RheologyModel model);

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::RheologyModel> =
    std::array<std::string_view, 4>{"newtonian", "power_law", "bingham", "herschel_bulkley"};

}  // namespace shoal
