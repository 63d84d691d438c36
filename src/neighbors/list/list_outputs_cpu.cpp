// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "neighbors/list/list_outputs.hpp"

namespace shoal::cpu {

namespace {

constexpr std::int64_t chunk = 512;  ///< destinations that a thread takes at a time

template <class Real>
SHOAL_CPU_VARIANTS void sum_range(const NeighborSum<Real>& sum, Range range) {
  for (std::int64_t k = range.begin; k < range.end; ++k) sum.run(k);
}

}  // namespace

template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs) {
  if (outputs.offsets[outputs.rows] > outputs.room) return;
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic, chunk)
  for (std::int64_t i = 0; i < outputs.rows; ++i) {
    const Position<Real> at = outputs.destinations.at(i, outputs.dimensions);
    for (std::int64_t entry = outputs.offsets[i]; entry < outputs.offsets[i + 1]; ++entry) outputs.write(at, entry);
  }
}

void write_matrix(const Queue& queue, const MatrixOutput& output) {
  if (!output.fits()) return;
  std::int64_t longest = 0;
#pragma omp parallel for num_threads(queue.threads()) reduction(max : longest)
  for (std::int64_t row = 0; row < output.rows; ++row) {
    longest = std::max(longest, output.length(row));
    if (output.length(row) > output.maximum) {
      record(output.status, row, 0);
      continue;
    }
    for (std::int64_t column = 0; column < output.maximum; ++column) output.write(row, column);
  }
  if (longest > output.maximum) output.status->value[0] = static_cast<double>(longest);
}

template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights) {
  sum_by_place(scratch, sum, weights, [&](const NeighborSum<Real>& by_place) {
    const std::int64_t n = by_place.visitor.count();
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic)
    for (std::int64_t k = 0; k < n; k += chunk) sum_range(by_place, {k, std::min(n, k + chunk)});
  });
}

template void write_entries(const Queue&, const EntryOutputs<float>&);
template void write_entries(const Queue&, const EntryOutputs<double>&);
template void sum_neighbors(Scratch&, const NeighborSum<float>&, View<const float>);
template void sum_neighbors(Scratch&, const NeighborSum<double>&, View<const double>);

}  // namespace shoal::cpu
