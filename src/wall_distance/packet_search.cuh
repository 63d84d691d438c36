// SPDX-License-Identifier: Apache-2.0
// How a warp looks for the nearest pieces of 32 points that are close to each other: it goes through a tree once, to
// wherever any of them must look.
#pragma once
#include "core/warp_peers.cuh"
#include "wall_distance/device_trees.cuh"

namespace shoal {

/// A squared distance in float, and what rounding may do to its root.
struct FlatDistance {
  float squared;  ///< m²
  float error;    ///< m

  __device__ float low() const { return fast_sqrt(squared) * (1 - 0x1p-20f) - error; }
  __device__ float high() const { return fast_sqrt(squared) * (1 + 0x1p-20f) + error; }
  /// Whether low() is more than `reach`, for certain. False for what is not a number.
  __device__ bool is_beyond(float reach) const {
    const float limit = (reach + error) * (1 + 0x1p-18f);
    return squared > limit * limit;
  }
};

/// Nodes and leaves still to be looked at by the warps of a block.
template <int threads>
struct PacketStacks {
  static constexpr int most = 80;  ///< seven a level and eight at the last
  std::uint32_t entries[threads / 32][most];
};

/// @tparam Faces  what is done with pieces, one of each thread: reach() says within how much they are of interest, m;
///                offer(piece, distance) takes one that may be; leave_out(distance) hears of what is farther
template <class Faces>
class PacketSearch {
 public:
  __device__ PacketSearch(const DeviceTrees& trees, std::uint32_t* stack, Faces& faces)
      : trees_(trees), stack_(stack), faces_(faces) {}

  /// Goes to the tree of a body.
  /// @param point  as the body sees it
  __device__ void enter(std::int32_t body, const TwofoldVector& point) {
    tree_ = trees_.trees + body;
    const Twofold along[3] = {point.x, point.y, point.z};
    float farthest = tree_->size;
    for (int axis = 0; axis < 3; ++axis) {
      const double from_centre = (along[axis].high - tree_->centre[axis]) + along[axis].low;
      high_[axis] = static_cast<float>(from_centre);
      low_[axis] = static_cast<float>(from_centre - static_cast<double>(high_[axis]));
      farthest = larger(farthest, std::abs(high_[axis]));
    }
    box_error_ = 0x1p-21f * farthest + least;
    place_error_ = 0x1p-42f * farthest + least;
  }

  /// Takes the pieces of a leaf that is close to the point of one thread.
  template <class Take>
  __device__ void try_near(int lane, Take&& take) const {
    float seed[3];
    for (int axis = 0; axis < 3; ++axis) seed[axis] = __shfl_sync(whole_warp, high_[axis], lane);
    const std::uint32_t c = threadIdx.x % BoxNode::width;
    std::uint32_t j = 0;
    for (int level = tree_->levels; level > 0; --level) {
      const float squared = to_box(node(level, j), static_cast<int>(c), seed);
      const bool is_box = static_cast<std::int32_t>(j * BoxNode::width + c) < tree_->count[level - 1];
      const std::uint32_t nearest = __reduce_min_sync(whole_warp, is_box ? key(squared, c) : no_key);
      j = j * BoxNode::width + nearest % BoxNode::width;
    }
    for_each_piece(leaf(j), take);
  }

  /// Looks wherever pieces may be within reach.
  __device__ void run() {
    int count = 0;
    const int top = tree_->levels;
    open(top, 0, count);
    while (count > 0) {
      const std::uint32_t entry = stack_[--count];
      const auto level = static_cast<int>(entry >> level_shift);
      const std::uint32_t j = entry & ((1u << level_shift) - 1);
      const FlatDistance distance{to_box(node(level + 1, j / BoxNode::width), static_cast<int>(j % BoxNode::width), high_),
                                  box_error_};
      const bool is_beyond = distance.is_beyond(faces_.reach());
      if (!__any_sync(whole_warp, !is_beyond))
        faces_.leave_out(distance);
      else if (level > 0)
        open(level, j, count);
      else
        for_each_piece(leaf(j), [&](std::int32_t piece, const FlatDistance& found) {
          if (found.is_beyond(faces_.reach()))
            faces_.leave_out(found);
          else
            faces_.offer(piece, found);
        });
    }
  }

