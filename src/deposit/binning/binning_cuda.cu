// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "core/primitives/sorted_keys.hpp"
#include "deposit/binning/binning.hpp"
#include "deposit/tuning.hpp"

namespace shoal::deposit {

namespace {

template <class Real, class Positions>
__global__ void find_each(BinningInput<Real> input, Positions positions) {
  const std::int64_t i = thread_index();
  if (i < input.count) positions.write(i, input.position_or_fault(i));
}

template <class Real>
__global__ void order_each(const ParticlePosition<Real>* by_number, const std::int32_t* order, std::int64_t n,
                           SortedPositions<Real> positions) {
  const std::int64_t k = thread_index();
  if (k >= n) return;
  const ParticlePosition<Real> position = by_number[order[k]];  // a copy: one wide load before the stores
  positions.write(k, position);
}

template <class Real>
__global__ void check_each(BinningInput<Real> input, const std::uint32_t* cells) {
  const std::int64_t i = thread_index();
  if (i > 0 && i < input.count && cells[i] < cells[i - 1]) record(input.status, i, DepositFault::out_of_order);
}

__global__ void start_each(const std::uint32_t* cells, std::int64_t n, std::int64_t* cell_start, std::int64_t count) {
  const std::int64_t cell = thread_index();
  if (cell < count) cell_start[cell] = sorted_keys::count_below(cells, 0, n, cell);
}

/// Lists full cells, and finds the greatest number of particles of a cell; both counts begin at 0.
__global__ void list_full_cells(const std::int64_t* cell_start, std::int64_t cells, std::int64_t particles,
                                FullCells full) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t longest = 0;
  for (std::int64_t cell = thread_index(); cell < cells; cell += threads) {
    const std::int64_t count = cell_start[cell + 1] - cell_start[cell];
    longest = ::max(longest, count);
    if (count <= sum_chunk) continue;
    const unsigned slot = atomicAdd(full.count, 1u);
    if (slot < FullCells::most_cells(particles)) full.cell[slot] = static_cast<std::uint32_t>(cell);
  }
  const std::uint32_t most = __reduce_max_sync(whole_warp, static_cast<std::uint32_t>(longest));
  if (threadIdx.x % 32 == 0 && most > *full.most) atomicMax(full.most, most);
}

template <class Real>
__global__ void describe(BinningInput<Real> input) {
  if (thread_index() == 0) input.describe_fault();
}

template <class Real, class Positions>
void find_positions_cuda(const Queue& queue, const BinningInput<Real>& input, const Positions& positions) {
  launch(queue, input.count, find_each<Real, Positions>, input, positions);
  launch<32>(queue, 1, describe<Real>, input);
}

template <class Real>
void order_positions_cuda(const Queue& queue, View<const ParticlePosition<Real>> by_number,
                          View<const std::int32_t> order, const SortedPositions<Real>& positions) {
  launch(queue, order.count, order_each<Real>, by_number.data, order.data, order.count, positions);
}

template <class Real>
void find_cell_starts_cuda(const Queue& queue, const BinningInput<Real>& input,
                           View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start) {
  launch(queue, input.count, check_each<Real>, input, cell_of_particle.data);
  launch(queue, cell_start.count, start_each, cell_of_particle.data, input.count, cell_start.data, cell_start.count);
  launch<32>(queue, 1, describe<Real>, input);
}

template <class Real>
void find_full_cells_cuda(const Queue& queue, const BinnedParticles<Real>& particles, std::int64_t cells) {
  fill_bytes(queue, particles.full.count, 0, FullCells::counts * sizeof(std::uint32_t));
  const std::int64_t most_threads = std::int64_t{tuning::list_threads_per_multiprocessor} * multiprocessors(queue);
  launch(queue, std::min(cells, most_threads), list_full_cells, particles.cell_start, cells, particles.count,
         particles.full);
}

}  // namespace

template <class Real>
const BinningBackend<Real> BinningBackend<Real>::cuda = {
    .find_positions = find_positions_cuda<Real, SortedPositions<Real>>,
    .find_packed_positions = find_positions_cuda<Real, PackedPositions<Real>>,
    .order_positions = order_positions_cuda<Real>,
    .find_cell_starts = find_cell_starts_cuda<Real>,
    .find_full_cells = find_full_cells_cuda<Real>,
};
template const BinningBackend<float> BinningBackend<float>::cuda;
template const BinningBackend<double> BinningBackend<double>::cuda;

}  // namespace shoal::deposit
