// SPDX-License-Identifier: Apache-2.0
// Tree over the points in the order of a Z-order curve, built from the leaves to the root.
//
// Source: Karras (2012), "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees"; here nodes halve
// their points, so that trees of CPU and CUDA have one layout and one search.
#include "core/cuda/launch.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/nearest/curve_item.hpp"
#include "neighbors/nearest/point_tree.hpp"

namespace shoal::neighbors {

namespace {

/// Least and greatest coordinate of each axis, on the device.
template <class Real>
struct AxisBounds {
  const Real* lower;
  const Real* upper;

  __device__ NodeBounds<Real> box(int dimensions) const {
    NodeBounds<Real> box{};
    for (int axis = 0; axis < dimensions; ++axis) {
      box.lower[axis] = lower[axis];
      box.upper[axis] = upper[axis];
    }
    return box;
  }
};

template <class Real>
__device__ Position<Real> position_of(const cells::PointReader<Real>& points, int dimensions, std::int64_t i) {
  return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
}

template <class Real>
__global__ void find_keys(AxisBounds<Real> bounds, cells::PointReader<Real> points, int dimensions, std::int64_t n,
                          std::uint64_t* upper, std::uint64_t* lower, std::int32_t* number) {
  const std::int64_t i = thread_index();
  if (i >= n) return;
  const CurveKey key = curve_key(bounds.box(dimensions), position_of(points, dimensions, i));
  upper[i] = key.upper;
  lower[i] = key.lower;
  number[i] = static_cast<std::int32_t>(i);
}

__global__ void gather_keys(const std::uint64_t* keys, const std::int32_t* order, std::int64_t n,
                            std::uint64_t* gathered) {
  const std::int64_t k = thread_index();
  if (k < n) gathered[k] = keys[order[k]];
}

template <class Real>
__global__ void pack_points(cells::PointReader<Real> points, int dimensions, const std::int32_t* order,
                            View<PackedPoint<Real>> packed) {
  const std::int64_t k = thread_index();
  if (k < packed.count) packed.data[k] = {position_of(points, dimensions, order[k]), order[k]};
}

template <class Real>
void pack(Scratch& scratch, const Points<Real>& points, int dimensions, View<PackedPoint<Real>> packed) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = packed.count;
  const cells::PointReader<Real> reader(points);
  ScratchFrame frame(scratch);
  const View<Real> bounds = frame.array<Real>(6);
  const View<const Real> axes[] = {points.x, points.y, points.z};
  for (int axis = 0; axis < dimensions; ++axis) {
    reduce<Real>(scratch, Reduction::min, axes[axis], View<Real>(bounds.data + axis, 1, queue.device()));
    reduce<Real>(scratch, Reduction::max, axes[axis], View<Real>(bounds.data + 3 + axis, 1, queue.device()));
  }
  const View<std::uint64_t> upper = frame.array<std::uint64_t>(n);
  const View<std::uint64_t> lower = frame.array<std::uint64_t>(n);
  const View<std::uint64_t> sorted = frame.array<std::uint64_t>(n);
  const View<std::int32_t> number = frame.array<std::int32_t>(n);
  const View<std::int32_t> order = frame.array<std::int32_t>(n);
  launch(queue, n, find_keys<Real>, AxisBounds<Real>{bounds.data, bounds.data + 3}, reader, dimensions, n, upper.data,
         lower.data, number.data);
  sort_pairs<std::uint64_t, std::int32_t>(scratch, {lower, number}, {sorted, order}, CurveKey::bits);
  launch(queue, n, gather_keys, upper.data, order.data, n, lower.data);
  sort_pairs<std::uint64_t, std::int32_t>(scratch, {lower, order}, {sorted, number}, CurveKey::bits);
  launch(queue, n, pack_points<Real>, reader, dimensions, number.data, packed);
}

template <class Real>
__global__ void bound_leaves(TreeView<Real> tree, NodeBounds<Real>* bounds) {
  const std::int64_t leaf = thread_index();
  if (leaf > tree.first_leaf()) return;  // there is one leaf more than nodes above
  TreeNode node = tree.root();
  for (int level = tree.levels - 1; level >= 0; --level) node = leaf >> level & 1 ? node.upper() : node.lower();
  NodeBounds<Real> box = NodeBounds<Real>::none();
  for (std::int32_t k = node.begin; k < node.end; ++k) box.add(tree.points[k].position);
  bounds[node.number] = box;
}

/// Computes the boxes of the nodes of a level, the first of which is given, from those of the next level.
template <class Real>
__global__ void bound_level(std::int64_t first, NodeBounds<Real>* bounds) {
  const std::int64_t node = first + thread_index();
  if (node > 2 * first) return;
  NodeBounds<Real> box = bounds[2 * node + 1];
  box.add(bounds[2 * node + 2]);
  bounds[node] = box;
}

template <class Real>
void build(const Queue& queue, const TreeView<Real>& tree, PackedPoint<Real>*, NodeBounds<Real>* bounds) {
  launch(queue, std::int64_t{1} << tree.levels, bound_leaves<Real>, tree, bounds);
  for (int level = tree.levels - 1; level >= 0; --level) {
    const std::int64_t nodes = std::int64_t{1} << level;
    launch(queue, nodes, bound_level<Real>, nodes - 1, bounds);
  }
}

}  // namespace

template <class Real>
const PointTreeBackend<Real> PointTreeBackend<Real>::cuda = {.pack = neighbors::pack<Real>,
                                                             .build = neighbors::build<Real>};
template const PointTreeBackend<float> PointTreeBackend<float>::cuda;
template const PointTreeBackend<double> PointTreeBackend<double>::cuda;

}  // namespace shoal::neighbors
