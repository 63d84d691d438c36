// SPDX-License-Identifier: Apache-2.0
// k-d tree: each node halves its points at the median along the widest axis of their box.
#include <algorithm>

#include "neighbors/nearest/point_tree.hpp"

namespace shoal::neighbors {

namespace {

constexpr std::int64_t task_points = 8192;  ///< Least number of points for a thread of its own.

template <class Real>
Real coordinate(const PackedPoint<Real>& point, int axis) {
  return axis == 0 ? point.position.x : axis == 1 ? point.position.y : point.position.z;
}

template <class Real>
void pack(Scratch& scratch, const Points<Real>& points, int dimensions, View<PackedPoint<Real>> packed) {
  using Number = decltype(PackedPoint<Real>::number);
  const cells::PointReader<Real> reader(points);
#pragma omp parallel for num_threads(threads_for(packed.count, scratch.queue().threads()))
  for (std::int64_t i = 0; i < packed.count; ++i)
    packed.data[i] = {{reader.at_x(i), reader.at_y(i, dimensions), reader.at_z(i, dimensions)}, static_cast<Number>(i)};
}

template <class Real>
void build_node(const TreeView<Real>& tree, const TreeNode& node, PackedPoint<Real>* points,
                NodeBounds<Real>* all_bounds) {
  NodeBounds<Real> bounds = NodeBounds<Real>::none();
  for (std::int32_t k = node.begin; k < node.end; ++k) bounds.add(points[k].position);
  all_bounds[node.number] = bounds;
  if (node.number >= tree.first_leaf()) return;
  int widest = 0;
  for (const int axis : {1, 2})
    if (bounds.upper[axis] - bounds.lower[axis] > bounds.upper[widest] - bounds.lower[widest]) widest = axis;
  std::nth_element(points + node.begin, points + node.middle(), points + node.end,
                   [widest](const PackedPoint<Real>& a, const PackedPoint<Real>& b) {
                     return coordinate(a, widest) < coordinate(b, widest);
                   });
#pragma omp task if (node.end - node.begin > task_points) default(none) firstprivate(node, points, all_bounds) \
    shared(tree)
  build_node(tree, node.lower(), points, all_bounds);
  build_node(tree, node.upper(), points, all_bounds);
#pragma omp taskwait
}

template <class Real>
void build(const Queue& queue, const TreeView<Real>& tree, PackedPoint<Real>* points, NodeBounds<Real>* bounds) {
  const std::int64_t tasks = (tree.root().end - tree.root().begin) / task_points;
#pragma omp parallel num_threads(static_cast <int>(std::clamp <std::int64_t>(tasks, 1, queue.threads())))
#pragma omp single
  build_node(tree, tree.root(), points, bounds);
}

}  // namespace

template <class Real>
const PointTreeBackend<Real> PointTreeBackend<Real>::cpu = {.pack = neighbors::pack<Real>,
                                                            .build = neighbors::build<Real>};
template const PointTreeBackend<float> PointTreeBackend<float>::cpu;
template const PointTreeBackend<double> PointTreeBackend<double>::cpu;

}  // namespace shoal::neighbors
