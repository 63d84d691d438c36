// SPDX-License-Identifier: Apache-2.0
// Model of one fluid with constant sound speed and smoothing length, artificial viscosity, diffusion ferrari or molteni,
// fixed walls along which fluid slips, and an open domain. Its answers are compile-time constants or kernel arguments, so
// that nothing else remains in its loops. Most runs are of this kind.
#pragma once
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/physics/rates.hpp"

namespace shoal::sph {

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
  static constexpr bool has_apparent_viscosity = false;  ///< particles have a viscosity of their own
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

}  // namespace shoal::sph
