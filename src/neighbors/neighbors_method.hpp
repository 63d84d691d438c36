// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/method_table.hpp"
#include "neighbors/search/search_plan.hpp"

namespace shoal::neighbors {

/// List of neighbors as compressed rows, in memory that grows.
struct NeighborList {
  Array<std::int64_t> offsets;  ///< [destinations + 1]
  Array<std::int32_t> indices;  ///< [room]; a complete list uses the first offsets[destinations]
};

/// Records that the list needs `total` entries and has room for fewer.
SHOAL_HD void record_overflow(Status* status, std::int64_t total, std::int64_t room) {
  record(status, 0, static_cast<int>(SearchFault::overflow));
  status->value[0] = static_cast<double>(total);
  status->value[1] = static_cast<double>(room);
}

/// Arguments of a method of `neighbors`. The method writes the offsets, makes room, and writes the indices, each row
/// in the order of SearchPlan::is_ascending(). The plan has surveyed the sets.
template <class Real>
struct NeighborSearch {
  SearchPlan<Real>& plan;
  SearchPair<Real> sets;
  bool may_wait;        ///< True: the method waits and the list grows. False: a list without room is recorded.
  NeighborList& list;   ///< Out; offsets have their length.
  Status* list_status;  ///< Status for record_overflow(), read by the next wait.

  const Queue& queue() const { return plan.queue(); }

  /// Number of entries that a list with `total` entries gets room for.
  std::int64_t room_for(std::int64_t total) const { return plan.room_for(total, sets.destinations.count()); }

  /// Makes room for `total` entries, or records that there is none. Returns true if the list has room. For CPU methods.
  bool make_room(std::int64_t total) const {
    if (may_wait) list.indices.resize(room_for(total));
    const bool fits = total <= list.indices.count();
    if (!fits) record_overflow(list_status, total, list.indices.count());
    return fits;
  }
};

/// Entry of the method table.
struct NeighborsMethod : MethodEntry {
  bool
      replays;  ///< Can run without waiting and without the host, and obeys SearchPlan::needed(): for update() and graphs.
  bool orders_visits;  ///< Writes rows in the order of visits as well as ascending.
  void (*run_float)(const NeighborSearch<float>&);
  void (*run_double)(const NeighborSearch<double>&);

  /// Finds a list.
  /// @throws OutOfMemory  the list does not fit the device
  template <class Real>
  void run(const NeighborSearch<Real>& search) const;
};

/// Method table, in order of preference for each device.
std::span<const NeighborsMethod> neighbors_method_table();

/// Returns the method of this name on the queue's device.
/// @throws Error  there is none, or it does not write rows in this order
const NeighborsMethod& find_neighbors_method(const Queue& queue, const std::string& name,
                                             RowOrder order = RowOrder::ascending);

std::vector<MethodInfo> neighbors_methods();

}  // namespace shoal::neighbors
