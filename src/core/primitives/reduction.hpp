// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <shoal/item/host_device.hpp>
#include "core/primitives/primitives.hpp"

/// The tree in which `reduce` combines elements, on every device:
///
/// - cut the input into chunks of `reduction_chunk` elements,
/// - in a chunk, lane l of `reduction_lanes` combines elements l, l + lanes, l + 2 lanes, ... in this order,
/// - halve the lanes until one is left: lane l takes in lane l + width, width = lanes / 2, lanes / 4, ..., 1,
/// - the chunks' results are the input of the next round, until one element is left.
namespace shoal {

inline constexpr int reduction_lanes = 256;
inline constexpr int reduction_chunk = 16 * reduction_lanes;

template <Reduction reduction, class T>
constexpr T identity() {
  using Limits = std::numeric_limits<T>;
  if constexpr (reduction == Reduction::sum) return T(0);
  if constexpr (reduction == Reduction::min) return Limits::has_infinity ? Limits::infinity() : Limits::max();
  if constexpr (reduction == Reduction::max) return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
}

/// Neutral element of a reduction; a constant, so that device code may use it.
template <Reduction reduction, class T>
inline constexpr T reduction_identity = identity<reduction, T>();

template <class T>
SHOAL_HD bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(value);
  else
    return false;
}

/// Combines two elements; min and max of a NaN are NaN.
template <Reduction reduction, class T>
SHOAL_HD T combine(T a, T b) {
  if constexpr (reduction == Reduction::sum) return a + b;
  if constexpr (reduction == Reduction::min) return b < a || is_nan(b) ? b : a;
  if constexpr (reduction == Reduction::max) return b > a || is_nan(b) ? b : a;
}

inline std::int64_t reduction_chunks(std::int64_t n) { return (n + reduction_chunk - 1) / reduction_chunk; }

}  // namespace shoal
