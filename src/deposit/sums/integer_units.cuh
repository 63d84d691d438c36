// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "deposit/ranks/integer_ranks.hpp"
#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/fixed_point_item.hpp"
#include "deposit/tuning.hpp"

/// Units of method integer on CUDA: from the ranges of a call, or from the sizes of the values, which kernels measure.
namespace shoal::deposit::integer_units {

using Integer = unsigned long long;  ///< The type of atomics; sums beyond a range, which are faults, wrap

constexpr int survey_threads = 256;

/// Measured sizes of a value.
struct Survey {
  Integer largest;  ///< Bits of the largest size, a double; bits of non-negative doubles have the order of the doubles
  Integer steps;    ///< Sum of SizeSteps
};

/// The ranges of a call as a kernel argument.
struct Ranges {
  double bound[Fields<float>::max_count] = {};  ///< Upper bound of the sum of sizes; 0: measured

  explicit Ranges(std::span<const double> given) {
    std::copy_n(given.begin(), std::min(given.size(), std::size(bound)), bound);
  }
  /// Returns true if no ranges were given.
  bool are_measured() const { return bound[0] == 0; }
};

/// Combines part(size) of value k over the particles of a warp; the warps of the launch share all particles.
template <class Real, class Part, class Combine>
__device__ __forceinline__ Integer survey_sizes(const Fields<const Real>& values, int k, std::int64_t count,
                                                Part&& part, Combine&& combine) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  Integer result = 0;
#pragma unroll 4
  for (std::int64_t i = thread_index(); i < count; i += threads)
    result = combine(result, part(finite_size(static_cast<double>(values.at(k, i)))));
  return combine_warp(result, combine);
}

template <class Real>
__global__ void __launch_bounds__(survey_threads)
    find_largest(Fields<const Real> values, std::int64_t count, Survey* surveys) {
  for (int k = 0; k < values.count; ++k) {
    const Integer largest = survey_sizes(
        values, k, count, [](double size) { return static_cast<Integer>(__double_as_longlong(size)); },
        [](Integer a, Integer b) { return max(a, b); });
    if (threadIdx.x % 32 == 0) atomicMax(&surveys[k].largest, largest);
  }
}

__device__ __forceinline__ SizeSteps steps_of(const Survey& survey) {
  return SizeSteps::for_largest(__longlong_as_double(static_cast<long long>(survey.largest)));
}

template <class Real>
__global__ void __launch_bounds__(survey_threads)
    add_steps(Fields<const Real> values, std::int64_t count, Survey* surveys) {
  for (int k = 0; k < values.count; ++k) {
    const SizeSteps steps = steps_of(surveys[k]);
    const Integer sum = survey_sizes(
        values, k, count, [&](double size) { return static_cast<Integer>(steps.count(size)); },
        [](Integer a, Integer b) { return a + b; });
    if (threadIdx.x % 32 == 0) atomicAdd(&surveys[k].steps, sum);
  }
}

/// Selects the units, a thread per value.
static __global__ void choose_units(Ranges ranges, const Survey* surveys, FixedPoint* units, int count) {
  const auto k = static_cast<int>(thread_index());
  if (k >= count) return;
  const int exponent = ranges.bound[k] > 0
                           ? FixedPoint::exponent_of(ranges.bound[k])
                           : steps_of(surveys[k]).exponent_of_sum(static_cast<std::int64_t>(surveys[k].steps));
  units[k] = FixedPoint::for_exponent(exponent);
}

/// Applies change(Survey&) to all surveys in the host's memory.
template <class Change>
void change_on_host(const Queue& queue, Survey* surveys, int count, Change&& change) {
  std::vector<Survey> host(static_cast<std::size_t>(count));
  const std::size_t bytes = host.size() * sizeof(Survey);
  copy_bytes(queue, host.data(), Device{}, surveys, queue.device(), bytes);
  for (Survey& survey : host) change(survey);
  copy_bytes(queue, surveys, queue.device(), host.data(), Device{}, bytes);
}

/// Replaces the largest sizes by those of all ranks.
inline void combine_largest(const Queue& queue, const SharedNodes& shared, Survey* surveys, int count) {
  change_on_host(queue, surveys, count, [&](Survey& survey) {
    survey.largest = std::bit_cast<Integer>(integer_ranks::largest_size(shared, std::bit_cast<double>(survey.largest)));
  });
}

/// Replaces the sums of steps by those of all ranks.
inline void combine_steps(const Queue& queue, const SharedNodes& shared, Survey* surveys, int count) {
  change_on_host(queue, surveys, count, [&](Survey& survey) {
    survey.steps = static_cast<Integer>(integer_ranks::sum(shared, static_cast<std::int64_t>(survey.steps)));
  });
}

/// Values that this rank measures.
template <class Real>
Fields<const Real> measured_values(const DepositCall<Real>& call) {
  Fields<const Real> values = call.values;
  for (int k = 0; k < values.count; ++k) values.data[k] += call.measured.begin * values.stride[k];
  return values;
}

/// Computes the units of values from their ranges or from the values.
/// @param values  [count] each, those that this rank measures
/// @param shared  other ranks that measure values; null: none
/// @param units   [values.count]
template <class Real>
void find_units(Scratch& scratch, const Fields<const Real>& values, std::int64_t count, const Ranges& ranges,
                const SharedNodes* shared, FixedPoint* units) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  Survey* surveys = frame.array<Survey>(values.count).data;
  if (ranges.are_measured()) {
    const std::int64_t survey_blocks = tuning::survey_blocks_per_multiprocessor * multiprocessors(queue);
    const std::int64_t threads = std::min(count, survey_blocks * survey_threads);
    fill_bytes(queue, surveys, 0, values.count * sizeof(Survey));
    launch<survey_threads>(queue, threads, find_largest<Real>, values, count, surveys);
    if (shared != nullptr) combine_largest(queue, *shared, surveys, values.count);
    launch<survey_threads>(queue, threads, add_steps<Real>, values, count, surveys);
    if (shared != nullptr) combine_steps(queue, *shared, surveys, values.count);
  }
  launch<32>(queue, values.count, choose_units, ranges, surveys, units, values.count);
}

/// Computes the units of all values of a call.
template <class Real>
void find_units(const DepositCall<Real>& call, const Ranges& ranges, FixedPoint* units) {
  find_units(call.scratch, measured_values(call), call.measured.count(), ranges, call.shared, units);
}

}  // namespace shoal::deposit::integer_units
