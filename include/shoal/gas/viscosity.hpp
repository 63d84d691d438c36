// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

namespace shoal::gas {

/// Definition of the mean free path λ = F μ / (ρ √T), with T = k T / m. Publications differ, and so do their Knudsen
/// numbers.
enum class MeanFreePath {
  hard_sphere,  ///< 1 / (√2 π n d²) of the hard spheres that have this viscosity exactly: F = 1.25647 (Sone, Ohwada)
  bird,         ///< (2/15) (5 − 2ω) (7 − 2ω) μ / (ρ √(2π T)), ω the viscosity exponent (Bird, Alsmeyer)
  viscosity     ///< μ √(π T / 2) / p: F = 1.25331 (Cercignani)
};

/// Returns the viscosity divided by the mass of a molecule, m⁻¹ s⁻¹: exact for Maxwell molecules (2 T / rate) and hard
/// spheres (0.179136 √T / d²), the first Sonine approximation for `vhs` and `vss`:
///
///     μ / m = 5 T / (8 Ω),     Ω = √(T / π) ∫ exp(−g²) g⁷ σ_μ dg,     |V| = 2 √T g
///
/// with σ_μ the viscosity cross section.
/// @param temperature  k T / m, m²/s²
/// @throws Error  a member of the molecules is out of range; the temperature is not positive
/// Source: Chapman and Cowling (1970); Bird (1994).
double viscosity(const Molecules& molecules, double temperature);

/// Returns the mean free path, m.
/// @param density      m⁻³
/// @param temperature  k T / m, m²/s²
/// @throws Error  as viscosity(); the density is not positive
double mean_free_path(MeanFreePath definition, const Molecules& molecules, double density, double temperature);

/// Returns the molecules whose mean free path at a state is `knudsen` × `length`.
/// @param model        maxwell or hard_sphere
/// @param length       m
/// @param density      m⁻³
/// @param temperature  k T / m, m²/s²
/// @throws Error  another model; an argument is not positive
Molecules molecules_of_knudsen(MoleculeModel model, MeanFreePath definition, double knudsen, double length,
                               double density, double temperature);

}  // namespace shoal::gas

namespace shoal {

using gas::MeanFreePath;

template <>
inline constexpr auto enumerator_names<MeanFreePath> =
    std::array<std::string_view, 3>{"hard_sphere", "bird", "viscosity"};

}  // namespace shoal
