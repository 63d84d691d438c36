// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>

#include "collision/directions/direction_sets.hpp"
#include "collision/directions/least_squares.hpp"
#include "core/text.hpp"

namespace shoal::collision {

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

/// Two orthonormal tangents of the sphere at a point.
std::array<Point, 2> tangents(const Point& n) {
  const Point pole = std::abs(n[2]) < 0.9 ? Point{0, 0, 1} : Point{1, 0, 0};
  const Point first = unit(cross(n, pole));
  return {first, cross(n, first)};
}

/// Evenly spread points of the half sphere, on a spiral.
std::vector<Point> spiral(int count) {
  std::vector<Point> points;
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (k + 0.5) / count;
    const double azimuth = k * std::numbers::pi * (3 - std::sqrt(5.0));
    const double rho = std::sqrt(1 - z * z);
    points.push_back({rho * std::cos(azimuth), rho * std::sin(azimuth), z});
  }
  return points;
}

struct ValueAndDerivative {
  double value = 0;
  double derivative = 0;
};

/// Zonal polynomial Σ P_l(t) over even l from 2 to `degree`, and its derivative. It is orthogonal to constants. Its sum
/// over a set of points is zero for every pole if and only if the set is a design.
ValueAndDerivative zonal(double t, int degree) {
  ValueAndDerivative sum;
  double previous = 1, legendre = t, previous_derivative = 0, derivative = 1;  // P_l−1, P_l and their derivatives
  for (int l = 2; l <= degree; ++l) {
    const double next = ((2 * l - 1) * t * legendre - (l - 1) * previous) / l;
    const double next_derivative = previous_derivative + (2 * l - 1) * legendre;
    previous = legendre;
    legendre = next;
    previous_derivative = derivative;
    derivative = next_derivative;
    if (l % 2 == 0) {
      sum.value += legendre;
      sum.derivative += derivative;
    }
  }
  return sum;
}

/// Points after displacements along their tangents, not normalized.
/// @param offsets  [2 × points] displacements along the two tangents of each point
std::vector<Point> displaced(const std::vector<Point>& points, const std::vector<double>& offsets) {
  std::vector<Point> result = points;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto tangent = tangents(points[k]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      result[k][axis] += offsets[2 * k] * tangent[0][axis] + offsets[2 * k + 1] * tangent[1][axis];
  }
  return result;
}

std::vector<Point> normalized(std::vector<Point> points) {
  for (Point& point : points) point = unit(point);
  return points;
}

/// Moves the points until they and their opposites are a design of this degree.
/// @return the largest remaining sum
double make_design(std::vector<Point>& points, int degree) {
  const int harmonics = degree * (degree + 1) / 2 - 1;  // even harmonics up to degree - 1, without the constant
  const std::vector<Point> poles = spiral(2 * harmonics);
  const double share = 1.0 / static_cast<double>(points.size());
  const Residuals sums = [&](const std::vector<double>& offsets, std::vector<double>& residual,
                             std::vector<double>& jacobian) {
    residual.assign(poles.size(), 0);
    jacobian.assign(poles.size() * offsets.size(), 0);
    const std::vector<Point> unnormalized = displaced(points, offsets), current = normalized(unnormalized);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const auto tangent = tangents(points[k]);
      const double length = std::sqrt(dot(unnormalized[k], unnormalized[k]));
      for (std::size_t r = 0; r < poles.size(); ++r) {
        const double t = dot(poles[r], current[k]);
        const ValueAndDerivative term = zonal(t, degree - 1);
        residual[r] += share * term.value;
        for (std::size_t side = 0; side < 2; ++side)
          jacobian[r * offsets.size() + 2 * k + side] =
              share * term.derivative * (dot(poles[r], tangent[side]) - t * dot(current[k], tangent[side])) / length;
      }
    }
  };
  std::vector<double> offsets(2 * points.size());
  const double residual = solve_least_squares(sums, offsets, 400);
  points = normalized(displaced(points, offsets));
  return residual;
}

/// Half the vertices of the regular solids: designs with fewer points than a count of unknowns suggests.
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
  const int count = (harmonics + 5) / 2;  // as many unknowns as equations, and three for rotations of the whole set
  StartingNumbers numbers;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::vector<Point> points = spiral(count);
    for (Point& point : points) {
      for (double& x : point) x += attempt * 0.02 * (numbers.next() - 0.5);
      point = unit(point);
    }
    if (make_design(points, degree) < 1e-14) return points;
  }
  throw Error(text("collision: the search found no design of degree ", degree, ". Use octahedral directions."));
}

}  // namespace

Directions design_directions(int degree) {
  const int odd = degree % 2 == 0 ? degree + 1 : degree;
  Directions half{half_design(odd), {}, odd};
  half.weight.assign(half.point.size(), 4 * std::numbers::pi / static_cast<double>(half.point.size()));
  return half;
}

}  // namespace shoal::collision
