// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <span>

#include "neighbors/search/search_set.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

namespace shoal::neighbors {

/// A set of a search, and its role: the grid spans the sets that are sources of any search.
template <class Real>
struct SearchRole {
  SearchSet<Real>* set;
  bool is_source;
};

/// Common part of all searches with one radius, box and set of options: the distance test, the grid and scratch memory.
/// It knows no method.
template <class Real>
class SearchPlan {
 public:
  /// @throws Error  see the constructor of Neighbors
  SearchPlan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options);

  /// Makes an empty set of points.
  /// @param role  name of a point of the set in messages: "point", "source"
  /// @param name  name of the set in messages, if it has one: "point 17 of fluid"
  SearchSet<Real> make_set(const std::string& role, const std::string& name = "") const;

  /// Makes a status for lists that do not fit.
  /// @param name  name of the list in messages: "(fluid, wall)"
  std::shared_ptr<StatusBlock> watch_list(const std::string& name) const;

  /// Throws an Error unless points have the views that this plan needs.
  void require_points(const char* operation, const Points<Real>& points) const;

  /// Assigns points that passed require_points() to a set, for the next survey.
  void assign(SearchSet<Real>& set, const Points<Real>& points) const;

  /// Makes later surveys and searches depend on a flag on the device: see needed().
  void run_if(const int* needed) { needed_ = needed; }

  /// Gives later lists more room than they need.
  void enable_spare_room() { has_spare_room_ = true; }

  /// Surveys several sets, each once, and makes one grid over all sources. Does not wait.
  void survey(std::span<const SearchRole<Real>> roles);

  /// Surveys the sets of one search. Does not wait.
  void survey(const SearchPair<Real>& sets);

  /// Returns the pairs of surveyed sets over sorted points. Sorts the sets that are not sorted yet; does not wait.
  NeighborPairs<Real> sorted_pairs(const SearchPair<Real>& sets);

  /// Returns the pairs of surveyed sets over points in their own order.
  UnsortedPairs<Real> unsorted_pairs(const SearchPair<Real>& sets) const;

  const Queue& queue() const { return scratch_.queue(); }
  Scratch& scratch() { return scratch_; }
  const Box& box() const { return box_; }
  const NeighborsOptions& options() const { return options_; }
  bool periodic() const { return box_.periodic[0] || box_.periodic[1] || box_.periodic[2]; }

  /// Distance test; its limit is 0 where points have radii.
  const PairTest<Real>& test() const { return test_; }

  /// Grid of the last survey, on the queue's device.
  const SearchGrid<Real>* grid() const { return grid_.data(); }

  /// Returns true if the limits of the sources count: a pair is near if d² is below the larger limit of the two points.
  bool uses_source_limits() const { return options_.radius == Radius::scatter || options_.radius == Radius::symmetric; }

  /// Returns true if rows of a list are ascending; false if they keep the order of visits.
  bool is_ascending() const { return options_.order == RowOrder::ascending; }

  /// Flag on the queue's device: if it is 0, surveys and searches leave grid and list unchanged. Null: they always run.
  const int* needed() const { return needed_; }

  /// Returns the room of a list with `total` entries. Spare room is one eighth, and one entry a row for short rows.
  std::int64_t room_for(std::int64_t total, std::int64_t rows) const {
    return has_spare_room_ ? total + total / 8 + rows : total;
  }

  /// Status for a list that does not fit.
  Status* list_status() { return status_->device_pointer(); }

  /// Bytes of memory in use.
  std::int64_t bytes() const { return scratch_.bytes() + grid_.bytes() + total_.bytes() + status_->bytes(); }

 private:
  bool uses_destination_limits() const {
    return options_.radius == Radius::gather || options_.radius == Radius::symmetric;
  }
  PairRule rule_of(const SearchPair<Real>& sets) const;

  Box box_;
  NeighborsOptions options_;
  Scratch scratch_;
  SearchSpace<Real> space_;
  RadiusRule<Real> radius_rule_;
  PairTest<Real> test_;
  Array<SearchGrid<Real>> grid_;
  Array<SurveyTotal<Real>> total_;
  std::shared_ptr<StatusBlock> status_;
  const int* needed_ = nullptr;
  bool has_spare_room_ = false;
};

/// The point sets of a plan that searches within one set or between two sets.
template <class Real>
class SearchPoints {
 public:
  explicit SearchPoints(const SearchPlan<Real>& plan)
      : plan_(plan),
        points_(plan.make_set("point")),
        sources_(plan.make_set("source")),
        destinations_(plan.make_set("destination")) {}

  /// Throws an Error unless points have the views that the plan needs.
  /// @{
  void check(const Points<Real>& points) const { plan_.require_points("neighbors", points); }
  void check(const Points<Real>& destinations, const Points<Real>& sources) const {
    plan_.require_points("neighbors (destinations)", destinations);
    plan_.require_points("neighbors (sources)", sources);
  }
  /// @}

  /// Takes checked points for the next search.
  /// @{
  void assign(const Points<Real>& points) {
    plan_.assign(points_, points);
    one_set_ = true;
  }
  void assign(const Points<Real>& destinations, const Points<Real>& sources) {
    plan_.assign(destinations_, destinations);
    plan_.assign(sources_, sources);
    one_set_ = false;
  }
  /// @}

  /// Sets of the next search.
  SearchPair<Real> pair() { return {one_set_ ? points_ : destinations_, one_set_ ? points_ : sources_, one_set_}; }

  /// Destinations that are a part of one surveyed set.
  SearchPair<Real> part(Range range) {
    destinations_.assign_part(points_, range);
    return {destinations_, points_, true, range.begin};
  }

  /// Bytes of memory in use.
  std::int64_t bytes() const { return points_.bytes() + sources_.bytes() + destinations_.bytes(); }

 private:
  const SearchPlan<Real>& plan_;
  SearchSet<Real> points_;  ///< Points of a search within one set.
  SearchSet<Real> sources_;
  SearchSet<Real> destinations_;
  bool one_set_ = true;
};

}  // namespace shoal::neighbors
