// SPDX-License-Identifier: Apache-2.0
// The two models that loops over pairs are compiled for. The physics is written once, in terms of what a model answers:
// the properties of a particle, the terms that the model may have, and which constant factors stand before a sum.
//
// PlainPhysics    one fluid of constant sound speed and smoothing length, artificial viscosity, diffusion ferrari or
//                 molteni, fixed walls along which fluid slips, an open domain. Its answers are compile-time constants
//                 or kernel arguments, so that nothing else remains in its loops. Most runs are of this kind.
// GeneralPhysics  everything that a case can have; the answers depend on the case and on the particle.
//
// docs/decisions/0007 has the reasons.
#pragma once
#include "sph/physics/kernel_item.hpp"
#include "sph/physics/separation_item.hpp"

namespace shoal::sph {

/// Rates of change of a particle, or sums over its neighbors that Physics::common_factor() completes.
template <class Real, int dimensions>
struct Rates {
  Real density = 0;                    ///< dρ/dt
  Real acceleration[dimensions] = {};  ///< dv/dt
  Real heating = 0;                    ///< du/dt
  Real repulsion[dimensions] = {};     ///< dv/dt by repulsive walls, complete

  /// Replaces every member by sum(member): the way in which threads that share a particle add their parts.
  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    density = sum(density);
    heating = sum(heating);
    for (int axis = 0; axis < dimensions; ++axis) {
      acceleration[axis] = sum(acceleration[axis]);
      repulsion[axis] = sum(repulsion[axis]);
    }
  }
};

/// The same with the sums that particle shifting needs.
template <class Real, int dimensions>
struct ShiftingRates : Rates<Real, dimensions> {
  /// ∇C = Σ V (1 + 0.2 (W/W(Δx))⁴) ∇W, 1/m, Δx = h/smoothing (Monaghan 2000)
  Real concentration[dimensions] = {};
  Real divergence = 0;  ///< ∇·r = Σ V (x_j − x_i)·∇W: the number of dimensions within the fluid

  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    Rates<Real, dimensions>::reduce(sum);
    divergence = sum(divergence);
    for (int axis = 0; axis < dimensions; ++axis) concentration[axis] = sum(concentration[axis]);
  }
};

/// Terms of a pair of particles.
template <class Real, int dimensions>
struct PairTerms {
  Separation<Real, dimensions> separation;
  Real velocity_dot_separation;  ///< v_ij·x_ij, m²/s
  Real distance;                 ///< r, m
  Real smoothing_length;         ///< h, mean of both, m
  Real sound_speed;              ///< c, mean of both, m/s
  Real density[2];               ///< ρ_i and ρ_j, kg/m³
  Real softened;                 ///< r² + 0.01 h², m²
  Real inverse;                  ///< Physics::mean_density_factor / (softened (ρ_i + ρ_j))
  Real inverse_softened;         ///< 1 / softened
  Real kernel_gradient;          ///< F with the factors that Physics::weighted_gradient() states; ∇W = F x_ij
  Real pressure;                 ///< p_i/ρ_i² + p_j/ρ_j² + Π_ij
  Real viscosity;                ///< Π_ij
  Real diffusion;                ///< ψ_ij, from j to i, m²/s
};

template <Kernel kernel>
struct PlainPhysics {
  static constexpr bool is_general = false;

  /// @name Terms that this model does not have
  /// @{
  static constexpr bool has_properties = false;  ///< particles have a mass, h and c of their own
  static constexpr bool may_be_periodic = false;
  static constexpr bool may_shift = false;
  static constexpr bool may_move_walls = false;
  static constexpr bool may_have_heat_pulses = false;
  template <class Parameters>
  SHOAL_HD static constexpr bool has_several_fluids(const Parameters&) {
    return false;
  }
  template <class Parameters>
  SHOAL_HD static constexpr bool has_laminar_viscosity(const Parameters&) {
    return false;
  }
  template <class Parameters>
  SHOAL_HD static constexpr bool subtracts_hydrostatic_density(const Parameters&) {
    return false;
  }
  /// @}

