// SPDX-License-Identifier: Apache-2.0
// Sums of a pair of particles: equations (4) to (6) of Massidda, with Monaghan's artificial viscosity, laminar
// viscosity, a density diffusion, and the sums of particle shifting. All but the shifting sums is antisymmetric in the
// pair to the last bit where the masses are equal, so that momentum is conserved.
#pragma once
#include "sph/physics/physics.hpp"

namespace shoal::sph {

/// Artificial viscosity Π_ij of fluid that approaches fluid (Monaghan 1992): 0 beside walls, along which fluid slips.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real artificial_viscosity(const Parameters<Real, dimensions>& parameters,
                                   const ParticleOf<Physics, Real, dimensions>& i,
                                   const ParticleOf<Physics, Real, dimensions>& j,
                                   const PairTerms<Real, dimensions>& terms) {
  const Real approach = Physics::viscosity_scale(parameters, terms) *
                        negative_part(terms.velocity_dot_separation, fluid_pair(i.position, j.position));
  return approach * terms.inverse * Physics::viscosity_speed(parameters, terms, approach);
}

/// Diffusion of density from j to i: the density difference as a share of the mean density, times a diffusivity.
///
///     ferrari     ξ r c                (Ferrari et al. 2009, as in the paper's code)
///     molteni     2 δ h c              (Molteni and Colagrossi 2009, with ρ_j replaced by the mean of the pair)
///     fourtakas   2 δ h c, of the difference without that of the hydrostatic pressure, ρ₀ g·x_ij / c² to first order
///
/// Each is antisymmetric in the pair.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real density_diffusion(const Parameters<Real, dimensions>& parameters,
                                const ParticleOf<Physics, Real, dimensions>& i,
                                const ParticleOf<Physics, Real, dimensions>& j,
                                const PairTerms<Real, dimensions>& terms) {
  if (!Physics::diffuses(parameters, i, j)) return 0;
  Real difference = (2 / Physics::mean_density_factor) * (i.position.density - j.position.density);
  if (Physics::subtracts_hydrostatic_density(parameters)) {
    Real head = 0;
    for (int axis = 0; axis < dimensions; ++axis) head += parameters.gravity[axis] * terms.separation.x[axis];
    difference -= Physics::hydrostatic_density(parameters, i, head);
  }
  return difference * terms.softened * terms.inverse * Physics::diffusivity(parameters, terms);
}

template <class Physics, class Real, int dimensions>
SHOAL_HD PairTerms<Real, dimensions> pair_terms(const Parameters<Real, dimensions>& parameters,
                                                const ParticleOf<Physics, Real, dimensions>& i,
                                                const ParticleOf<Physics, Real, dimensions>& j) {
  PairTerms<Real, dimensions> terms;
  terms.separation = Physics::separation(parameters, i.position, j.position);
  terms.velocity_dot_separation = velocity_dot_separation<Real, dimensions>(i, j, terms.separation);
  terms.distance = quick_sqrt(terms.separation.squared);
  terms.kernel_gradient = Physics::weighted_gradient(parameters, i, j, terms.distance);
  terms.smoothing_length = Physics::mean_smoothing_length(parameters, i, j);
  terms.sound_speed = Physics::mean_sound_speed(parameters, i, j);
  terms.density[0] = density_of<Physics>(parameters, i);
  terms.density[1] =
      Physics::equation_of_state(parameters, Physics::material_beside(parameters, i, j)).density + j.position.density;
  terms.softened = terms.separation.squared + Physics::softening(parameters, terms.smoothing_length);
  const Real density_sum = Physics::density_sum(parameters, i, j, terms);
  terms.inverse = Physics::mean_density_factor * fast_reciprocal(terms.softened * density_sum);
  terms.inverse_softened = terms.inverse * density_sum / Physics::mean_density_factor;
  terms.viscosity = artificial_viscosity<Physics>(parameters, i, j, terms);
  terms.pressure = i.pressure_over_density2() + j.pressure_over_density2() + terms.viscosity;
  terms.diffusion = density_diffusion<Physics>(parameters, i, j, terms);
  return terms;
}

