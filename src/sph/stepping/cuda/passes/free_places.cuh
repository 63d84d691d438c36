// SPDX-License-Identifier: Apache-2.0
// Free places of a CUDA run: particles that enter, through open boundaries or into a level of refinement, take them.
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

/// Counts particle or free place i in its cell. Those outside the domain, which most free places are, are counted by warps: an
/// atomic operation for each would wait for all others. All threads of a warp must call it.
/// @param exists    false for threads behind the last place
/// @param position  as a particle of the next step has it
/// @return          true outside the domain
template <class Cells, class Real, int dimensions>
__device__ bool counts_outside(const Parameters<Real, dimensions>& parameters,
                               const StepArrays<Real, dimensions>& arrays, std::int64_t i, bool exists,
                               const PositionDensity<Real, dimensions>& position) {
  const std::uint32_t cell = exists ? Cells::cell_of(parameters, position) : 0;
  const bool is_outside = exists && cell == parameters.cell_count;
  std::int32_t slot = count_member(&arrays.cell_count[parameters.cell_count], is_outside);
  if (!exists) return false;
  if (!is_outside) slot = atomicAdd(&arrays.cell_count[cell], 1);
  arrays.cell[i] = cell;
  arrays.slot[i] = slot;
  return is_outside;
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
