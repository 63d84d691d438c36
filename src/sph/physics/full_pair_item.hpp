// SPDX-License-Identifier: Apache-2.0
// What one neighbor does to one particle in runs of full physics: several fluids, laminar viscosity, particles with
// smoothing lengths of their own, a domain that repeats, and what shifting asks about the neighborhood.
#pragma once
#include "sph/physics/full_parameters.hpp"
#include "sph/physics/pair_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
struct FullParticle : Particle<Real, dimensions> {
  Trait<Real> trait;
  Motion<Real, dimensions> seen;  ///< m/s, as laminar viscosity sees the particle
};

template <class Real, int dimensions>
struct FullRates : Rates<Real, dimensions> {
  Real concentration[dimensions] = {};  ///< ∇C = Σ V (1 + 0.2 (W/W(Δx))⁴) ∇W, 1/m, Δx = h/smoothing (Monaghan 2000)
  Real divergence = 0;  ///< ∇·r = Σ V (x_j − x_i)·∇W: the number of dimensions within the fluid
};

template <class Real, int dimensions>
SHOAL_HD FullParticle<Real, dimensions> load_full(const StateView<Real, dimensions>& state, std::int64_t i) {
  const Particle<Real, dimensions> particle = state.load(i);
  const bool mirrors = state.slip && is_wall(particle.place);
  return {particle, state.trait[i], mirrors ? state.slip[i] : particle.motion};
}

template <class Real, int dimensions>
SHOAL_HD const MaterialParameters<Real>& material_of(const Parameters<Real, dimensions>& parameters,
                                                     const Trait<Real>& trait) {
  return parameters.full->material[trait.material()];
}

template <class Real, int dimensions>
SHOAL_HD Real density_of(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i) {
  return material_of(parameters, i.trait).eos.density + i.place.density;
}

/// The reference density of particle i, in plain physics, too.
/// @param trait  [n], or null
template <class Real, int dimensions>
SHOAL_HD Real reference_density(const Parameters<Real, dimensions>& parameters, const Trait<Real>* trait,
                                std::int64_t i) {
  return trait ? material_of(parameters, trait[i]).eos.density : parameters.eos.density;
}

/// The mass of particle i, likewise.
template <class Real, int dimensions>
SHOAL_HD Real mass_of(const Parameters<Real, dimensions>& parameters, const Trait<Real>* trait, std::int64_t i) {
  return trait ? trait[i].mass : parameters.mass;
}

/// A smoothing length to the power D, or D + 2.
template <int power, class Real>
SHOAL_HD Real to_power(Real base) {
  Real result = base;
  for (int k = 1; k < power; ++k) result *= base;
  return result;
}

/// F of ∇W = F x_ij; with smoothing lengths of their own, the mean of both particles' (Hernquist and Katz 1989), which
/// keeps pairs antisymmetric.
template <class Real, int dimensions>
SHOAL_HD Real full_slope(const Parameters<Real, dimensions>& parameters, Real distance, Real h_i, Real h_j) {
  if (!parameters.full_pair.by_density)
    return parameters.gradient_scale * FullPhysics::slope(parameters, distance * parameters.inverse_smoothing_length);
  const auto one = [&](Real h) {
    const Real inverse = fast_reciprocal(h);
    return to_power<dimensions + 2>(inverse) * FullPhysics::slope(parameters, distance * inverse);
  };
  return parameters.full_pair.kernel_scale / 2 * (one(h_i) + one(h_j));
}

/// add_repulsion() with the masses of both and the sound speed of the wall.
template <class Real, int dimensions>
SHOAL_HD void add_full_repulsion(const Parameters<Real, dimensions>& parameters,
                                 const FullParticle<Real, dimensions>& i, const FullParticle<Real, dimensions>& wall,
                                 FullRates<Real, dimensions>& rates) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, i.place, wall.place);
  const Real h = wall.trait.smoothing_length;
  const Real c = wall.trait.sound_speed;
  const Real share = wall.trait.mass * fast_reciprocal(i.trait.mass + wall.trait.mass);
  const Real shape = FullPhysics::shape(parameters, quick_sqrt(pair.squared) * fast_reciprocal(h));
  const Real push =
      share * c * c * parameters.full_pair.kernel_scale * shape * fast_reciprocal(pair.squared + Real(1e-6) * h * h);
  for (int axis = 0; axis < dimensions; ++axis) rates.repulsion[axis] += push * pair.x[axis];
}

