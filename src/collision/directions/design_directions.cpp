// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>

#include "collision/directions/direction_sets.hpp"
#include "collision/directions/least_squares.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

using Point = std::array<double, 3>;

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point unit(const Point& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Two directions along which a point of the sphere may move.
std::array<Point, 2> tangents(const Point& n) {
  const Point away = std::abs(n[2]) < 0.9 ? Point{0, 0, 1} : Point{1, 0, 0};
  const Point first = unit(cross(n, away));
  return {first, cross(n, first)};
}

/// Points on the half sphere that are spread evenly, on a spiral.
std::vector<Point> spiral(int count) {
  std::vector<Point> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (k + 0.5) / count;
    const double turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
    const double rho = std::sqrt(1 - z * z);
    points.push_back({rho * std::cos(turn), rho * std::sin(turn), z});
  }
  return points;
}

struct ValueAndSlope {
  double value = 0;
  double slope = 0;
};

/// Σ over even l from 2 to `degree` of P_l(t), and its derivative. It is orthogonal to constants, and its sum over a
/// set of points is zero for every pole if and only if the set is a design.
ValueAndSlope zonal(double t, int degree) {
  ValueAndSlope sum;
  double below = 1, here = t, slope_below = 0, slope = 1;
  for (int l = 2; l <= degree; ++l) {
    const double above = ((2 * l - 1) * t * here - (l - 1) * below) / l;
    const double slope_above = slope_below + (2 * l - 1) * here;
    below = here;
    here = above;
    slope_below = slope;
    slope = slope_above;
    if (l % 2 == 0) {
      sum.value += here;
      sum.slope += slope;
    }
  }
  return sum;
}

/// The points after each has moved along its tangents.
std::vector<Point> moved(const std::vector<Point>& start, const std::vector<double>& along) {
  std::vector<Point> points;
  for (std::size_t k = 0; k < start.size(); ++k) {
    const auto tangent = tangents(start[k]);
    Point to = start[k];
    for (std::size_t axis = 0; axis < 3; ++axis)
      to[axis] += along[2 * k] * tangent[0][axis] + along[2 * k + 1] * tangent[1][axis];
    points.push_back(unit(to));
  }
  return points;
}

/// Moves the points until they and their opposites are a design of this degree; what is left of the sums.
double make_design(std::vector<Point>& points, int degree) {
  const int harmonics = degree * (degree + 1) / 2 - 1;  // even ones up to degree - 1, without the constant
  const std::vector<Point> poles = spiral(2 * harmonics);
  const double share = 1.0 / static_cast<double>(points.size());
  const Residuals sums = [&](const std::vector<double>& along, std::vector<double>& residual,
                             std::vector<double>& jacobian) {
    residual.assign(poles.size(), 0);
    jacobian.assign(poles.size() * along.size(), 0);
    const std::vector<Point> at = moved(points, along);
    for (std::size_t r = 0; r < poles.size(); ++r)
      for (std::size_t k = 0; k < at.size(); ++k) {
        const auto tangent = tangents(points[k]);
        const double t = dot(poles[r], at[k]);
        const ValueAndSlope here = zonal(t, degree - 1);
        residual[r] += share * here.value;
        Point from = points[k];
        for (std::size_t axis = 0; axis < 3; ++axis)
          from[axis] += along[2 * k] * tangent[0][axis] + along[2 * k + 1] * tangent[1][axis];
        const double length = std::sqrt(dot(from, from));
        for (std::size_t side = 0; side < 2; ++side)
          jacobian[r * along.size() + 2 * k + side] =
              share * here.slope * (dot(poles[r], tangent[side]) - t * dot(at[k], tangent[side])) / length;
      }
  };
  std::vector<double> along(2 * points.size());
  const double left = solve_least_squares(sums, along, 400);
  points = moved(points, along);
  return left;
}

/// Half the vertices of the regular solids that are designs with fewer points than counting unknowns gives.
std::vector<Point> half_solid(int degree) {
  if (degree <= 1) return {{0, 0, 1}};
  if (degree <= 3) return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double golden = std::numbers::phi;
  std::vector<Point> points;
  for (const double sign : {1.0, -1.0}) {
    points.push_back(unit({0, sign, golden}));
    points.push_back(unit({golden, 0, sign}));
    points.push_back(unit({sign, golden, 0}));
  }
  return points;
}

std::vector<Point> half_design(int degree) {
  if (degree <= 5) return half_solid(degree);
  const int harmonics = degree * (degree + 1) / 2 - 1;
  const int count = (harmonics + 5) / 2;  // as many unknowns as equations, and three that rotate the whole
  StartingNumbers numbers;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::vector<Point> points = spiral(count);
    for (Point& point : points) {
      for (double& x : point) x += attempt * 0.02 * (numbers.next() - 0.5);
      point = unit(point);
    }
    if (make_design(points, degree) < 1e-14) return points;
  }
  throw Error(text("collision: no design of degree ", degree, " was found. Use octahedral directions."));
}

}  // namespace

Directions design_directions(int degree) {
  const int odd = degree % 2 == 0 ? degree + 1 : degree;
  Directions half{half_design(odd), {}, odd};
  half.weight.assign(half.at.size(), 4 * std::numbers::pi / static_cast<double>(half.at.size()));
  return half;
}

}  // namespace shoal
