// SPDX-License-Identifier: Apache-2.0
// Contribution of one particle to a probe.
#pragma once
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/pair_item.hpp"

namespace shoal::sph {

/// Point of a probe, for the kinds of probe that are sums over particles.
template <class Real, int dimensions>
struct ProbePoint {
  ProbeKind kind;
  PositionDensity<Real, dimensions> position;  ///< position, for kinds that have one
  Real inverse_width;                          ///< 1/m, inverse width of the hat function of water_height
};

struct ProbeSums {
  double weight;          ///< Σ W/ρ; number of particles for spread
  double value[6];        ///< Σ of the quantity times W/ρ; for spread Σ x along each axis, then Σ x², in units
  std::int64_t furthest;  ///< largest coordinate of fluid along x; coordinates in the domain are positive

  SHOAL_HD static ProbeSums none() { return {0, {0, 0, 0, 0, 0, 0}, -1}; }
  SHOAL_HD void add(const ProbeSums& part) {
    weight += part.weight;
    for (int k = 0; k < 6; ++k) value[k] += part.value[k];
    furthest = max(furthest, part.furthest);
  }
};

/// Adds a particle within the support of the probe's position.
template <class Real, int dimensions>
SHOAL_HD void add_near(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                       const Particle<Real, dimensions>& particle, Real density, ProbeSums& sums) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, probe.position, particle.position);
  if (!(pair.squared < parameters.support_squared)) return;
  const Real q = quick_sqrt(pair.squared) * parameters.inverse_smoothing_length;
  const Real weight = GeneralPhysics::kernel_shape(parameters, q);
  const double volume_weight = static_cast<double>(weight / density);
  sums.weight += volume_weight;
  if (probe.kind == ProbeKind::density) {
    sums.value[0] += static_cast<double>(weight);
  } else if (probe.kind == ProbeKind::velocity) {
    for (int axis = 0; axis < dimensions; ++axis)
      sums.value[axis] += volume_weight * static_cast<double>(particle.velocity.v[axis]);
  } else {
    sums.value[0] += static_cast<double>(weight) * (particle.pressure_over_density2() * density);
  }
}

/// Adds a particle's part of the depth of water: its volume times a hat of width w along each axis but the last.
template <class Real, int dimensions>
SHOAL_HD void add_height(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                         const Particle<Real, dimensions>& particle, Real volume, ProbeSums& sums) {
  const Separation<Real, dimensions> pair = nearest_separation(parameters, probe.position, particle.position);
  Real hat = 1;
  for (int axis = 0; axis + 1 < dimensions; ++axis) {
    const Real apart = (pair.x[axis] < 0 ? -pair.x[axis] : pair.x[axis]) * probe.inverse_width;
    hat *= max(Real(0), 1 - apart) * probe.inverse_width;
  }
  sums.value[0] += static_cast<double>(hat * volume);
}

/// Adds a particle to a probe's sums: a particle of fluid in the domain, and for wall_pressure also of walls.
/// @param density  of the particle, kg/m³
/// @param mass     kg
template <class Real, int dimensions>
SHOAL_HD void add_particle(const Parameters<Real, dimensions>& parameters, const ProbePoint<Real, dimensions>& probe,
                           const Particle<Real, dimensions>& particle, Real density, Real mass, ProbeSums& sums) {
  const bool wanted = !is_wall(particle.position) || probe.kind == ProbeKind::wall_pressure;
  if (!wanted || cell_of(parameters, particle.position) == parameters.cell_count) return;
  if (probe.kind == ProbeKind::surge_front) {
    sums.furthest = max(sums.furthest, static_cast<std::int64_t>(particle.position.x[0]));
  } else if (probe.kind == ProbeKind::spread) {
    sums.weight += 1;
    for (int axis = 0; axis < dimensions; ++axis) {
      const auto x = static_cast<double>(particle.position.x[axis]);
      sums.value[axis] += x;
      sums.value[3 + axis] += x * x;
    }
  } else if (probe.kind == ProbeKind::water_height) {
    add_height(parameters, probe, particle, mass / density, sums);
  } else {
    add_near(parameters, probe, particle, density, sums);
  }
}

}  // namespace shoal::sph
