// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search/search_plan.hpp"
#include "neighbors/skin/skin_item.hpp"

namespace shoal {

/// The list of a search with a skin: candidates of the radius plus the skin, kept until some point may have come near
/// enough from outside, and filtered to the list.
template <class Real>
class SkinSearch {
 public:
  /// @param options  of the list; radius and box are good
  /// @throws Error   a skin that makes no sense, or does not fit the box
  SkinSearch(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options);

  /// Searches candidates of two surveyed sets, which may be one, and writes the list. Leaves it room for as many
  /// entries as there may be candidates, so that no later update needs more. Waits. Returns the number of entries.
  /// @param test  of the list
  std::int64_t find(const PairTest<Real>& test, SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
                    NeighborList& list);

  /// The same for points that moved. Nothing waits, nothing is allocated; what does not fit is recorded.
  void update(const PairTest<Real>& test, SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
              NeighborList& list);

  /// In how many updates since find() candidates were searched. Waits.
  std::int64_t rebuilds() const;

  /// Memory that it holds.
  std::int64_t bytes() const;

 private:
  /// Where the points of one set were.
  struct Places {
    explicit Places(const Queue& queue) : along{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)} {}
    std::int64_t bytes() const { return along[0].bytes() + along[1].bytes() + along[2].bytes(); }
    Array<Real> along[3];
  };

  const Queue& queue() const { return plan_.queue(); }
  SearchSet<Real>& sources(bool one_set) { return one_set ? near_ : of_; }
  SkinSet<Real> skin_set(SearchSet<Real>& set, Places& places);
  Skin<Real> skin_of(bool one_set);
  void take(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set);
  void search(bool one_set, bool may_wait, const int* needed);
  CandidateFilter<Real> mark(ScratchFrame& frame, const PairTest<Real>& test, bool one_set, NeighborList& list);

  double radius_;
  double skin_;
  SearchPlan<Real> plan_;
  SearchSet<Real> near_;  ///< the destinations, or the points of one set
  SearchSet<Real> of_;
  NeighborList candidates_;
  std::shared_ptr<StatusBlock> status_;
  Places near_places_;
  Places of_places_;
  Array<std::int32_t> order_;
  Array<SkinState> state_;
};

}  // namespace shoal