/// What the terms of a pair have in common.
template <class Real, int dimensions>
struct FullPairTerms {
  Separation<Real, dimensions> pair;
  Real approach;  ///< v_ij·x_ij
  Real distance;
  Real h;            ///< mean of both
  Real sound_speed;  ///< likewise
  Real density[2];   ///< of i and j
  Real softened;     ///< r² + 0.01 h²
  Real inverse;      ///< 2 / (softened (ρ_i + ρ_j))
  Real nearness;     ///< 1 / softened
};

/// The material of neighbor j; its own trait is asked only where there are several fluids.
template <class Real, int dimensions>
SHOAL_HD const MaterialParameters<Real>& material_beside(const Parameters<Real, dimensions>& parameters,
                                                         const FullParticle<Real, dimensions>& i,
                                                         const FullParticle<Real, dimensions>& j) {
  return material_of(parameters, parameters.full_pair.by_volume ? j.trait : i.trait);
}

template <class Real, int dimensions>
SHOAL_HD FullPairTerms<Real, dimensions> full_pair_terms(const Parameters<Real, dimensions>& parameters,
                                                         const FullParticle<Real, dimensions>& i,
                                                         const FullParticle<Real, dimensions>& j) {
  FullPairTerms<Real, dimensions> terms;
  terms.pair = nearest_separation(parameters, i.place, j.place);
  terms.approach = approach_of<Real, dimensions>(i, j, terms.pair);
  terms.distance = quick_sqrt(terms.pair.squared);
  terms.h = (i.trait.smoothing_length + j.trait.smoothing_length) / 2;
  terms.sound_speed = (i.trait.sound_speed + j.trait.sound_speed) / 2;
  terms.density[0] = density_of(parameters, i);
  terms.density[1] = material_beside(parameters, i, j).eos.density + j.place.density;
  const Real density_sum = terms.density[0] + terms.density[1];
  terms.softened = terms.pair.squared + Real(0.01) * terms.h * terms.h;
  terms.inverse = 2 * fast_reciprocal(terms.softened * density_sum);
  terms.nearness = terms.inverse * density_sum / 2;
  return terms;
}

/// The density difference that diffusion evens out, as a share of the mean density; `fourtakas` leaves out that of the
/// hydrostatic pressure, ρ₀ g·x_ij / c², to first order, which keeps the exchange antisymmetric.
template <class Real, int dimensions>
SHOAL_HD Real full_diffusion(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                             const FullParticle<Real, dimensions>& j, const FullPairTerms<Real, dimensions>& terms) {
  const FullPairParameters<Real>& choices = parameters.full_pair;
  if (choices.diffusion == DensityDiffusion::none) return 0;
  if (choices.by_volume && i.trait.material() != j.trait.material()) return 0;
  Real difference = i.place.density - j.place.density;
  if (choices.diffusion == DensityDiffusion::fourtakas) {
    Real head = 0;
    for (int axis = 0; axis < dimensions; ++axis) head += parameters.gravity[axis] * terms.pair.x[axis];
    difference -= material_of(parameters, i.trait).density_over_head * head;
  }
  const Real length = choices.diffusion == DensityDiffusion::ferrari ? terms.distance : 2 * terms.h;
  return difference * terms.softened * terms.inverse * (choices.diffusion_coefficient * length * terms.sound_speed);
}

/// Π_ij of Monaghan (1992) with both of its terms, for fluid that closes in on fluid.
template <class Real, int dimensions>
SHOAL_HD Real full_damping(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                           const FullParticle<Real, dimensions>& j, const FullPairTerms<Real, dimensions>& terms) {
  const Real closing = terms.h * negative_part(terms.approach, fluid_pair(i.place, j.place));
  return closing * terms.inverse *
         (parameters.full_pair.quadratic * closing * terms.nearness -
          parameters.full_pair.artificial * terms.sound_speed);
}

/// Friction of Morris, Fox and Zhu (1997).
/// @param factor  m_j F
template <class Real, int dimensions>
SHOAL_HD void add_friction(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                           const FullParticle<Real, dimensions>& j, const FullPairTerms<Real, dimensions>& terms,
                           Real factor, FullRates<Real, dimensions>& rates) {
  const bool beside_wall = is_wall(i.place) || is_wall(j.place);
  if (beside_wall && !parameters.full_pair.no_slip) return;
  const Real mine = material_of(parameters, i.trait).kinematic_viscosity * terms.density[0];
  Real theirs = mine;
  if (!beside_wall) theirs = material_beside(parameters, i, j).kinematic_viscosity * terms.density[1];
  const Real friction = factor * (mine + theirs) * fast_reciprocal(terms.density[0] * terms.density[1]) *
                        terms.pair.squared * terms.nearness;
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real slip = i.seen.velocity[axis] - j.seen.velocity[axis];
    rates.acceleration[axis] += friction * slip;
    rates.heating -= friction * slip * slip / 2;
  }
}

