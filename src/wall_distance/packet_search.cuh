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

  /// What is squared beyond this has a low() of more than `reach`, for certain.
  __device__ static float limit(float reach, float error) {
    const float limit = (reach + error) * (1 + 0x1p-18f);
    return limit * limit;
  }
};

/// Nodes and leaves still to be looked at by the warps of a block.
template <int threads>
struct PacketStacks {
  static constexpr int most = 80;  ///< seven a level and eight at the last
  std::uint32_t entries[threads / 32][most];
};

/// Goes through one tree after the other for the points of a warp, one of each thread.
class PacketSearch {
 public:
  __device__ PacketSearch(const DeviceTrees& trees, std::uint32_t* stack) : trees_(trees), stack_(stack) {}

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

  /// A distance within which there is a piece, m: one of a leaf that is close to the point of one thread.
  __device__ float known_reach(int lane) const {
    float seed[3];
    for (int axis = 0; axis < 3; ++axis) seed[axis] = __shfl_sync(whole_warp, high_[axis], lane);
    const std::uint32_t c = threadIdx.x % BoxNode::width;
    std::uint32_t j = 0;
    for (int level = tree_->levels; level > 0; --level) {
      j = j * BoxNode::width + c;
      const bool is_box = static_cast<std::int32_t>(j) < tree_->count[level - 1];
      const float squared = is_box ? ViewedBox(*this, level, j, seed).squared : 0;
      const std::uint32_t nearest = __reduce_min_sync(whole_warp, is_box ? key(squared, c) : no_key);
      j = j / BoxNode::width * BoxNode::width + nearest % BoxNode::width;
    }
    float reach = no_distance<float>;
    for_each_piece(ViewedBox(*this, 1, j, high_), j,
                   [&](std::int32_t, const FlatDistance& found) { reach = smaller(found.high(), reach); });
    return reach;
  }

  /// Looks wherever pieces may be within reach.
  /// @param faces  what is done with pieces: reach() says within how much they are of interest, m;
  ///               offer(piece, distance) takes one that may be; leave_out(distance) hears of what is farther
  template <class Faces>
  __device__ void run(Faces& faces) {
    int count = 0;
    open(tree_->levels, 0, count, faces);
    while (count > 0) {
      const std::uint32_t entry = stack_[--count];
      const auto level = static_cast<int>(entry >> level_shift);
      const std::uint32_t j = entry & ((1u << level_shift) - 1);
      const ViewedBox box(*this, level + 1, j, high_);
      const bool is_beyond = box.squared > FlatDistance::limit(faces.reach(), box_error_);
      if (__all_sync(whole_warp, is_beyond)) {
        faces.leave_out({box.squared, box_error_});
      } else if (level > 0) {
        open(level, j, count, faces);
      } else {
        const float limit = FlatDistance::limit(faces.reach(), box.piece_error(*this));
        for_each_piece(box, j, [&](std::int32_t place, const FlatDistance& found) {
          if (found.squared > limit)
            faces.leave_out(found);
          else
            faces.offer(trees_.order[place], found);
        });
      }
    }
  }

 private:
  static constexpr float least = 1e-18f;  ///< m, so that squares do not vanish
  static constexpr int level_shift = 28;
  static constexpr std::uint32_t no_key = ~0u;

  /// One box, as a point sees it.
  struct ViewedBox {
    float from_middle[3], half[3];
    float squared = 0;  ///< m², the distance

    /// @param j  its number among the boxes in nodes of a level
    __device__ ViewedBox(const PacketSearch& search, int level, std::uint32_t j, const float (&at)[3]) {
      const auto& group = search.node(level, j / BoxNode::width).number[j % BoxNode::width / BoxNode::group];
      for (int axis = 0; axis < 3; ++axis) {
        from_middle[axis] = at[axis] - group[axis][j % BoxNode::group];
        half[axis] = group[3 + axis][j % BoxNode::group];
        const float outside = larger(std::abs(from_middle[axis]) - half[axis], 0.0f);
        squared += outside * outside;
      }
    }
    /// m, of the distance to pieces in it.
    __device__ float piece_error(const PacketSearch& search) const {
      float farthest = 0;
      for (int axis = 0; axis < 3; ++axis) farthest = larger(farthest, std::abs(from_middle[axis]) + half[axis]);
      return 2 * flat_error * farthest + search.place_error_;
    }
  };

