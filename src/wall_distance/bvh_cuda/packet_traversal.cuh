// SPDX-License-Identifier: Apache-2.0
// How a warp looks for the nearest pieces of 32 points that are close to each other: it goes through a tree once, to
// wherever any of them must look.
#pragma once
#include "wall_distance/bvh_cuda/bvh_query.cuh"

namespace shoal {

/// What is still to be looked at by the warps of a block: a word for each level.
template <int threads>
struct PacketStacks {
  std::uint32_t entries[threads / 32][BodyTree::most_levels];
};

/// Goes through one tree after the other for the points of a warp, one of each thread.
class PacketSearch : public TreeSight {
 public:
  /// @param most_steps  one is some 50 instructions. Few warps need so many, and others do not have to wait for them
  __device__ PacketSearch(const DeviceTrees& trees, std::uint32_t* stack, int most_steps)
      : TreeSight(trees), stack_(stack), steps_left_(most_steps) {}

  /// Looks wherever pieces may be within reach.
  /// @param faces  what is done with pieces: reach() says within how much they are of interest, m;
  ///               offer(piece, distance) takes one that may be; leave_out(distance) hears of what is farther;
  ///               whenever is_short() after a leaf, for any thread of the warp, all make_room();
  ///               give_up() hears that this takes too long: points may have their nearest pieces all over the place
  template <class Faces>
  __device__ void run(Faces& faces) {
    level_ = tree_->levels;
    j_ = 0;
    open_ = boxes_within(node(level_, j_), faces);
    while (!walk(faces)) {
      faces.make_room();
      steps_left_ -= steps_of_room;
    }
    if (is_too_long()) faces.give_up();
  }

 private:
  static constexpr int steps_of_leaf = 8, steps_of_room = 40;

  __device__ bool is_too_long() const { return steps_left_ < 0; }

  /// The boxes of a node that must be looked at for any of the points, a bit each, and from bit 8 on the number of the
  /// one that is nearest to the middle point.
  template <class Faces>
  __device__ std::uint32_t boxes_within(const BoxNode& node, Faces& faces) const {
    const float limit = FlatDistance::limit(faces.reach(), box_error_);
    const std::int32_t rest = tree_->count[level_ - 1] - static_cast<std::int32_t>(j_ * BoxNode::width);
    const std::uint32_t here = rest < BoxNode::width ? (1u << rest) - 1 : 0xffu;
    std::uint32_t open = 0, nearest = 0;
    float least = no_distance<float>;
#pragma unroll
    for (int g = 0; g < BoxNode::width / BoxNode::group; ++g) {
      float4 number[6];
#pragma unroll
      for (int k = 0; k < 6; ++k) number[k] = __ldg(reinterpret_cast<const float4*>(node.number[g][k]));
      const auto look = [&](auto of, int c) {
        float squared = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const float outside = max(std::abs(high_[axis] - of(number[axis])) - of(number[3 + axis]), 0.0f);
          squared += outside * outside;
        }
        const std::uint32_t bit = 1u << c;
        if (__any_sync(whole_warp, !(squared > limit)))
          open |= bit;
        else if ((here & bit) != 0)
          faces.leave_out({squared, box_error_});
        if (squared < least) nearest = static_cast<std::uint32_t>(c);
        least = min(squared, least);
      };
      look([](const float4& four) { return four.x; }, 4 * g);
      look([](const float4& four) { return four.y; }, 4 * g + 1);
      look([](const float4& four) { return four.z; }, 4 * g + 2);
      look([](const float4& four) { return four.w; }, 4 * g + 3);
    }
    return (open & here) | __shfl_sync(whole_warp, nearest, 16) << 8;
  }

  /// Goes on. Whether that was the end; if not, `faces` are short of room.
  template <class Faces>
  __device__ bool walk(Faces& faces) {
    const BoxNode* here = &node(level_, j_);
    while (!is_too_long()) {
      --steps_left_;
      if ((open_ & 0xff) == 0) {
        if (level_ == tree_->levels) return true;
        open_ = stack_[++level_];
        j_ /= BoxNode::width;
        here = &node(level_, j_);
        continue;
      }
      const std::uint32_t first = open_ >> 8;
      const std::uint32_t c = (open_ >> first & 1) != 0 ? first : static_cast<std::uint32_t>(__ffs(open_)) - 1;
      open_ &= ~(1u << c);
      const ViewedBox box(*here, c, high_);
      if (__all_sync(whole_warp, box.squared > FlatDistance::limit(faces.reach(), box_error_))) {
        faces.leave_out({box.squared, box_error_});
      } else if (level_ == 1) {
        look_at_leaf(box, j_ * BoxNode::width + c, faces);
        if (__any_sync(whole_warp, faces.is_short())) return false;
      } else {
        __syncwarp();
        stack_[level_--] = open_;
        __syncwarp();
        j_ = j_ * BoxNode::width + c;
        here = &node(level_, j_);
        open_ = boxes_within(*here, faces);
      }
    }
    return true;
  }

  template <class Faces>
  __device__ void look_at_leaf(const ViewedBox& box, std::uint32_t j, Faces& faces) {
    const FlatDistance disk = to_disk(box, j);
    if (__all_sync(whole_warp, disk.squared > FlatDistance::limit(faces.reach(), disk.error)))
      return faces.leave_out(disk);
    steps_left_ -= steps_of_leaf;
    const bool is_far = __all_sync(whole_warp, box.is_far());
    const float limit = FlatDistance::limit(faces.reach(), box.piece_error(is_far, place_error_));
    for_each_piece(box, is_far, j, [&](std::int32_t place, const FlatDistance& found) {
      if (found.squared > limit)
        faces.leave_out(found);
      else
        faces.offer(trees_.order[place], found);
    });
  }

  std::uint32_t* stack_;
  int steps_left_;
  int level_ = 0;           ///< of the node where it is
  std::uint32_t j_ = 0;     ///< number of the node
  std::uint32_t open_ = 0;  ///< see boxes_within()
};

}  // namespace shoal
