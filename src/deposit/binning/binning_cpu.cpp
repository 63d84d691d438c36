// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "core/primitives/sorted_keys.hpp"
#include "core/range.hpp"
#include "deposit/binning/binning.hpp"

namespace shoal::deposit {

namespace {

template <class Real, class Positions>
SHOAL_CPU_VARIANTS void find_range(const BinningInput<Real>& input, Range range, const Positions& positions) {
  for (std::int64_t i = range.begin; i < range.end; ++i) positions.write(i, input.position_or_fault(i));
}

template <class Real>
SHOAL_CPU_VARIANTS void order_range(const ParticlePosition<Real>* by_number, const std::int32_t* order, Range range,
                                    const SortedPositions<Real>& positions) {
  for (std::int64_t k = range.begin; k < range.end; ++k) positions.write(k, by_number[order[k]]);
}

template <class Real, class Positions>
void find_positions_cpu(const Queue& queue, const BinningInput<Real>& input, const Positions& positions) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) find_range(input, part_range(input.count, part, parts), positions);
  input.describe_fault();
}

template <class Real>
void order_positions_cpu(const Queue& queue, View<const ParticlePosition<Real>> by_number,
                         View<const std::int32_t> order, const SortedPositions<Real>& positions) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part)
    order_range(by_number.data, order.data, part_range(order.count, part, parts), positions);
}

template <class Real>
void find_cell_starts_cpu(const Queue& queue, const BinningInput<Real>& input,
                          View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start) {
  const std::uint32_t* cells = cell_of_particle.data;
  const std::int64_t n = input.count;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 1; i < n; ++i)
    if (cells[i] < cells[i - 1]) record(input.status, i, DepositFault::out_of_order);
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t cell = 0; cell < cell_start.count; ++cell)
    cell_start.data[cell] = sorted_keys::count_below(cells, 0, n, cell);
  input.describe_fault();
}

}  // namespace

template <class Real>
const BinningBackend<Real> BinningBackend<Real>::cpu = {
    .find_positions = find_positions_cpu<Real, SortedPositions<Real>>,
    .find_packed_positions = find_positions_cpu<Real, PackedPositions<Real>>,
    .order_positions = order_positions_cpu<Real>,
    .find_cell_starts = find_cell_starts_cpu<Real>,
    .find_full_cells = nullptr,
};
template const BinningBackend<float> BinningBackend<float>::cpu;
template const BinningBackend<double> BinningBackend<double>::cpu;

}  // namespace shoal::deposit
