// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "deposit/corner_parts.cuh"
#include "deposit/from_nodes_backends.hpp"
#include "deposit/warp_cells.cuh"

namespace shoal::cuda {

namespace {

using namespace corner_parts;

constexpr int cell_threads = 128;
constexpr std::int64_t most_in_cell =
    512;                                 ///< particles of a cell that one group reads for; those of others do it alone
constexpr std::int64_t few_in_cell = 4;  ///< on average: too few to read nodes for a whole cell

/// Whether read_cells() does the particles of a cell: there is one, it is not full, and no blocked node touches it.
template <class Real>
__device__ __forceinline__ bool is_read_by_cells(const DepositSpace<Real>& space,
                                                 const BinnedParticles<Real>& particles, std::int64_t cell) {
  if (cell == space.cell_count() || particles.of_cell(cell).count() > most_in_cell) return false;
  return space.is_all_open(cell);
}

template <bool gradient, class Real>
__device__ __forceinline__ void read_particle(const NodeReading<Real>& reading, std::int64_t k) {
  const std::uint32_t cell = reading.particles.cell[k];
  if (cell == reading.space.cell_count()) return reading.nothing(k);
  std::int64_t node[8];
  reading.find_nodes(cell, node);
  if constexpr (gradient)
    reading.gradient(k, node);
  else
    reading.interpolate(k, node);
}

/// @param by_cells  whether read_cells() does what it can
template <bool gradient, class Real>
__global__ void read_each(NodeReading<Real> reading, bool by_cells) {
  const std::int64_t k = thread_index();
  if (k >= reading.particles.count) return;
  if (by_cells && is_read_by_cells(reading.space, reading.particles, reading.particles.cell[k])) return;
  read_particle<gradient>(reading, k);
}

/// What read_cells() leaves where no cell is blocked: particles of full cells and those without a cell. So many in a
/// row have the first or the last of the particles that a block looks at.
template <class Real>
__global__ void __launch_bounds__(cell_threads) read_rest(NodeReading<Real> reading) {
  const std::int64_t first = blockIdx.x * most_in_cell;
  const std::int64_t end = ::min(first + most_in_cell, reading.particles.count);
  const auto is_left = [&](std::int64_t k) {
    return !is_read_by_cells(reading.space, reading.particles, reading.particles.cell[k]);
  };
  if (!is_left(first) && !is_left(end - 1)) return;
  for (std::int64_t k = first + threadIdx.x; k < end; k += cell_threads)
    if (is_left(k)) read_particle<false>(reading, k);
}

/// A warp does the particles of 32 cells, four at a time: eight lanes read the values at a cell's nodes once. The sums
/// are those of NodeReading::interpolate().
template <int corners, int width, class Real>
__global__ void __launch_bounds__(cell_threads) read_cells(DepositSpace<Real> space, BinnedParticles<Real> particles,
                                                           NodeValuesOf<width, Real> nodes, NodesOf<width, Real> out) {
  __shared__ std::uint8_t listed[cell_threads];
  const std::int64_t cells = space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(
      particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
      [&](const FilledCell& own) { return own.count() > 0 && is_read_by_cells(space, particles, own.cell); });
  extern __shared__ __align__(16) unsigned char memory[];
  const auto place_of = [&](std::int32_t p) {
    return [&particles, p](int i) -> const Real* { return corners == 8 || i < 2 ? particles.offset[i] + p : nullptr; };
  };
  StagedWalk<3, cell_threads, Real> walk(filled, memory);
  walk.begin(place_of);
  Values<width, Real> node[corners];
  for (bool begins_cells = true; walk.is_there(); begins_cells = walk.ends_cells(), walk.advance()) {
    walk.ask_ahead(place_of);
    if (begins_cells) {
      const GridPlace at = space.cell_place(walk.own().cell);
#pragma unroll
      for (int c = 0; c < corners; ++c) node[c] = nodes.read(space.corner_node(at, c));
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
__global__ void share_each(DepositSpace<Real> space, Fields<const Real> nodes, Fields<Real> cells) {
  const std::int64_t cell = thread_index();
  if (cell >= space.cell_count()) return;
  for (int f = 0; f < nodes.count; ++f) cells.at(f, cell) = cell_share(space, nodes, f, cell);
}

template <class Real>
__global__ void lose_each(DepositSpace<Real> space, BinnedParticles<Real> particles, Fields<const Real> value,
                          double* lost) {
  const std::int64_t k = thread_index();
  if (k >= particles.count) return;
  const double share = lost_share(space, particles, k);
  lost[k] = share > 0 ? share * value.at(0, particles.number(k)) : 0.0;
}

}  // namespace

template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading) {
  const std::int64_t cells = reading.space.cell_count();
  const bool by_cells = reading.particles.count >= few_in_cell * cells;
  if (by_cells)
    for_each_pass(reading.space.dimensions, reading.nodes.count, [&]<int corners, int width>(int first) {
      launch_with<cell_threads>(
          queue, cells, StagedWalk<3, cell_threads, Real>::bytes, read_cells<corners, width, Real>, reading.space,
          reading.particles, NodeValuesOf<width, Real>(reading.nodes, first), NodesOf<width, Real>(reading.out, first));
    });
  if (by_cells && reading.space.open_corners == nullptr)
    launch<cell_threads>(queue, (reading.particles.count + most_in_cell - 1) / most_in_cell * cell_threads,
                         read_rest<Real>, reading);
  else
    launch(queue, reading.particles.count, read_each<false, Real>, reading, by_cells);
}

template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading) {
  launch(queue, reading.particles.count, read_each<true, Real>, reading, false);
}

template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells) {
  launch(queue, space.cell_count(), share_each<Real>, space, nodes, cells);
}

template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost) {
  launch(queue, particles.count, lose_each<Real>, space, particles, value, lost.data);
}

#define SHOAL_FROM_NODES(Real)                                                                                        \
  template void interpolate_nodes(const Queue&, const NodeReading<Real>&);                                            \
  template void interpolate_gradients(const Queue&, const NodeReading<Real>&);                                        \
  template void share_nodes(const Queue&, const DepositSpace<Real>&, const Fields<const Real>&, const Fields<Real>&); \
  template void find_lost(const Queue&, const DepositSpace<Real>&, const BinnedParticles<Real>&,                      \
                          const Fields<const Real>&, View<double>);
SHOAL_FROM_NODES(float)
SHOAL_FROM_NODES(double)

}  // namespace shoal::cuda