/// η_i + η_j of a pair, with η = ν ρ; beside a wall 2 η_i. Of several fluids it is 2 (η_i η₀_j + η_j η₀_i)/(η₀_i + η₀_j) with
/// η₀ = ν ρ₀, the same of one of them: the harmonic mean gives two fluids one stress where they touch (Cleary 1998).
/// Apparent viscosities have the same form.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real viscosity_sum(const Parameters<Real, dimensions>& parameters,
                            const ParticleOf<Physics, Real, dimensions>& i,
                            const ParticleOf<Physics, Real, dimensions>& j, const PairTerms<Real, dimensions>& terms,
                            bool beside_wall) {
  if constexpr (Physics::has_apparent_viscosity) {
    return Physics::viscosity_sum(parameters, i, j, terms);
  } else {
    const Real viscosity_i = Physics::kinematic_viscosity(parameters, i) * terms.density[0];
    if (beside_wall) return 2 * viscosity_i;
    const auto& beside = Physics::material_beside(parameters, i, j);
    const Real viscosity_j = Physics::kinematic_viscosity(parameters, beside) * terms.density[1];
    if (!Physics::has_several_fluids(parameters)) return viscosity_i + viscosity_j;
    const Real rest_i = Physics::kinematic_viscosity(parameters, i) * Physics::equation_of_state(parameters, i).density;
    const Real rest_j =
        Physics::kinematic_viscosity(parameters, beside) * Physics::equation_of_state(parameters, beside).density;
    const Real sum = rest_i + rest_j;
    return sum > 0 ? 2 * (viscosity_i * rest_j + viscosity_j * rest_i) * fast_reciprocal(sum) : Real(0);
  }
}

/// Adds the friction of laminar viscosity, with η_i + η_j of viscosity_sum():
///
///     morris      dv_i/dt += m_j F (η_i + η_j)/(ρ_i ρ_j) r²/(r² + 0.01 h²) v_ij                    (Morris, Fox and Zhu 1997)
///     monaghan    dv_i/dt += (D + 2) m_j F (η_i + η_j)/(ρ_i ρ_j) v_ij·x_ij/(r² + 0.01 h²) x_ij     (Monaghan 2005)
///
/// Both are ν ∇²v within an incompressible fluid. The second is ∇·(η (∇v + ∇vᵀ)), whose stress is zero at a free surface
/// (Colagrossi et al. 2011) and in a solid rotation.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_friction(const Parameters<Real, dimensions>& parameters,
                           const ParticleOf<Physics, Real, dimensions>& i,
                           const ParticleOf<Physics, Real, dimensions>& j, const PairTerms<Real, dimensions>& terms,
                           RatesOf<Physics, Real, dimensions>& rates) {
  const bool beside_wall = is_wall(i.position) || is_wall(j.position);
  if (beside_wall && !parameters.model.no_slip) return;
  const Real friction = terms.kernel_gradient * viscosity_sum<Physics>(parameters, i, j, terms, beside_wall) *
                        fast_reciprocal(terms.density[0] * terms.density[1]) * terms.inverse_softened;
  Real velocity[dimensions], along = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    velocity[axis] = Physics::viscous_velocity(i).v[axis] - Physics::viscous_velocity(j).v[axis];
    along += velocity[axis] * terms.separation.x[axis];
  }
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real drag = parameters.model.central_friction ? (dimensions + 2) * along * terms.separation.x[axis]
                                                        : terms.separation.squared * velocity[axis];
    rates.acceleration[axis] += friction * drag;
    rates.heating -= friction * drag * velocity[axis] / 2;
  }
}

/// Adds the sums of particle shifting.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_concentration(const Parameters<Real, dimensions>& parameters,
                                const PairTerms<Real, dimensions>& terms, ShiftingRates<Real, dimensions>& rates) {
  const Real volume = terms.kernel_gradient * fast_reciprocal(terms.density[1]);
  const Real shape = Physics::kernel_shape(parameters, terms.distance * fast_reciprocal(terms.smoothing_length)) *
                     parameters.model.inverse_spaced_shape;
  const Real weighted = volume * (1 + Real(0.2) * (shape * shape) * (shape * shape));
  for (int axis = 0; axis < dimensions; ++axis) rates.concentration[axis] += weighted * terms.separation.x[axis];
  rates.divergence -= volume * terms.separation.squared;
}

