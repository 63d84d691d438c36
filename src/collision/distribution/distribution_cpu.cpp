// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "collision/distribution/distribution_backend.hpp"

namespace shoal::collision {

namespace {

/// Calls visit(i, cell, v) for each node; the threads share the rows of nodes.
template <class Visit>
void for_each_node(const Queue& queue, const VelocityGrid& grid, std::int64_t cells, Visit visit) {
  const NodeVelocities nodes(grid);
  const int n = nodes.n;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t row = 0; row < cells * n * n; ++row)
    for (int x = 0; x < n; ++x) {
      const double v[3] = {nodes.velocity(0, x), nodes.velocity(1, static_cast<int>(row % n)),
                           nodes.velocity(2, static_cast<int>(row / n % n))};
      visit(row * n + x, row / (static_cast<std::int64_t>(n) * n), v);
    }
}

template <class Real>
void load(const Queue& queue, View<const Real> f, bool accept_negative, Real* values, Status* status) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < f.count; ++i) values[i] = checked_node(f, i, accept_negative, status);
}

template <class Real>
void store(const Queue& queue, const Real* values, View<Real> view) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < view.count; ++i) view.data[i * view.stride] = values[i];
}

template <class Terms>
double* cell_sums(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                  std::int64_t cells) {
  const NodeVelocities nodes(grid);
  const int n = nodes.n;
  constexpr int count = Terms::count;
  double* row_sums = frame.array<double>(cells * n * n * count).data;
  double* total = frame.array<double>(cells * count).data;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t row = 0; row < cells * n * n; ++row) {
    double* sums = row_sums + row * count;
    std::fill_n(sums, count, 0.0);
    for (int x = 0; x < n; ++x) {
      const double v[3] = {nodes.velocity(0, x), nodes.velocity(1, static_cast<int>(row % n)),
                           nodes.velocity(2, static_cast<int>(row / n % n))};
      terms.add(row * n + x, row / (static_cast<std::int64_t>(n) * n), v, sums);
    }
  }
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int k = 0; k < count; ++k) {
      double sum = 0;
      for (std::int64_t row = 0; row < n * n; ++row) sum += row_sums[(cell * n * n + row) * count + k];
      total[cell * count + k] = sum * nodes.volume();
    }
  return total;
}

template <class Real>
GasState* gas_states(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f,
                     std::int64_t cells) {
  const double* low = cell_sums(frame, queue, grid, LowMoments<Real>{f}, cells);
  const double* high = cell_sums(frame, queue, grid, HighMoments<Real>{f, low}, cells);
  GasState* gas = frame.array<GasState>(cells).data;
  for (std::int64_t cell = 0; cell < cells; ++cell) gas[cell] = GasState::from_moments(low + 4 * cell, high + 9 * cell);
  return gas;
}

template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* values) {
  for_each_node(queue, grid, cells, [&](std::int64_t i, std::int64_t cell, const double* v) {
    values[i] = static_cast<Real>(gas[cell].maxwellian(v));
  });
}

void equalize_cells(const Queue&, const MassShares& shares, std::int64_t cells, GasState* gas) {
  for (std::int64_t cell = 0; cell < cells; ++cell) equalize(shares, gas[cell], gas[cells + cell]);
}

template <class Real>
void add(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) a[i] += b[i];
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
void clear_outside(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i)
    if (!support.has(i)) values[i] = 0;
}

/// @param solve  solve(systems) replaces the right side of each system by its solution
template <class Real, class Solve>
void change_by_systems(Scratch& scratch, const VelocityGrid& grid, const ProjectionTerms<Real>& terms,
                       std::int64_t cells, Real* q, Solve solve) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  double* systems = cell_sums(frame, queue, grid, terms, cells);
  solve(systems);
  for_each_node(queue, grid, cells, [&](std::int64_t i, std::int64_t cell, const double* v) {
    q[i] += static_cast<Real>(terms.change(i, v, systems + cell * terms.count));
  });
}

template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q) {
  const ProjectionTerms<Real> terms{NodeVelocities(grid), support, q, weight};
  change_by_systems(scratch, grid, terms, cells, q, [&](double* systems) {
    for (std::int64_t cell = 0; cell < cells; ++cell) terms.solve(systems + cell * terms.count);
  });
}

template <class Real>
void project_pairs(Scratch& scratch, const VelocityGrid& grid, const MassShares& shares, const Real* weight,
                   std::int64_t cells, Real* q) {
  const ProjectionTerms<Real> terms{NodeVelocities(grid), VelocitySupport::box(grid.nodes), q, weight};
  change_by_systems(scratch, grid, terms, 2 * cells, q, [&](double* systems) {
    for (std::int64_t cell = 0; cell < cells; ++cell)
      solve_pair(shares, systems + cell * terms.count, systems + (cells + cell) * terms.count);
  });
}

}  // namespace

template <class Real>
const DistributionBackend<Real> DistributionBackend<Real>::cpu = {
    .low_moments = cell_sums<LowMoments<Real>>,
    .high_moments = cell_sums<HighMoments<Real>>,
    .entropy = cell_sums<EntropyTerm<Real>>,
    .defects = cell_sums<DefectTerms<Real>>,
    .edge = cell_sums<EdgeTerms<Real>>,
    .load = collision::load<Real>,
    .store = collision::store<Real>,
    .gas_states = collision::gas_states<Real>,
    .maxwellian = collision::maxwellian<Real>,
    .equalize = equalize_cells,
    .add = collision::add<Real>,
    .subtract = collision::subtract<Real>,
    .multiply = collision::multiply<Real>,
    .clear_outside = collision::clear_outside<Real>,
    .project = collision::project<Real>,
    .project_pairs = collision::project_pairs<Real>,
};
template const DistributionBackend<float> DistributionBackend<float>::cpu;
template const DistributionBackend<double> DistributionBackend<double>::cpu;

template <class Real>
double* host_even_moments(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid,
                          const EvenTerms<Real>& terms) {
  return cell_sums(frame, queue, grid, terms, 1);
}
template double* host_even_moments(ScratchFrame&, const Queue&, const VelocityGrid&, const EvenTerms<float>&);
template double* host_even_moments(ScratchFrame&, const Queue&, const VelocityGrid&, const EvenTerms<double>&);

}  // namespace shoal::collision
