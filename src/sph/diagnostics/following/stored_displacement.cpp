// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/following/stored_displacement.hpp"

#include <cmath>

#include "core/text.hpp"
#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/setup/parts/case_parts.hpp"
#include "sph/setup/parts/part_ids.hpp"

namespace shoal::sph {

namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

/// Adds the product of the rotation in the plane of axes p and q that makes a[p][q] zero: a becomes Jᵀ a J, and v becomes
/// v J.
void rotate(std::size_t p, std::size_t q, Matrix4& a, Matrix4& v) {
  if (a[p][q] == 0) return;
  const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const double t = std::copysign(1, theta) / (std::abs(theta) + std::hypot(theta, 1));
  const double c = 1 / std::hypot(t, 1), s = t * c;
  const auto mix = [c, s](double& one, double& next) {
    const double before = one;
    one = c * before - s * next;
    next = s * before + c * next;
  };
  for (std::size_t k = 0; k < 4; ++k) mix(a[k][p], a[k][q]);
  for (std::size_t k = 0; k < 4; ++k) mix(a[p][k], a[q][k]);
  for (std::size_t k = 0; k < 4; ++k) mix(v[k][p], v[k][q]);
}

/// Eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations.
Quaternion largest_eigenvector(Matrix4 a) {
  Matrix4 v{};
  for (std::size_t k = 0; k < 4; ++k) v[k][k] = 1;
  constexpr int sweeps = 12;  // convergence is quadratic: six reach the rounding of doubles
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = p + 1; q < 4; ++q) rotate(p, q, a, v);
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if (a[k][k] > a[largest][largest]) largest = k;
  return {{v[0][largest], v[1][largest], v[2][largest], v[3][largest]}};
}

Vector mean_of(const std::vector<Vector>& points) {
  Vector mean{};
  for (const Vector& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis) mean[axis] += point[axis] / static_cast<double>(points.size());
  return mean;
}

/// Moves points whose periodic images lie together next to the first one.
void join_images(const Vector& period, std::vector<Vector>& points) {
  for (Vector& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (period[axis] > 0)
        point[axis] -= period[axis] * std::round((point[axis] - points.front()[axis]) / period[axis]);
}

}  // namespace

RigidTransform fitted_displacement(const std::vector<Vector>& before, const std::vector<Vector>& after,
                                   int dimensions) {
  const Vector from = mean_of(before), to = mean_of(after);
  std::array<std::array<double, 3>, 3> s{};  // Σ a bᵀ about the means
  for (std::size_t k = 0; k < before.size(); ++k)
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t column = 0; column < 3; ++column)
        s[row][column] += (before[k][row] - from[row]) * (after[k][column] - to[column]);
  Matrix4 horn{{{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}}};
  if (dimensions < 3)  // no rotation about x or y
    for (std::size_t k = 0; k < 4; ++k) horn[k][1] = horn[k][2] = horn[1][k] = horn[2][k] = 0;
  const Matrix3 rotation = rotation_matrix(largest_eigenvector(horn));
  RigidTransform displacement;
  for (std::size_t row = 0; row < 3; ++row) {
    displacement.translation[row] = to[row];
    for (std::size_t column = 0; column < 3; ++column) {
      const double component = rotation[static_cast<int>(row)][static_cast<int>(column)];
      displacement.rotation[3 * row + column] = component;
      displacement.translation[row] -= component * from[column];
    }
  }
  return displacement;
}

RigidTransform stored_displacement(const Queue& queue, const Case& simulation, const Fields& fields, std::size_t wall,
                                   const Vector& period) {
  const CaseParts parts = parts_of(simulation, queue);
  const IdRange ids = PartIds(parts).of_wall(wall);
  std::vector<Vector> drawn, before, after;
  for (std::int64_t plane = 0; plane < parts.walls[wall].planes(); ++plane)
    parts.walls[wall].for_each(plane, [&](const Vector& point) { drawn.push_back(point); });
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.id[i] < ids.first || fields.id[i] >= ids.end) continue;
    before.push_back(drawn[static_cast<std::size_t>(fields.id[i] - ids.first)]);
    after.push_back({fields.position[3 * i], fields.position[3 * i + 1], fields.position[3 * i + 2]});
  }
  require(after.size() > 1, "sph: the fields have ", after.size(), " particles of the wall \"",
          simulation.walls[wall].name, "\" in the domain, expected two or more to find where it is.");
  join_images(period, after);
  return fitted_displacement(before, after, simulation.dimensions);
}

}  // namespace shoal::sph
