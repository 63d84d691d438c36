// SPDX-License-Identifier: Apache-2.0
// Motion of a paddle at the still water level: a sum of sines with a ramp.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cstddef>
#include <vector>

#include "core/motion_path_item.hpp"
#include "sph/waves/paddles.hpp"

namespace shoal::sph {

/// Sine of the paddle's motion: e = stroke (sin(ω t − φ) − start), half of the way from one end to the other.
struct StrokeComponent {
  double stroke, angular_frequency, phase;
  double start = 0;
};

/// The motion that makes the waves of a wavemaker.
class PaddleStrokes {
 public:
  /// @param gravity  m/s²
  PaddleStrokes(const Wavemaker& wavemaker, double gravity);

  /// Ramp at a time.
  motion::Ramp ramp(double time) const { return motion::ramp_at(time, ramp_); }
  /// Displacement and velocity at a time, with the ramp.
  PaddleState at(double time) const;

  /// Knots of a path, a hundred a period of the shortest wave of first order.
  /// @param until  s; knots do not depend on it
  /// @param knot   knot(time, at(time)) returns one; it runs on several threads
  /// @throws Error  more knots than memory should take
  template <class Knot>
  std::vector<PathKnot> path(double until, const Knot& knot) const {
    std::vector<PathKnot> knots(knot_count(until));
#pragma omp parallel for
    for (std::size_t i = 0; i < knots.size(); ++i) {
      const double time = knot_spacing_ * static_cast<double>(i);
      knots[i] = knot(time, at(time));
    }
    return knots;
  }

 private:
  std::size_t knot_count(double until) const;

  std::vector<StrokeComponent> strokes_;
  double ramp_;          ///< s
  double knot_spacing_;  ///< s
};

}  // namespace shoal::sph
