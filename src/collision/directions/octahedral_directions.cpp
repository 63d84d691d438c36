// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "collision/directions/direction_sets.hpp"
#include "collision/directions/least_squares.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

using Point = std::array<double, 3>;

/// How many orbits of each kind a rule has: vertices (6 points), edges (12), corners (8), and with unknown places
/// (l, l, m) and (p, q, 0) with 24 points each and (r, u, w) with 48.
struct Rule {
  int degree;
  int vertices, edges, corners, twins, planar, general;

  int fixed() const { return vertices + edges + corners; }
  int orbits() const { return fixed() + twins + planar + general; }
};

/// Lebedev's choices with positive weights; there is none of degree 13.
constexpr Rule rules[] = {
    {3, 1, 0, 0, 0, 0, 0},  {5, 1, 0, 1, 0, 0, 0},  {7, 1, 1, 1, 0, 0, 0},  {9, 1, 0, 1, 0, 1, 0},
    {11, 1, 1, 1, 1, 0, 0}, {15, 1, 0, 1, 2, 1, 0}, {17, 1, 0, 1, 3, 1, 0}, {19, 1, 1, 1, 3, 0, 1},
};

/// One point of each orbit. Unknowns are the weights of the orbits, then angles.
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

/// Mean over the sphere of x^a y^b z^c, all even: Π (k - 1)!! / (a + b + c + 1)!!.
double mean_monomial(int a, int b, int c) {
  double mean = 1;
  int factor = 1;  // of the denominator's 1, 3, 5, ...
  for (const int power : {a, b, c})
    for (int k = 1; k < power; k += 2) mean *= static_cast<double>(k) / (factor += 2);
  return mean;
}

/// Mean over the sphere of (x⁴ + y⁴ + z⁴)^m (xyz)^2n: the multinomial theorem.
double mean_invariant(int m, int n) {
  double mean = 0;
  const auto factorial = [](int k) { return std::tgamma(k + 1.0); };
  for (int a = 0; a <= m; ++a)
    for (int b = 0; a + b <= m; ++b)
      mean += factorial(m) / (factorial(a) * factorial(b) * factorial(m - a - b)) *
              mean_monomial(4 * a + 2 * n, 4 * b + 2 * n, 4 * (m - a - b) + 2 * n);
  return mean;
}

/// What is wrong with the sums of polynomials that have the cube's symmetry; the others are exact by symmetry. All of
/// them are made of x² + y² + z² = 1, x⁴ + y⁴ + z⁴ and x² y² z² (Sobolev 1962).
std::vector<double> errors_of(const Rule& rule, const std::vector<double>& unknowns) {
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

void residuals_of(const Rule& rule, const std::vector<double>& unknowns, std::vector<double>& residual,
                  std::vector<double>& jacobian) {
  residual = errors_of(rule, unknowns);
  jacobian.assign(residual.size() * unknowns.size(), 0);
  constexpr double step = 1e-6;
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    std::vector<double> near = unknowns;
    near[u] = unknowns[u] + step;
    const std::vector<double> up = errors_of(rule, near);
    near[u] = unknowns[u] - step;
    const std::vector<double> down = errors_of(rule, near);
    for (std::size_t r = 0; r < residual.size(); ++r)
      jacobian[r * unknowns.size() + u] = (up[r] - down[r]) / (2 * step);
  }
}

/// All points that the symmetries of the cube make of one.
std::vector<Point> orbit(const Point& of) {
  std::array<int, 3> order = {0, 1, 2};
  std::vector<Point> points;
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Point image;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double x = of[static_cast<std::size_t>(order[axis])];
        image[axis] = (signs >> axis & 1) != 0 ? -x : x;
      }
      const auto same = [&](const Point& other) {
        return std::hypot(other[0] - image[0], other[1] - image[1], other[2] - image[2]) < 1e-9;
      };
      if (std::none_of(points.begin(), points.end(), same)) points.push_back(image);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return points;
}

/// All points of a rule; none if a weight is not positive or two orbits have met.
Directions expanded(const Rule& rule, const std::vector<double>& unknowns) {
  constexpr std::size_t sizes[] = {6, 12, 8};
  const bool present[] = {rule.vertices > 0, rule.edges > 0, rule.corners > 0};
  std::vector<std::size_t> expected;
  for (int kind = 0; kind < 3; ++kind)
    if (present[kind]) expected.push_back(sizes[kind]);
  expected.insert(expected.end(), static_cast<std::size_t>(rule.twins + rule.planar), 24);
  expected.insert(expected.end(), static_cast<std::size_t>(rule.general), 48);

  Directions all{{}, {}, rule.degree};
  const std::vector<Point> points = first_points(rule, unknowns);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::vector<Point> images = orbit(points[k]);
    if (unknowns[k] <= 0 || images.size() != expected[k]) return {};
    for (const Point& image : images) {
      all.at.push_back(image);
      all.weight.push_back(unknowns[k] / static_cast<double>(images.size()));
    }
  }
  return all;
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
    const double left = solve_least_squares(
        [&](const auto& at, auto& residual, auto& jacobian) { residuals_of(rule, at, residual, jacobian); }, unknowns,
        200);
    if (left > 1e-12) continue;
    Directions all = expanded(rule, unknowns);
    if (all.count() == 0) continue;
    keep_upper_half(all);
    return all;
  }
  throw Error(text("collision: no octahedral directions of degree ", degree, " were found. Use a design."));
}

}  // namespace shoal
