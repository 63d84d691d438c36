// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace shoal::benchmarks {

/// A value in [0, 1) from a number, each as likely: SplitMix64, which needs no state, so that threads share the work.
inline double random_value(std::uint64_t number) {
  std::uint64_t z = number * 0x9e3779b97f4a7c15U + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
}

/// n values in [low, low + width) on a device.
/// @param column  from 0 to 7: other values for each
template <class Real>
Array<Real> random_values(const Queue& queue, std::int64_t n, std::uint64_t column, double low = 0, double width = 1) {
  constexpr double largest = 1 - 0x1p-24;  // rounding to float must not reach 1
  std::vector<Real> values(static_cast<std::size_t>(n));
#pragma omp parallel for
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Real>(low + width * std::min(random_value(8 * i + column), largest));
  return to_device(queue, values);
}

}  // namespace shoal::benchmarks
