// SPDX-License-Identifier: Apache-2.0
#include "collision/distribution/distribution_backend.hpp"
#include "collision/distribution/plane_sums.cuh"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

namespace {

/// Number, cell and velocity of the node that a thread processes.
struct ThreadNode {
  std::int64_t i, cell;
  double v[3];

  __device__ ThreadNode(const NodeVelocities& nodes, std::int64_t number) : i(number), cell(number / nodes.count()) {
    v[0] = nodes.velocity(0, static_cast<int>(i % nodes.n));
    v[1] = nodes.velocity(1, static_cast<int>(i / nodes.n % nodes.n));
    v[2] = nodes.velocity(2, static_cast<int>(i / nodes.n / nodes.n % nodes.n));
  }
};

template <class Real>
__global__ void load_each(View<const Real> f, bool accept_negative, Real* values, Status* status) {
  const std::int64_t i = thread_index();
  if (i < f.count) values[i] = checked_node(f, i, accept_negative, status);
}

template <class Real>
__global__ void store_each(const Real* values, View<Real> view) {
  const std::int64_t i = thread_index();
  if (i < view.count) view.data[i * view.stride] = values[i];
}

__global__ void gas_state_each(const double* low, const double* high, std::int64_t cells, GasState* gas) {
  const std::int64_t cell = thread_index();
  if (cell < cells) gas[cell] = GasState::from_moments(low + 4 * cell, high + 9 * cell);
}

template <class Real>
__global__ void maxwellian_each(NodeVelocities nodes, const GasState* gas, std::int64_t count, Real* values) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const ThreadNode node(nodes, i);
  values[i] = static_cast<Real>(gas[node.cell].maxwellian(node.v));
}

__global__ void equalize_each(MassShares shares, std::int64_t cells, GasState* gas) {
  const std::int64_t cell = thread_index();
  if (cell < cells) equalize(shares, gas[cell], gas[cells + cell]);
}

template <class Real>
__global__ void add_each(const Real* b, std::int64_t count, Real* a) {
  const std::int64_t i = thread_index();
  if (i < count) a[i] += b[i];
}

template <class Real>
__global__ void subtract_each(const Real* b, std::int64_t count, Real* a) {
  const std::int64_t i = thread_index();
  if (i < count) a[i] -= b[i];
}

template <class Real>
__global__ void multiply_each(const Real* b, std::int64_t count, Real* a) {
  const std::int64_t i = thread_index();
  if (i < count) a[i] *= b[i];
}

template <class Real>
__global__ void clear_outside_each(VelocitySupport support, std::int64_t count, Real* values) {
  const std::int64_t i = thread_index();
  if (i < count && !support.has(i)) values[i] = 0;
}

template <class Real>
__global__ void solve_each(ProjectionTerms<Real> terms, std::int64_t cells, double* systems) {
  const std::int64_t cell = thread_index();
  if (cell < cells) terms.solve(systems + cell * terms.count);
}

/// @param count  numbers of a system
__global__ void solve_each_pair(MassShares shares, std::int64_t cells, int count, double* systems) {
  const std::int64_t cell = thread_index();
  if (cell < cells) solve_pair(shares, systems + cell * count, systems + (cells + cell) * count);
}

template <class Real>
__global__ void project_each(ProjectionTerms<Real> terms, const double* systems, std::int64_t count, Real* q) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const ThreadNode node(terms.nodes, i);
  q[i] += static_cast<Real>(terms.change(i, node.v, systems + node.cell * terms.count));
}

template <class Real>
void load(const Queue& queue, View<const Real> f, bool accept_negative, Real* values, Status* status) {
  launch(queue, f.count, load_each<Real>, f, accept_negative, values, status);
}

template <class Real>
void store(const Queue& queue, const Real* values, View<Real> view) {
  launch(queue, view.count, store_each<Real>, values, view);
}

template <class Terms>
double* cell_sums(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                  std::int64_t cells) {
  const NodeVelocities nodes(grid);
  return sum_cells(frame, queue, nodes, terms, cells, nodes.volume());
}

template <class Real>
GasState* gas_states(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f,
                     std::int64_t cells) {
  const double* low = cell_sums(frame, queue, grid, LowMoments<Real>{f}, cells);
  const double* high = cell_sums(frame, queue, grid, HighMoments<Real>{f, low}, cells);
  GasState* gas = frame.array<GasState>(cells).data;
  launch(queue, cells, gas_state_each, low, high, cells, gas);
  return gas;
}

template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* values) {
  const std::int64_t count = cells * grid.node_count();
  launch(queue, count, maxwellian_each<Real>, NodeVelocities(grid), gas, count, values);
}

void equalize_cells(const Queue& queue, const MassShares& shares, std::int64_t cells, GasState* gas) {
  launch(queue, cells, equalize_each, shares, cells, gas);
}

template <class Real>
void add(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
  launch(queue, count, add_each<Real>, b, count, a);
}

template <class Real>
void subtract(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
  launch(queue, count, subtract_each<Real>, b, count, a);
}

template <class Real>
void multiply(const Queue& queue, const Real* b, std::int64_t count, Real* a) {
  launch(queue, count, multiply_each<Real>, b, count, a);
}

template <class Real>
void clear_outside(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values) {
  launch(queue, count, clear_outside_each<Real>, support, count, values);
}

/// @param solve  solve(systems) replaces the right side of each system by its solution
template <class Real, class Solve>
void change_by_systems(Scratch& scratch, const VelocityGrid& grid, const ProjectionTerms<Real>& terms,
                       std::int64_t cells, Real* q, Solve solve) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  double* systems = cell_sums(frame, queue, grid, terms, cells);
  solve(systems);
  const std::int64_t count = cells * grid.node_count();
  launch(queue, count, project_each<Real>, terms, systems, count, q);
}

template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q) {
  const ProjectionTerms<Real> terms{NodeVelocities(grid), support, q, weight};
  change_by_systems(scratch, grid, terms, cells, q,
                    [&](double* systems) { launch(scratch.queue(), cells, solve_each<Real>, terms, cells, systems); });
}

template <class Real>
void project_pairs(Scratch& scratch, const VelocityGrid& grid, const MassShares& shares, const Real* weight,
                   std::int64_t cells, Real* q) {
  const ProjectionTerms<Real> terms{NodeVelocities(grid), VelocitySupport::box(grid.nodes), q, weight};
  change_by_systems(scratch, grid, terms, 2 * cells, q, [&](double* systems) {
    launch(scratch.queue(), cells, solve_each_pair, shares, cells, static_cast<int>(terms.count), systems);
  });
}

}  // namespace

template <class Real>
const DistributionBackend<Real> DistributionBackend<Real>::cuda = {
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
template const DistributionBackend<float> DistributionBackend<float>::cuda;
template const DistributionBackend<double> DistributionBackend<double>::cuda;

}  // namespace shoal::collision
