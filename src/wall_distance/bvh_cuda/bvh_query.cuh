// SPDX-License-Identifier: Apache-2.0
// Distances in float from the query point of each thread to the boxes, leaves and primitives of a tree.
#pragma once
#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/device_bvh.cuh"

namespace shoal::wall_distance {

/// A squared distance in float with the error bound of its root.
struct FloatDistance {
  float squared;  ///< m²
  float error;    ///< m

  static constexpr float largest = 0x1p127f;

  /// Lower bound, m. NaN for a squared distance of NaN; for an infinite one the bound of the largest float.
  __device__ float lower() const { return fast_sqrt(min(largest, squared)) * (1 - 0x1p-21f) - error; }
  /// Upper bound, m.
  __device__ float upper() const { return fast_sqrt(squared) * (1 + 0x1p-21f) + error; }

  /// A squared distance above this limit has a lower() bound above `radius`.
  __device__ static float squared_limit(float radius, float error) {
    const float limit = (radius + error) * (1 + 0x1p-20f);
    return limit * limit;
  }
};

/// Initial search radius of a point, from a primitive nearby.
struct InitialBound {
  float radius, lower;     ///< m, upper and lower bound of the distance to the primitive
  std::int32_t primitive;  ///< its number
};

/// Keeps the compiler from computing a number again, which takes slow conversions, wherever it is used.
__device__ inline float computed_once(float a) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+f"(a));
#endif
  return a;
}

/// Query point of a thread in the tree of one body after the other, with the distances from it.
class BvhQuery {
 public:
  __device__ explicit BvhQuery(const DeviceBvhSet& bvh) : bvh_(bvh) {}

  /// Starts with the tree of a body.
  /// @param point  m, in the frame of the body
  __device__ void enter(std::int32_t body, const DoubleDoubleVector& point) {
    tree_ = bvh_.trees + body;
    const DoubleDouble along[3] = {point.x, point.y, point.z};
    float farthest = tree_->size;
    for (int axis = 0; axis < 3; ++axis) {
      const double from_center = (along[axis].high - tree_->center[axis]) + along[axis].low;
      high_[axis] = computed_once(static_cast<float>(from_center));
      low_[axis] = computed_once(static_cast<float>(from_center - static_cast<double>(high_[axis])));
      farthest = max(farthest, std::abs(high_[axis]));
    }
    box_error_ = 0x1p-21f * farthest + least;
    position_error_ = 0x1p-42f * farthest + least;
  }

  /// Bound from the nearest primitive in the leaf that is nearest to the middle point of the warp. All threads must
  /// call it.
  __device__ InitialBound initial_bound() const {
    float middle[3];
    for (int axis = 0; axis < 3; ++axis) middle[axis] = __shfl_sync(whole_warp, high_[axis], 16);
    const std::uint32_t c = threadIdx.x % BvhNode::width;
    std::uint32_t j = 0;
    for (int level = tree_->levels; level > 0; --level) {
      const bool is_box = static_cast<std::int32_t>(j * BvhNode::width + c) < tree_->count[level - 1];
      const float squared = is_box ? BoxDistance(node(level, j), c, middle).squared : 0;
      const std::uint32_t nearest =  // the last bits are the number of the box
          __reduce_min_sync(whole_warp, is_box ? (__float_as_uint(squared) & ~7u) | c : ~0u);
      j = j * BvhNode::width + nearest % BvhNode::width;
    }
    InitialBound bound{infinite_distance<float>, 0, 0};
    std::int32_t nearest_position = 0;
    const BoxDistance box(node(1, j / BvhNode::width), j % BvhNode::width, high_);
    for_each_primitive(box, __all_sync(whole_warp, box.is_far()), j,
                       [&](std::int32_t position, const FloatDistance& distance) {
                         if (!(distance.upper() < bound.radius)) return;
                         bound.radius = distance.upper();
                         bound.lower = distance.lower();
                         nearest_position = position;
                       });
    bound.primitive = bvh_.order[nearest_position];
    return bound;
  }

 protected:
  /// Distance from a point to one box of a node.
  struct BoxDistance {
    float from_middle[3];  ///< m, the point relative to the middle of the box
    float half[3];         ///< m, half the width of the box
    float squared = 0;     ///< m², squared distance

