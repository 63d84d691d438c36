// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/memory/mirrored_array.hpp"
#include "core/memory/scratch.hpp"
#include "neighbors/periodic/periodic_backend.hpp"
#include "neighbors/periodic/system_cell.hpp"

// Why no pair is lost
//
// Let u and v be the unit roundoffs of Real and of double, and D the exact vector of a pair (i, j, S) that passes the test.
//
// 1. Each of the four roundings of a component of D errs by at most u times a partial sum. The partial sums are at most
//    r + sum_k |S_k| |a_k|. With the roundings of d^2, |D| <= r (1 + 3u) + 4 sqrt(3) u (r + sum_k |S_k| |a_k|).
// 2. Positions are wrapped, shifted and placed in double. With w the periods of wrapping and X the largest coordinate,
//    also that of the place, the error of a position is below 8v (X + sum_k |w_k| |a_k|).
// 3. The search in double compares rounded distances: at most another 4v of the radius and of X.
//
// The radius of the search adds 32u (r + sum |S_k| |a_k|) + 32v (X + sum |w_k| |a_k|) to r. Along vector k a pair
// within R has fractions that differ by at most R / h_k, h_k the distance of the faces; their errors are far below those
// of positions, which R includes.
namespace shoal::neighbors {

/// Points of several systems at places that are far from each other, and the images of each that are near its system.
template <class Real>
class PeriodicImages {
 public:
  explicit PeriodicImages(const Queue& queue);

  /// Wraps the points, places the systems and makes the images. Waits for the queue.
  /// @param starts  [systems + 1]
  /// @param cells   [systems] or [1]
  void make(const Points<Real>& points, double radius, std::span<const std::int64_t> starts,
            std::span<const PeriodicCell> cells);

  /// Radius, m, of a search between points() and images() that finds every pair.
  double reach() const { return reach_; }

  /// Wrapped points in their places, the destinations of the search.
  Points<double> points() const;
  /// Images in their places, ordered by point and shift, the sources of the search.
  Points<double> images() const;

  /// Arrays of the points that make() had.
  const ImageArrays<Real>& arrays() const { return arrays_; }
  std::int64_t image_count() const { return images_.count(); }
  void clear() { images_.resize(0); }
  Scratch& scratch() { return scratch_; }

  std::int64_t bytes() const {
    return scratch_.bytes() + device_blocks_.bytes() + device_cells_.bytes() + device_places_.bytes() +
           extents_.bytes() + wrapped_.bytes() + first_.bytes() + images_.bytes() + image_points_.bytes();
  }

 private:
  const Queue& queue() const { return scratch_.queue(); }
  const PeriodicBackend<Real>& steps() const { return backend<PeriodicBackend<Real>>(queue()); }
  std::int64_t number_in_messages(std::size_t system) const {
    return cells_.size() == 1 ? -1 : static_cast<std::int64_t>(system);
  }
  void assign_systems(std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells);
  void wrap(const Points<Real>& points, double radius);
  double resolved_reach(std::size_t system, std::int64_t points, const BlockExtent& extent, double radius) const;
  void place(double radius);
  void make_images();

  Scratch scratch_;
  std::vector<SystemBlock> blocks_;
  std::vector<SystemCell> cells_;    ///< [systems]
  std::vector<SystemPlace> places_;  ///< [systems]
  MirroredArray<SystemBlock> device_blocks_;
  MirroredArray<SystemCell> device_cells_;
  MirroredArray<SystemPlace> device_places_;
  Array<BlockExtent> extents_;  ///< [blocks]
  Array<WrappedPoint> wrapped_;
  Array<std::int64_t> first_;  ///< [points + 1] first image of each point
  Array<ImagePlace> images_;
  Array<ImagePoint<Real>> image_points_;
  ImageArrays<Real> arrays_;
  double reach_ = 0;
};

}  // namespace shoal::neighbors
