// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/neighbors_method.hpp"
#include "neighbors/skin/skin_item.hpp"

namespace shoal::neighbors {

/// Search with a skin (Verlet list). It keeps candidates within radius + skin and filters them to the list, until a
/// point may have come within the radius from outside.
template <class Real>
class SkinSearch {
 public:
  /// @param options  options of the list; radius and box are valid
  /// @throws Error   the skin is not positive or does not fit the box; points have radii
  SkinSearch(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options);

  /// Searches candidates of surveyed sets and writes the list. Leaves the list room for as many entries as candidates
  /// may come, so that no later update needs more. Waits. Returns the number of entries.
  /// @param test  distance test of the list
  std::int64_t find(const PairTest<Real>& test, const SearchPair<Real>& sets, NeighborList& list);

  /// Updates the list for points that moved. Does not wait and allocates nothing; records candidates that do not fit.
  void update(const PairTest<Real>& test, const SearchPair<Real>& sets, NeighborList& list);

  /// Returns the number of updates since find() that searched candidates. Waits.
  std::int64_t rebuilds() const;

  /// Bytes of memory in use.
  std::int64_t bytes() const;

 private:
  /// Reference positions of one set.
  struct References {
    explicit References(const Queue& queue)
        : component{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)} {}
    std::int64_t bytes() const { return component[0].bytes() + component[1].bytes() + component[2].bytes(); }
    Array<Real> component[3];
  };

  const Queue& queue() const { return plan_.queue(); }
  SearchPair<Real> mirrored(bool one_set) { return {destinations_, one_set ? destinations_ : sources_, one_set}; }
  SkinSet<Real> skin_set(SearchSet<Real>& set, References& references);
  Skin<Real> skin_of(bool one_set);
  void assign(const SearchPair<Real>& sets);
  void search(bool one_set, bool may_wait, const int* needed);
  void write_list(const PairTest<Real>& test, bool one_set, NeighborList& list);

  double radius_;
  double skin_;
  SearchPlan<Real> plan_;  ///< Plan of the candidates.
  const NeighborsMethod& method_;
  SearchSet<Real> destinations_;  ///< Within one set: its points.
  SearchSet<Real> sources_;
  NeighborList candidates_;
  std::shared_ptr<StatusBlock> status_;
  References destination_references_;
  References source_references_;
  Array<std::int32_t> order_;
  Array<SkinState> state_;
};

}  // namespace shoal::neighbors
