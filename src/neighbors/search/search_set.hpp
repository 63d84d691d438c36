// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/range.hpp"
#include "neighbors/search/search_backend.hpp"

namespace shoal::neighbors {

/// One set of points of a search: the caller's views, and a copy sorted into the grid, made when a method needs it.
template <class Real>
class SearchSet {
 public:
  SearchSet(const Queue& queue, StatusBlock::Explain explain)
      : sorted_memory_(queue), limits_memory_(queue, 0), status_(watch_status(queue, std::move(explain))) {}

  /// A set for mirror().
  explicit SearchSet(const Queue& queue) : sorted_memory_(queue), limits_memory_(queue, 0) {}

  /// Takes the points of another set, for a search in another grid. Faults are recorded in the status of the original.
  void mirror(const SearchSet& original) {
    assign(original.points_);
    status_ = original.status_;
  }

  /// If points have radii, the next survey computes limits().
  void assign(const Points<Real>& points) {
    is_sorted_ = false;
    points_ = points;
    limits_ = {};
    limits_memory_.resize(points.radius.count);
    limits_ = limits_memory_;
  }

  /// Takes a part of a surveyed set, as destinations of searches in its grid.
  void assign_part(const SearchSet& whole, Range part) {
    const auto cut = [&](View<const Real> array) {
      return array.empty()
                 ? array
                 : View<const Real>(array.data + part.begin * array.stride, part.count(), array.device, array.stride);
    };
    const Points<Real>& points = whole.points_;
    points_ = {cut(points.x), cut(points.y), cut(points.z), cut(points.radius)};
    limits_ = cut(whole.limits_);
    is_source_ = false;
    is_sorted_ = false;
  }

  const Points<Real>& points() const { return points_; }
  std::int64_t count() const { return points_.count(); }

  /// [n] m², squares of the radii in the points' order; empty if all points have the radius of the plan.
  View<const Real> limits() const { return limits_; }

  /// Invalidates the sorted copy, because a survey makes a new grid.
  void begin_survey(bool is_source) {
    is_source_ = is_source;
    is_sorted_ = false;
  }

  /// Arguments of a survey. A set made by assign_part() is not surveyed.
  SurveySet<Real> survey_set() {
    return {PointReader<Real>(points_),
            points_.radius.data,
            points_.radius.stride,
            limits_memory_.data(),
            count(),
            is_source_,
            status_->device_pointer()};
  }

  /// Numbers of the sorted points; empty if the set is not sorted.
  View<const std::int32_t> order() const {
    return is_sorted_ ? View<const std::int32_t>(sorted_.order, count(), sorted_memory_.order.device())
                      : View<const std::int32_t>();
  }

  /// Returns the sorted points. The first call after a survey sorts them.
  /// @param needed  see PointSort
  const SortedPoints<Real>& sorted(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t max_cells,
                                   const int* needed) {
    if (!is_sorted_)
      sorted_ = backend<SearchBackend<Real>>(scratch.queue())
                    .sort_points(scratch, {grid, max_cells, points_, limits(), is_source_, needed}, sorted_memory_);
    is_sorted_ = true;
    return sorted_;
  }

  /// Bytes of memory in use.
  std::int64_t bytes() const {
    return sorted_memory_.bytes() + limits_memory_.bytes() + (status_ ? status_->bytes() : 0);
  }

 private:
  Points<Real> points_;
  SortedMemory<Real> sorted_memory_;
  Array<Real> limits_memory_;
  View<const Real> limits_;
  std::shared_ptr<StatusBlock> status_;
  SortedPoints<Real> sorted_;
  bool is_source_ = true;
  bool is_sorted_ = false;
};

/// Destinations and sources of a search. Within one set both are that set, or the destinations are a part of it.
template <class Real>
struct SearchPair {
  SearchSet<Real>& destinations;
  SearchSet<Real>& sources;
  bool one_set;
  std::int64_t first_destination = 0;  ///< Within one set: number of destination 0 among the sources.
};

}  // namespace shoal::neighbors
