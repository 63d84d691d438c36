// SPDX-License-Identifier: Apache-2.0
// How threads see the boxes, leaves and pieces of a tree in float, each from a point of its own.
#pragma once
#include "core/cuda/warp_peers.cuh"
#include "wall_distance/bvh_cuda/device_bvh.cuh"

namespace shoal {

/// A squared distance in float, and what rounding may do to its root.
struct FlatDistance {
  float squared;  ///< m²
  float error;    ///< m

  static constexpr float largest = 0x1p127f;

  /// Not a number if the distance is none; what is too large for float says no more than that.
  __device__ float low() const { return fast_sqrt(min(largest, squared)) * (1 - 0x1p-21f) - error; }
  __device__ float high() const { return fast_sqrt(squared) * (1 + 0x1p-21f) + error; }

  /// What is squared beyond this has a low() of more than `reach`, for certain.
  __device__ static float limit(float reach, float error) {
    const float limit = (reach + error) * (1 + 0x1p-20f);
    return limit * limit;
  }
};

/// A piece that a point was seen from before its search.
struct KnownPiece {
  float reach, low;  ///< m, no nearer and no farther than the piece
  std::int32_t piece;
};

/// Keeps the compiler from computing a number again, which takes slow conversions, wherever it is used.
__device__ inline float computed_once(float a) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+f"(a));
#endif
  return a;
}

/// Goes to one tree after the other with a point of each thread, and sees what is there.
class TreeSight {
 public:
  __device__ explicit TreeSight(const DeviceTrees& trees) : trees_(trees) {}

  /// Goes to the tree of a body.
  /// @param point  as the body sees it
  __device__ void enter(std::int32_t body, const TwofoldVector& point) {
    tree_ = trees_.trees + body;
    const Twofold along[3] = {point.x, point.y, point.z};
    float farthest = tree_->size;
    for (int axis = 0; axis < 3; ++axis) {
      const double from_center = (along[axis].high - tree_->center[axis]) + along[axis].low;
      high_[axis] = computed_once(static_cast<float>(from_center));
      low_[axis] = computed_once(static_cast<float>(from_center - static_cast<double>(high_[axis])));
      farthest = max(farthest, std::abs(high_[axis]));
    }
    box_error_ = 0x1p-21f * farthest + least;
    place_error_ = 0x1p-42f * farthest + least;
  }

  /// A piece that is not far: of a leaf that is close to the middle point of the warp.
  __device__ KnownPiece known_piece() const {
    float middle[3];
    for (int axis = 0; axis < 3; ++axis) middle[axis] = __shfl_sync(whole_warp, high_[axis], 16);
    const std::uint32_t c = threadIdx.x % BoxNode::width;
    std::uint32_t j = 0;
    for (int level = tree_->levels; level > 0; --level) {
      const bool is_box = static_cast<std::int32_t>(j * BoxNode::width + c) < tree_->count[level - 1];
      const float squared = is_box ? ViewedBox(node(level, j), c, middle).squared : 0;
      const std::uint32_t nearest =  // with the number of the box in the last bits
          __reduce_min_sync(whole_warp, is_box ? (__float_as_uint(squared) & ~7u) | c : ~0u);
      j = j * BoxNode::width + nearest % BoxNode::width;
    }
    KnownPiece known{no_distance<float>, 0, 0};
    std::int32_t at = 0;
    const ViewedBox box(node(1, j / BoxNode::width), j % BoxNode::width, high_);
    for_each_piece(box, __all_sync(whole_warp, box.is_far()), j, [&](std::int32_t place, const FlatDistance& found) {
      if (!(found.high() < known.reach)) return;
      known.reach = found.high();
      known.low = found.low();
      at = place;
    });
    known.piece = trees_.order[at];
    return known;
  }

 protected:
  /// One box of a node, as a point sees it.
  struct ViewedBox {
    float from_middle[3], half[3];
    float squared = 0;  ///< m², the distance

