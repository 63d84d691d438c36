// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/cell_sorter.hpp"
#include "neighbors/search/survey_item.hpp"

/// What a search does on each device before a method runs: src/neighbors/search_cpu.cpp and search_cuda.cu.
namespace shoal {

/// What can be wrong with a search as a whole: the list does not fit, or a period is shorter than two radii.
enum class SearchFault { overflow, period };

/// Memory of one sorted set, kept from search to search.
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

/// Looks at the points of one set: records bad ones and squares radii; after the last set that shares a grid, makes the
/// grid over the sources. Nothing waits.
template <class Real>
struct Survey {
  SearchSpace<Real> space;
  RadiusRule<Real> rule;
  SurveySet<Real> set;
  bool is_first = true;  ///< of the sets that share the grid
  bool is_last = true;
  Real fixed_limit = 0;                  ///< m², 0 where points have radii
  SurveyFinding<Real>* found = nullptr;  ///< in the sets so far, on the queue's device
  SearchGrid<Real>* grid = nullptr;      ///< out, on the queue's device
  Status* status = nullptr;              ///< for periods shorter than two radii
  const int* needed = nullptr;           ///< see NeighborSearch; the grid stays as it is

  /// Adds what was found in this set when all its points were seen; for one thread.
  SHOAL_HD void finish(const SurveyFinding<Real>& in_set) const {
    SurveyFinding<Real> total = in_set;
    if (!is_first) total.add(*found);
    *found = total;
    if (is_last) make_grid(total);
    if (set.count > 0) describe_offender(space, set);
  }

 private:
  SHOAL_HD void make_grid(const SurveyFinding<Real>& total) const {
    const Real limit = max(fixed_limit, total.largest_limit);
    const Real radius = rule.radius_of(limit);
    // A radius that all points share was compared with the periods when the plan was made.
    for (int axis = 0; fixed_limit == 0 && axis < space.dimensions; ++axis) {
      if (!space.periodic[axis] || static_cast<Real>(space.upper[axis] - space.lower[axis]) >= 2 * radius) continue;
      record(status, axis, static_cast<int>(SearchFault::period));
      status->value[0] = static_cast<double>(radius);
    }
    *grid = make_search_grid(space, limit, total.extent);
  }
};

/// Whether work that depends on a word on the device is to be done.
SHOAL_HD bool is_needed(const int* needed) { return needed == nullptr || *needed != 0; }

/// Sorts points into the cells of a grid on the queue's device. Destinations are read in this order only, so they need
/// no starts of cells; where these cost extra they get none. What is sorted where `needed` is 0 is void. On the CPU the
/// caller looks at that word.
namespace cpu {
template <class Real>
void survey(Scratch& scratch, const Survey<Real>& of);
template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells,
                               const Points<Real>& points, View<const Real> limits, bool is_source,
                               SortedMemory<Real>& memory);
}  // namespace cpu

namespace cuda {
template <class Real>
void survey(Scratch& scratch, const Survey<Real>& of);
template <class Real>
SortedPoints<Real> sort_points(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells,
                               const Points<Real>& points, View<const Real> limits, bool is_source, const int* needed,
                               SortedMemory<Real>& memory);
}  // namespace cuda

}  // namespace shoal
