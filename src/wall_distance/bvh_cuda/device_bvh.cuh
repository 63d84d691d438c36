// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/memory/scratch.hpp"
#include "wall_distance/geometry/bounding_disk_item.hpp"
#include "wall_distance/walls_cuda/device_primitives.cuh"

namespace shoal::wall_distance {

/// Node with eight boxes in float relative to the center of the tree, rounded outwards. Two groups of four boxes, each
/// [middle x, y, z, half the width x, y, z][box].
struct alignas(64) BvhNode {
  static constexpr int width = 8, group = 4;
  float number[2][6][group];
};

/// Leaf with four successive primitives of the order. Their origin is the middle of their box.
struct alignas(16) BvhLeaf {
  static constexpr int width = 4;
  PlanarPrimitive primitive[width];
  BoundingDisk disk;
};

/// Bounding-volume hierarchy over the primitives of one body, in the frame of the mesh. It needs no pointers: box c of
/// node j of level l + 1 contains node 8 j + c of level l; level 0 has the leaves.
struct BodyBvh {
  static constexpr int most_levels = 11;
  double center[3];                          ///< m
  float size;                                ///< m, largest coordinate of a corner relative to the center
  std::int32_t levels;                       ///< level of the root
  std::int32_t primitives, first_primitive;  ///< number of primitives, position of the first one in the order
  std::int32_t count[most_levels];           ///< number of nodes on each level, 0 above the root
  std::int32_t first[most_levels];           ///< index of the first node of each level among those of all bodies
};

/// The hierarchies of all bodies in kernel arguments.
struct DeviceBvhSet {
  const BodyBvh* trees;  ///< [bodies]
  const BvhNode* nodes;
  const BvhLeaf* leaves;
  const std::int32_t* order;  ///< [primitives] numbers of primitives in the order of the leaves, body after body
  std::int32_t bodies;        ///< number of bodies
};

/// Builds the hierarchies and fits them to primitives that change their shapes, all on the device.
class BvhSetOnDevice {
 public:
  /// @throws Error  more primitives than the traversal can number
  BvhSetOnDevice(const Queue& queue, const PlanWalls& walls);

  /// Sorts the primitives and fits the boxes. Only the first call allocates.
  void build(const DevicePrimitives& primitives);
  /// Fits the boxes; keeps the order of the primitives.
  void fit(const DevicePrimitives& primitives);

  DeviceBvhSet view() const {
    return {trees_.data(), nodes_.data(), leaves_.data(), order_.data(), static_cast<std::int32_t>(trees_.count())};
  }
  std::int64_t bytes() const;

 private:
  void fit_centers(const DevicePrimitives& primitives);
  void fit_boxes(const DevicePrimitives& primitives);

  Queue queue_;
  Scratch scratch_;
  std::vector<std::int32_t> level_first_;  ///< [levels + 1] index of the first node of each level; level_first_[1] = 0
  Array<BodyBvh> trees_;
  Array<unsigned long long> bounds_;  ///< [bodies][6] bounding boxes as sortable integers, empty between kernels
  Array<unsigned> finished_;          ///< [1] number of blocks that have finished, 0 between kernels
  std::int32_t largest_ = 0;          ///< number of primitives of the largest body
  Array<std::int32_t> order_;         ///< [primitives] see DeviceBvhSet::order
  Array<BvhNode> nodes_;
  Array<BvhLeaf> leaves_;
};

/// Sorts the primitives of each body, so that ranges of any power of two from four on, starting at its multiples, are
/// compact: larger ranges are halved across the longest edge of the bounding box of the primitives' middles.
/// @param largest  number of primitives of the largest body
/// @param order    [primitives] output
void order_primitives(Scratch& scratch, const DevicePrimitives& primitives, View<const BodyBvh> trees,
                      std::int32_t largest, View<std::int32_t> order);

}  // namespace shoal::wall_distance
