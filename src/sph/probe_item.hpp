// SPDX-License-Identifier: Apache-2.0
// What one particle tells a probe.
#pragma once
#include "sph/cell_item.hpp"
#include "sph/pair_item.hpp"

namespace shoal::sph {

/// A probe where the particles are.
template <class Real, int dimensions>
struct ProbePlace {
  ProbeKind kind;
  Place<Real, dimensions> place;  ///< for kinds that have a place
};

struct ProbeSums {
  double weight;          ///< Σ W/ρ
  double pressure;        ///< Σ p W/ρ, Pa
  std::int64_t furthest;  ///< largest coordinate of fluid along x; those in the domain are positive

  SHOAL_HD static ProbeSums none() { return {0, 0, -1}; }
  SHOAL_HD void add(const ProbeSums& other) {
    weight += other.weight;
    pressure += other.pressure;
    furthest = larger(furthest, other.furthest);
  }
};

/// Adds a particle to a probe's sums: fluid in the domain counts, everything else does not.
/// @param density  of the particle, kg/m³
template <class Real, int dimensions>
SHOAL_HD void add_particle(const Parameters<Real, dimensions>& parameters, const ProbePlace<Real, dimensions>& probe,
                           const Particle<Real, dimensions>& particle, Real density, ProbeSums& sums) {
  if (is_wall(particle.place) || cell_of(parameters, particle.place) == parameters.cell_count) return;
  if (probe.kind == ProbeKind::surge_front) {
    sums.furthest = larger(sums.furthest, static_cast<std::int64_t>(particle.place.x[0]));
    return;
  }
  const Separation<Real, dimensions> pair = nearest_separation(parameters, probe.place, particle.place);
  if (!(pair.squared < parameters.support_squared)) return;
  const Real q = fast_sqrt(pair.squared) * parameters.inverse_smoothing_length;
  const Real weight = FullPhysics::shape(parameters, q);
  sums.weight += static_cast<double>(weight / density);
  sums.pressure += static_cast<double>(weight) * (particle.stress() * density);
}

}  // namespace shoal::sph
