// SPDX-License-Identifier: Apache-2.0
// Places for particles that enter a CUDA run through open boundaries.
#pragma once
#include "sph/ranks/particle_exchange.hpp"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"

namespace shoal::sph {

/// Number of free places at the start of a run with open boundaries.
template <class Real, int dimensions>
std::int64_t free_places(const Setup<Real, dimensions>& setup) {
  if (setup.spare_particles > 0) return setup.spare_particles;
  constexpr std::int64_t layers = 4, least = 256;  // of all columns of entering particles
  const auto particles = static_cast<std::int64_t>(setup.state.count());
  const std::int64_t columns = setup.open_boundaries.view().id_columns;
  return particles / particles_per_spare + layers * columns + least;
}

/// Removes the free places from a copy of the state.
template <class Real, int dimensions>
void leave_out_free_places(const ArraysOf<Real, dimensions>& arrays, HostState<Real, dimensions>& host) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < host.count(); ++i) {
    if (make_label(host.id[i], host.tag[i]) == gone_label) continue;
    if (kept != i) copy_particle(host, i, host, kept);
    ++kept;
  }
  arrays.resize(host, kept);
}

}  // namespace shoal::sph
