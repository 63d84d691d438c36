// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_list.hpp>

#include "neighbors/skin/skin_search.hpp"

namespace shoal {

/// The memory of one list and of what options want beside it, kept from search to search.
template <class Real>
class ListBuffers {
 public:
  explicit ListBuffers(const Queue& queue)
      : list_{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)},
        wide_(queue, 0),
        distance_(queue, 0),
        displacement_{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)} {}

  /// SearchPlan::search() into this memory. After an error there is no list.
  void find(SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
            std::int64_t first_destination = 0);

  /// The same without waiting, in the memory that there is. A list that needs more is recorded in `list_status` (null:
  /// the plan's), and nothing beside it is written. After an error there is no list.
  void update(SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
              Status* list_status = nullptr);

  /// The same two for a search with a skin.
  /// @{
  void find(SkinSearch<Real>& skin, SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources,
            bool one_set);
  void update(SkinSearch<Real>& skin, SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources,
              bool one_set);
  /// @}

  /// Forgets the list, keeps the memory.
  void clear();

  const NeighborList& list() const { return list_; }
  NeighborListView<Real> view() const;

  /// Destinations of the list; −1 where there is none.
  std::int64_t rows() const { return list_.offsets.count() - 1; }

  /// Memory that it holds.
  std::int64_t bytes() const;

  /// Bytes that each entry of a list takes.
  static std::int64_t bytes_of_entry(const SearchPlan<Real>& plan);

 private:
  template <class Work>
  void clear_after_error(Work&& work);
  void make_room(const SearchPlan<Real>& plan);
  void write_outputs(const SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources);

  NeighborList list_;
  Array<std::int64_t> wide_;
  Array<Real> distance_;
  Array<Real> displacement_[3];
};

}  // namespace shoal
