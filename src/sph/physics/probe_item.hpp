// SPDX-License-Identifier: Apache-2.0
// Contribution of one particle to the sums of a probe.
#pragma once
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/pairs/pair_item.hpp"

namespace shoal::sph {

/// Point of a probe, for the kinds of probe that are sums over particles.
template <class Real, int dimensions>
struct ProbePoint {
  ProbeKind kind;
  PositionDensity<Real, dimensions> position;  ///< position, for kinds that have one
  Real inverse_width;                          ///< 1/m, inverse width of the hat function of water_height
  int moment = 0;     ///< moment of the particles that a sum of vorticity has, see moment_terms()
  int material = -1;  ///< number of the only material that counts; -1: all
};

/// Quantities that a probe sums over particles: up to six values, and their weight.
constexpr int probe_quantities = 7;
/// Index of Σ W V; for spread the number of particles, for fluid_center and fluid_velocity their mass.
constexpr int probe_weight = 6;

/// Sums of a probe.
struct ProbeSums {
  double value[probe_quantities];  ///< Σ of the quantity times W V (velocity for flow_rate and surface); for spread Σ x
                                   ///< along each axis, then Σ x², in units; for fluid_center Σ m x, in units
  double furthest;                 ///< largest coordinate of fluid along x, units; 0 if there is no fluid
};

/// Number of sums of a vorticity at one point: the second moments, the first ones with the momentum, and for each two axes
/// the moments of the velocities along them.
constexpr int vorticity_moments(int dimensions) { return 2 + (dimensions + 1) / 2; }

/// Index of the second moment along two axes among those of a point.
SHOAL_HD constexpr int second_moment(int row, int column) {
  const int low = row < column ? row : column, high = row < column ? column : row;
  return low * (5 - low) / 2 + high;
}

/// @name Terms of one particle in the sums of a probe, [probe_quantities]; 0 before
/// @{
/// Terms of a vorticity, with w = W V and the vector x from the point to the particle, m:
///
///     moment 0      w x_row x_column at second_moment(row, column)
///     moment 1      w x_axis, then w v_axis
///     moment 2 + k  w v_2k x_axis, then w v_2k+1 x_axis
template <class Real, int dimensions>
SHOAL_HD void moment_terms(int moment, double weight, const Separation<Real, dimensions>& pair,
                           const PackedVelocity<Real, dimensions>& velocity, double* terms) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double x = -static_cast<double>(pair.x[axis]);
    if (moment == 0) {
      for (int row = 0; row <= axis; ++row)
        terms[second_moment(row, axis)] = weight * x * -static_cast<double>(pair.x[row]);
    } else if (moment == 1) {
      terms[axis] = weight * x;
      terms[3 + axis] = weight * static_cast<double>(velocity.v[axis]);
    } else {
      const int first = 2 * (moment - 2);
      for (int along = first; along < min(first + 2, dimensions); ++along)
        terms[3 * (along - first) + axis] = weight * static_cast<double>(velocity.v[along]) * x;
    }
  }
}

/// Terms of a particle within the support of the probe's position: a quantity times W V, and W V.
template <class Real, int dimensions>
SHOAL_HD void near_terms(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                         const Particle<Real, dimensions>& particle, Real density, Real volume, double* terms) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, probe.position, particle.position);
  if (!(pair.squared < parameters.support_squared)) return;
  const Real q = quick_sqrt(pair.squared) * parameters.inverse_smoothing_length;
  const double share =
      static_cast<double>(parameters.value_scale * GeneralPhysics::kernel_shape(parameters, q) * volume);
  terms[probe_weight] = share;
  if (probe.kind == ProbeKind::density) {
    terms[0] = share * static_cast<double>(density);
  } else if (probe.kind == ProbeKind::pressure || probe.kind == ProbeKind::wall_pressure) {
    terms[0] = share * static_cast<double>(particle.pressure_over_density2() * density * density);
  } else if (probe.kind == ProbeKind::vorticity) {
    moment_terms(probe.moment, share, pair, particle.velocity, terms);
  } else {
    for (int axis = 0; axis < dimensions; ++axis) terms[axis] = share * static_cast<double>(particle.velocity.v[axis]);
  }
}

/// Part of the depth of water: the volume of a particle times a hat of width w along each axis but the last.
template <class Real, int dimensions>
SHOAL_HD void height_terms(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                           const Particle<Real, dimensions>& particle, Real volume, double* terms) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, probe.position, particle.position);
  Real hat = 1;
  for (int axis = 0; axis + 1 < dimensions; ++axis) {
    const Real apart = (pair.x[axis] < 0 ? -pair.x[axis] : pair.x[axis]) * probe.inverse_width;
    hat *= max(Real(0), 1 - apart) * probe.inverse_width;
  }
  terms[0] = static_cast<double>(hat * volume);
}

/// Center of mass and its velocity: the mass, and its product with a coordinate, or with the velocity.
template <class Real, int dimensions>
SHOAL_HD void fluid_terms(const ProbePoint<Real, dimensions>& probe, const Particle<Real, dimensions>& particle,
                          Real mass, int material, double* terms) {
  if (probe.material >= 0 && material != probe.material) return;
  const auto weight = static_cast<double>(mass);
  terms[probe_weight] = weight;
  for (int axis = 0; axis < dimensions; ++axis)
    terms[axis] = weight * (probe.kind == ProbeKind::fluid_center ? static_cast<double>(particle.position.x[axis])
                                                                  : static_cast<double>(particle.velocity.v[axis]));
}

/// Terms of a particle of fluid in the domain, and for wall_pressure also of walls. The only term of surge_front is the
/// coordinate along x: coordinates in the domain are positive, and the largest counts instead of the sum.
/// @param density   of the particle, kg/m³
/// @param mass      kg
/// @param material  number of its material
template <class Real, int dimensions>
SHOAL_HD void probe_terms(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                          const Particle<Real, dimensions>& particle, Real density, Real mass, int material,
                          double* terms) {
  const bool wanted = !is_wall(particle.position) || probe.kind == ProbeKind::wall_pressure;
  if (!wanted || is_outside(parameters, particle.position)) return;
  if (probe.kind == ProbeKind::surge_front) {
    terms[0] = static_cast<double>(particle.position.x[0]);
  } else if (probe.kind == ProbeKind::spread) {
    terms[probe_weight] = 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      const auto x = static_cast<double>(particle.position.x[axis]);
      terms[axis] = x;
      terms[3 + axis] = x * x;
    }
  } else if (probe.kind == ProbeKind::fluid_center || probe.kind == ProbeKind::fluid_velocity) {
    fluid_terms(probe, particle, mass, material, terms);
  } else if (probe.kind == ProbeKind::water_height) {
    height_terms(parameters, probe, particle, mass / density, terms);
  } else {
    near_terms(parameters, probe, particle, density, mass / density, terms);
  }
}
/// @}

}  // namespace shoal::sph
