// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "core/primitives/sorted_keys.hpp"
#include "deposit/binning/binning.hpp"

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

}  // namespace

template <class Real>
const BinningBackend<Real> BinningBackend<Real>::cuda = {
    .find_positions = find_positions_cuda<Real, SortedPositions<Real>>,
    .find_packed_positions = find_positions_cuda<Real, PackedPositions<Real>>,
    .order_positions = order_positions_cuda<Real>,
    .find_cell_starts = find_cell_starts_cuda<Real>,
};
template const BinningBackend<float> BinningBackend<float>::cuda;
template const BinningBackend<double> BinningBackend<double>::cuda;

}  // namespace shoal::deposit
