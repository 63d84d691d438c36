// SPDX-License-Identifier: Apache-2.0
// Model of cases with fluids whose viscosity depends on their flow: the general one, with an apparent viscosity of each
// particle, which a pass before each stage sets.
#pragma once
#include "sph/physics/physics.hpp"

namespace shoal::sph {

/// Largest dt ν/h² at which explicit friction is stable (Morris, Fox and Zhu 1997).
constexpr double stable_viscous_number = 0.125;

template <class Real, int dimensions>
struct ViscousParticle : GeneralParticle<Real, dimensions> {
  Real viscosity;  ///< η of fluid, Pa s; walls have that of the fluid beside them
};

struct ApparentViscosityPhysics : GeneralPhysics {
  static constexpr bool has_apparent_viscosity = true;

  template <class Real, int dimensions>
  using ParticleType = ViscousParticle<Real, dimensions>;

  template <class Real, int dimensions>
  SHOAL_HD static ViscousParticle<Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
    return {GeneralPhysics::load(state, i), state.viscosity[i]};
  }

  /// Factor of friction in place of η_i + η_j, Pa s:
  ///
  ///     η_ij (ρ_i/ρ₀_i + ρ_j/ρ₀_j),     η_ij = 2 η_i η_j/(η_i + η_j)
  ///
  /// The harmonic mean gives two fluids, and the fluid on both sides of a yield surface, one stress where they touch
  /// (Cleary 1998). Beside a wall η_ij is that of the fluid. Where η does not vary this is η = ν ρ of the newtonian fluid.
  template <class Real, int dimensions>
  SHOAL_HD static Real viscosity_sum(const Parameters<Real, dimensions>& parameters,
                                     const ViscousParticle<Real, dimensions>& i,
                                     const ViscousParticle<Real, dimensions>& j,
                                     const PairTerms<Real, dimensions>& terms) {
    const Real relative_i = terms.density[0] * equation_of_state(parameters, i).inverse_density;
    const Real relative_j = terms.density[1] * equation_of_state(parameters, j).inverse_density;
    if (is_wall(i.position)) return 2 * relative_j * j.viscosity;
    if (is_wall(j.position)) return 2 * relative_i * i.viscosity;
    const Real sum = i.viscosity + j.viscosity;
    return sum > 0 ? 2 * i.viscosity * j.viscosity / sum * (relative_i + relative_j) : Real(0);
  }
};

/// Calls visit.operator()<Physics>() for the model of a run.
/// @param has_viscosities  the state has apparent viscosities
template <class Real, int dimensions, class Visit>
auto with_physics(const Parameters<Real, dimensions>& parameters, bool has_viscosities, const Visit& visit) {
  if constexpr (dimensions > 1)
    if (has_viscosities) return visit.template operator()<ApparentViscosityPhysics>();
  return with_physics(parameters, visit);
}

}  // namespace shoal::sph