/// What shifting asks about the neighborhood.
template <class Real, int dimensions>
SHOAL_HD void add_crowding(const Parameters<Real, dimensions>& parameters, const FullPairTerms<Real, dimensions>& terms,
                           Real factor, FullRates<Real, dimensions>& rates) {
  const Real volume = factor * fast_reciprocal(terms.density[1]);
  const Real near = FullPhysics::shape(parameters, terms.distance * fast_reciprocal(terms.h)) *
                    parameters.full_pair.inverse_spaced_shape;
  const Real crowded = volume * (1 + Real(0.2) * (near * near) * (near * near));
  for (int axis = 0; axis < dimensions; ++axis) rates.concentration[axis] += crowded * terms.pair.x[axis];
  rates.divergence -= volume * terms.pair.squared;
}

/// Adds neighbor j to the sums of particle i, which are complete but for gravity. With F of full_slope(), ρ̄ the mean
/// density, h and c means of the pair, η = ν ρ:
///
///     one fluid       dρ_i/dt += m_j F [ v_ij·x_ij + ψ_ij ],              S_ij = p_i/ρ_i² + p_j/ρ_j²
///                     du_i/dt += m_j F (S_ij + Π_ij) v_ij·x_ij / 2
///     several fluids  dρ_i/dt += m_j F [ ρ_i/ρ_j v_ij·x_ij + ψ_ij ],      S_ij = (p_i + p_j)/(ρ_i ρ_j)
///                     du_i/dt += m_j F (p_i/(ρ_i ρ_j) + Π_ij / 2) v_ij·x_ij
///     dv_i/dt −= m_j F (S_ij + Π_ij) x_ij
///     dv_i/dt += m_j F (η_i + η_j)/(ρ_i ρ_j) r²/(r² + 0.01 h²) v_ij       laminar (Morris, Fox and Zhu 1997)
///     Π_ij     = (−α c μ + β μ²)/ρ̄,  μ = h v_ij·x_ij / (r² + 0.01 h²)     where v_ij·x_ij < 0 (Monaghan 1992)
///
/// The form of several fluids sums volumes m/ρ, which do not jump where one fluid meets another, whatever the ratio of
/// their densities (Colagrossi and Landrini 2003); p_i + p_j makes the same force on both.
template <class Real, int dimensions>
SHOAL_HD void add_full_pair(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                            const FullParticle<Real, dimensions>& j, FullRates<Real, dimensions>& rates) {
  const FullPairParameters<Real>& choices = parameters.full_pair;
  if (parameters.walls == Walls::repulsive && is_wall(j.place)) return add_full_repulsion(parameters, i, j, rates);
  const FullPairTerms<Real, dimensions> terms = full_pair_terms(parameters, i, j);
  const Real factor =
      j.trait.mass * full_slope(parameters, terms.distance, i.trait.smoothing_length, j.trait.smoothing_length);
  const Real damping = full_damping(parameters, i, j, terms);
  const Real diffusion = full_diffusion(parameters, i, j, terms);

  Real stress = i.stress() + j.stress() + damping;
  if (choices.by_volume) {
    const auto [density, other] = terms.density;
    const Real inverse = fast_reciprocal(density * other);
    const Real own = i.stress() * density * density * inverse;
    stress = own + j.stress() * other * other * inverse + damping;
    rates.density += factor * (density * density * inverse * terms.approach + diffusion);
    rates.heating += factor * (own + damping / 2) * terms.approach;
  } else {
    rates.density += factor * (terms.approach + diffusion);
    rates.heating += factor * stress * terms.approach / 2;
  }
  for (int axis = 0; axis < dimensions; ++axis) rates.acceleration[axis] -= factor * stress * terms.pair.x[axis];
  if (choices.laminar) add_friction(parameters, i, j, terms, factor, rates);
  if (choices.shifting > 0) add_crowding(parameters, terms, factor, rates);
}

/// The sums with gravity and the push of repulsive walls.
template <class Real, int dimensions>
SHOAL_HD FullRates<Real, dimensions> with_gravity(const Parameters<Real, dimensions>& parameters,
                                                  FullRates<Real, dimensions> rates) {
  for (int axis = 0; axis < dimensions; ++axis)
    rates.acceleration[axis] += rates.repulsion[axis] + parameters.gravity[axis];
  return rates;
}

}  // namespace shoal::sph
