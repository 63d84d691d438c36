// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "collision/fourier/cufft_transform.hpp"
#include "collision/fourier/wave_numbers_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal {

template <class Real>
using ComplexOf = typename Cufft<Real>::Complex;

/// The places of an n³ spectrum and of its half, and what depends on the wave number.
struct SpectrumPlaces {
  int n;

  SHOAL_HD int across() const { return n / 2 + 1; }  ///< wave numbers of a half spectrum along x
  SHOAL_HD std::int64_t nodes() const { return static_cast<std::int64_t>(n) * n * n; }
  SHOAL_HD std::int64_t half_count() const { return static_cast<std::int64_t>(n) * n * across(); }
  SHOAL_HD std::int64_t place(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n + y) * n + x; }
  SHOAL_HD std::int64_t half_place(int x, int y, int z) const {
    return (static_cast<std::int64_t>(z) * n + y) * across() + x;
  }
  SHOAL_HD int opposite(int k) const { return k == 0 ? 0 : n - k; }
  /// Of a transform, to make a spectrum of it: 0 for wave numbers that have no sign.
  template <class Real>
  SHOAL_HD Real scale(int x, int y, int z) const {
    return WaveNumbers{n}.left_out(x, y, z) ? Real(0) : Real(1) / static_cast<Real>(nodes());
  }
};

/// How many of `count` go in one batch: what fits into 64 MiB, at least one, and fewer where batches come out more
/// even.
/// @param bytes  of one
inline int even_batch(int count, std::int64_t bytes) {
  constexpr std::int64_t batch_bytes = 64 << 20;
  const auto at_once = static_cast<int>(std::clamp<std::int64_t>(batch_bytes / bytes, 1, count));
  const int batches = (count + at_once - 1) / at_once;
  return (count + batches - 1) / batches;
}

}  // namespace shoal
