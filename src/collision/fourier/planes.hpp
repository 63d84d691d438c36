// SPDX-License-Identifier: Apache-2.0
// Inverse transforms of n³ values that pass memory twice: planes of x and y in the cache, then columns along z.
#pragma once
#include <algorithm>
#include <complex>
#include <cstdint>

namespace shoal::collision {

/// Columns along z that are transformed at a time: a row of them fills whole cache lines, and all of them fit the first
/// cache.
constexpr int columns_at_once = 16;

/// Array length, at least `count`, with which consecutive arrays start at multiples of 64 bytes.
inline std::int64_t aligned_count(std::int64_t count) { return (count + 15) / 16 * 16; }

/// Number of complex values of the buffer of inverse_by_planes().
inline std::int64_t planes_count(int n) {
  return n * (aligned_count(static_cast<std::int64_t>(n) * n) + columns_at_once);
}

/// Inverse transform, not scaled. A transform in one call passes memory three times, and twice more for what fills and uses
/// its values; planes and blocks of columns stay in the cache.
/// @param buffer  [planes_count(n)] aligned to 64 bytes, overwritten
/// @param fill    called as fill(z, plane) to write the spectrum at z, plane[y n + x]
/// @param use     called as use(first, count, columns) for blocks of results: columns[z columns_at_once + k] is the value at
///                z of column first + k = y n + x, for k below count
template <class Real, class Transform, class Fill, class Use>
void inverse_by_planes(const Transform& transform, int n, std::complex<Real>* buffer, const Fill& fill,
                       const Use& use) {
  const std::int64_t plane = static_cast<std::int64_t>(n) * n, stride = aligned_count(plane);
  for (int z = 0; z < n; ++z) {
    fill(z, buffer + z * stride);
    transform.inverse_plane(buffer + z * stride);
  }
  std::complex<Real>* columns = buffer + n * stride;
  for (std::int64_t first = 0; first < plane; first += columns_at_once) {
    const std::int64_t count = std::min<std::int64_t>(columns_at_once, plane - first);
    for (int z = 0; z < n; ++z) std::copy_n(buffer + z * stride + first, count, columns + z * columns_at_once);
    transform.inverse_columns(columns);
    use(first, count, columns);
  }
}

}  // namespace shoal::collision
