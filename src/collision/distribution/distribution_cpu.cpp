// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "collision/distribution/distribution_backend.hpp"

namespace shoal::cpu {

namespace {

/// Calls work(i, cell, v) for each node, rows shared by the threads.
template <class Work>
void for_each_node(const Queue& queue, const VelocityGrid& grid, std::int64_t cells, Work work) {
  const NodeVelocities nodes(grid);
  const int n = nodes.n;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t row = 0; row < cells * n * n; ++row)
    for (int x = 0; x < n; ++x) {
      const double v[3] = {nodes.at(0, x), nodes.at(1, static_cast<int>(row % n)),
                           nodes.at(2, static_cast<int>(row / n % n))};
      work(row * n + x, row / (static_cast<std::int64_t>(n) * n), v);
    }
}

}  // namespace

template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, Real* to, Status* status) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < f.count; ++i) to[i] = checked_node(f, i, accept_negative, status);
}

template <class Real>
void put_distribution(const Queue& queue, const Real* from, View<Real> to) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < to.count; ++i) to.data[i * to.stride] = from[i];
}

template <class Terms>
double* sums_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                std::int64_t cells) {
  const NodeVelocities nodes(grid);
  const int n = nodes.n;
  constexpr int count = Terms::count;
  double* of_row = frame.array<double>(cells * n * n * count).data;
  double* total = frame.array<double>(cells * count).data;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t row = 0; row < cells * n * n; ++row) {
    double* sums = of_row + row * count;
    std::fill_n(sums, count, 0.0);
    for (int x = 0; x < n; ++x) {
      const double v[3] = {nodes.at(0, x), nodes.at(1, static_cast<int>(row % n)),
                           nodes.at(2, static_cast<int>(row / n % n))};
      terms.add(row * n + x, row / (static_cast<std::int64_t>(n) * n), v, sums);
    }
  }
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int k = 0; k < count; ++k) {
      double sum = 0;
      for (std::int64_t row = 0; row < n * n; ++row) sum += of_row[(cell * n * n + row) * count + k];
      total[cell * count + k] = sum * nodes.volume();
    }
  return total;
}

template <class Real>
GasState* gas_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f, std::int64_t cells) {
  const double* low = sums_of(frame, queue, grid, LowMoments<Real>{f}, cells);
  const double* high = sums_of(frame, queue, grid, HighMoments<Real>{f, low}, cells);
  GasState* gas = frame.array<GasState>(cells).data;
  for (std::int64_t cell = 0; cell < cells; ++cell) gas[cell] = GasState::of(low + 4 * cell, high + 9 * cell);
  return gas;
}

template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* to) {
  for_each_node(queue, grid, cells, [&](std::int64_t i, std::int64_t cell, const double* v) {
    to[i] = static_cast<Real>(gas[cell].at(v));
  });
}

template <class Real>
void subtract(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) a[i] -= b[i];
}

template <class Real>
void multiply(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) a[i] *= b[i];
}

template <class Real>
void keep_support(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i)
    if (!support.has(i)) values[i] = 0;
}

template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const ProjectionTerms<Real> terms{NodeVelocities(grid), support, q, weight};
  double* systems = sums_of(frame, queue, grid, terms, cells);
  for (std::int64_t cell = 0; cell < cells; ++cell) terms.solve(systems + cell * terms.count);
  for_each_node(queue, grid, cells, [&](std::int64_t i, std::int64_t cell, const double* v) {
    q[i] += static_cast<Real>(terms.change(i, v, systems + cell * terms.count));
  });
}

#define SHOAL_INSTANTIATE(Real)        \
  SHOAL_INSTANTIATE_DISTRIBUTION(Real) \
  SHOAL_INSTANTIATE_SUMS(EvenTerms<Real>)
SHOAL_INSTANTIATE(float)
SHOAL_INSTANTIATE(double)
#undef SHOAL_INSTANTIATE

}  // namespace shoal::cpu
