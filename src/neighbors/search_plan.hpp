// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search.hpp"

namespace shoal {

/// What all searches of one radius, box and method share: the grid, scratch, and how a search is run. Used by every
/// public class of `neighbors`.
template <class Real>
class SearchPlan {
 public:
  /// @throws Error  what the constructor of Neighbors says
  SearchPlan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options);

  /// A set of points for this plan. @param who  what messages call one of its points: "point", "source of fluid"
  SearchSet<Real> make_set(const std::string& who) const;

  /// Throws unless points have the views that this plan needs.
  void require_points(const char* operation, const Points<Real>& points) const;

  /// Looks at the points of both sets, which may be one, and makes the grid over the sources. Nothing waits.
  void survey(SearchSet<Real>& destinations, SearchSet<Real>& sources);

  /// Finds the list of two sets after their survey. With `may_wait` the list grows as needed.
  /// @param first_destination  where the destinations are a part of the sources (one_set): number of the first
  void search(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set, std::int64_t first_destination,
              bool may_wait, NeighborList& list);

  /// The pairs of two sets after their survey, sorted.
  NeighborPairs<Real> sorted_pairs(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set);

  const Queue& queue() const { return scratch_.queue(); }
  Scratch& scratch() { return scratch_; }
  const Box& box() const { return box_; }
  const NeighborsOptions& options() const { return options_; }
  const NeighborsMethod& method() const { return *method_; }
  const PairTest<Real>& test() const { return test_; }
  /// On the queue's device; the last survey's.
  const SearchGrid<Real>* grid() const { return grid_.data(); }
  bool periodic() const { return box_.periodic[0] || box_.periodic[1] || box_.periodic[2]; }

 private:
  NeighborSearch<Real> search_of(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
                                 NeighborList& list);

  Box box_;
  NeighborsOptions options_;
  Scratch scratch_;
  const NeighborsMethod* method_;
  SearchSpace<Real> space_;
  RadiusRule<Real> rule_;
  PairTest<Real> test_;
  Array<SearchGrid<Real>> grid_;
  std::shared_ptr<StatusBlock> status_;
  NeighborList no_list_;
};

}  // namespace shoal
