// SPDX-License-Identifier: Apache-2.0
// What one neighbor does to one particle in runs of full physics: several fluids, laminar viscosity, particles with
// smoothing lengths of their own, a domain that repeats, and what shifting asks about the neighborhood.
#pragma once
#include "sph/full_parameters.hpp"
#include "sph/pair_item.hpp"

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
  const FullParameters<Real, dimensions>& full = *parameters.full;
  const auto one = [&](Real h) {
    const Real inverse = 1 / h;
    return full.kernel_scale * to_power<dimensions + 2>(inverse) * FullPhysics::slope(parameters, distance * inverse);
  };
  if (!full.by_density)
    return parameters.gradient_scale * FullPhysics::slope(parameters, distance * parameters.inverse_smoothing_length);
  return (one(h_i) + one(h_j)) / 2;
}

/// add_repulsion() with the masses of both and the sound speed of the wall.
template <class Real, int dimensions>
SHOAL_HD void add_full_repulsion(const Parameters<Real, dimensions>& parameters,
                                 const FullParticle<Real, dimensions>& i, const FullParticle<Real, dimensions>& wall,
                                 FullRates<Real, dimensions>& rates) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, i.place, wall.place);
  const Real h = wall.trait.smoothing_length;
  const Real c = wall.trait.sound_speed;
  const Real share = wall.trait.mass / (i.trait.mass + wall.trait.mass);
  const Real push = share * c * c * parameters.full->kernel_scale *
                    FullPhysics::shape(parameters, fast_sqrt(pair.squared) / h) / (pair.squared + Real(1e-6) * h * h);
  for (int axis = 0; axis < dimensions; ++axis) rates.repulsion[axis] += push * pair.x[axis];
}

/// The density difference that diffusion evens out, as a share of the mean density; `fourtakas` leaves out that of the
/// hydrostatic pressure, ρ₀ g·x_ij / c², to first order, which keeps the exchange antisymmetric.
template <class Real, int dimensions>
SHOAL_HD Real full_diffusion(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                             const FullParticle<Real, dimensions>& j, const Separation<Real, dimensions>& pair,
                             Real distance, Real density_sum) {
  const FullParameters<Real, dimensions>& full = *parameters.full;
  if (full.diffusion == DensityDiffusion::none || i.trait.material() != j.trait.material()) return 0;
  const Real c = (i.trait.sound_speed + j.trait.sound_speed) / 2;
  Real difference = i.place.density - j.place.density;
  if (full.diffusion == DensityDiffusion::ferrari)
    return 2 * difference / density_sum * full.diffusion_coefficient * c * distance;
  if (full.diffusion == DensityDiffusion::fourtakas) {
    const EosParameters<Real>& eos = material_of(parameters, i.trait).eos;
    Real head = 0;
    for (int axis = 0; axis < dimensions; ++axis) head += parameters.gravity[axis] * pair.x[axis];
    difference -= eos.density * head / eos.sound_speed_squared;
  }
  const Real h = (i.trait.smoothing_length + j.trait.smoothing_length) / 2;
  return 2 * difference / density_sum * (2 * full.diffusion_coefficient * h * c);
}

/// Π_ij of Monaghan (1992) with both of its terms, for fluid that closes in on fluid.
template <class Real, int dimensions>
SHOAL_HD Real full_damping(const Parameters<Real, dimensions>& parameters, const FullParticle<Real, dimensions>& i,
                           const FullParticle<Real, dimensions>& j, Real approach, Real softened, Real h,
                           Real density_sum) {
  if (approach >= 0 || is_wall(i.place) || is_wall(j.place)) return 0;
  const Real closing = h * approach / softened;  // μ_ij
  const Real c = (i.trait.sound_speed + j.trait.sound_speed) / 2;
  return closing * (parameters.full->quadratic * closing - parameters.full->artificial * c) * 2 / density_sum;
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
  const FullParameters<Real, dimensions>& full = *parameters.full;
  if (parameters.walls == Walls::repulsive && is_wall(j.place)) return add_full_repulsion(parameters, i, j, rates);
  const Separation<Real, dimensions> pair = nearest_separation(parameters, i.place, j.place);
  Real approach = 0;  // v_ij · x_ij
  for (int axis = 0; axis < dimensions; ++axis)
    approach += (i.motion.velocity[axis] - j.motion.velocity[axis]) * pair.x[axis];

  const Real h = (i.trait.smoothing_length + j.trait.smoothing_length) / 2;
  const Real distance = fast_sqrt(pair.squared);
  const Real factor =
      j.trait.mass * full_slope(parameters, distance, i.trait.smoothing_length, j.trait.smoothing_length);
  const Real softened = pair.squared + Real(0.01) * h * h;
  const Real density = density_of(parameters, i);
  const Real other = density_of(parameters, j);
  const Real inverse = 1 / (density * other);
  const Real damping = full_damping(parameters, i, j, approach, softened, h, density + other);
  const Real diffusion = full_diffusion(parameters, i, j, pair, distance, density + other);

  if (full.by_volume) {
    const Real own = i.stress() * density * density * inverse;
    const Real stress = own + j.stress() * other * other * inverse + damping;
    rates.density += factor * (density / other * approach + diffusion);
    rates.heating += factor * (own + damping / 2) * approach;
    for (int axis = 0; axis < dimensions; ++axis) rates.acceleration[axis] -= factor * stress * pair.x[axis];
  } else {
    const Real stress = (i.stress() + j.stress()) + damping;
    rates.density += factor * (approach + diffusion);
    rates.heating += factor * stress * approach / 2;
    for (int axis = 0; axis < dimensions; ++axis) rates.acceleration[axis] -= factor * stress * pair.x[axis];
  }

  const bool beside_wall = is_wall(i.place) || is_wall(j.place);
  if (full.laminar && (full.no_slip || !beside_wall)) {
    const Real mine = material_of(parameters, i.trait).kinematic_viscosity * density;
    const Real theirs = beside_wall ? mine : material_of(parameters, j.trait).kinematic_viscosity * other;
    const Real friction = factor * (mine + theirs) * inverse * pair.squared / softened;
    for (int axis = 0; axis < dimensions; ++axis) {
      const Real slip = i.seen.velocity[axis] - j.seen.velocity[axis];
      rates.acceleration[axis] += friction * slip;
      rates.heating -= friction * slip * slip / 2;
    }
  }
  if (full.shifting > 0) {
    const Real volume = factor / other;
    const Real near = FullPhysics::shape(parameters, distance / h) * full.inverse_spaced_shape;
    const Real crowded = volume * (1 + Real(0.2) * (near * near) * (near * near));
    for (int axis = 0; axis < dimensions; ++axis) rates.concentration[axis] += crowded * pair.x[axis];
    rates.divergence -= volume * pair.squared;
  }
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