  /// @name Constant factors
  /// Factors that all pairs share stand before the sums: m · gradient_scale, and 2 and 1/2 as stated here.
  /// @{
  static constexpr int mean_density_factor =
      1;                                     ///< factor in PairTerms::inverse; 2 gives the inverse of the mean density
  static constexpr int heating_divisor = 1;  ///< divisor of each pair's heating; the sum is divided by 2
  template <class Real, int dimensions>
  SHOAL_HD static Real common_factor(const Parameters<Real, dimensions>& parameters) {
    return parameters.mass * parameters.gradient_scale;
  }
  /// @}

  template <class Real, int dimensions>
  using ParticleType = Particle<Real, dimensions>;
  template <class Real, int dimensions>
  using RatesType = Rates<Real, dimensions>;

  /// @param q  r/h
  template <class Real, int dimensions>
  SHOAL_HD static Real kernel_shape(const Parameters<Real, dimensions>&, Real q) {
    return sph::kernel_shape<kernel>(q);
  }
  template <class Real, int dimensions>
  SHOAL_HD static Separation<Real, dimensions> separation(const Parameters<Real, dimensions>& parameters,
                                                          const PositionDensity<Real, dimensions>& i,
                                                          const PositionDensity<Real, dimensions>& j) {
    return sph::separation(parameters, i, j);
  }

