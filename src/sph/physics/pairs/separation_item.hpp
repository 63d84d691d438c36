// SPDX-License-Identifier: Apache-2.0
// Distance of two particles, and the test against the support of the kernel.
#pragma once
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// x_ij = x_i − x_j in m, and its square.
template <class Real, int dimensions>
struct Separation {
  Real x[dimensions];
  Real squared;
};

template <class Real, int dimensions>
SHOAL_HD Separation<Real, dimensions> separation(const Parameters<Real, dimensions>& parameters,
                                                 const PositionDensity<Real, dimensions>& i,
                                                 const PositionDensity<Real, dimensions>& j) {
  Separation<Real, dimensions> pair;
  for (int axis = 0; axis < dimensions; ++axis)
    pair.x[axis] = static_cast<Real>(i.x[axis] - j.x[axis]) * parameters.unit;
  pair.squared = pair.x[0] * pair.x[0];
  for (int axis = 1; axis < dimensions; ++axis) pair.squared = fma(pair.x[axis], pair.x[axis], pair.squared);
  return pair;
}

/// x_i − x_j along an axis in units of the lattice, with the nearest periodic image of j.
template <class Real, int dimensions>
SHOAL_HD Coordinate<Real> nearest_apart(const Parameters<Real, dimensions>& parameters,
                                        const PositionDensity<Real, dimensions>& i,
                                        const PositionDensity<Real, dimensions>& j, int axis) {
  const Coordinate<Real> apart = i.x[axis] - j.x[axis];
  const Coordinate<Real> period = parameters.period[axis];
  if (period == 0) return apart;
  if (apart > period / 2) return apart - period;
  if (apart < -period / 2) return apart + period;
  return apart;
}

template <class Real, int dimensions>
SHOAL_HD Separation<Real, dimensions> nearest_separation(const Parameters<Real, dimensions>& parameters,
                                                         const PositionDensity<Real, dimensions>& i,
                                                         PositionDensity<Real, dimensions> j) {
  for (int axis = 0; axis < dimensions; ++axis) j.x[axis] = i.x[axis] - nearest_apart(parameters, i, j, axis);
  return separation(parameters, i, j);
}

/// The same where Physics may be periodic, else x_i − x_j. It reads coordinates only: other threads may write the density
/// of a wall particle at the same time.
template <class Physics, class Real, int dimensions>
SHOAL_HD Coordinate<Real> apart_along(const Parameters<Real, dimensions>& parameters,
                                      const PositionDensity<Real, dimensions>& i,
                                      const PositionDensity<Real, dimensions>& j, int axis) {
  if constexpr (Physics::may_be_periodic) return nearest_apart(parameters, i, j, axis);
  return i.x[axis] - j.x[axis];
}

/// |x_i − x_j|² in units of the lattice: same bits on every device. Meters would cost a product for each axis, and most
/// candidates of a search are far.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real squared_units_apart(const Parameters<Real, dimensions>& parameters,
                                  const PositionDensity<Real, dimensions>& i,
                                  const PositionDensity<Real, dimensions>& j) {
  Real squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart = static_cast<Real>(apart_along<Physics>(parameters, i, j, axis));
    squared = fma(apart, apart, squared);
  }
  return squared;
}

/// Returns true for pairs closer than the support of the kernel, and for a particle with itself.
template <class Physics, class Real, int dimensions>
SHOAL_HD bool within_support(const Parameters<Real, dimensions>& parameters, const PositionDensity<Real, dimensions>& i,
                             const PositionDensity<Real, dimensions>& j) {
  return squared_units_apart<Physics>(parameters, i, j) < parameters.support_units_squared;
}

/// |x_i − x_j|² − support² by the upper bits of 64-bit coordinates, in units of these. Above coarse_margin a pair is
/// surely outside the support, below −coarse_margin surely inside. A GPU converts 64-bit integers to double at a quarter
/// of the rate.
template <class Physics, class Real, int dimensions>
SHOAL_HD float coarse_excess(const Parameters<Real, dimensions>& parameters, const PositionDensity<Real, dimensions>& i,
                             const PositionDensity<Real, dimensions>& j) {
  float excess = -parameters.coarse_support_squared;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart = static_cast<float>(
        static_cast<std::int32_t>(apart_along<Physics>(parameters, i, j, axis) >> parameters.coarse_shift));
    excess += apart * apart;
  }
  return excess;
}

/// v_ij·x_ij, m²/s: negative where two particles approach each other.
template <class Real, int dimensions>
SHOAL_HD Real velocity_dot_separation(const Particle<Real, dimensions>& i, const Particle<Real, dimensions>& j,
                                      const Separation<Real, dimensions>& pair) {
  Real sum = 0;
  for (int axis = 0; axis < dimensions; ++axis) sum += (i.velocity.v[axis] - j.velocity.v[axis]) * pair.x[axis];
  return sum;
}

}  // namespace shoal::sph