    __device__ BoxDistance(const BvhNode& node, std::uint32_t c, const float (&point)[3]) {
      const auto& group = node.number[c / BvhNode::group];
      for (int axis = 0; axis < 3; ++axis) {
        from_middle[axis] = point[axis] - __ldg(&group[axis][c % BvhNode::group]);
        half[axis] = __ldg(&group[3 + axis][c % BvhNode::group]);
        const float outside = max(std::abs(from_middle[axis]) - half[axis], 0.0f);
        squared += outside * outside;
      }
    }
    __device__ float separation() const { return largest(from_middle); }
    __device__ float size() const { return largest(half); }
    __device__ bool is_far() const { return separation() > far_ratio * size(); }

    /// Error bound of the distance to a primitive in the box, m.
    /// @param as_far  true for far_distance_squared(), false for planar_distance_squared()
    __device__ float primitive_error(bool as_far, float position_error) const {
      return planar_error * (as_far ? size() : separation() + size()) + position_error;
    }
    /// Error bound of the distance to the disk of a leaf, m.
    __device__ float disk_error(float position_error) const {
      return BoundingDisk::error * separation() + planar_error * size() + position_error;
    }

   private:
    __device__ static float largest(const float (&a)[3]) {
      return max(std::abs(a[0]), max(std::abs(a[1]), std::abs(a[2])));
    }
  };

  __device__ const BvhNode& node(int level, std::uint32_t j) const {
    return bvh_.nodes[static_cast<std::uint32_t>(tree_->first[level]) + j];
  }

  __device__ const BvhLeaf& leaf(std::uint32_t j) const {
    return bvh_.leaves[static_cast<std::uint32_t>(tree_->first[0]) + j];
  }

  /// Distance to the bounding disk of leaf j.
  /// @param box  distance to its box
  __device__ FloatDistance to_disk(const BoxDistance& box, std::uint32_t j) const {
    const float w[3] = {box.from_middle[0] + low_[0], box.from_middle[1] + low_[1], box.from_middle[2] + low_[2]};
    return {load(leaf(j).disk).squared_distance(w), box.disk_error(position_error_)};
  }

  /// Distance to primitive i of leaf j.
  __device__ FloatDistance to_primitive(const BoxDistance& box, bool is_far, std::uint32_t j, std::int32_t i) const {
    const PlanarPrimitive primitive = load(leaf(j).primitive[i]);
    const float x = box.from_middle[0] + low_[0], y = box.from_middle[1] + low_[1], z = box.from_middle[2] + low_[2];
    return {is_far ? far_distance_squared(primitive, x, y, z) : planar_distance_squared(primitive, x, y, z),
            box.primitive_error(is_far, position_error_)};
  }

  /// Calls visit(position in the order, distance) for the primitives of leaf j.
  template <class Visit>
  __device__ void for_each_primitive(const BoxDistance& box, bool is_far, std::uint32_t j, Visit&& visit) const {
    const auto begin = static_cast<std::int32_t>(j * BvhLeaf::width);
    const std::int32_t count = min(tree_->primitives - begin, BvhLeaf::width);
    for (std::int32_t i = 0; i < count; ++i) visit(tree_->first_primitive + begin + i, to_primitive(box, is_far, j, i));
  }

  /// A copy of an item, read in loads of 16 bytes.
  template <class Item>
  __device__ static Item load(const Item& item) {
    constexpr int loads = sizeof(Item) / sizeof(float4);
    static_assert(sizeof(Item) == loads * sizeof(float4));
    union Words {
      float4 word[loads];
      Item item;
      __device__ Words() {}
    } words;
#pragma unroll
    for (int k = 0; k < loads; ++k) words.word[k] = __ldg(reinterpret_cast<const float4*>(&item) + k);
    return words.item;
  }

  const DeviceBvhSet& bvh_;
  const BodyBvh* tree_ = nullptr;
  float high_[3], low_[3];  ///< m, the point relative to the center of the tree: the sum of both
  float box_error_;         ///< m, rounding error of distances to boxes
  float position_error_;    ///< m, rounding error of the point's position

 private:
  static constexpr float least = 1e-18f;  ///< m, keeps squares from vanishing
};

}  // namespace shoal::wall_distance
