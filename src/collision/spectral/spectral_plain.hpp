// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>
#include <numbers>

#include "collision/fourier/plain_transform.hpp"
#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// Transforms and shifted distributions of the serial spectral methods, by their definition.
struct SpectralPlain {
  using Values = PlainTransform::Values;

  const CollisionSetup& setup;
  PlainTransform transform;

  explicit SpectralPlain(const CollisionSetup& setup_) : setup(setup_), transform(setup_.n()) {}

  /// |k|² of a number of the spectrum.
  int square(std::size_t i) const {
    const auto [x, y, z] = indices(i);
    return WaveNumbers{setup.n()}.square(x, y, z);
  }
  /// n·k of a number of the spectrum.
  double along(const std::array<double, 3>& direction, std::size_t i) const {
    const auto [x, y, z] = indices(i);
    return WaveNumbers{setup.n()}.along(direction.data(), x, y, z);
  }
  std::array<int, 3> indices(std::size_t i) const {
    const int n = setup.n(), k = static_cast<int>(i);
    return {k % n, k / n % n, k / n / n};
  }

  /// f(v + distance n)
  Values shifted(Values spectrum, const std::array<double, 3>& n, double distance) const {
    for (std::size_t i = 0; i < spectrum.size(); ++i)
      spectrum[i] *= std::polar(1.0, std::numbers::pi * along(n, i) * distance / setup.grid.half_width);
    return transform.inverse(spectrum);
  }
};

}  // namespace shoal::collision
