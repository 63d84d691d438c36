// SPDX-License-Identifier: Apache-2.0
// What one neighbor does to one particle: equations (4) to (6) of Massidda, with Monaghan's artificial viscosity and a
// density diffusion. Everything here is antisymmetric in the pair to the last bit, so that momentum is conserved.
#pragma once
#include "sph/physics/physics.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

/// x_ij = x_i − x_j in m, and its square.
template <class Real, int dimensions>
struct Separation {
  Real x[dimensions];
  Real squared;
};

template <class Real, int dimensions>
SHOAL_HD Separation<Real, dimensions> separation(const Parameters<Real, dimensions>& parameters,
                                                 const Place<Real, dimensions>& i, const Place<Real, dimensions>& j) {
  Separation<Real, dimensions> pair;
  for (int axis = 0; axis < dimensions; ++axis)
    pair.x[axis] = static_cast<Real>(i.x[axis] - j.x[axis]) * parameters.unit;
  pair.squared = pair.x[0] * pair.x[0];
  for (int axis = 1; axis < dimensions; ++axis) pair.squared = fma(pair.x[axis], pair.x[axis], pair.squared);
  return pair;
}

/// The image of j that is nearest to i, where the domain repeats.
template <class Real, int dimensions>
SHOAL_HD Place<Real, dimensions> nearest_image(const Parameters<Real, dimensions>& parameters,
                                               const Place<Real, dimensions>& i, Place<Real, dimensions> j) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const Coordinate<Real> period = parameters.period[axis];
    if (period == 0) continue;
    const Coordinate<Real> apart = i.x[axis] - j.x[axis];
    if (apart > period / 2) j.x[axis] += period;
    if (apart < -period / 2) j.x[axis] -= period;
  }
  return j;
}

template <class Real, int dimensions>
SHOAL_HD Separation<Real, dimensions> nearest_separation(const Parameters<Real, dimensions>& parameters,
                                                         const Place<Real, dimensions>& i,
                                                         const Place<Real, dimensions>& j) {
  return separation(parameters, i, nearest_image(parameters, i, j));
}

/// |x_i − x_j|² in units of the lattice: meters would cost a product for each axis, and most candidates are far.
template <class Real, int dimensions>
SHOAL_HD Real squared_in_units(const Place<Real, dimensions>& i, const Place<Real, dimensions>& j) {
  Real squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart = static_cast<Real>(i.x[axis] - j.x[axis]);
    squared = fma(apart, apart, squared);
  }
  return squared;
}

/// True for pairs closer than the support of the kernel, and for a particle with itself: same bits on every device.
template <class Physics, class Real, int dimensions>
SHOAL_HD bool within_support(const Parameters<Real, dimensions>& parameters, const Place<Real, dimensions>& i,
                             Place<Real, dimensions> j) {
  if constexpr (Physics::full) j = nearest_image(parameters, i, j);
  return squared_in_units(i, j) < parameters.support_units_squared;
}

/// |x_i − x_j|² − support² by the upper bits of 64-bit coordinates, in units of these: above coarse_margin a pair is
/// surely apart, below −coarse_margin surely not. A GPU converts 64-bit integers to double at a quarter of the rate.
template <class Physics, class Real, int dimensions>
SHOAL_HD float coarse_excess(const Parameters<Real, dimensions>& parameters, const Place<Real, dimensions>& i,
                             Place<Real, dimensions> j) {
  if constexpr (Physics::full) j = nearest_image(parameters, i, j);
  float excess = -parameters.coarse_support_squared;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart =
        static_cast<float>(static_cast<std::int32_t>((i.x[axis] - j.x[axis]) >> parameters.coarse_shift));
    excess += apart * apart;
  }
  return excess;
}

/// Rates of change of a particle. The sums leave out the common factor m · gradient_scale until `finished`.
template <class Real, int dimensions>
struct Rates {
  Real density = 0;                    ///< dρ/dt
  Real acceleration[dimensions] = {};  ///< dv/dt
  Real heating = 0;                    ///< du/dt
  Real repulsion[dimensions] = {};     ///< dv/dt by repulsive walls, complete
};

/// v_ij·x_ij: negative where two particles close in on each other.
template <class Real, int dimensions>
SHOAL_HD Real approach_of(const Particle<Real, dimensions>& i, const Particle<Real, dimensions>& j,
                          const Separation<Real, dimensions>& pair) {
  Real approach = 0;
  for (int axis = 0; axis < dimensions; ++axis)
    approach += (i.motion.velocity[axis] - j.motion.velocity[axis]) * pair.x[axis];
  return approach;
}

/// What a pair of particles does to both of them.
template <class Real, int dimensions>
struct PairTerms {
  Separation<Real, dimensions> pair;
  Real approach;   ///< v_ij·x_ij
  Real slope;      ///< F without its scale
  Real stress;     ///< p_i/ρ_i² + p_j/ρ_j² + Π_ij
  Real diffusion;  ///< of density, from j to i
};

