// SPDX-License-Identifier: Apache-2.0
// Model of everything that a case can have; its answers depend on the case and on the particle.
#pragma once
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/physics/rates.hpp"

namespace shoal::sph {

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
  static constexpr bool has_apparent_viscosity = false;
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

}  // namespace shoal::sph
