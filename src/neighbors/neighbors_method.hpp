// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <span>

#include "core/method_table.hpp"
#include "neighbors/search/search_set.hpp"

namespace shoal {

/// Compressed rows. A method writes `offsets`, asks for room, and writes `indices`.
struct NeighborList {
  Array<std::int64_t> offsets;  ///< [destinations + 1]
  Array<std::int32_t> indices;  ///< [room]; offsets[destinations] are written
};

/// Records that the list needs more entries than there is room for.
SHOAL_HD void record_overflow(Status* status, std::int64_t total, std::int64_t room) {
  record(status, 0, static_cast<int>(SearchFault::overflow));
  status->value[0] = static_cast<double>(total);
  status->value[1] = static_cast<double>(room);
}

/// What a method of `neighbors` is given. The sets may be one.
template <class Real>
struct NeighborSearch {
  Scratch& scratch;
  const SearchGrid<Real>* grid;  ///< on the queue's device; neighbors are at most one cell apart in y and z
  std::int64_t most_cells;       ///< no grid of this search has more
  PairTest<Real> test;           ///< its limit is 0 where points have radii of their own
  bool periodic = false;         ///< some axis is
  Radius radius = Radius::fixed;
  SearchSet<Real>& destinations;
  SearchSet<Real>& sources;
  std::int64_t first_destination = 0;  ///< of one set: the number that destination 0 has among the sources
  bool one_set = false;
  bool include_self = false;    ///< of one set
  bool half = false;            ///< of one set: only sources with a larger number
  bool may_wait = true;         ///< else the list keeps its room, and the method records a total that is larger
  bool spare_room = false;      ///< where the list may get room, it gets more than it needs
  const int* needed = nullptr;  ///< on the queue's device; where it is 0 the list stays as it is. Null: always search
  NeighborList& list;           ///< out; offsets has its length
  Status* list_status;          ///< for record_overflow(), read by the next wait

  const Queue& queue() const { return scratch.queue(); }

  /// The room that a list of so many entries gets. Spare are an eighth, and one a row for short rows.
  std::int64_t room_for(std::int64_t total) const {
    return spare_room ? total + total / 8 + destinations.count() : total;
  }

  /// For methods of the CPU: whether the list has room for `total` entries. It grows if it may; else too large a total
  /// is recorded.
  bool make_room(std::int64_t total) const {
    if (may_wait) list.indices.resize(room_for(total));
    const bool fits = total <= list.indices.count();
    if (!fits) record_overflow(list_status, total, list.indices.count());
    return fits;
  }

  bool destinations_decide() const { return radius == Radius::gather || radius == Radius::symmetric; }
  bool sources_decide() const { return radius == Radius::scatter || radius == Radius::symmetric; }

  /// [n] m², in the points' own order. A pair is near if d² is below the larger of its limits; where a view is empty,
  /// the test's own limit stands for it. Neither is empty for no reason: see Radius.
  View<const Real> destination_limits() const {
    return destinations_decide() ? destinations.limits() : View<const Real>();
  }
  View<const Real> source_limits() const { return sources_decide() ? sources.limits() : View<const Real>(); }

  /// The pairs for methods that do not sort: wants() and the test hold, the sorted points are empty.
  NeighborPairs<Real> unsorted_pairs() const {
    NeighborPairs<Real> pairs;
    pairs.grid = grid;
    pairs.test = test;
    pairs.first_destination = first_destination;
    pairs.one_set = one_set;
    pairs.include_self = include_self;
    pairs.half = half;
    return pairs;
  }

  /// The pairs over sorted points; sorts what is not sorted yet.
  NeighborPairs<Real> sorted_pairs() const {
    NeighborPairs<Real> pairs = unsorted_pairs();
    pairs.sources = sources.sorted(scratch, grid, most_cells, needed);
    pairs.destinations = destinations.sorted(scratch, grid, most_cells, needed);
    if (!sources_decide()) pairs.sources.limits = nullptr;
    if (!destinations_decide()) pairs.destinations.limits = nullptr;
    return pairs;
  }
};

struct NeighborsMethod : MethodEntry {
  bool replays;  ///< can run without waiting and without the host, and obeys `needed`: for update() and graphs
  void (*run_float)(const NeighborSearch<float>&);
  void (*run_double)(const NeighborSearch<double>&);

  void run(const NeighborSearch<float>& search) const { run_float(search); }
  void run(const NeighborSearch<double>& search) const { run_double(search); }
};

/// The table, best first for each device.
std::span<const NeighborsMethod> neighbors_rows();
std::vector<MethodInfo> neighbors_methods();

}  // namespace shoal