/// Adds neighbor j to the sums of particle i. A particle adds exactly nothing to itself. With F of weighted_gradient(),
/// ρ̄ the mean density, h and c means of the pair:
///
///     one fluid       dρ_i/dt += m_j F [ v_ij·x_ij + ψ_ij ],              S_ij = p_i/ρ_i² + p_j/ρ_j²
///                     du_i/dt += m_j F (S_ij + Π_ij) v_ij·x_ij / 2
///     several fluids  dρ_i/dt += m_j F [ ρ_i/ρ_j v_ij·x_ij + ψ_ij ],      S_ij = (p_i + p_j)/(ρ_i ρ_j)
///                     du_i/dt += m_j F (p_i/(ρ_i ρ_j) + Π_ij/2) v_ij·x_ij
///
///     dv_i/dt −= m_j F (S_ij + Π_ij) x_ij,         ∇W = F x_ij
///     Π_ij     = (−α c μ + β μ²)/ρ̄,  μ = h v_ij·x_ij / (r² + 0.01 h²)     where v_ij·x_ij < 0 (Monaghan 1992)
///
/// ψ_ij is that of density_diffusion(). The form of several fluids sums volumes m/ρ, which do not jump where one fluid
/// meets another, whatever the ratio of their densities (Colagrossi and Landrini 2003); p_i + p_j makes the same force
/// on both. Physics::common_factor() and Physics::heating_divisor state which factors the sums leave out.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_pair(const Parameters<Real, dimensions>& parameters, const ParticleOf<Physics, Real, dimensions>& i,
                       const ParticleOf<Physics, Real, dimensions>& j, RatesOf<Physics, Real, dimensions>& rates) {
  const PairTerms<Real, dimensions> terms = pair_terms<Physics>(parameters, i, j);
  const Real factor = terms.kernel_gradient;
  Real pressure = terms.pressure;
  if (Physics::has_several_fluids(parameters)) {
    const auto [density_i, density_j] = terms.density;
    const Real inverse = fast_reciprocal(density_i * density_j);
    const Real pressure_i = i.pressure_over_density2() * density_i * density_i * inverse;
    pressure = pressure_i + j.pressure_over_density2() * density_j * density_j * inverse + terms.viscosity;
    rates.density += factor * (density_i * density_i * inverse * terms.velocity_dot_separation + terms.diffusion);
    for (int axis = 0; axis < dimensions; ++axis)
      rates.acceleration[axis] -= factor * pressure * terms.separation.x[axis];
    rates.heating += factor * (pressure_i + terms.viscosity / 2) * terms.velocity_dot_separation;
  } else {
    rates.density += factor * (terms.velocity_dot_separation + terms.diffusion);
    for (int axis = 0; axis < dimensions; ++axis)
      rates.acceleration[axis] -= factor * terms.pressure * terms.separation.x[axis];
    rates.heating += factor * pressure * terms.velocity_dot_separation / Physics::heating_divisor;
  }
  if (Physics::has_laminar_viscosity(parameters)) add_friction<Physics>(parameters, i, j, terms, rates);
  if constexpr (Physics::may_shift)
    if (parameters.model.shifting > 0) add_concentration<Physics>(parameters, terms, rates);
}

/// Adds each of two particles to the sums of the other: the same bits as add_pair() twice. Only where all particles have
/// the same mass.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_both(const Parameters<Real, dimensions>& parameters, const ParticleOf<Physics, Real, dimensions>& i,
                       const ParticleOf<Physics, Real, dimensions>& j, RatesOf<Physics, Real, dimensions>& rates_i,
                       RatesOf<Physics, Real, dimensions>& rates_j) {
  static_assert(!Physics::has_properties, "both particles need the same mass, and the form of one fluid");
  const PairTerms<Real, dimensions> terms = pair_terms<Physics>(parameters, i, j);
  const Real factor = terms.kernel_gradient;
  rates_i.density += factor * (terms.velocity_dot_separation + terms.diffusion);
  rates_j.density += factor * (terms.velocity_dot_separation - terms.diffusion);
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real acceleration = factor * terms.pressure * terms.separation.x[axis];
    rates_i.acceleration[axis] -= acceleration;
    rates_j.acceleration[axis] += acceleration;
  }
  const Real heating = factor * terms.pressure * terms.velocity_dot_separation / Physics::heating_divisor;
  rates_i.heating += heating;
  rates_j.heating += heating;
}

/// The sums with their common factors, gravity and the repulsion of walls.
template <class Physics, class Real, int dimensions>
SHOAL_HD RatesOf<Physics, Real, dimensions> complete(const Parameters<Real, dimensions>& parameters,
                                                     RatesOf<Physics, Real, dimensions> rates) {
  const Real factor = Physics::common_factor(parameters);
  rates.density *= factor;
  rates.heating *= factor * Physics::heating_divisor / 2;
  for (int axis = 0; axis < dimensions; ++axis)
    rates.acceleration[axis] = rates.acceleration[axis] * factor + (rates.repulsion[axis] + parameters.gravity[axis]);
  return rates;
}

}  // namespace shoal::sph
