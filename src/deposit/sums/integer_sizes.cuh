// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/warp.cuh"
#include "deposit/sums/integer_units.cuh"

/// Sums of the sizes that method integer splits on CUDA, which must not exceed their ranges, and the step from integer sums
/// to values.
namespace shoal::deposit::integer_units {

constexpr int size_slots = 64;  ///< Number of words per sum of sizes, which spreads the atomics

/// A sum of sizes in two halves, which does not wrap.
struct SizeSum {
  Integer low;
  Integer high;

  __device__ __forceinline__ void add(Integer size) {
    atomicAdd(&low, size & 0xffffffffu);
    atomicAdd(&high, size >> 32);
  }
  __device__ __forceinline__ Integer total() const {
    return high >> 31 != 0 ? Integer{1} << 63 : add_sizes(high << 32, low);
  }
};

/// Adds the sizes of a warp's lanes to a sum. All lanes call it.
/// @param sizes  [size_slots]
__device__ __forceinline__ void add_sizes_of_warp(SizeSum* sizes, Integer size_of_lane) {
  const Integer sum = combine_warp(size_of_lane, [](Integer a, Integer b) { return Integer{add_sizes(a, b)}; });
  if (threadIdx.x % 32 == 0 && sum != 0) sizes[thread_index() / 32 % size_slots].add(sum);
}

/// Records values whose sizes add up to more than their range, a warp per value.
/// @param sizes  [values][size_slots]
static __global__ void check_ranges(Ranges ranges, const FixedPoint* units, const SizeSum* sizes,
                                    std::int64_t particles, Status* status) {
  const auto k = static_cast<int>(blockIdx.x);
  Integer total = 0;
  for (int slot = static_cast<int>(threadIdx.x); slot < size_slots; slot += 32)
    total = add_sizes(total, sizes[k * size_slots + slot].total());
  total = combine_warp(total, [](Integer a, Integer b) { return Integer{add_sizes(a, b)}; });
  if (threadIdx.x == 0 && units[k].is_exceeded(total, ranges.bound[k], particles))
    record(status, particles, DepositFault::out_of_range + k);
}

/// Writes the values of integer sums at nodes, a thread per node.
/// @param sums  [values][count]
template <class Real>
__global__ void __launch_bounds__(survey_threads)
    write_nodes(const Integer* sums, const FixedPoint* units, Fields<Real> nodes, std::int64_t count) {
  const std::int64_t node = thread_index();
  if (node >= count) return;
  for (int k = 0; k < nodes.count; ++k)
    nodes.at(k, node) = units[k].template value<Real>(static_cast<std::int64_t>(sums[k * count + node]));
}

}  // namespace shoal::deposit::integer_units
