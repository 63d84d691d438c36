// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/range.hpp"
#include "deposit/deposit_method.hpp"
#include "deposit/sums/sum_tree.hpp"
#include "deposit/tuning.hpp"

/// Building blocks of the CPU methods: the parts of cells, computed for a run of cells at a time, and the sums of the
/// nodes from them.
namespace shoal::deposit {

/// Layout of parts: parts[(cell · values + k) · 8 + corner].
inline constexpr int part_corners = 8;

/// Run `run` of `runs` of all cells; all runs have equally many cells plus particles.
inline Range cells_of_run(const std::int64_t* cell_start, std::int64_t cells, std::int64_t run, std::int64_t runs) {
  const auto boundary = [&](std::int64_t r) {
    const std::int64_t work = (cell_start[cells] + cells) * r / runs;
    std::int64_t low = 0;
    std::int64_t high = cells;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (cell_start[middle] + middle < work)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  return {boundary(run), boundary(run + 1)};
}

/// Number of runs of cells.
inline std::int64_t run_count(const Queue& queue, std::int64_t cells) {
  return std::min<std::int64_t>(cells, queue.threads() == 1 ? 1 : tuning::runs_per_thread * queue.threads());
}

/// Writes the sums of a row of nodes along x.
/// @param finish  Number finish(int k, T sum)
template <class T, class Real, class Number, class Finish>
SHOAL_HD void add_parts_of_row(const DepositCall<Real>& call, const Fields<Number>& nodes, const T* parts,
                               std::int32_t y, std::int32_t z, Finish&& finish) {
  const NodeRow<Real> row(call.space, y, z);
  const std::int32_t count = call.space.axes[0].node_count();
  const std::int64_t first = call.space.node_number({0, y, z});
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * part_corners;
  for (std::int32_t x = 0; x < count; ++x)
    for (int k = 0; k < call.value_count(); ++k)
      nodes.at(k, first + x) = finish(k, row.template sum<T>(x, [&](std::int64_t cell, int corner) {
        return parts[cell * width + k * part_corners + corner];
      }));
}

}  // namespace shoal::deposit
