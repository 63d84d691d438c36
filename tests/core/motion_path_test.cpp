// SPDX-License-Identifier: Apache-2.0
// Paths through given values: cubics that they reproduce, the natural end condition, monotony, and bad input.
#include <gtest/gtest.h>
#include <shoal/error.hpp>

#include <cmath>
#include <functional>
#include <string>

#include "core/motion_item.hpp"
#include "support/messages.hpp"

namespace shoal::motion {
namespace {

constexpr double path_rounding = 1e-14;  ///< rounding error of numbers up to 10

using testing_support::message_of;
using Function = std::function<double(double)>;

/// Path whose x displacement is a function of time.
MotionPath path_of(const std::vector<double>& time, const Function& x,
                   PathInterpolation interpolation = PathInterpolation::cubic_spline) {
  std::vector<std::array<double, 3>> displacement;
  for (const double t : time) displacement.push_back({x(t), 0, 0});
  return {time, displacement, {}, interpolation};
}

PathState state_at(const MotionPath& path, double time) {
  std::vector<PathKnot> table;
  const PathRange range =
      append_path({.kind = MotionKind::file, .path = std::make_shared<const MotionPath>(path)}, table);
  return path_at(table.data(), range, time);
}

TEST(MotionPath, TwoRowsAreALine) {
  for (const PathInterpolation interpolation : {PathInterpolation::cubic_spline, PathInterpolation::monotone}) {
    const MotionPath path = path_of(
        {1, 3}, [](double t) { return 5 * t; }, interpolation);
    const PathState state = state_at(path, 1.5);
    EXPECT_NEAR(state.value[0], 7.5, path_rounding);
    EXPECT_NEAR(state.rate[0], 5, path_rounding);
    EXPECT_NEAR(state.acceleration[0], 0, path_rounding);
    EXPECT_NEAR(path.max_rate(0), 5, path_rounding);
  }
}

TEST(MotionPath, ASplineReproducesACubicWithoutCurvatureAtItsEnds) {
  // A cubic up to t = 1 and its mirror image after it: x'' is 0 at both ends and continuous where they meet.
  const Function x = [](double t) { return t <= 1 ? t * t * t - 3 * t : (2 - t) * (2 - t) * (2 - t) - 3 * (2 - t); };
  for (const std::vector<double>& time : {std::vector<double>{0, 1, 2}, {0, 0.3, 1, 1.4, 2}, {0, 0.5, 1, 1.5, 2}}) {
    const MotionPath path = path_of(time, x);
    for (const double t : {0.0, 0.1, 0.45, 0.9}) {
      const PathState state = state_at(path, t);
      EXPECT_NEAR(state.value[0], t * t * t - 3 * t, path_rounding) << t;
      EXPECT_NEAR(state.rate[0], 3 * t * t - 3, path_rounding) << t;
      EXPECT_NEAR(state.acceleration[0], 6 * t, 10 * path_rounding) << t;
      EXPECT_NEAR(state_at(path, 2 - t).value[0], t * t * t - 3 * t, path_rounding) << t;
      EXPECT_NEAR(state_at(path, 2 - t).rate[0], -(3 * t * t - 3), path_rounding) << t;
    }
    EXPECT_NEAR(path.max_rate(0), 3, path_rounding);
  }
}

TEST(MotionPath, ASplineConvergesToASineWithTheFourthOrder) {
  const auto error = [](int rows) {
    std::vector<double> time;
    for (int i = 0; i <= rows; ++i) time.push_back(4 * std::acos(-1.0) * i / rows);
    const MotionPath path = path_of(time, [](double t) { return std::sin(t); });
    double most = 0;
    for (double t = 0; t < 12; t += 0.01) most = std::max(most, std::abs(state_at(path, t).value[0] - std::sin(t)));
    return most;
  };
  EXPECT_NEAR(error(40) / error(80), 16, 2);
}

TEST(MotionPath, RatesAreContinuousAtRows) {
  const std::vector<double> time{0, 0.1, 0.5, 0.9, 2};
  for (const PathInterpolation interpolation : {PathInterpolation::cubic_spline, PathInterpolation::monotone}) {
    const MotionPath path = path_of(
        time, [](double t) { return std::cos(3 * t); }, interpolation);
    for (const double t : {0.1, 0.5, 0.9}) {
      const PathState before = state_at(path, std::nextafter(t, 0.0)), after = state_at(path, t);
      EXPECT_NEAR(before.value[0], after.value[0], path_rounding) << t;
      EXPECT_NEAR(before.rate[0], after.rate[0], 10 * path_rounding) << t;
      if (interpolation != PathInterpolation::cubic_spline) continue;
      EXPECT_NEAR(before.acceleration[0], after.acceleration[0], 1e-12) << t;
    }
  }
}

TEST(MotionPath, AMonotonePathHasNoValueOutsideItsRows) {
  const std::vector<double> time{0, 1, 2, 3, 4, 5};
  const Function step = [](double t) { return t < 2.5 ? 0.0 : 1.0; };
  const MotionPath monotone = path_of(time, step, PathInterpolation::monotone), spline = path_of(time, step);
  double least = 0, most = 0, overshoot = 0, before = 0;
  for (double t = 0; t <= 5; t += 0.01) {
    const double x = state_at(monotone, t).value[0];
    EXPECT_GE(x, before - path_rounding) << t;
    before = x;
    least = std::min(least, x), most = std::max(most, x);
    overshoot = std::max(overshoot, state_at(spline, t).value[0]);
  }
  EXPECT_GE(least, 0);
  EXPECT_LE(most, 1 + path_rounding);
  EXPECT_GT(overshoot, 1.05) << "a spline goes beyond the rows";
}

TEST(MotionPath, ABodyRestsBeforeAndAfterThePath) {
  const MotionPath path = path_of({1, 2, 4}, [](double t) { return t * t; });
  for (const double t : {-3.0, 0.9, 4.1, 1e9}) {
    EXPECT_EQ(state_at(path, t).value[0], t < 1 ? 1 : 16) << t;
    EXPECT_EQ(state_at(path, t).rate[0], 0) << t;
    EXPECT_EQ(state_at(path, t).acceleration[0], 0) << t;
  }
}

TEST(MotionPath, EvenAndUnevenRowsFindTheSameIntervals) {
  std::vector<double> time;
  for (int i = 0; i <= 1000; ++i) time.push_back(0.1 * i);
  const MotionPath even = path_of(time, [](double t) { return t; });
  time.push_back(1e6);  // bisection
  const MotionPath uneven = path_of(time, [](double t) { return t; });
  const Motion motions[] = {{.kind = MotionKind::file, .path = std::make_shared<const MotionPath>(even)},
                            {.kind = MotionKind::file, .path = std::make_shared<const MotionPath>(uneven)}};
  std::vector<PathKnot> table;
  const PathRange a = append_path(motions[0], table), b = append_path(motions[1], table);
  EXPECT_GT(a.inverse_spacing, 0);
  EXPECT_EQ(b.inverse_spacing, 0);
  for (int i = 0; i < 1000; ++i)
    for (const double t : {0.1 * i, 0.1 * i + 0.05, std::nextafter(0.1 * (i + 1), 0.0)}) {
      EXPECT_EQ(knot_before(table.data() + a.first, a, t), i) << t;
      EXPECT_EQ(knot_before(table.data() + b.first, b, t), i) << t;
    }
}

TEST(MotionPath, BadInput) {
  const double nan = std::nan("");
  const auto message = [](std::vector<double> time, std::vector<std::array<double, 3>> x, std::vector<double> angle) {
    return message_of([&] { MotionPath(time, x, angle); });
  };
  EXPECT_NE(message({1}, {}, {}).find("1 rows, expected two or more"), std::string::npos);
  EXPECT_NE(message({0, 1, 1}, {}, {}).find("row 2 of the path has the time 1 s after 1 s"), std::string::npos);
  EXPECT_NE(message({0, nan}, {}, {}).find("row 1"), std::string::npos);
  EXPECT_NE(message({nan, 0}, {}, {}).find("row 0"), std::string::npos);
  EXPECT_NE(message({0, 1}, {{0, 0, 0}}, {}).find("2 times, 1 displacements and 0 angles"), std::string::npos);
  EXPECT_NE(message({0, 1}, {}, {1, 2, 3}).find("3 angles"), std::string::npos);
  EXPECT_NE(message({0, 1}, {{0, 0, 0}, {0, nan, 0}}, {}).find("row 1"), std::string::npos);
  EXPECT_NE(message({0, 1}, {}, {0, HUGE_VAL}).find("row 1"), std::string::npos);
  EXPECT_NE(message_of([] { MotionPath(std::vector<PathKnot>{}); }).find("no rows"), std::string::npos);
}

}  // namespace
}  // namespace shoal::motion
