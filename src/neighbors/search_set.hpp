// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search_backends.hpp"

namespace shoal {

/// One set of points of a search: as the caller gave it, and sorted into the grid once a method asks for that.
template <class Real>
class SearchSet {
 public:
  /// @param has_radii  whether its points have radii of their own; if not, those that they come with are not looked at
  SearchSet(const Queue& queue, bool has_radii, StatusBlock::Explain explain)
      : has_radii_(has_radii),
        sorted_memory_(queue),
        limits_(queue, 0),
        status_(watch_status(queue, std::move(explain))) {}

  /// With radii, limits() are made by the next survey.
  void assign(const Points<Real>& points) {
    points_ = points;
    if (!has_radii_) points_.radius = {};
    limits_.resize(points_.radius.count);
    is_sorted_ = false;
  }

  const Points<Real>& points() const { return points_; }
  std::int64_t count() const { return points_.count(); }

  /// [n] m², squares of the radii in the points' own order; empty where all have one.
  View<const Real> limits() const { return limits_; }

  SurveySet<Real> survey_set() {
    return {PointReader<Real>(points_), points_.radius.data, points_.radius.stride, limits_.data(), count(),
            status_->device_pointer()};
  }

  /// Sorts the points on the first call after assign().
  const SortedPoints<Real>& sorted(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells) {
    if (!is_sorted_) sorted_ = sort(scratch, grid, most_cells);
    is_sorted_ = true;
    return sorted_;
  }

 private:
  SortedPoints<Real> sort(Scratch& scratch, const SearchGrid<Real>* grid, std::int64_t most_cells) {
#ifdef SHOAL_CUDA
    if (!scratch.queue().on_cpu())
      return cuda::sort_points(scratch, grid, most_cells, points_, limits(), sorted_memory_);
#endif
    return cpu::sort_points(scratch, grid, most_cells, points_, limits(), sorted_memory_);
  }

  bool has_radii_;
  Points<Real> points_;
  SortedMemory<Real> sorted_memory_;
  Array<Real> limits_;
  std::shared_ptr<StatusBlock> status_;
  SortedPoints<Real> sorted_;
  bool is_sorted_ = false;
};

}  // namespace shoal
