// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/warp_cells.cuh"
#include "deposit/tuning.hpp"

namespace shoal::deposit {

namespace {

using namespace corner_parts;

constexpr int cell_threads = 128;

/// Returns true if read_cells() handles the particles of a cell: it exists, is not full and touches no blocked node.
template <class Real>
__device__ __forceinline__ bool is_handled_by_cells(const DepositSpace<Real>& space,
                                                    const BinnedParticles<Real>& particles, std::int64_t cell) {
  if (cell == space.cell_count() || particles.of_cell(cell).count() > tuning::max_by_cells) return false;
  return space.is_all_open(cell);
}

template <bool gradient, class Real>
__device__ __forceinline__ void read_particle(const NodeInterpolation<Real>& job, std::int64_t k) {
  const std::uint32_t cell = job.particles.cell[k];
  if (cell == job.space.cell_count()) return job.write_zero(k);
  std::int64_t node[8];
  job.cell_nodes(cell, node);
  if constexpr (gradient)
    job.gradient(k, node);
  else
    job.interpolate(k, node);
}

/// @param by_cells  true: read_cells() handles the cells that it can
template <bool gradient, class Real>
__global__ void read_each(NodeInterpolation<Real> job, bool by_cells) {
  const std::int64_t k = thread_index();
  if (k >= job.particles.count) return;
  if (by_cells && is_handled_by_cells(job.space, job.particles, job.particles.cell[k])) return;
  read_particle<gradient>(job, k);
}

/// Handles the rest after read_cells() if no cell is blocked: particles of full cells and particles without a cell. Such
/// a run of particles is longer than a block's window, so it contains the first or the last particle of the window.
template <class Real>
__global__ void __launch_bounds__(cell_threads) read_rest(NodeInterpolation<Real> job) {
  const std::int64_t first = blockIdx.x * tuning::max_by_cells;
  const std::int64_t end = ::min(first + tuning::max_by_cells, job.particles.count);
  const auto is_rest = [&](std::int64_t k) {
    return !is_handled_by_cells(job.space, job.particles, job.particles.cell[k]);
  };
  if (!is_rest(first) && !is_rest(end - 1)) return;
  for (std::int64_t k = first + threadIdx.x; k < end; k += cell_threads)
    if (is_rest(k)) read_particle<false>(job, k);
}

/// A warp handles the particles of 32 cells, four at a time: eight lanes read the values at a cell's nodes once. The sums
/// have the bits of NodeInterpolation::interpolate().
template <int corners, int width, class Real>
__global__ void __launch_bounds__(cell_threads) read_cells(DepositSpace<Real> space, BinnedParticles<Real> particles,
                                                           NodeValuesOf<width, Real> nodes, NodesOf<width, Real> out) {
  __shared__ std::uint8_t listed[cell_threads];
  const std::int64_t cells = space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
                         [&](const FilledCell& candidate) {
                           return candidate.count() > 0 && is_handled_by_cells(space, particles, candidate.cell);
                         });
  extern __shared__ __align__(16) unsigned char memory[];
  const auto source_of = [&](std::int32_t p) {
    return [&particles, p](int i) -> const Real* { return corners == 8 || i < 2 ? particles.offset[i] + p : nullptr; };
  };
  StagedWalk<3, cell_threads, Real> walk(filled, memory);
  walk.begin(source_of);
  Values<width, Real> node[corners];
  for (bool begins_cells = true; walk.has_step(); begins_cells = walk.ends_cells(), walk.advance()) {
    walk.request_ahead(source_of);
    if (begins_cells) {
      const GridIndex index = space.cell_index(walk.cell().cell);
#pragma unroll
      for (int c = 0; c < corners; ++c) node[c] = nodes.read(space.corner_node(index, c));
    }
    walk.for_each_particle([&](std::int32_t p, const Real(&numbers)[3]) {
      const Real offset[3] = {numbers[0], numbers[1], corners == 8 ? numbers[2] : Real(0)};
      const CornerWeights<Real> weights = corner_weights(offset);
      Values<width, Real> sum;
#pragma unroll
      for (int c = 0; c < corners; ++c) sum.add(weights[c], node[c]);
      out.write(particles.number(p), sum);
    });
  }
}

template <class Real>
__global__ void lost_each(DepositSpace<Real> space, BinnedParticles<Real> particles, Fields<const Real> value,
                          double* lost) {
  const std::int64_t k = thread_index();
  if (k >= particles.count) return;
  const double share = lost_share(space, particles, k);
  lost[k] = share > 0 ? share * value.at(0, particles.number(k)) : 0.0;
}

template <class Real>
void interpolate_cuda(const Queue& queue, const NodeInterpolation<Real>& job) {
  const std::int64_t cells = job.space.cell_count();
  const bool by_cells = job.particles.count >= tuning::by_cells_from * cells;
  if (by_cells)
    for_each_pass(job.space.dimensions, job.nodes.count, [&]<int corners, int width>(int first) {
      launch_with<cell_threads>(queue, cells, StagedWalk<3, cell_threads, Real>::bytes,
                                read_cells<corners, width, Real>, job.space, job.particles,
                                NodeValuesOf<width, Real>(job.nodes, first), NodesOf<width, Real>(job.out, first));
    });
  if (by_cells && job.space.open_corners == nullptr)
    launch<cell_threads>(queue, (job.particles.count + tuning::max_by_cells - 1) / tuning::max_by_cells * cell_threads,
                         read_rest<Real>, job);
  else
    launch(queue, job.particles.count, read_each<false, Real>, job, by_cells);
}

template <class Real>
void interpolate_gradient_cuda(const Queue& queue, const NodeInterpolation<Real>& job) {
  launch(queue, job.particles.count, read_each<true, Real>, job, false);
}

template <class Real>
void find_lost_cuda(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
                    const Fields<const Real>& value, View<double> lost) {
  launch(queue, particles.count, lost_each<Real>, space, particles, value, lost.data);
}

}  // namespace

template <class Real>
const GridToParticlesBackend<Real> GridToParticlesBackend<Real>::cuda = {
    .interpolate = interpolate_cuda<Real>,
    .interpolate_gradient = interpolate_gradient_cuda<Real>,
    .find_lost = find_lost_cuda<Real>,
};
template const GridToParticlesBackend<float> GridToParticlesBackend<float>::cuda;
template const GridToParticlesBackend<double> GridToParticlesBackend<double>::cuda;

}  // namespace shoal::deposit
