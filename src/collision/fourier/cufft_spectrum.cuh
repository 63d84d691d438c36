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
  /// Index in a half spectrum of a wave number or its opposite, whichever is there.
  SHOAL_HD std::int64_t even_index(int x, int y, int z) const {
    return x < across() ? half_index(x, y, z) : half_index(opposite(x), opposite(y), opposite(z));
  }
  /// Factor that makes a spectrum of a transform: 0 for wave numbers without a sign.
  template <class Real>
  SHOAL_HD Real scale(int x, int y, int z) const {
    return WaveNumbers{n}.left_out(x, y, z) ? Real(0) : Real(1) / static_cast<Real>(nodes());
  }
};

/// Value of the spectrum of a real function at any wave number.
/// @param half  [half_count] half spectrum
template <class Complex>
__device__ Complex whole_spectrum(SpectrumLayout layout, const Complex* half, int x, int y, int z) {
  const Complex value = half[layout.even_index(x, y, z)];
  return x < layout.across() ? value : Complex{value.x, -value.y};
}

/// Number of items in a batch: those that fit into a size, at least one, and fewer where that makes the batches more equal.
/// @param count        items in all
/// @param bytes        size of one item
/// @param batch_bytes  size of a batch
inline int balanced_batch(int count, std::int64_t bytes, std::int64_t batch_bytes) {
  const auto largest = static_cast<int>(std::clamp<std::int64_t>(batch_bytes / bytes, 1, count));
  const int batches = (count + largest - 1) / largest;
  return (count + batches - 1) / batches;
}

}  // namespace shoal::collision
