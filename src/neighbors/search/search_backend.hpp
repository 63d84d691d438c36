// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/cell_sorter.hpp"
#include "core/backends.hpp"
#include "neighbors/search/survey_item.hpp"

namespace shoal::neighbors {

/// Faults of a search as a whole: the list does not fit, or a period is shorter than two radii.
enum class SearchFault { overflow, period };

/// Memory of one sorted set, reused by later searches.
template <class Real>
struct SortedMemory {
  explicit SortedMemory(const Queue& queue)
      : packed(queue, 0),
        packed_start(queue, 0),
        x(queue, 0),
        y(queue, 0),
        z(queue, 0),
        order(queue, 0),
        limits(queue, 0),
        cell_of_point(queue, 0),
        sorter(queue) {}

  Array<PackedPoint<Real>> packed;
  Array<std::int32_t> packed_start;
  Array<Real> x, y, z;
  Array<std::int32_t> order;
  Array<Real> limits;
  Array<std::uint32_t> cell_of_point;
  cells::CellSorter sorter;

  std::int64_t bytes() const {
    return packed.bytes() + packed_start.bytes() + x.bytes() + y.bytes() + z.bytes() + order.bytes() + limits.bytes() +
           cell_of_point.bytes() + sorter.bytes();
  }
};

/// Result of the surveys of all sets that share a grid.
template <class Real>
struct SurveyTotal {
  SurveyResult<Real> result;  ///< Result of the sets so far.
  unsigned blocks_done;       ///< Number of blocks that finished the present survey on CUDA; 0 between surveys.
};

/// Survey of the points of one set: records invalid points and squares radii. The survey of the last set that shares a
/// grid also makes the grid over the sources.
template <class Real>
struct Survey {
  SearchSpace<Real> space;
  RadiusRule<Real> rule;
  SurveySet<Real> set;
  bool is_first = true;                ///< This set is the first of those that share the grid.
  bool is_last = true;                 ///< This set is the last of those that share the grid.
  Real fixed_limit = 0;                ///< m², 0 where points have radii
  SurveyTotal<Real>* total = nullptr;  ///< Total on the queue's device.
  SearchGrid<Real>* grid = nullptr;    ///< Out, on the queue's device.
  Status* status = nullptr;            ///< Records periods shorter than two radii.
  const int* needed = nullptr;         ///< Null or 1 on the device: survey. 0: the grid stays unchanged.

  /// Adds the complete result of this set. One thread calls it.
  SHOAL_HD void finish(const SurveyResult<Real>& set_result) const {
    SurveyResult<Real> sum = set_result;
    if (!is_first) sum.add(total->result);
    total->result = sum;
    if (is_last) make_grid(sum);
    if (set.count > 0) describe_offender(space, set);
  }

 private:
  SHOAL_HD void make_grid(const SurveyResult<Real>& result) const {
    const Real limit = max(fixed_limit, result.max_limit);
    const Real radius = rule.radius_of(limit);
    // The constructor of the plan compared a fixed radius with the periods.
    for (int axis = 0; fixed_limit == 0 && axis < space.dimensions; ++axis) {
      if (!space.periodic[axis] || static_cast<Real>(space.upper[axis] - space.lower[axis]) >= 2 * radius) continue;
      record(status, axis, static_cast<int>(SearchFault::period));
      status->value[0] = static_cast<double>(radius);
    }
    *grid = make_search_grid(space, limit, result.extent);
  }
};

/// Points to be sorted into the cells of a grid.
template <class Real>
struct PointSort {
  const SearchGrid<Real>* grid;  ///< Grid on the queue's device.
  std::int64_t max_cells;        ///< Upper bound of the number of cells.
  Points<Real> points;
  View<const Real> limits;  ///< m², [n] in the points' order; empty: none
  bool is_source;           ///< Destinations are read in sorted order only; CUDA computes no cell starts for them.
  const int* needed;        ///< Null or 1 on the device: sort. 0: the result is undefined. The CPU's caller checks it.
};

/// Returns true if work that depends on a flag on the device is to be done.
SHOAL_HD bool is_needed(const int* needed) { return needed == nullptr || *needed != 0; }

/// Device-dependent steps before a method runs. They do not wait.
template <class Real>
struct SearchBackend {
  void (*survey)(Scratch& scratch, const Survey<Real>& survey);
  SortedPoints<Real> (*sort_points)(Scratch& scratch, const PointSort<Real>& sort, SortedMemory<Real>& memory);

  static const SearchBackend cpu, cuda;
};

}  // namespace shoal::neighbors