  /// @name Properties of a particle
  /// @{
  template <class Real, int dimensions>
  SHOAL_HD static Particle<Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
    return state.load(i);
  }
  template <class Real, int dimensions>
  SHOAL_HD static const EosParameters<Real>& equation_of_state(const Parameters<Real, dimensions>& parameters,
                                                               const Particle<Real, dimensions>&) {
    return parameters.eos;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mass(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>&) {
    return parameters.mass;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real inverse_smoothing_length(const Parameters<Real, dimensions>& parameters,
                                                const Particle<Real, dimensions>&) {
    return parameters.inverse_smoothing_length;
  }
  template <class Real, int dimensions>
  SHOAL_HD static PackedVelocity<Real, dimensions> viscous_velocity(const Particle<Real, dimensions>& i) {
    return i.velocity;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real kinematic_viscosity(const Parameters<Real, dimensions>&, const Particle<Real, dimensions>&) {
    return 0;
  }
  /// @}

  /// @name Properties of a pair
  /// @{
  /// The particle whose material counts for neighbor j.
  template <class Real, int dimensions>
  SHOAL_HD static const Particle<Real, dimensions>& material_beside(const Parameters<Real, dimensions>&,
                                                                    const Particle<Real, dimensions>&,
                                                                    const Particle<Real, dimensions>& j) {
    return j;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mean_smoothing_length(const Parameters<Real, dimensions>& parameters,
                                             const Particle<Real, dimensions>&, const Particle<Real, dimensions>&) {
    return parameters.smoothing_length;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mean_sound_speed(const Parameters<Real, dimensions>& parameters,
                                        const Particle<Real, dimensions>&, const Particle<Real, dimensions>&) {
    return parameters.control.sound_speed;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real density_sum(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& i,
                                   const Particle<Real, dimensions>& j, const PairTerms<Real, dimensions>&) {
    return 2 * parameters.eos.density + (i.position.density + j.position.density);
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real softening(const Parameters<Real, dimensions>& parameters, Real) {
    return parameters.softening;
  }
  /// F / gradient_scale.
  template <class Real, int dimensions>
  SHOAL_HD static Real weighted_gradient(const Parameters<Real, dimensions>& parameters,
                                         const Particle<Real, dimensions>&, const Particle<Real, dimensions>&,
                                         Real distance) {
    return kernel_gradient<kernel>(distance * parameters.inverse_smoothing_length);
  }
  /// @}

  /// @name Artificial viscosity and diffusion
  /// @{
  /// Π_ij = viscosity_scale v_ij·x_ij inverse viscosity_speed for particles that approach each other: here
  /// −2 α c h v_ij·x_ij / (softened (ρ_i + ρ_j)).
  template <class Real, int dimensions>
  SHOAL_HD static Real viscosity_scale(const Parameters<Real, dimensions>& parameters,
                                       const PairTerms<Real, dimensions>&) {
    return -parameters.viscosity;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real viscosity_speed(const Parameters<Real, dimensions>&, const PairTerms<Real, dimensions>&, Real) {
    return 1;
  }
  template <class Real, int dimensions>
  SHOAL_HD static constexpr bool diffuses(const Parameters<Real, dimensions>&, const Particle<Real, dimensions>&,
                                          const Particle<Real, dimensions>&) {
    return true;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real hydrostatic_density(const Parameters<Real, dimensions>&, const Particle<Real, dimensions>&,
                                           Real) {
    return 0;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real diffusivity(const Parameters<Real, dimensions>& parameters,
                                   const PairTerms<Real, dimensions>& terms) {
    return parameters.diffusion_constant + parameters.diffusion_slope * terms.distance;
  }
  /// @}

  /// @name Repulsive walls: dv_i/dt += repulsion · kernel_shape(r/h) / (r² + repulsion_softening) x_ij
  /// @{
  template <class Real, int dimensions>
  SHOAL_HD static Real repulsion(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>&,
                                 const Particle<Real, dimensions>&) {
    return parameters.repulsion * parameters.value_scale;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real repulsion_softening(const Parameters<Real, dimensions>& parameters,
                                           const Particle<Real, dimensions>&) {
    return parameters.softening * Real(1e-4);
  }
  /// @}
};

/// A length to the power D, or D + 2.
template <int power, class Real>
SHOAL_HD Real to_power(Real base) {
  Real result = base;
  for (int k = 1; k < power; ++k) result *= base;
  return result;
}

struct GeneralPhysics {
  static constexpr bool is_general = true;

  /// @name Terms that a case may have
  /// @{
  static constexpr bool has_properties = true;
  static constexpr bool may_be_periodic = true;
  static constexpr bool may_shift = true;
  static constexpr bool may_move_walls = true;
  static constexpr bool may_have_heat_pulses = true;
  template <class Parameters>
  SHOAL_HD static bool has_several_fluids(const Parameters& parameters) {
    return parameters.model.several_fluids;
  }
  template <class Parameters>
  SHOAL_HD static bool has_laminar_viscosity(const Parameters& parameters) {
    return parameters.model.laminar;
  }
  template <class Parameters>
  SHOAL_HD static bool subtracts_hydrostatic_density(const Parameters& parameters) {
    return parameters.model.diffusion == DensityDiffusion::fourtakas;
  }
  /// @}

  /// @name Constant factors: pairs have none in common
  /// @{
  static constexpr int mean_density_factor = 2;
  static constexpr int heating_divisor = 2;
  template <class Real, int dimensions>
  SHOAL_HD static constexpr Real common_factor(const Parameters<Real, dimensions>&) {
    return 1;
  }
  /// @}

  template <class Real, int dimensions>
  using ParticleType = GeneralParticle<Real, dimensions>;
  template <class Real, int dimensions>
  using RatesType = ShiftingRates<Real, dimensions>;

  template <class Real, int dimensions>
  SHOAL_HD static Real kernel_shape(const Parameters<Real, dimensions>& parameters, Real q) {
    return with_kernel(parameters.kernel, [&]<Kernel kernel> { return sph::kernel_shape<kernel>(q); });
  }
  template <class Real, int dimensions>
  SHOAL_HD static Separation<Real, dimensions> separation(const Parameters<Real, dimensions>& parameters,
                                                          const PositionDensity<Real, dimensions>& i,
                                                          const PositionDensity<Real, dimensions>& j) {
    return nearest_separation(parameters, i, j);
  }

  /// @name Properties of a particle
  /// @{
  template <class Real, int dimensions>
  SHOAL_HD static GeneralParticle<Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
    const Particle<Real, dimensions> particle = state.load(i);
    const bool is_mirrored = state.mirrored_velocity && is_wall(particle.position);
    return {particle, state.properties[i], is_mirrored ? state.mirrored_velocity[i] : particle.velocity};
  }
  template <class Real, int dimensions>
  SHOAL_HD static const MaterialParameters<Real>& material(const Parameters<Real, dimensions>& parameters,
                                                           const Properties<Real>& properties) {
    return parameters.tables->material[properties.material()];
  }
  template <class Real, int dimensions>
  SHOAL_HD static const EosParameters<Real>& equation_of_state(const Parameters<Real, dimensions>& parameters,
                                                               const GeneralParticle<Real, dimensions>& i) {
    return material(parameters, i.properties).eos;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mass(const Parameters<Real, dimensions>&, const GeneralParticle<Real, dimensions>& i) {
    return i.properties.mass;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real inverse_smoothing_length(const Parameters<Real, dimensions>&,
                                                const GeneralParticle<Real, dimensions>& i) {
    return fast_reciprocal(i.properties.smoothing_length);
  }
  template <class Real, int dimensions>
  SHOAL_HD static PackedVelocity<Real, dimensions> viscous_velocity(const GeneralParticle<Real, dimensions>& i) {
    return i.viscous_velocity;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real kinematic_viscosity(const Parameters<Real, dimensions>& parameters,
                                           const GeneralParticle<Real, dimensions>& i) {
    return material(parameters, i.properties).kinematic_viscosity;
  }
  /// @}

  /// @name Properties of a pair
  /// @{
  /// Of one fluid, i has the material of all particles, and j's need not be loaded.
  template <class Real, int dimensions>
  SHOAL_HD static const GeneralParticle<Real, dimensions>& material_beside(
      const Parameters<Real, dimensions>& parameters, const GeneralParticle<Real, dimensions>& i,
      const GeneralParticle<Real, dimensions>& j) {
    return parameters.model.several_fluids ? j : i;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mean_smoothing_length(const Parameters<Real, dimensions>&,
                                             const GeneralParticle<Real, dimensions>& i,
                                             const GeneralParticle<Real, dimensions>& j) {
    return (i.properties.smoothing_length + j.properties.smoothing_length) / 2;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real mean_sound_speed(const Parameters<Real, dimensions>&, const GeneralParticle<Real, dimensions>& i,
                                        const GeneralParticle<Real, dimensions>& j) {
    return (i.properties.sound_speed + j.properties.sound_speed) / 2;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real density_sum(const Parameters<Real, dimensions>&, const GeneralParticle<Real, dimensions>&,
                                   const GeneralParticle<Real, dimensions>&, const PairTerms<Real, dimensions>& terms) {
    return terms.density[0] + terms.density[1];
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real softening(const Parameters<Real, dimensions>&, Real smoothing_length) {
    return Real(0.01) * smoothing_length * smoothing_length;
  }
  /// m_j F. Where particles have smoothing lengths of their own, F is the mean of both particles' (Hernquist and Katz
  /// 1989), which keeps pairs antisymmetric.
  template <class Real, int dimensions>
  SHOAL_HD static Real weighted_gradient(const Parameters<Real, dimensions>& parameters,
                                         const GeneralParticle<Real, dimensions>& i,
                                         const GeneralParticle<Real, dimensions>& j, Real distance) {
    return j.properties.mass *
           gradient(parameters, distance, i.properties.smoothing_length, j.properties.smoothing_length);
  }
  /// @}

  /// @name Artificial viscosity and diffusion
  /// @{
  /// Π_ij = (β μ² − α c μ)/ρ̄, μ = h v_ij·x_ij / softened (Monaghan 1992).
  template <class Real, int dimensions>
  SHOAL_HD static Real viscosity_scale(const Parameters<Real, dimensions>&, const PairTerms<Real, dimensions>& terms) {
    return terms.smoothing_length;
  }
  /// @param approach  h v_ij·x_ij
  template <class Real, int dimensions>
  SHOAL_HD static Real viscosity_speed(const Parameters<Real, dimensions>& parameters,
                                       const PairTerms<Real, dimensions>& terms, Real approach) {
    return parameters.model.quadratic * approach * terms.inverse_softened -
           parameters.model.artificial * terms.sound_speed;
  }
  template <class Real, int dimensions>
  SHOAL_HD static bool diffuses(const Parameters<Real, dimensions>& parameters,
                                const GeneralParticle<Real, dimensions>& i,
                                const GeneralParticle<Real, dimensions>& j) {
    if (parameters.model.diffusion == DensityDiffusion::none) return false;
    return !(parameters.model.several_fluids && i.properties.material() != j.properties.material());
  }
  /// Density difference of hydrostatic water over a head g·x_ij.
  template <class Real, int dimensions>
  SHOAL_HD static Real hydrostatic_density(const Parameters<Real, dimensions>& parameters,
                                           const GeneralParticle<Real, dimensions>& i, Real head) {
    return material(parameters, i.properties).density_over_head * head;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real diffusivity(const Parameters<Real, dimensions>& parameters,
                                   const PairTerms<Real, dimensions>& terms) {
    const bool is_ferrari = parameters.model.diffusion == DensityDiffusion::ferrari;
    const Real length = is_ferrari ? terms.distance : 2 * terms.smoothing_length;
    return parameters.model.diffusion_coefficient * length * terms.sound_speed;
  }
  /// @}

  /// @name Repulsive walls: with the masses of both and the sound speed of the wall
  /// @{
  template <class Real, int dimensions>
  SHOAL_HD static Real repulsion(const Parameters<Real, dimensions>& parameters,
                                 const GeneralParticle<Real, dimensions>& i,
                                 const GeneralParticle<Real, dimensions>& wall) {
    const Real c = wall.properties.sound_speed;
    const Real share = wall.properties.mass * fast_reciprocal(i.properties.mass + wall.properties.mass);
    return share * c * c * parameters.model.kernel_scale;
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real repulsion_softening(const Parameters<Real, dimensions>&,
                                           const GeneralParticle<Real, dimensions>& wall) {
    const Real h = wall.properties.smoothing_length;
    return Real(1e-6) * h * h;
  }
  /// @}

 private:
  template <class Real, int dimensions>
  SHOAL_HD static Real kernel_gradient_at(const Parameters<Real, dimensions>& parameters, Real q) {
    return with_kernel(parameters.kernel, [&]<Kernel kernel> { return kernel_gradient<kernel>(q); });
  }
  template <class Real, int dimensions>
  SHOAL_HD static Real gradient(const Parameters<Real, dimensions>& parameters, Real distance, Real h_i, Real h_j) {
    if (!parameters.model.variable_smoothing_length)
      return parameters.gradient_scale * kernel_gradient_at(parameters, distance * parameters.inverse_smoothing_length);
    const auto one = [&](Real h) {
      const Real inverse = fast_reciprocal(h);
      return to_power<dimensions + 2>(inverse) * kernel_gradient_at(parameters, distance * inverse);
    };
    return parameters.model.kernel_scale / 2 * (one(h_i) + one(h_j));
  }
};

/// @name Types of a model
/// @{
template <class Physics, class Real, int dimensions>
using ParticleOf = typename Physics::template ParticleType<Real, dimensions>;
template <class Physics, class Real, int dimensions>
using RatesOf = typename Physics::template RatesType<Real, dimensions>;
/// @}

template <class Physics, class Real, int dimensions>
SHOAL_HD ParticleOf<Physics, Real, dimensions> load(const StateView<Real, dimensions>& state, std::int64_t i) {
  return Physics::load(state, i);
}

/// ρ of a particle, kg/m³.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real density_of(const Parameters<Real, dimensions>& parameters,
                         const ParticleOf<Physics, Real, dimensions>& i) {
  return Physics::equation_of_state(parameters, i).density + i.position.density;
}

/// Reference density of particle i.
/// @param properties  [n], or null in plain physics
template <class Real, int dimensions>
SHOAL_HD Real reference_density(const Parameters<Real, dimensions>& parameters, const Properties<Real>* properties,
                                std::int64_t i) {
  return properties ? GeneralPhysics::material(parameters, properties[i]).eos.density : parameters.eos.density;
}

/// Mass of particle i, likewise.
template <class Real, int dimensions>
SHOAL_HD Real mass_of(const Parameters<Real, dimensions>& parameters, const Properties<Real>* properties,
                      std::int64_t i) {
  return properties ? properties[i].mass : parameters.mass;
}

/// Returns true for a case that plain physics does not cover.
bool needs_general_physics(const Case& simulation);

/// Calls visit.operator()<Physics>() for the model of a run.
template <class Real, int dimensions, class Visit>
auto with_physics(const Parameters<Real, dimensions>& parameters, const Visit& visit) {
  if constexpr (dimensions > 1) {
    if (!parameters.tables && parameters.kernel == Kernel::wendland_c2)
      return visit.template operator()<PlainPhysics<Kernel::wendland_c2>>();
    if (!parameters.tables) return visit.template operator()<PlainPhysics<Kernel::cubic_spline>>();
  }
  return visit.template operator()<GeneralPhysics>();
}

}  // namespace shoal::sph
