// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "neighbors/list/list_outputs.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs) {
  if (outputs.offsets[outputs.rows] > outputs.room) return;
#pragma omp parallel for num_threads(threads_for(outputs.rows, queue.threads())) schedule(dynamic, tuning::cpu_rows)
  for (std::int64_t i = 0; i < outputs.rows; ++i) {
    const Position<Real> position = outputs.destinations.position(i, outputs.dimensions);
    for (std::int64_t entry = outputs.offsets[i]; entry < outputs.offsets[i + 1]; ++entry)
      outputs.write(i, position, entry);
  }
}

void write_matrix(const Queue& queue, const MatrixOutput& output) {
  if (!output.fits()) return;
  std::int64_t longest = 0;
#pragma omp parallel for num_threads(threads_for(output.rows, queue.threads())) reduction(max : longest)
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
SHOAL_CPU_VARIANTS void sum_range(const NeighborSum<Real>& sum, Range range) {
  for (std::int64_t k = range.begin; k < range.end; ++k) sum.run(k);
}

template <class Real>
void compute_sums(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights) {
  sum_in_sorted_order(scratch, sum, weights, [&](const NeighborSum<Real>& sorted) {
    const std::int64_t n = sorted.visitor.count();
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic)
    for (std::int64_t k = 0; k < n; k += tuning::cpu_rows) sum_range(sorted, {k, std::min(n, k + tuning::cpu_rows)});
  });
}

}  // namespace

template <class Real>
const ListBackend<Real> ListBackend<Real>::cpu = {.write_entries = neighbors::write_entries<Real>,
                                                  .write_matrix = neighbors::write_matrix,
                                                  .sum_neighbors = neighbors::compute_sums<Real>};
template const ListBackend<float> ListBackend<float>::cpu;
template const ListBackend<double> ListBackend<double>::cpu;

}  // namespace shoal::neighbors
