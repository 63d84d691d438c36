// SPDX-License-Identifier: Apache-2.0
// The pass over the fluid that sets apparent viscosities before a stage, on the host.
#pragma once
#include <vector>

#include "sph/physics/rheologies/apparent_viscosity_item.hpp"

namespace shoal::sph {

/// Particles of a rank: those from `alive` on left the domain.
struct OwnedParticles {
  std::int64_t begin;
  std::int64_t alive;
  std::int64_t end;
};

/// Sets the viscosities of particles: of the fluid in the domain from the shear rates of a state, of others 0.
/// @param curves             [materials]
/// @param for_each_neighbor  for_each_neighbor(i, visit) calls visit(j) for the neighbors of particle i
/// @return  the largest friction rate η/(ρ₀ h²), 1/s
template <class Real, int dimensions, class ForEachNeighbor>
double set_apparent_viscosities(const Parameters<Real, dimensions>& parameters,
                                const std::vector<FlowCurve<Real>>& curves, int threads, const OwnedParticles& owned,
                                const StateView<Real, dimensions>& now, const ForEachNeighbor& for_each_neighbor) {
  using Physics = GeneralPhysics;  // which does not read the viscosities that other threads write
  double largest = 0;
#pragma omp parallel for num_threads(threads) reduction(max : largest)
  for (std::int64_t i = owned.begin; i < owned.end; ++i) {
    now.viscosity[i] = 0;
    if (i >= owned.alive || is_wall(now.position[i])) continue;
    const ParticleOf<Physics, Real, dimensions> particle = load<Physics>(now, i);
    VelocityGradientSums<Real, dimensions> sums;
    for_each_neighbor(
        i, [&](std::int64_t j) { add_velocity_gradient<Physics>(parameters, particle, load<Physics>(now, j), sums); });
    largest = max(largest, set_apparent_viscosity(curves.data(), particle, sums, now.viscosity[i]));
  }
  return largest;
}

}  // namespace shoal::sph
