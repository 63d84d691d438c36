// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "collision/distribution_backends.hpp"
#include "collision/least_squares.hpp"
#include "core/text.hpp"

namespace shoal::cpu {

namespace {

/// Σ over nodes of K terms, one row a task. term(node, v, sums) adds to sums[K].
template <int K, class Term>
std::array<double, K> sum_over_nodes(const Queue& queue, const VelocityGrid& grid, Term term) {
  const int n = grid.nodes;
  std::vector<std::array<double, K>> of_row(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
#pragma omp parallel for num_threads(queue.threads())
  for (int row = 0; row < n * n; ++row) {
    std::array<double, K> sums = {};
    for (int x = 0; x < n; ++x) {
      const double v[3] = {grid.at(0, x), grid.at(1, row % n), grid.at(2, row / n)};
      term(static_cast<std::int64_t>(row) * n + x, v, sums);
    }
    of_row[static_cast<std::size_t>(row)] = sums;
  }
  std::array<double, K> total = {};
  for (const auto& sums : of_row)
    for (std::size_t k = 0; k < K; ++k) total[k] += sums[k];
  const double volume = grid.spacing() * grid.spacing() * grid.spacing();
  for (double& sum : total) sum *= volume;
  return total;
}

/// (1, v, v²).
std::array<double, 5> invariants(const double* v) {
  return {1, v[0], v[1], v[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]};
}

}  // namespace

template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, std::int64_t first, Real* to,
                       std::int64_t count, Status* status) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) {
    const Real value = f.data[(first + i) * f.stride];
    if (!std::isfinite(value))
      record(status, first + i, CollisionFault::not_finite);
    else if (value < 0 && !accept_negative)
      record(status, first + i, CollisionFault::negative);
    to[i] = value;
  }
}

template <class Real>
VelocityMoments moments_of(const Queue& queue, const VelocityGrid& grid, const Real* f) {
  const auto low = sum_over_nodes<4>(queue, grid, [&](std::int64_t i, const double* v, auto& sums) {
    const double here = f[i];
    sums[0] += here;
    for (std::size_t axis = 0; axis < 3; ++axis) sums[axis + 1] += here * v[axis];
  });
  VelocityMoments moments;
  moments.density = low[0];
  for (std::size_t axis = 0; axis < 3; ++axis) moments.velocity[axis] = low[axis + 1] / low[0];
  const auto high = sum_over_nodes<9>(queue, grid, [&](std::int64_t i, const double* v, auto& sums) {
    const double here = f[i];
    double c[3];
    for (std::size_t axis = 0; axis < 3; ++axis) c[axis] = v[axis] - moments.velocity[axis];
    const double c2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      sums[axis] += here * c[axis] * c[axis];
      sums[axis + 6] += here * c[axis] * c2 / 2;
    }
    sums[3] += here * c[0] * c[1];
    sums[4] += here * c[0] * c[2];
    sums[5] += here * c[1] * c[2];
  });
  std::copy_n(high.begin(), 6, moments.stress.begin());
  std::copy_n(high.begin() + 6, 3, moments.heat_flux.begin());
  moments.temperature = (high[0] + high[1] + high[2]) / (3 * moments.density);
  return moments;
}

template <class Real>
double entropy_of(const Queue& queue, const VelocityGrid& grid, const Real* f, const Real* weight) {
  return sum_over_nodes<1>(queue, grid, [&](std::int64_t i, const double*, auto& sums) {
    const double here = f[i];
    if (here != 0) sums[0] -= (weight != nullptr ? static_cast<double>(weight[i]) : here) * std::log(here);
  })[0];
}

template <class Real>
CollisionDefects defects_of(const Queue& queue, const VelocityGrid& grid, const Real* q) {
  const auto sums = sum_over_nodes<8>(queue, grid, [&](std::int64_t i, const double* v, auto& sum) {
    const double here = q[i];
    const auto phi = invariants(v);
    for (std::size_t k = 0; k < 5; ++k) sum[k] += here * phi[k];
    sum[5] += std::abs(here);
    sum[6] += std::abs(here) * std::sqrt(phi[4]);
    sum[7] += std::abs(here) * phi[4];
  });
  return {sums[0], {sums[1], sums[2], sums[3]}, sums[4], sums[5], sums[6], sums[7]};
}

template <class Real>
double edge_share(const VelocityGrid& grid, const Real* f) {
  const int n = grid.nodes;
  double edge = 0, all = 0;
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const double here = *f++;
        const bool outer = std::min({x, y, z}) == 0 || std::max({x, y, z}) == n - 1;
        all += here;
        if (outer) edge += here;
      }
  return edge / all;
}

