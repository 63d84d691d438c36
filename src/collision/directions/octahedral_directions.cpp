// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "collision/directions/direction_sets.hpp"
#include "collision/directions/least_squares.hpp"
#include "core/text.hpp"

namespace shoal::collision {

namespace {

using Point = std::array<double, 3>;

/// Numbers of orbits of a rule by kind: vertices (6 points), edges (12), corners (8); with unknown coordinates twins
/// (l, l, m) and planar (p, q, 0) with 24 points each, and general (r, u, w) with 48.
struct Rule {
  int degree;
  int vertices, edges, corners, twins, planar, general;

  int fixed() const { return vertices + edges + corners; }
  int orbits() const { return fixed() + twins + planar + general; }
};

/// Lebedev's rules with positive weights; degree 13 has none.
constexpr Rule rules[] = {
    {3, 1, 0, 0, 0, 0, 0},  {5, 1, 0, 1, 0, 0, 0},  {7, 1, 1, 1, 0, 0, 0},  {9, 1, 0, 1, 0, 1, 0},
    {11, 1, 1, 1, 1, 0, 0}, {15, 1, 0, 1, 2, 1, 0}, {17, 1, 0, 1, 3, 1, 0}, {19, 1, 1, 1, 3, 0, 1},
};

/// One point of each orbit.
/// @param unknowns  weights of the orbits, then angles
std::vector<Point> first_points(const Rule& rule, const std::vector<double>& unknowns) {
  std::vector<Point> points;
  if (rule.vertices) points.push_back({1, 0, 0});
  if (rule.edges) points.push_back({std::sqrt(0.5), std::sqrt(0.5), 0});
  if (rule.corners) points.push_back({std::sqrt(1 / 3.), std::sqrt(1 / 3.), std::sqrt(1 / 3.)});
  const double* angle = unknowns.data() + rule.orbits();
  for (int k = 0; k < rule.twins; ++k, ++angle) {
    const double twin = std::sin(*angle) * std::sqrt(0.5);
    points.push_back({twin, twin, std::cos(*angle)});
  }
  for (int k = 0; k < rule.planar; ++k, ++angle) points.push_back({std::cos(*angle), std::sin(*angle), 0});
  for (int k = 0; k < rule.general; ++k, angle += 2)
    points.push_back(
        {std::sin(angle[0]) * std::cos(angle[1]), std::sin(angle[0]) * std::sin(angle[1]), std::cos(angle[0])});
  return points;
}

/// Mean of x^a y^b z^c over the sphere for even exponents: Π (k - 1)!! / (a + b + c + 1)!!.
double mean_monomial(int a, int b, int c) {
  double mean = 1;
  int factor = 1;  // current factor 1, 3, 5, ... of the denominator
  for (const int power : {a, b, c})
    for (int k = 1; k < power; k += 2) mean *= static_cast<double>(k) / (factor += 2);
  return mean;
}

/// Mean of (x⁴ + y⁴ + z⁴)^m (xyz)^2n over the sphere, by the multinomial theorem.
double mean_invariant(int m, int n) {
  double mean = 0;
  const auto factorial = [](int k) { return std::tgamma(k + 1.0); };
  for (int a = 0; a <= m; ++a)
    for (int b = 0; a + b <= m; ++b)
      mean += factorial(m) / (factorial(a) * factorial(b) * factorial(m - a - b)) *
              mean_monomial(4 * a + 2 * n, 4 * b + 2 * n, 4 * (m - a - b) + 2 * n);
  return mean;
}

/// Relative errors of the sums of polynomials with the symmetry of the cube; the sums of all others are exact. The
/// polynomials x² + y² + z² = 1, x⁴ + y⁴ + z⁴ and x² y² z² generate them (Sobolev 1962).
std::vector<double> quadrature_errors(const Rule& rule, const std::vector<double>& unknowns) {
  const std::vector<Point> points = first_points(rule, unknowns);
  std::vector<double> errors;
  for (int m = 0; 4 * m < rule.degree; ++m)
    for (int n = 0; 4 * m + 6 * n < rule.degree; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < points.size(); ++k) {
        const double x = points[k][0] * points[k][0], y = points[k][1] * points[k][1], z = points[k][2] * points[k][2];
        sum += unknowns[k] * std::pow(x * x + y * y + z * z, m) * std::pow(x * y * z, n);
      }
      const double mean = mean_invariant(m, n);
      errors.push_back((sum - mean) / mean);
    }
  return errors;
}

/// Residuals and their derivatives by central differences.
void quadrature_residuals(const Rule& rule, const std::vector<double>& unknowns, std::vector<double>& residual,
                          std::vector<double>& jacobian) {
  residual = quadrature_errors(rule, unknowns);
  jacobian.assign(residual.size() * unknowns.size(), 0);
  constexpr double step = 1e-6;
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    std::vector<double> shifted = unknowns;
    shifted[u] = unknowns[u] + step;
    const std::vector<double> up = quadrature_errors(rule, shifted);
    shifted[u] = unknowns[u] - step;
    const std::vector<double> down = quadrature_errors(rule, shifted);
    for (std::size_t r = 0; r < residual.size(); ++r)
      jacobian[r * unknowns.size() + u] = (up[r] - down[r]) / (2 * step);
  }
}

