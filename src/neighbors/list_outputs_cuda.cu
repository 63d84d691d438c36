// SPDX-License-Identifier: Apache-2.0
#include "core/launch.cuh"
#include "neighbors/list_outputs.hpp"

namespace shoal::cuda {

namespace {

constexpr int sum_threads = 128;

/// A warp a row.
template <class Real>
__global__ void write_each_entry(EntryOutputs<Real> outputs) {
  const std::int64_t i = thread_index() / 32;
  if (i >= outputs.rows || outputs.offsets[outputs.rows] > outputs.room) return;
  const Position<Real> at = outputs.destinations.at(i, outputs.dimensions);
  const std::int64_t end = outputs.offsets[i + 1];
  for (std::int64_t entry = outputs.offsets[i] + threadIdx.x % 32; entry < end; entry += 32) outputs.write(at, entry);
}

/// A warp a row. Long rows only leave their length.
__global__ void write_each_row(MatrixOutput output) {
  const std::int64_t row = thread_index() / 32;
  if (row >= output.rows || !output.fits()) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (output.length(row) > output.maximum) {
    if (lane != 0) return;
    record(output.status, row, 0);
    atomicMax(reinterpret_cast<unsigned long long*>(output.longest),
              static_cast<unsigned long long>(output.length(row)));
    return;
  }
  for (std::int64_t column = lane; column < output.maximum; column += 32) output.write(row, column);
}

__global__ void describe_longest(MatrixOutput output) {
  if (*output.longest > 0) output.status->value[0] = static_cast<double>(*output.longest);
}

template <class Real>
__global__ void __launch_bounds__(sum_threads, sizeof(Real) == 4 ? 8 : 4) sum_each(NeighborSum<Real> sum) {
  const std::int64_t k = thread_index();
  if (k < sum.visitor.count()) sum.run(k);
}

}  // namespace

template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs) {
  launch(queue, outputs.rows * 32, write_each_entry<Real>, outputs);
}

void write_matrix(const Queue& queue, const MatrixOutput& output) {
  fill_bytes(queue, output.longest, 0, sizeof(std::int64_t));
  launch(queue, output.rows * 32, write_each_row, output);
  launch<1>(queue, 1, describe_longest, output);
}

template <class Real>
void sum_neighbors(const Queue& queue, const NeighborSum<Real>& sum) {
  launch<sum_threads>(queue, sum.visitor.count(), sum_each<Real>, sum);
}

template void write_entries(const Queue&, const EntryOutputs<float>&);
template void write_entries(const Queue&, const EntryOutputs<double>&);
template void sum_neighbors(const Queue&, const NeighborSum<float>&);
template void sum_neighbors(const Queue&, const NeighborSum<double>&);

}  // namespace shoal::cuda
