// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/memory/scratch.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal::wall_distance {

/// Spatial spread of the points and of a sample of its tiles.
struct PointSpread {
  unsigned long long bound[6];  ///< bounding box of the sample: lower x, y, z, upper x, y, z, sortable
  unsigned wide;                ///< number of wide tiles in the sample
};

/// An order of points in kernel arguments.
struct OrderedPoints {
  const PointSpread* spread;  ///< null: the points keep their order
  const std::int32_t* order;  ///< [points] number of the point at each position, if they are sorted
  unsigned tiles;             ///< number of tiles in the sample

  __device__ bool is_sorted() const { return spread != nullptr && 2 * spread->wide > tiles; }
  /// Number of the point at a position.
  __device__ std::int64_t operator()(std::int64_t position) const { return is_sorted() ? order[position] : position; }
};

/// Sorts points along a Hilbert curve, unless successive points are close to each other already. The device decides and
/// sorts, so the host need not wait.
class PointOrder {
 public:
  explicit PointOrder(const Queue& queue);

  /// Determines the order. Allocates only for more points than in any earlier call.
  void arrange(const WallQueries& queries);

  OrderedPoints view() const { return {tiles_ > 0 ? spread_.data() : nullptr, order_.data(), tiles_}; }
  std::int64_t bytes() const {
    return scratch_.bytes() + spread_.bytes() + order_.bytes() + rank_.bytes() + count_.bytes() + first_.bytes();
  }

 private:
  template <int dimensions>
  void arrange_in(const WallQueries& queries);

  Queue queue_;
  Scratch scratch_;
  Array<PointSpread> spread_;
  Array<std::int32_t> order_, rank_, count_;
  Array<std::int64_t> first_;
  unsigned tiles_ = 0;
};

}  // namespace shoal::wall_distance
