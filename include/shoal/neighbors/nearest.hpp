// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <cstdint>
#include <memory>

namespace shoal::neighbors {

struct NearestOptions {
  bool include_self = false;  ///< Within one set: each point is its own nearest neighbor.
};

/// The k nearest sources of every destination, exact, ties by the smaller number.
///
/// Row i holds the k sources with the least (d², j), ascending, where in the arithmetic of `Real` and with fma rounding
/// once
///
///     d² = fma(dz, dz, fma(dy, dy, dx·dx))
///     dx = x_i − x_j, on a periodic axis with period L then fma(−rint(dx · (1/L)), L, dx)
///
/// as in `Neighbors`, so the rows have the same bits on CPU and CUDA, for any number of threads. A source counts once, by its nearest image.
/// If there are fewer than k sources, the row ends with the number −1 and the distance infinity.
///
///     shoal::NearestNeighbors<float> nearest(shoal::Queue::cpu(), 8);
///     nearest.find({x, y, z});
///     use(nearest.indices(), nearest.distances());
///
/// Cost: a tree over the sources, about n log n operations for any distribution of points. 44 bytes a source in double; on
/// CUDA another 64, and up to k = 32 the nearest sources stay in registers. `Real` is float or double.
///
/// Source: Bentley (1975), Friedman, Bentley and Finkel (1977); on CUDA Karras (2012).
template <class Real>
class NearestNeighbors {
 public:
  /// @param count  k, at least 1
  /// @throws Error  count < 1; bounds of a periodic axis that are not ascending and finite
  NearestNeighbors(const Queue& queue, int count, const Box& box = {}, const NearestOptions& options = {});
  ~NearestNeighbors();
  NearestNeighbors(NearestNeighbors&&) noexcept;
  NearestNeighbors& operator=(NearestNeighbors&&) noexcept;

  /// Finds the nearest points within one set. Waits for the queue. The plan keeps its memory and grows it when needed,
  /// which invalidates earlier views. All views are on the queue's device.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1. Two dimensions ignore z.
  /// @throws Error  counts differ; a coordinate is not finite, or more than one period outside the box: names the first such
  ///                point
  /// After an error the plan has no result, keeps its memory and can be used again.
  void find(const Points<Real>& points);

  /// Finds the sources nearest to each destination. A point in both sets finds itself.
  void find(const Points<Real>& destinations, const Points<Real>& sources);

  /// [destinations · k] numbers of sources, row by row; −1 after the last source.
  View<const std::int32_t> indices() const;

  /// [destinations · k] m, d of each entry: the root of d², rounded once; infinity after the last source.
  View<const Real> distances() const;

  /// Bytes that the plan keeps between searches, without the result.
  std::int64_t scratch_bytes() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::NearestNeighbors;
using neighbors::NearestOptions;
}  // namespace shoal
