// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/memory/scratch.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal {

/// What is known of how points follow each other.
struct PointSpread {
  unsigned long long bound[6];  ///< box around some of them: lower x, y, z, upper x, y, z, as sortable()
  unsigned wide;                ///< how many of the tiles that were looked at are wide
};

/// An order of points as kernels take it.
struct OrderedPoints {
  const PointSpread* spread;  ///< null: points stay as they are
  const std::int32_t* order;  ///< [points] if they do not
  unsigned tiles;             ///< that were looked at

  __device__ bool is_sorted() const { return spread != nullptr && 2 * spread->wide > tiles; }
  /// The point that has a place.
  __device__ std::int64_t operator()(std::int64_t place) const { return is_sorted() ? order[place] : place; }
};

/// Looks whether points that follow each other are close, and if not, orders them along a curve. The device does both,
/// so nobody waits.
class PointOrder {
 public:
  explicit PointOrder(const Queue& queue);

  /// Allocates only for more points than ever before.
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

}  // namespace shoal