  __device__ const BoxNode& node(int level, std::uint32_t j) const {
    return trees_.nodes[static_cast<std::uint32_t>(tree_->first[level]) + j];
  }

  /// Ascends with the distance; all boxes of a node have other ones.
  __device__ static std::uint32_t key(float squared, std::uint32_t c) {
    return (__float_as_uint(squared) & ~std::uint32_t{BoxNode::width - 1}) | c;
  }

  /// Brings the boxes of a node that must be looked at on the stack, the nearest one on top.
  template <class Faces>
  __device__ void open(int level, std::uint32_t j, int& count, Faces& faces) {
    const BoxNode& boxes = node(level, j);
    const std::int32_t rest = tree_->count[level - 1] - static_cast<std::int32_t>(j * BoxNode::width);
    const float limit = FlatDistance::limit(faces.reach(), box_error_);
    const std::uint32_t lane = threadIdx.x % 32;
    std::uint32_t nearest[BoxNode::width];  // of each box, to any of the points
    std::uint32_t mine = no_key;            // of box number `lane`
#pragma unroll
    for (int g = 0; g < BoxNode::width / BoxNode::group; ++g) {
      float4 number[6];
#pragma unroll
      for (int k = 0; k < 6; ++k) number[k] = __ldg(reinterpret_cast<const float4*>(boxes.number[g][k]));
      const auto look = [&](auto component, int c) {
        float squared = 0;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const float outside =
              larger(std::abs(high_[axis] - component(number[axis])) - component(number[3 + axis]), 0.0f);
          squared += outside * outside;
        }
        const bool is_wanted = c < rest && !(squared > limit);
        nearest[c] = __reduce_min_sync(whole_warp, is_wanted ? key(squared, static_cast<std::uint32_t>(c)) : no_key);
        if (c < rest && nearest[c] == no_key) faces.leave_out({squared, box_error_});
        if (lane == static_cast<std::uint32_t>(c)) mine = nearest[c];
      };
      look([](const float4& four) { return four.x; }, 4 * g);
      look([](const float4& four) { return four.y; }, 4 * g + 1);
      look([](const float4& four) { return four.z; }, 4 * g + 2);
      look([](const float4& four) { return four.w; }, 4 * g + 3);
    }
    int farther = 0, all = 0;
#pragma unroll
    for (int c = 0; c < BoxNode::width; ++c) {
      farther += nearest[c] > mine && nearest[c] != no_key;
      all += nearest[c] != no_key;
    }
    if (mine != no_key)
      stack_[count + farther] = static_cast<std::uint32_t>(level - 1) << level_shift | (j * BoxNode::width + lane);
    __syncwarp();
    count += all;
  }

  /// Calls take(place on the curves, distance) for the pieces of leaf j.
  template <class Take>
  __device__ void for_each_piece(const ViewedBox& box, std::uint32_t j, Take&& take) const {
    const FlatPiece* pieces = trees_.leaves[static_cast<std::uint32_t>(tree_->first[0]) + j].piece;
    const float error = box.piece_error(*this);
    const float x = box.from_middle[0] + low_[0], y = box.from_middle[1] + low_[1], z = box.from_middle[2] + low_[2];
    const auto begin = static_cast<std::int32_t>(j * TreeLeaf::width);
    const std::int32_t here = smaller(tree_->pieces - begin, TreeLeaf::width);
    for (std::int32_t i = 0; i < here; ++i)
      take(tree_->first_piece + begin + i,
           FlatDistance{flat_distance_squared(whole_piece(pieces + i), x, y, z), error});
  }

  /// Brought in five loads.
  __device__ static FlatPiece whole_piece(const FlatPiece* piece) {
    static_assert(sizeof(FlatPiece) == 5 * sizeof(float4));
    union Room {
      float4 four[5];
      FlatPiece piece;
      __device__ Room() {}
    } room;
#pragma unroll
    for (int k = 0; k < 5; ++k) room.four[k] = __ldg(reinterpret_cast<const float4*>(piece) + k);
    return room.piece;
  }

  const DeviceTrees& trees_;
  std::uint32_t* stack_;
  const BodyTree* tree_ = nullptr;
  float high_[3], low_[3];  ///< m, the point from the centre of the tree, as a sum
  float box_error_, place_error_;
};

}  // namespace shoal
