// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>

namespace shoal::collision {

/// Signed wave numbers of the n indices of a spectrum along an axis. For even n the Nyquist index n/2 has no sign; such
/// wave numbers are left out of every spectrum.
struct WaveNumbers {
  int n;

  SHOAL_HD int signed_number(int k) const { return 2 * k > n ? k - n : k; }
  SHOAL_HD bool is_nyquist(int k) const { return 2 * k == n; }
  SHOAL_HD int square(int x, int y, int z) const {
    const int a = signed_number(x), b = signed_number(y), c = signed_number(z);
    return a * a + b * b + c * c;
  }
  /// n·k
  /// @param direction  [3] n
  SHOAL_HD double along(const double* direction, int x, int y, int z) const {
    return direction[0] * signed_number(x) + direction[1] * signed_number(y) + direction[2] * signed_number(z);
  }
  SHOAL_HD bool left_out(int x, int y, int z) const { return is_nyquist(x) || is_nyquist(y) || is_nyquist(z); }
  int largest_square() const { return 3 * (n / 2) * (n / 2); }
};

inline double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

}  // namespace shoal::collision
