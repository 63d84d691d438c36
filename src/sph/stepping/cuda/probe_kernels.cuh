// SPDX-License-Identifier: Apache-2.0
// Exact sums of probes on CUDA: the same bits for any order of the particles and any number of ranks.
#pragma once
#include <shoal/array.hpp>
#include <shoal/ranks/communicator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "sph/diagnostics/probes/probes.hpp"
#include "sph/physics/physics.hpp"
#include "sph/physics/probe_item.hpp"

namespace shoal::sph {

/// Number of blocks that share a probe; block (b, k) sums for probe k.
constexpr int measure_blocks = 32;
constexpr int measure_threads = 256;
/// Largest number of probes that one grid measures: CUDA allows 65,535 blocks along the second axis of a grid.
constexpr std::ptrdiff_t most_probes = 32'768;

/// Particles of a state.
template <class Real, int dimensions>
struct MeasuredParticles {
  const PositionDensity<Real, dimensions>* position;
  const PackedVelocity<Real, dimensions>* velocity;
  const Properties<Real>* properties;  ///< null in plain physics
  std::int32_t n;

  /// Calls visit(terms) for each particle of this thread's share, with its terms in the sums of a probe.
  template <class Visit>
  __device__ void for_each_terms(const Parameters<Real, dimensions>& parameters,
                                 const ProbePoint<Real, dimensions>& probe, const Visit& visit) const {
    for (std::int64_t i = thread_index(); i < n; i += measure_blocks * measure_threads) {
      double terms[probe_quantities] = {};
      probe_terms(parameters, probe, {position[i], velocity[i]},
                  reference_density(parameters, properties, i) + position[i].density,
                  mass_of(parameters, properties, i), material_of(properties, i), terms);
      visit(terms);
    }
  }
};

/// First pass of the exact sums of probes: the largest magnitudes of their terms.
/// @param largest  [probes][probe_quantities] 0 before
template <class Real, int dimensions>
__global__ void measure_magnitudes(Parameters<Real, dimensions> parameters,
                                   MeasuredParticles<Real, dimensions> particles,
                                   const ProbePoint<Real, dimensions>* probes, unsigned long long* largest) {
  unsigned long long thread_largest[probe_quantities] = {};
  particles.for_each_terms(parameters, probes[blockIdx.y], [&](const double* terms) {
    for (int k = 0; k < probe_quantities; ++k)
      thread_largest[k] = max(thread_largest[k], static_cast<unsigned long long>(magnitude_bits(terms[k])));
  });
  for (int k = 0; k < probe_quantities; ++k) {
    const unsigned long long of_warp = warp_largest(thread_largest[k]);
    if (threadIdx.x % 32 == 0) atomicMax(largest + blockIdx.y * probe_quantities + k, of_warp);
  }
}

/// Second pass: whole numbers, whose sums have no order.
/// @param largest  [probes][probe_quantities] of all ranks
/// @param sums     [probes][probe_quantities] 0 before
template <class Real, int dimensions>
__global__ void measure_sums(Parameters<Real, dimensions> parameters, MeasuredParticles<Real, dimensions> particles,
                             const ProbePoint<Real, dimensions>* probes, const std::uint64_t* largest, ExactSum* sums) {
  SumUnit probe_units[probe_quantities];
  for (int k = 0; k < probe_quantities; ++k) probe_units[k] = SumUnit(largest[blockIdx.y * probe_quantities + k]);
  ExactSum thread_sums[probe_quantities];
  particles.for_each_terms(parameters, probes[blockIdx.y], [&](const double* terms) {
    for (int k = 0; k < probe_quantities; ++k) thread_sums[k].add(terms[k], probe_units[k]);
  });
  for (int k = 0; k < probe_quantities; ++k)
    for (int fold = 0; fold < ExactSum::folds; ++fold) {
      const long long sum = warp_sum(static_cast<long long>(thread_sums[k].fold[fold]));
      auto* const total = reinterpret_cast<unsigned long long*>(&sums[blockIdx.y * probe_quantities + k].fold[fold]);
      if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(sum));
    }
}

/// One sum a probe of at most `most_probes`, over the particles of all ranks.
template <class Real, int dimensions>
std::vector<ProbeSums> measure_part(const Queue& queue, const Communicator& ranks,
                                    const Parameters<Real, dimensions>& parameters,
                                    const MeasuredParticles<Real, dimensions>& particles,
                                    const std::vector<ProbePoint<Real, dimensions>>& probes) {
  const Array<ProbePoint<Real, dimensions>> points = to_device(queue, probes);
  const auto count = static_cast<std::int64_t>(probes.size());
  const dim3 grid(measure_blocks, static_cast<unsigned>(count));
  using Magnitudes = std::array<std::uint64_t, probe_quantities>;
  using Sums = std::array<ExactSum, probe_quantities>;
  Array<Magnitudes> device_largest(queue, count);
  fill_bytes(queue, device_largest.data(), 0, probes.size() * sizeof(Magnitudes));
  measure_magnitudes<<<grid, measure_threads, 0, stream_of(queue)>>>(
      parameters, particles, points.data(), reinterpret_cast<unsigned long long*>(device_largest.data()));
  SHOAL_CUDA_CHECK(cudaGetLastError());
  std::vector<Magnitudes> largest;
  if (ranks.size() > 1) {
    largest = to_host(queue, device_largest);
    take_largest(ranks, largest);
    device_largest = to_device(queue, largest);
  }

  Array<Sums> device_part(queue, count);
  fill_bytes(queue, device_part.data(), 0, probes.size() * sizeof(Sums));
  measure_sums<<<grid, measure_threads, 0, stream_of(queue)>>>(
      parameters, particles, points.data(), reinterpret_cast<const std::uint64_t*>(device_largest.data()),
      reinterpret_cast<ExactSum*>(device_part.data()));
  SHOAL_CUDA_CHECK(cudaGetLastError());
  std::vector<Sums> part = to_host(queue, device_part);
  if (ranks.size() == 1) largest = to_host(queue, device_largest);
  add_ranks(ranks, part);
  std::vector<ProbeSums> sums;
  for (const auto& group : group_sums(largest, part)) sums.push_back(probe_sums(group));
  return sums;
}

/// One sum a probe, over the particles of all ranks.
template <class Real, int dimensions>
std::vector<ProbeSums> measure_probes(const Queue& queue, const Communicator& ranks,
                                      const Parameters<Real, dimensions>& parameters,
                                      const MeasuredParticles<Real, dimensions>& particles,
                                      const std::vector<ProbePoint<Real, dimensions>>& probes) {
  std::vector<ProbeSums> sums;
  for (auto part = probes.begin(); part != probes.end();) {
    const auto end = part + std::min<std::ptrdiff_t>(most_probes, probes.end() - part);
    const std::vector<ProbeSums> sums_of_part = measure_part(queue, ranks, parameters, particles, {part, end});
    sums.insert(sums.end(), sums_of_part.begin(), sums_of_part.end());
    part = end;
  }
  return sums;
}

}  // namespace shoal::sph
