// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "collision/fourier/cufft_transform.hpp"
#include "collision/fourier/wave_numbers_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

template <class Real>
using CufftComplex = typename Cufft<Real>::Complex;

/// Index arithmetic of an n³ spectrum and of its half, which holds the wave numbers 0 to n/2 along x.
struct SpectrumLayout {
  int n;

  SHOAL_HD int across() const { return n / 2 + 1; }  ///< Wave numbers of a half spectrum along x.
  SHOAL_HD std::int64_t nodes() const { return static_cast<std::int64_t>(n) * n * n; }
  SHOAL_HD std::int64_t half_count() const { return static_cast<std::int64_t>(n) * n * across(); }
  SHOAL_HD std::int64_t index(int x, int y, int z) const { return (static_cast<std::int64_t>(z) * n + y) * n + x; }
  SHOAL_HD std::int64_t half_index(int x, int y, int z) const {
    return (static_cast<std::int64_t>(z) * n + y) * across() + x;
  }
  SHOAL_HD int opposite(int k) const { return k == 0 ? 0 : n - k; }
  /// Factor that makes a spectrum of a transform: 0 for wave numbers without a sign.
  template <class Real>
  SHOAL_HD Real scale(int x, int y, int z) const {
    return WaveNumbers{n}.left_out(x, y, z) ? Real(0) : Real(1) / static_cast<Real>(nodes());
  }
};

/// Number of transforms in a batch: those that fit into 64 MiB, at least one, and fewer where that makes the batches
/// more equal.
/// @param count  transforms in all
/// @param bytes  size of one transform
inline int balanced_batch(int count, std::int64_t bytes) {
  constexpr std::int64_t batch_bytes = 64 << 20;
  const auto largest = static_cast<int>(std::clamp<std::int64_t>(batch_bytes / bytes, 1, count));
  const int batches = (count + largest - 1) / largest;
  return (count + batches - 1) / batches;
}

}  // namespace shoal::collision
