// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "neighbors/neighbors_method.hpp"

namespace shoal {

/// A set of a search, and whether some other searches it.
template <class Real>
struct SearchRole {
  SearchSet<Real>* set;
  bool is_source;
};

/// What all searches of one radius, box and method share: the grid, scratch, and how a search is run. Used by every
/// public class of `neighbors`.
template <class Real>
class SearchPlan {
 public:
  /// @throws Error  what the constructor of Neighbors says
  SearchPlan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options);

  /// A set of points for this plan.
  /// @param who   what messages call one of its points: "point", "source"
  /// @param name  of the set, where it has one: "point 17 of fluid"
  SearchSet<Real> make_set(const std::string& who, const std::string& name = "") const;

  /// For search(): says which list does not fit. @param name  "(fluid, wall)"
  std::shared_ptr<StatusBlock> watch_list(const std::string& name) const;

  /// Throws unless points have the views that this plan needs.
  void require_points(const char* operation, const Points<Real>& points) const;

  /// Gives a set the points that the next survey looks at; those of require_points().
  void assign(SearchSet<Real>& set, const Points<Real>& points) const;

  /// From now on surveys and searches do nothing where this word is 0 when they run: see NeighborSearch.
  void run_if(const int* needed) { needed_ = needed; }

  /// From now on lists get more room than they need.
  void spare_room() { spare_room_ = true; }

  /// Looks at the points of several sets, each once, and makes one grid over all that are sources. Nothing waits.
  void survey(std::span<const SearchRole<Real>> roles);

  /// The same for two sets, which may be one.
  void survey(SearchSet<Real>& destinations, SearchSet<Real>& sources);

  /// Finds the list of two sets after their survey. With `may_wait` the list grows as needed.
  /// @param first_destination  where the destinations are a part of the sources (one_set): number of the first
  /// @param list_status        for a list that does not fit; null: the plan's
  /// @throws OutOfMemory       the list does not fit the device
  void search(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set, std::int64_t first_destination,
              bool may_wait, NeighborList& list, Status* list_status = nullptr);

  /// The pairs of two sets after their survey, sorted.
  NeighborPairs<Real> sorted_pairs(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set);

  const Queue& queue() const { return scratch_.queue(); }
  Scratch& scratch() { return scratch_; }
  const Box& box() const { return box_; }
  const NeighborsOptions& options() const { return options_; }
  const NeighborsMethod& method() const { return *method_; }
  const PairTest<Real>& test() const { return test_; }
  /// Memory that it holds.
  std::int64_t bytes() const { return scratch_.bytes() + grid_.bytes() + found_.bytes() + status_->bytes(); }

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
  Array<SurveyFinding<Real>> found_;
  std::shared_ptr<StatusBlock> status_;
  NeighborList no_list_;
  const int* needed_ = nullptr;
  bool spare_room_ = false;
};

}  // namespace shoal
