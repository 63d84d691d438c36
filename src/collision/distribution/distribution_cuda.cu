// SPDX-License-Identifier: Apache-2.0
#include "collision/distribution/distribution_backend.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"

namespace shoal::cuda {

namespace {

constexpr int sum_threads = 128;

/// One block a plane of nodes: thread t adds nodes t, t + 128, ..., then lanes and warps are added in a fixed tree.
template <class Terms>
__global__ void sum_planes(NodeVelocities nodes, Terms terms, double* of_plane) {
  constexpr int count = Terms::count, warps = sum_threads / 32;
  const int n = nodes.n;
  const std::int64_t plane = blockIdx.x, cell = plane / n;
  double sums[count] = {};
  for (int k = static_cast<int>(threadIdx.x); k < n * n; k += sum_threads) {
    const double v[3] = {nodes.at(0, k % n), nodes.at(1, k / n), nodes.at(2, static_cast<int>(plane % n))};
    terms.add(plane * n * n + k, cell, v, sums);
  }
  __shared__ double of_warp[count][warps];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int k = 0; k < count; ++k) {
    for (int across = 16; across > 0; across /= 2) sums[k] += __shfl_xor_sync(whole_warp, sums[k], across);
    if (threadIdx.x % 32 == 0) of_warp[k][warp] = sums[k];
  }
  __syncthreads();
  if (threadIdx.x >= count) return;
  double sum = 0;
  for (int w = 0; w < warps; ++w) sum += of_warp[threadIdx.x][w];
  of_plane[plane * count + threadIdx.x] = sum;
}

__global__ void add_planes(const double* of_plane, std::int64_t cells, int n, int count, double volume, double* total) {
  const std::int64_t i = thread_index();
  if (i >= cells * count) return;
  double sum = 0;
  for (int z = 0; z < n; ++z) sum += of_plane[(i / count * n + z) * count + i % count];
  total[i] = sum * volume;
}

/// A node of a thread.
struct NodeOfThread {
  std::int64_t i, cell;
  double v[3];

  __device__ NodeOfThread(const NodeVelocities& nodes, std::int64_t number) : i(number), cell(number / nodes.count()) {
    v[0] = nodes.at(0, static_cast<int>(i % nodes.n));
    v[1] = nodes.at(1, static_cast<int>(i / nodes.n % nodes.n));
    v[2] = nodes.at(2, static_cast<int>(i / nodes.n / nodes.n % nodes.n));
  }
};

template <class Real>
__global__ void take_each(View<const Real> f, bool accept_negative, Real* to, Status* status) {
  const std::int64_t i = thread_index();
  if (i < f.count) to[i] = checked_node(f, i, accept_negative, status);
}

template <class Real>
__global__ void put_each(const Real* from, View<Real> to) {
  const std::int64_t i = thread_index();
  if (i < to.count) to.data[i * to.stride] = from[i];
}

__global__ void gas_of_each(const double* low, const double* high, std::int64_t cells, GasState* gas) {
  const std::int64_t cell = thread_index();
  if (cell < cells) gas[cell] = GasState::of(low + 4 * cell, high + 9 * cell);
}

template <class Real>
__global__ void maxwellian_each(NodeVelocities nodes, const GasState* gas, std::int64_t count, Real* to) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const NodeOfThread node(nodes, i);
  to[i] = static_cast<Real>(gas[node.cell].at(node.v));
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
__global__ void keep_support_each(VelocitySupport support, std::int64_t count, Real* values) {
  const std::int64_t i = thread_index();
  if (i < count && !support.has(i)) values[i] = 0;
}

template <class Real>
__global__ void solve_each(ProjectionTerms<Real> terms, std::int64_t cells, double* systems) {
  const std::int64_t cell = thread_index();
  if (cell < cells) terms.solve(systems + cell * terms.count);
}

template <class Real>
__global__ void project_each(ProjectionTerms<Real> terms, const double* systems, std::int64_t count, Real* q) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const NodeOfThread node(terms.nodes, i);
  q[i] += static_cast<Real>(terms.change(i, node.v, systems + node.cell * terms.count));
}

}  // namespace

template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, Real* to, Status* status) {
  launch(queue, f.count, take_each<Real>, f, accept_negative, to, status);
}

template <class Real>
void put_distribution(const Queue& queue, const Real* from, View<Real> to) {
  launch(queue, to.count, put_each<Real>, from, to);
}

template <class Terms>
double* sums_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                std::int64_t cells) {
  const NodeVelocities nodes(grid);
  constexpr int count = Terms::count;
  double* of_plane = frame.array<double>(cells * nodes.n * count).data;
  double* total = frame.array<double>(cells * count).data;
  launch<sum_threads>(queue, cells * nodes.n * sum_threads, sum_planes<Terms>, nodes, terms, of_plane);
  launch(queue, cells * count, add_planes, of_plane, cells, nodes.n, count, nodes.volume(), total);
  return total;
}

template <class Real>
GasState* gas_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f, std::int64_t cells) {
  const double* low = sums_of(frame, queue, grid, LowMoments<Real>{f}, cells);
  const double* high = sums_of(frame, queue, grid, HighMoments<Real>{f, low}, cells);
  GasState* gas = frame.array<GasState>(cells).data;
  launch(queue, cells, gas_of_each, low, high, cells, gas);
  return gas;
}

template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* to) {
  const std::int64_t count = cells * grid.node_count();
  launch(queue, count, maxwellian_each<Real>, NodeVelocities(grid), gas, count, to);
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
void keep_support(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values) {
  launch(queue, count, keep_support_each<Real>, support, count, values);
}

template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const ProjectionTerms<Real> terms{NodeVelocities(grid), support, q, weight};
  double* systems = sums_of(frame, queue, grid, terms, cells);
  launch(queue, cells, solve_each<Real>, terms, cells, systems);
  const std::int64_t count = cells * grid.node_count();
  launch(queue, count, project_each<Real>, terms, systems, count, q);
}

SHOAL_INSTANTIATE_DISTRIBUTION(float)
SHOAL_INSTANTIATE_DISTRIBUTION(double)

}  // namespace shoal::cuda