    __device__ ViewedBox(const BoxNode& node, std::uint32_t c, const float (&at)[3]) {
      const auto& group = node.number[c / BoxNode::group];
      for (int axis = 0; axis < 3; ++axis) {
        from_middle[axis] = at[axis] - __ldg(&group[axis][c % BoxNode::group]);
        half[axis] = __ldg(&group[3 + axis][c % BoxNode::group]);
        const float outside = max(std::abs(from_middle[axis]) - half[axis], 0.0f);
        squared += outside * outside;
      }
    }
    __device__ float away() const { return largest(from_middle); }
    __device__ float size() const { return largest(half); }
    __device__ bool is_far() const { return away() > far_sizes * size(); }

    /// m, of the distance to pieces in it.
    __device__ float piece_error(bool seen_as_far, float place_error) const {
      return flat_error * (seen_as_far ? size() : away() + size()) + place_error;
    }
    /// m, of that to the disk of a leaf.
    __device__ float disk_error(float place_error) const {
      return LeafDisk::error * away() + flat_error * size() + place_error;
    }

   private:
    __device__ static float largest(const float (&a)[3]) {
      return max(std::abs(a[0]), max(std::abs(a[1]), std::abs(a[2])));
    }
  };

  __device__ const BoxNode& node(int level, std::uint32_t j) const {
    return trees_.nodes[static_cast<std::uint32_t>(tree_->first[level]) + j];
  }

  __device__ const TreeLeaf& leaf(std::uint32_t j) const {
    return trees_.leaves[static_cast<std::uint32_t>(tree_->first[0]) + j];
  }

  /// To the disk around leaf j.
  /// @param box  its box
  __device__ FlatDistance to_disk(const ViewedBox& box, std::uint32_t j) const {
    const float at[3] = {box.from_middle[0] + low_[0], box.from_middle[1] + low_[1], box.from_middle[2] + low_[2]};
    return {whole(leaf(j).disk).squared_distance(at), box.disk_error(place_error_)};
  }

  /// To piece i of leaf j.
  __device__ FlatDistance to_piece(const ViewedBox& box, bool is_far, std::uint32_t j, std::int32_t i) const {
    const FlatPiece piece = whole(leaf(j).piece[i]);
    const float x = box.from_middle[0] + low_[0], y = box.from_middle[1] + low_[1], z = box.from_middle[2] + low_[2];
    return {is_far ? far_distance_squared(piece, x, y, z) : flat_distance_squared(piece, x, y, z),
            box.piece_error(is_far, place_error_)};
  }

  /// Calls take(place in the order, distance) for the pieces of leaf j.
  template <class Take>
  __device__ void for_each_piece(const ViewedBox& box, bool is_far, std::uint32_t j, Take&& take) const {
    const auto begin = static_cast<std::int32_t>(j * TreeLeaf::width);
    const std::int32_t here = min(tree_->pieces - begin, TreeLeaf::width);
    for (std::int32_t i = 0; i < here; ++i) take(tree_->first_piece + begin + i, to_piece(box, is_far, j, i));
  }

  /// Brought in loads of 16 bytes.
  template <class Item>
  __device__ static Item whole(const Item& item) {
    constexpr int loads = sizeof(Item) / sizeof(float4);
    static_assert(sizeof(Item) == loads * sizeof(float4));
    union Room {
      float4 four[loads];
      Item item;
      __device__ Room() {}
    } room;
#pragma unroll
    for (int k = 0; k < loads; ++k) room.four[k] = __ldg(reinterpret_cast<const float4*>(&item) + k);
    return room.item;
  }

  const DeviceTrees& trees_;
  const BodyTree* tree_ = nullptr;
  float high_[3], low_[3];  ///< m, the point from the center of the tree, as a sum
  float box_error_, place_error_;

 private:
  static constexpr float least = 1e-18f;  ///< m, so that squares do not vanish
};

}  // namespace shoal