template <class Physics, class Real, int dimensions>
SHOAL_HD PairTerms<Real, dimensions> pair_terms(const Parameters<Real, dimensions>& parameters,
                                                const Particle<Real, dimensions>& i,
                                                const Particle<Real, dimensions>& j) {
  PairTerms<Real, dimensions> terms;
  terms.pair = separation(parameters, i.place, j.place);
  terms.approach = approach_of(i, j, terms.pair);

  const Real distance = quick_sqrt(terms.pair.squared);
  terms.slope = Physics::slope(parameters, distance * parameters.inverse_smoothing_length);
  const Real softened = terms.pair.squared + parameters.softening;
  const Real density_sum = 2 * parameters.eos.density + (i.place.density + j.place.density);
  const Real inverse = fast_reciprocal(softened * density_sum);

  const Real closing = negative_part(terms.approach, fluid_pair(i.place, j.place));
  const Real damping = -parameters.viscosity * closing * inverse;
  terms.stress = (i.stress() + j.stress()) + damping;
  terms.diffusion = 2 * (i.place.density - j.place.density) * softened * inverse *
                    (parameters.diffusion_constant + parameters.diffusion_slope * distance);
  return terms;
}

/// Adds neighbor j to the sums of particle i. A particle adds exactly nothing to itself.
///
///     dρ_i/dt += m F [ v_ij·x_ij + 2 (ρ_i − ρ_j)/(ρ_i + ρ_j) (diffusion_constant + diffusion_slope r) ]
///     dv_i/dt −= m F (p_i/ρ_i² + p_j/ρ_j² + Π_ij) x_ij,         ∇W = F x_ij
///     du_i/dt += m F (p_i/ρ_i² + p_j/ρ_j² + Π_ij) v_ij·x_ij / 2
///     Π_ij     = −2 α c h min(v_ij·x_ij, 0) / ((r² + 0.01 h²)(ρ_i + ρ_j))                    (Monaghan 1992)
///
/// Fluid slips along walls: Π_ij is 0 there. The diffusion is that of Ferrari et al. (2009), as in the paper's code, or
/// that of Molteni and Colagrossi (2009) with ρ_j replaced by the mean of the pair, which keeps the exchange
/// antisymmetric.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_pair(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& i,
                       const Particle<Real, dimensions>& j, Rates<Real, dimensions>& rates) {
  const PairTerms<Real, dimensions> terms = pair_terms<Physics>(parameters, i, j);
  rates.density += terms.slope * (terms.approach + terms.diffusion);
  for (int axis = 0; axis < dimensions; ++axis)
    rates.acceleration[axis] -= terms.slope * terms.stress * terms.pair.x[axis];
  rates.heating += terms.slope * terms.stress * terms.approach;
}

/// Adds each of two particles to the sums of the other: the same bits as add_pair() twice.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_both(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& i,
                       const Particle<Real, dimensions>& j, Rates<Real, dimensions>& rates_i,
                       Rates<Real, dimensions>& rates_j) {
  const PairTerms<Real, dimensions> terms = pair_terms<Physics>(parameters, i, j);
  rates_i.density += terms.slope * (terms.approach + terms.diffusion);
  rates_j.density += terms.slope * (terms.approach - terms.diffusion);
  for (int axis = 0; axis < dimensions; ++axis) {
    const Real push = terms.slope * terms.stress * terms.pair.x[axis];
    rates_i.acceleration[axis] -= push;
    rates_j.acceleration[axis] += push;
  }
  const Real heating = terms.slope * terms.stress * terms.approach;
  rates_i.heating += heating;
  rates_j.heating += heating;
}

/// Adds the push of a particle of a repulsive wall, the only thing such a wall does:
///
///     dv_i/dt += m_j / (m_i + m_j) h^D c² W x_ij / r²
///
/// (the paper's code, with the unit vector over r; see docs/sph.md).
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_repulsion(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& i,
                            const Particle<Real, dimensions>& wall, Rates<Real, dimensions>& rates) {
  const Separation<Real, dimensions> pair = separation(parameters, i.place, wall.place);
  const Real q = quick_sqrt(pair.squared) * parameters.inverse_smoothing_length;
  const Real push = parameters.repulsion * parameters.value_scale * Physics::shape(parameters, q) *
                    fast_reciprocal(pair.squared + parameters.softening * Real(1e-4));
  for (int axis = 0; axis < dimensions; ++axis) rates.repulsion[axis] += push * pair.x[axis];
}

/// The sums with their common factors, and gravity.
template <class Real, int dimensions>
SHOAL_HD Rates<Real, dimensions> finished(const Parameters<Real, dimensions>& parameters,
                                          Rates<Real, dimensions> rates) {
  const Real factor = parameters.mass * parameters.gradient_scale;
  rates.density *= factor;
  rates.heating *= factor / 2;
  for (int axis = 0; axis < dimensions; ++axis)
    rates.acceleration[axis] = rates.acceleration[axis] * factor + (rates.repulsion[axis] + parameters.gravity[axis]);
  return rates;
}

}  // namespace shoal::sph
