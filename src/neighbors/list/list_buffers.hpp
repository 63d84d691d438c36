// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/list.hpp>

#include "neighbors/skin/skin_search.hpp"

namespace shoal::neighbors {

/// One list and its optional arrays, in memory that later searches reuse. After an error there is no list.
template <class Real>
class ListBuffers {
 public:
  ListBuffers(const Queue& queue, const NeighborsMethod& method)
      : method_(&method),
        list_{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)},
        wide_indices_(queue, 0),
        distances_(queue, 0),
        displacements_{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)},
        edge_index_(queue, 0),
        shifts_(queue, 0) {}

  /// Finds the list of surveyed sets and makes room for it. Waits.
  void find(SearchPlan<Real>& plan, const SearchPair<Real>& sets);

  /// Finds the list in the present memory without waiting. If it does not fit, the status records that and the optional
  /// arrays are not written.
  /// @param list_status  null: the plan's
  void update(SearchPlan<Real>& plan, const SearchPair<Real>& sets, Status* list_status = nullptr);

  /// Overloads for a search with a skin.
  /// @{
  void find(SkinSearch<Real>& skin, SearchPlan<Real>& plan, const SearchPair<Real>& sets);
  void update(SkinSearch<Real>& skin, SearchPlan<Real>& plan, const SearchPair<Real>& sets);
  /// @}

  /// Removes the list and keeps the memory.
  void clear();

  NeighborListView<Real> view() const;

  /// Number of destinations of the list; −1 if there is no list.
  std::int64_t row_count() const { return list_.offsets.count() - 1; }

  /// Bytes of memory in use.
  std::int64_t bytes() const;

  /// Bytes of one entry of a list with the options of the plan.
  static std::int64_t bytes_of_entry(const SearchPlan<Real>& plan);

 private:
  template <class Work>
  void clear_after_error(Work&& work);
  void resize_optional_arrays(const SearchPlan<Real>& plan);
  void write_optional_arrays(const SearchPlan<Real>& plan, const SearchPair<Real>& sets);

  const NeighborsMethod* method_;
  NeighborList list_;
  Array<std::int64_t> wide_indices_;
  Array<Real> distances_;
  Array<Real> displacements_[3];
  Array<std::int64_t> edge_index_;
  Array<std::int32_t> shifts_;
};

}  // namespace shoal::neighbors
