// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/range.hpp"
#include "neighbors/search/search_backend.hpp"

namespace shoal {

/// One set of points of a search: as the caller gave it, and sorted into the grid once a method asks for that.
template <class Real>
class SearchSet {
 public:
  SearchSet(const Queue& queue, StatusBlock::Explain explain)
      : sorted_memory_(queue), limits_memory_(queue, 0), status_(watch_status(queue, std::move(explain))) {}

  /// A set for mirror().
  explicit SearchSet(const Queue& queue) : sorted_memory_(queue), limits_memory_(queue, 0) {}

  /// Takes the points of another set, for a search in another grid. What is wrong with them is recorded there.
  void mirror(const SearchSet& other) {
    assign(other.points_);
    status_ = other.status_;
  }

  /// With points.radius, limits() are made by the next survey.
  void assign(const Points<Real>& points) {
    is_sorted_ = false;
    points_ = points;
    limits_ = {};
    limits_memory_.resize(points.radius.count);
    limits_ = limits_memory_;
  }

  /// Takes points of a set that was surveyed, to be searched in its grid as destinations.
  void assign_part(const SearchSet& whole, Range part) {
    const auto cut = [&](View<const Real> all) {
      return all.empty() ? all
                         : View<const Real>(all.data + part.begin * all.stride, part.count(), all.device, all.stride);
    };
    const Points<Real>& of = whole.points_;
    points_ = {cut(of.x), cut(of.y), cut(of.z), cut(of.radius)};
    limits_ = cut(whole.limits_);
    is_source_ = false;
    is_sorted_ = false;
  }

  const Points<Real>& points() const { return points_; }
  std::int64_t count() const { return points_.count(); }

  /// [n] m², squares of the radii in the points' own order; empty where all have one.
  View<const Real> limits() const { return limits_; }

  /// For a survey, which makes a new grid: the points are no longer sorted.
  void begin_survey(bool is_source) {
    is_source_ = is_source;
    is_sorted_ = false;
  }

  /// limits are those of assign(): parts are not surveyed.
  SurveySet<Real> survey_set() {
    return {cells::PointReader<Real>(points_),
            points_.radius.data,
            points_.radius.stride,
            limits_memory_.data(),
            count(),
            is_source_,
            status_->device_pointer()};
  }

  /// The numbers of the sorted points; empty if they are not sorted.
  View<const std::int32_t> order() const {
    return is_sorted_ ? View<const std::int32_t>(sorted_.order, count(), sorted_memory_.order.device())
                      : View<const std::int32_t>();
  }

  /// Sorts the points on the first call after their survey.
  /// @param needed  see NeighborSearch
  const SortedPoints<Real>& sorted(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells,
                                   const int* needed) {
    if (!is_sorted_) sorted_ = sort(scratch, grid, most_cells, needed);
    is_sorted_ = true;
    return sorted_;
  }

  /// Memory that it holds.
  std::int64_t bytes() const {
    return sorted_memory_.bytes() + limits_memory_.bytes() + (status_ ? status_->bytes() : 0);
  }

 private:
  SortedPoints<Real> sort(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells,
                          [[maybe_unused]] const int* needed) {
#ifdef SHOAL_CUDA
    if (!scratch.queue().on_cpu())
      return cuda::sort_points(scratch, grid, most_cells, points_, limits(), is_source_, needed, sorted_memory_);
#endif
    return cpu::sort_points(scratch, grid, most_cells, points_, limits(), is_source_, sorted_memory_);
  }

  Points<Real> points_;
  SortedMemory<Real> sorted_memory_;
  Array<Real> limits_memory_;
  View<const Real> limits_;
  std::shared_ptr<StatusBlock> status_;
  SortedPoints<Real> sorted_;
  bool is_source_ = true;
  bool is_sorted_ = false;
};

}  // namespace shoal