template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const VelocityMoments& moments, Real* f) {
  const int n = grid.nodes;
  const double t = moments.temperature;
  const double peak = moments.density / std::pow(2 * std::numbers::pi * t, 1.5);
#pragma omp parallel for num_threads(queue.threads())
  for (int row = 0; row < n * n; ++row)
    for (int x = 0; x < n; ++x) {
      const double c[3] = {grid.at(0, x) - moments.velocity[0], grid.at(1, row % n) - moments.velocity[1],
                           grid.at(2, row / n) - moments.velocity[2]};
      f[static_cast<std::int64_t>(row) * n + x] =
          static_cast<Real>(peak * std::exp(-(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) / (2 * t)));
    }
}

template <class Real>
void collision_frequency(const Queue& queue, const CollisionSetup& setup, const Real* f, Real* frequency) {
  const int n = setup.n();
  const std::int64_t nodes = setup.grid.node_count();
  if (setup.kernel.power == 0) {
    const double density = sum_over_nodes<1>(
        queue, setup.grid, [&](std::int64_t i, const double*, auto& sums) { sums[0] += static_cast<double>(f[i]); })[0];
    std::fill_n(frequency, nodes, static_cast<Real>(setup.kernel.total(0) * density));
    return;
  }
  // |V| σ_T by the square of the distance in spacings.
  std::vector<double> rate(static_cast<std::size_t>(3 * (n - 1) * (n - 1) + 1));
  for (std::size_t s = 0; s < rate.size(); ++s)
    rate[s] = setup.kernel.total(setup.spacing() * std::sqrt(static_cast<double>(s)));
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
  for (int row = 0; row < n * n; ++row)
    for (int x = 0; x < n; ++x) {
      double sum = 0;
      for (int other = 0; other < n * n; ++other) {
        const int dy = row % n - other % n, dz = row / n - other / n;
        for (int x1 = 0; x1 < n; ++x1)
          sum += rate[static_cast<std::size_t>((x - x1) * (x - x1) + dy * dy + dz * dz)] *
                 static_cast<double>(f[static_cast<std::int64_t>(other) * n + x1]);
      }
      frequency[static_cast<std::int64_t>(row) * n + x] = static_cast<Real>(sum * setup.volume());
    }
}

template <class Real>
void project(const Queue& queue, const VelocityGrid& grid, const Real* weight, Real* q) {
  // In units of the box, so that the five by five system is well scaled.
  const auto scaled = [&](const double* v) {
    double w[3];
    for (std::size_t axis = 0; axis < 3; ++axis) w[axis] = (v[axis] - grid.centre[axis]) / grid.half_width;
    return invariants(w);
  };
  const auto sums = sum_over_nodes<30>(queue, grid, [&](std::int64_t i, const double* v, auto& sum) {
    const auto phi = scaled(v);
    const double w = weight != nullptr ? static_cast<double>(weight[i]) : 1;
    for (std::size_t a = 0; a < 5; ++a) {
      for (std::size_t b = 0; b < 5; ++b) sum[a * 5 + b] += w * phi[a] * phi[b];
      sum[25 + a] -= static_cast<double>(q[i]) * phi[a];
    }
  });
  std::vector<double> matrix(sums.begin(), sums.begin() + 25), change(sums.begin() + 25, sums.end());
  if (!solve_positive_definite(matrix, change)) return;  // no gas: q is zero
  const int n = grid.nodes;
#pragma omp parallel for num_threads(queue.threads())
  for (int row = 0; row < n * n; ++row)
    for (int x = 0; x < n; ++x) {
      const double v[3] = {grid.at(0, x), grid.at(1, row % n), grid.at(2, row / n)};
      const auto phi = scaled(v);
      const std::int64_t i = static_cast<std::int64_t>(row) * n + x;
      double add = 0;
      for (std::size_t k = 0; k < 5; ++k) add += change[k] * phi[k];
      q[i] += static_cast<Real>((weight != nullptr ? static_cast<double>(weight[i]) : 1) * add);
    }
}

#define SHOAL_INSTANTIATE(Real)                                                                                      \
  template void take_distribution(const Queue&, View<const Real>, bool, std::int64_t, Real*, std::int64_t, Status*); \
  template VelocityMoments moments_of(const Queue&, const VelocityGrid&, const Real*);                               \
  template double entropy_of(const Queue&, const VelocityGrid&, const Real*, const Real*);                           \
  template CollisionDefects defects_of(const Queue&, const VelocityGrid&, const Real*);                              \
  template double edge_share(const VelocityGrid&, const Real*);                                                      \
  template void maxwellian(const Queue&, const VelocityGrid&, const VelocityMoments&, Real*);                        \
  template void collision_frequency(const Queue&, const CollisionSetup&, const Real*, Real*);                        \
  template void project(const Queue&, const VelocityGrid&, const Real*, Real*);
SHOAL_INSTANTIATE(float)
SHOAL_INSTANTIATE(double)
#undef SHOAL_INSTANTIATE

}  // namespace shoal::cpu
