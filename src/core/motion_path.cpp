// SPDX-License-Identifier: Apache-2.0
// Slopes of a path through given values: natural cubic splines and monotone ones.
#include <shoal/motion_path.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal {

namespace {

/// Slopes of the natural cubic spline: its second derivative is continuous, and 0 at both ends. Of the n equations
///
///     2 m₀ + m₁ = 3 Δ₀,   m₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + 2 (1/h₍ᵢ₋₁₎ + 1/hᵢ) mᵢ + m₍ᵢ₊₁₎/hᵢ = 3 (Δ₍ᵢ₋₁₎/h₍ᵢ₋₁₎ + Δᵢ/hᵢ),   and the mirror image
///
/// the matrix is tridiagonal and dominated by its diagonal, so that elimination needs no pivots.
std::vector<double> natural_slopes(const std::vector<double>& h, const std::vector<double>& mean) {
  const std::size_t n = h.size() + 1;
  std::vector<double> ratio(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double before = i > 0 ? 1 / h[i - 1] : 0, after = i + 1 < n ? 1 / h[i] : 0;
    const double right = 3 * ((i > 0 ? mean[i - 1] * before : 0) + (i + 1 < n ? mean[i] * after : 0));
    const double pivot = 2 * (before + after) - (i > 0 ? before * ratio[i - 1] : 0);
    ratio[i] = after / pivot;
    slope[i] = (right - (i > 0 ? before * slope[i - 1] : 0)) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) slope[i] -= ratio[i] * slope[i + 1];
  return slope;
}

/// Slopes of Fritsch and Carlson (1980): the mean of the differences on both sides, 0 where they have different signs,
/// and both slopes of an interval reduced until α² + β² ≤ 9 with α = m₀/Δ and β = m₁/Δ.
std::vector<double> monotone_slopes(const std::vector<double>& h, const std::vector<double>& mean) {
  const std::size_t n = h.size() + 1;
  std::vector<double> slope(n);
  slope.front() = mean.front();
  slope.back() = mean.back();
  for (std::size_t i = 1; i + 1 < n; ++i) slope[i] = mean[i - 1] * mean[i] > 0 ? (mean[i - 1] + mean[i]) / 2 : 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (mean[i] == 0) {
      slope[i] = slope[i + 1] = 0;
      continue;
    }
    const double size = std::hypot(slope[i] / mean[i], slope[i + 1] / mean[i]);
    if (size <= 3) continue;
    slope[i] *= 3 / size;
    slope[i + 1] *= 3 / size;
  }
  return slope;
}

void require_valid(const std::vector<PathKnot>& knots) {
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const PathKnot& knot = knots[i];
    for (const double number : {knot.value[0], knot.value[1], knot.value[2], knot.value[3], knot.slope[0],
                                knot.slope[1], knot.slope[2], knot.slope[3]})
      require(std::isfinite(number), "motion: row ", i, " of the path has a value or slope of ", number,
              ", expected finite numbers.");
    require(std::isfinite(knot.time) && (i == 0 || knot.time > knots[i - 1].time), "motion: row ", i,
            " of the path has the time ", knot.time, " s",
            i == 0 ? text(", expected a finite number.")
                   : text(" after ", knots[i - 1].time, " s, expected a later time in each row."));
  }
}

}  // namespace

MotionPath::MotionPath(std::vector<PathKnot> knots) : knots_(std::move(knots)) {
  require(!knots_.empty(), "motion: the path has no rows, expected one or more.");
  require_valid(knots_);
}

MotionPath::MotionPath(const std::vector<double>& time, const std::vector<std::array<double, 3>>& displacement,
                       const std::vector<double>& angle, PathInterpolation interpolation) {
  require(time.size() >= 2, "motion: the path has ", time.size(), " rows, expected two or more.");
  require(
      (displacement.empty() || displacement.size() == time.size()) && (angle.empty() || angle.size() == time.size()),
      "motion: the path has ", time.size(), " times, ", displacement.size(), " displacements and ", angle.size(),
      " angles, expected as many as times, or none.");
  knots_.resize(time.size());
  for (std::size_t i = 0; i < time.size(); ++i) {
    knots_[i].time = time[i];
    for (std::size_t k = 0; k < 3; ++k) knots_[i].value[k] = displacement.empty() ? 0 : displacement[i][k];
    knots_[i].value[3] = angle.empty() ? 0 : angle[i];
  }
  require_valid(knots_);
  std::vector<double> h(time.size() - 1), mean(time.size() - 1);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < h.size(); ++i) {
      h[i] = time[i + 1] - time[i];
      mean[i] = (knots_[i + 1].value[k] - knots_[i].value[k]) / h[i];
    }
    const std::vector<double> slope =
        interpolation == PathInterpolation::monotone ? monotone_slopes(h, mean) : natural_slopes(h, mean);
    for (std::size_t i = 0; i < slope.size(); ++i) knots_[i].slope[k] = slope[i];
  }
  require_valid(knots_);
}

double MotionPath::max_rate(std::size_t number) const {
  double most = 0;
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const PathKnot& low = knots_[i];
    const PathKnot& high = knots_[i + 1];
    const double first = low.slope[number], last = high.slope[number];
    const double mean = (high.value[number] - low.value[number]) / (high.time - low.time);
    const double linear = 2 * (3 * mean - 2 * first - last), square = 3 * (first + last - 2 * mean);
    most = std::max({most, std::abs(first), std::abs(last)});
    const double vertex = -linear / (2 * square);  // of the parabola first + linear s + square s²; NaN if it has none
    if (vertex > 0 && vertex < 1) most = std::max(most, std::abs(first + vertex * linear / 2));
  }
  return most;
}

double MotionPath::max_value(std::size_t number) const {
  double most = std::abs(knots_.back().value[number]);
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const PathKnot& low = knots_[i];
    const PathKnot& high = knots_[i + 1];
    const double third = (high.time - low.time) / 3;
    // The four numbers whose convex hull has the cubic in it (Bernstein).
    for (const double bound : {low.value[number], low.value[number] + third * low.slope[number],
                               high.value[number] - third * high.slope[number]})
      most = std::max(most, std::abs(bound));
  }
  return most;
}

bool MotionPath::turns() const {
  return std::any_of(knots_.begin(), knots_.end(),
                     [](const PathKnot& knot) { return knot.value[3] != 0 || knot.slope[3] != 0; });
}

}  // namespace shoal