 private:
  static constexpr float least = 1e-18f;  ///< m, so that squares do not vanish
  static constexpr int level_shift = 28;
  static constexpr std::uint32_t no_key = ~0u;

  __device__ const BoxNode& node(int level, std::uint32_t j) const {
    return trees_.nodes[static_cast<std::uint32_t>(tree_->first[level]) + j];
  }
  __device__ const TreeLeaf& leaf(std::uint32_t j) const {
    return trees_.leaves[static_cast<std::uint32_t>(tree_->first[0]) + j];
  }

  /// Ascends with the distance; all boxes of a node have other ones.
  __device__ static std::uint32_t key(float squared, std::uint32_t c) {
    return (__float_as_uint(squared) & ~std::uint32_t{BoxNode::width - 1}) | c;
  }

  /// The squared distance from a point to box c.
  __device__ static float to_box(const BoxNode& node, int c, const float (&at)[3]) {
    float sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float outside = larger(std::abs(at[axis] - node.middle[axis][c]) - node.half[axis][c], 0.0f);
      sum += outside * outside;
    }
    return sum;
  }

  /// Brings the boxes of a node that must be looked at on the stack, the nearest one on top.
  __device__ void open(int level, std::uint32_t j, int& count) {
    const BoxNode& boxes = node(level, j);
    const std::int32_t rest = tree_->count[level - 1] - static_cast<std::int32_t>(j * BoxNode::width);
    const std::uint32_t lane = threadIdx.x % 32;
    std::uint32_t mine = no_key;  // the smallest distance of any point to box number `lane`
#pragma unroll
    for (int c = 0; c < BoxNode::width; ++c) {
      const FlatDistance distance{to_box(boxes, c, high_), box_error_};
      const bool is_wanted = c < rest && !distance.is_beyond(faces_.reach());
      const std::uint32_t nearest =
          __reduce_min_sync(whole_warp, is_wanted ? key(distance.squared, static_cast<std::uint32_t>(c)) : no_key);
      if (c < rest && nearest == no_key) faces_.leave_out(distance);
      if (lane == static_cast<std::uint32_t>(c)) mine = nearest;
    }
    int nearer = 0, all = 0;  // places on the stack
#pragma unroll
    for (int c = 0; c < BoxNode::width; ++c) {
      const std::uint32_t other = __shfl_sync(whole_warp, mine, c);
      nearer += other != no_key && other > mine;
      all += other != no_key;
    }
    if (mine != no_key)
      stack_[count + nearer] = static_cast<std::uint32_t>(level - 1) << level_shift | (j * BoxNode::width + lane);
    __syncwarp();
    count += all;
  }

  /// Calls take(piece, distance) for the pieces of a leaf.
  template <class Take>
  __device__ void for_each_piece(const TreeLeaf& leaf, Take&& take) const {
    float w[3], farthest = leaf.size;
    for (int axis = 0; axis < 3; ++axis) {
      w[axis] = (high_[axis] - leaf.origin[axis]) + low_[axis];
      farthest = larger(farthest, std::abs(w[axis]));
    }
    const float error = 2 * flat_error * farthest + place_error_;
#pragma unroll
    for (int i = 0; i < TreeLeaf::width; ++i) {
      const std::int32_t piece = leaf.piece[i];
      if (piece < 0) break;
      take(piece, FlatDistance{flat_distance_squared(leaf.flat, i, w[0], w[1], w[2]), error});
    }
  }

  const DeviceTrees& trees_;
  std::uint32_t* stack_;
  Faces& faces_;
  const BodyTree* tree_ = nullptr;
  float high_[3], low_[3];  ///< m, the point from the centre of the tree, as a sum
  float box_error_, place_error_;
};

}  // namespace shoal
