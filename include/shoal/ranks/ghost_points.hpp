// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/points.hpp>
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <memory>

namespace shoal::neighbors {

/// The points of this rank, and those of other ranks within a radius of them: what a search on this rank needs.
///
/// Points are numbered over all ranks: first those of rank 0, then those of rank 1, and so on. A rank may have any
/// points, also none. Own points and ghosts stand together in the order of these numbers, so rows of a list over points()
/// ascend in the numbers of all ranks, too. The list of the own points has the bits of one rank's:
///
///     shoal::GhostPoints<float> ghosts(queue, ranks, 0.1, box);
///     ghosts.find({x, y, z});                                     // all ranks
///     neighbors.find_part(ghosts.points(), ghosts.own_begin(), ghosts.own_count());
///     // sources of own point i: number()[indices[offsets[i]]] ... number()[indices[offsets[i + 1] − 1]]
///
/// find() and update() are calls of all ranks. What is wrong on one rank is the same Error on all, and names that rank.
/// On one rank there are no ghosts, and points() is the caller's arrays.
///
/// Cost: find() reads the points once for their bounds, and once for each rank whose bounds are within the radius; ranks
/// exchange ghosts alone. Ranks with points in slabs or boxes have few ghosts; ranks with points from everywhere have all
/// points as ghosts. Memory: a copy of own and ghost points, 8 bytes a point, and 4 bytes a point sent. `Real` is float
/// or double.
template <class Real>
class GhostPoints {
 public:
  /// @param radius  m, of the search; if points have radii, the factor of these radii: the largest one counts
  /// @param box     that of the search
  /// @throws Error  on all ranks: radius not positive and finite, dimensions not 1 to 3, a period not positive
  GhostPoints(const Queue& queue, const Communicator& ranks, double radius, const Box& box = {});
  ~GhostPoints();
  GhostPoints(GhostPoints&&) noexcept;
  GhostPoints& operator=(GhostPoints&&) noexcept;

  /// Finds the ghosts; call it again after points moved. Waits for the queue.
  /// @param own_points  m, any stride, on the queue's device; with radii on all ranks that have points, or on none
  /// @throws Error  counts differ or wrong device; a coordinate is not finite, or more than one period outside the box:
  ///                names the first such point; own points and ghosts are 2^31 − 1 or more
  /// After an error there are no points.
  void find(const Points<Real>& own_points);

  /// Another array of the points, or newer values: those of own points and ghosts, in the order of points().
  /// @param own_values  [own points] any stride, on the queue's device
  /// @param values      [own points and ghosts], contiguous, overwritten; not the memory of `own_values`
  /// T: float, double, std::int32_t or std::int64_t
  /// @throws Error  before find(); counts differ, wrong device, or `values` is strided
  template <class T>
  void update(View<const T> own_values, View<T> values) const;

  const Points<Real>& points() const;  ///< [own points and ghosts] with radii if the own points have them

  /// [own points and ghosts] numbers over all ranks, ascending
  View<const std::int64_t> number() const;

  std::int64_t own_begin() const;  ///< Index of the first own point in points(); own points stand together
  std::int64_t own_count() const;  ///< Number of own points
  std::int64_t total() const;      ///< Number of points of all ranks

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::GhostPoints;
}  // namespace shoal
