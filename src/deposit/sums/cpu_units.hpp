// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>

#include "deposit/deposit_method.hpp"
#include "deposit/ranks/integer_ranks.hpp"
#include "deposit/sums/fixed_point_item.hpp"

/// Units of the values of a call of method `integer` on the CPU, and the check of their ranges.
namespace shoal::deposit {

using Units = std::array<FixedPoint, Fields<float>::max_count>;

/// Largest size of a value.
template <class Real>
double largest_size(const DepositCall<Real>& call, int k) {
  double largest = 0;
#pragma omp parallel for num_threads(call.queue().threads()) reduction(max : largest)
  for (std::int64_t i = call.measured.begin; i < call.measured.end; ++i)
    largest = std::max(largest, finite_size(static_cast<double>(call.values.at(k, i))));
  return call.shared != nullptr ? integer_ranks::largest_size(*call.shared, largest) : largest;
}

/// Exponent E with sum of sizes ≤ 2^E; the same for any order of the particles.
template <class Real>
int measured_exponent(const DepositCall<Real>& call, int k) {
  const SizeSteps steps = SizeSteps::for_largest(largest_size(call, k));
  std::int64_t sum = 0;
#pragma omp parallel for num_threads(call.queue().threads()) reduction(+ : sum)
  for (std::int64_t i = call.measured.begin; i < call.measured.end; ++i)
    sum += steps.count(finite_size(static_cast<double>(call.values.at(k, i))));
  return steps.exponent_of_sum(call.shared != nullptr ? integer_ranks::sum(*call.shared, sum) : sum);
}

/// Units of all values, from their ranges or from their sizes.
template <class Real>
Units find_units(const DepositCall<Real>& call) {
  Units units;
  for (int k = 0; k < call.value_count(); ++k) {
    const auto slot = static_cast<std::size_t>(k);
    units[slot] = FixedPoint::for_exponent(call.ranges.empty() ? measured_exponent(call, k)
                                                               : FixedPoint::exponent_of(call.ranges[slot]));
  }
  return units;
}

/// Records values whose sizes add up to more than their ranges. Values that are not finite are already recorded.
/// @param sizes  [runs][Fields<Real>::max_count]
template <class Real>
void check_ranges(const DepositCall<Real>& call, const Units& units, std::int64_t particles, const std::uint64_t* sizes,
                  std::int64_t runs) {
  if (call.shared != nullptr && integer_ranks::has_fault(*call.shared, call.queue(), call.status)) return;
  for (int k = 0; k < call.value_count(); ++k) {
    std::uint64_t total = 0;
    for (std::int64_t run = 0; run < runs; ++run) total = add_sizes(total, sizes[run * Fields<Real>::max_count + k]);
    if (call.shared != nullptr) total = integer_ranks::sum_of_sizes(*call.shared, total);
    const auto slot = static_cast<std::size_t>(k);
    if (units[slot].is_exceeded(total, call.ranges.empty() ? 0 : call.ranges[slot], particles))
      record(call.status, call.particles.count, DepositFault::out_of_range + k);
  }
}

}  // namespace shoal::deposit
