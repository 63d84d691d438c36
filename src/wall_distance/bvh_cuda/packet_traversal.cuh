// SPDX-License-Identifier: Apache-2.0
// Packet traversal: a warp traverses a tree once for the 32 points of its threads, which are close to each other. It
// visits a node if any of the points needs it.
#pragma once
#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/bvh_query.cuh"

namespace shoal::wall_distance {

/// Traversal stacks of the warps of a block: the open children of the current node on each level.
template <int threads>
struct PacketStacks {
  std::uint32_t entries[threads / 32][BodyBvh::most_levels];
};

/// Traversal of one tree after the other for the points of a warp, one for each thread.
class PacketTraversal : public BvhQuery {
 public:
  /// @param most_steps  limit of the work, in units of about 50 instructions; few warps reach it, and others do not
  ///                    have to wait for them
  __device__ PacketTraversal(const DeviceBvhSet& bvh, std::uint32_t* stack, int most_steps)
      : BvhQuery(bvh), stack_(stack), steps_left_(most_steps) {}

  /// Traverses the tree.
  /// @param candidates  receives primitives: radius() is the search radius, m;
  ///                    offer(primitive, distance) takes a primitive that may be within the radius;
  ///                    prune(distance) takes the distance to what is beyond;
  ///                    needs_room() tells that the next leaf may not fit; all threads of a warp then call make_room();
  ///                    abort() tells that the limit of steps was exceeded, as for points far apart
  template <class Candidates>
  __device__ void run(Candidates& candidates) {
    level_ = tree_->levels;
    j_ = 0;
    open_ = boxes_within(node(level_, j_), candidates);
    while (!advance(candidates)) {
      candidates.make_room();
      steps_left_ -= steps_of_room;
    }
    if (is_exhausted()) candidates.abort();
  }

 private:
  static constexpr int steps_of_leaf = 8, steps_of_room = 40;

  __device__ bool is_exhausted() const { return steps_left_ < 0; }

  /// Mask of the boxes of a node that any of the points must visit, one bit each; bits 8 and up: the number of the box
  /// that is nearest to the middle point.
  template <class Candidates>
  __device__ std::uint32_t boxes_within(const BvhNode& node, Candidates& candidates) const {
    const float limit = FloatDistance::squared_limit(candidates.radius(), box_error_);
    const std::int32_t rest = tree_->count[level_ - 1] - static_cast<std::int32_t>(j_ * BvhNode::width);
    const std::uint32_t existing = rest < BvhNode::width ? (1u << rest) - 1 : 0xffu;
    std::uint32_t open = 0, nearest = 0;
    float least = infinite_distance<float>;
#pragma unroll
    for (int g = 0; g < BvhNode::width / BvhNode::group; ++g) {
      float4 number[6];
#pragma unroll
      for (int k = 0; k < 6; ++k) number[k] = __ldg(reinterpret_cast<const float4*>(node.number[g][k]));
      const auto test = [&](auto component, int c) {
        float squared = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const float outside =
              max(std::abs(high_[axis] - component(number[axis])) - component(number[3 + axis]), 0.0f);
          squared += outside * outside;
        }
        const std::uint32_t bit = 1u << c;
        if (__any_sync(whole_warp, !(squared > limit)))
          open |= bit;
        else if ((existing & bit) != 0)
          candidates.prune({squared, box_error_});
        if (squared < least) nearest = static_cast<std::uint32_t>(c);
        least = min(squared, least);
      };
      test([](const float4& group) { return group.x; }, 4 * g);
      test([](const float4& group) { return group.y; }, 4 * g + 1);
      test([](const float4& group) { return group.z; }, 4 * g + 2);
      test([](const float4& group) { return group.w; }, 4 * g + 3);
    }
    return (open & existing) | __shfl_sync(whole_warp, nearest, 16) << 8;
  }

  /// Continues the traversal. Returns true when it is complete, false when the candidates need room.
  template <class Candidates>
  __device__ bool advance(Candidates& candidates) {
    const BvhNode* current = &node(level_, j_);
    while (!is_exhausted()) {
      --steps_left_;
      if ((open_ & 0xff) == 0) {
        if (level_ == tree_->levels) return true;
        open_ = stack_[++level_];
        j_ /= BvhNode::width;
        current = &node(level_, j_);
        continue;
      }
      const std::uint32_t first = open_ >> 8;
      const std::uint32_t c = (open_ >> first & 1) != 0 ? first : static_cast<std::uint32_t>(__ffs(open_)) - 1;
      open_ &= ~(1u << c);
      const BoxDistance box(*current, c, high_);
      if (__all_sync(whole_warp, box.squared > FloatDistance::squared_limit(candidates.radius(), box_error_))) {
        candidates.prune({box.squared, box_error_});
      } else if (level_ == 1) {
        visit_leaf(box, j_ * BvhNode::width + c, candidates);
        if (__any_sync(whole_warp, candidates.needs_room())) return false;
      } else {
        __syncwarp();
        stack_[level_--] = open_;
        __syncwarp();
        j_ = j_ * BvhNode::width + c;
        current = &node(level_, j_);
        open_ = boxes_within(*current, candidates);
      }
    }
    return true;
  }

  template <class Candidates>
  __device__ void visit_leaf(const BoxDistance& box, std::uint32_t j, Candidates& candidates) {
    const FloatDistance disk = to_disk(box, j);
    if (__all_sync(whole_warp, disk.squared > FloatDistance::squared_limit(candidates.radius(), disk.error)))
      return candidates.prune(disk);
    steps_left_ -= steps_of_leaf;
    const bool is_far = __all_sync(whole_warp, box.is_far());
    const float limit = FloatDistance::squared_limit(candidates.radius(), box.primitive_error(is_far, position_error_));
    for_each_primitive(box, is_far, j, [&](std::int32_t position, const FloatDistance& distance) {
      if (distance.squared > limit)
        candidates.prune(distance);
      else
        candidates.offer(bvh_.order[position], distance);
    });
  }

  std::uint32_t* stack_;    ///< [levels] open children of the ancestors of the current node
  int steps_left_;          ///< remaining steps
  int level_ = 0;           ///< level of the current node
  std::uint32_t j_ = 0;     ///< number of the current node on its level
  std::uint32_t open_ = 0;  ///< open children of the current node, see boxes_within()
};

}  // namespace shoal::wall_distance
