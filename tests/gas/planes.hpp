// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <numbers>

#include "gas/flows.hpp"

namespace shoal::testing_support {

inline constexpr GasBoundary specular_side{.kind = GasBoundaryKind::specular};
inline constexpr GasBoundary periodic_side{.kind = GasBoundaryKind::periodic};
inline constexpr std::array<GasBoundary, 4> periodic_sides{periodic_side, periodic_side, periodic_side, periodic_side};

/// Walls that slide, are heated along their length and reflect.
inline std::array<GasBoundary, 4> different_sides() {
  std::array<GasBoundary, 4> sides;
  sides[0] = {.temperature = 0.9, .velocity = {0, 0.3, 0.1}, .accommodation = 0.7};
  sides[1] = {.temperature = 1.2, .velocity = {0, -0.1, 0}};
  sides[2] = {.temperature = 0.95, .velocity = {0.2, 0, 0}};
  sides[2].last_temperature = 1.25;
  sides[3] = specular_side;
  return sides;
}

/// Faces of cells of unequal width.
inline std::array<std::vector<double>, 2> plane_faces(int columns, int rows) {
  return {gas::stretched_faces(0, 2, columns, columns > 10 ? 1.02 : 1.1),
          gas::stretched_faces(-1, 0.5, rows, rows > 10 ? 1.02 : 1.2)};
}

/// Uneven states of the cells of a plane.
inline std::vector<VelocityMoments> ripples(int columns, int rows) {
  std::vector<VelocityMoments> states;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double a = 2 * std::numbers::pi * (i + 0.5) / columns, b = 2 * std::numbers::pi * (j + 0.5) / rows;
      states.push_back(state(1 + 0.3 * std::sin(a) * std::cos(b), {0.2 * std::cos(a), 0.1 * std::sin(b), -0.1},
                             1 + 0.1 * std::cos(a + b)));
    }
  return states;
}

}  // namespace shoal::testing_support
