// SPDX-License-Identifier: Apache-2.0
#include "collision/directions/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "collision/distribution/positive_definite_item.hpp"

namespace shoal::collision {

namespace {

double square_sum(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

/// Solution of (Jᵀ J + damping) step = -Jᵀ residual.
std::vector<double> damped_step(const std::vector<double>& residual, const std::vector<double>& jacobian, std::size_t n,
                                double damping) {
  std::vector<double> normal(n * n), step(n);
  for (std::size_t r = 0; r < residual.size(); ++r) {
    const double* row = jacobian.data() + r * n;
    for (std::size_t i = 0; i < n; ++i) {
      step[i] -= row[i] * residual[r];
      for (std::size_t j = 0; j <= i; ++j) normal[i * n + j] += row[i] * row[j];
    }
  }
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += normal[i * n + i];
  for (std::size_t i = 0; i < n; ++i) normal[i * n + i] += damping * trace / static_cast<double>(n);
  if (!solve_positive_definite(normal.data(), step.data(), static_cast<int>(n))) step.assign(n, 0);
  return step;
}

}  // namespace

double solve_least_squares(const Residuals& residuals, std::vector<double>& unknowns, int max_steps) {
  std::vector<double> residual, jacobian;
  residuals(unknowns, residual, jacobian);
  double damping = 1e-2;
  for (int trial = 0; trial < max_steps && largest(residual) > 1e-15; ++trial) {
    std::vector<double> next = damped_step(residual, jacobian, unknowns.size(), damping);
    for (std::size_t i = 0; i < next.size(); ++i) next[i] += unknowns[i];
    std::vector<double> next_residual, next_jacobian;
    residuals(next, next_residual, next_jacobian);
    const bool better = square_sum(next_residual) < square_sum(residual);
    damping = better ? std::max(damping / 5, 1e-15) : damping * 4;
    if (damping > 1e6) break;
    if (!better) continue;
    unknowns.swap(next);
    residual.swap(next_residual);
    jacobian.swap(next_jacobian);
  }
  return largest(residual);
}

}  // namespace shoal::collision