/// Images of a point under the symmetries of the cube.
std::vector<Point> orbit(const Point& point) {
  std::array<int, 3> order = {0, 1, 2};
  std::vector<Point> points;
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Point image;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = point[static_cast<std::size_t>(order[axis])];
        image[axis] = (signs >> axis & 1) != 0 ? -x : x;
      }
      const auto same = [&](const Point& previous) {
        return std::hypot(previous[0] - image[0], previous[1] - image[1], previous[2] - image[2]) < 1e-9;
      };
      if (std::none_of(points.begin(), points.end(), same)) points.push_back(image);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return points;
}

/// All points of a rule; none if a weight is not positive or two orbits coincide.
Directions expanded(const Rule& rule, const std::vector<double>& unknowns) {
  constexpr std::size_t sizes[] = {6, 12, 8};
  const bool present[] = {rule.vertices > 0, rule.edges > 0, rule.corners > 0};
  std::vector<std::size_t> expected;
  for (int kind = 0; kind < 3; ++kind)
    if (present[kind]) expected.push_back(sizes[kind]);
  expected.insert(expected.end(), static_cast<std::size_t>(rule.twins + rule.planar), 24);
  expected.insert(expected.end(), static_cast<std::size_t>(rule.general), 48);

  Directions full{{}, {}, rule.degree};
  const std::vector<Point> points = first_points(rule, unknowns);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::vector<Point> images = orbit(points[k]);
    if (unknowns[k] <= 0 || images.size() != expected[k]) return {};
    for (const Point& image : images) {
      full.point.push_back(image);
      full.weight.push_back(unknowns[k] / static_cast<double>(images.size()));
    }
  }
  return full;
}

}  // namespace

Directions octahedral_directions(int degree) {
  const Rule& rule =
      *std::find_if(std::begin(rules), std::end(rules), [&](const Rule& r) { return r.degree >= degree; });
  const auto orbits = static_cast<std::size_t>(rule.orbits());
  const std::size_t angles = static_cast<std::size_t>(rule.twins + rule.planar + 2 * rule.general);
  StartingNumbers numbers;
  for (int attempt = 0; attempt < 2000; ++attempt) {
    std::vector<double> unknowns(orbits + angles, 1.0 / static_cast<double>(orbits));
    for (std::size_t k = 0; k < angles; ++k) unknowns[orbits + k] = std::numbers::pi / 2 * numbers.next();
    const double residual_size =
        solve_least_squares([&](const auto& point, auto& residual,
                                auto& jacobian) { quadrature_residuals(rule, point, residual, jacobian); },
                            unknowns, 200);
    if (residual_size > 1e-12) continue;
    const Directions full = expanded(rule, unknowns);
    if (full.count() > 0) return upper_half(full);
  }
  throw Error(text("collision: the search found no octahedral directions of degree ", degree, ". Use a design."));
}

}  // namespace shoal::collision
