// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cstdint>

namespace shoal::collision {

/// Collision frequency of one node as a sum over all nodes of its cell, for builds without an FFT library.
/// @param f     [n³] of the cell
/// @param rate  |V| σ_T spacing³ by the squared distance in spacings
template <class Real>
SHOAL_HD double node_frequency(const Real* f, const double* rate, int n, int x, int y, int z) {
  const Real* partner = f;
  double sum = 0;
  for (int z1 = 0; z1 < n; ++z1)
    for (int y1 = 0; y1 < n; ++y1) {
      const int across = (z - z1) * (z - z1) + (y - y1) * (y - y1);
      for (int x1 = 0; x1 < n; ++x1) sum += rate[across + (x - x1) * (x - x1)] * static_cast<double>(*partner++);
    }
  return sum;
}

}  // namespace shoal::collision
