// SPDX-License-Identifier: Apache-2.0
#include "neighbors/nearest/point_tree.hpp"

#include <algorithm>
#include <limits>

namespace shoal::neighbors {

namespace {

constexpr std::int64_t task_points = 8192;  ///< Least number of points for a thread of its own.

template <class Real>
Real coordinate(const PackedPoint<Real>& point, int axis) {
  return axis == 0 ? point.position.x : axis == 1 ? point.position.y : point.position.z;
}

template <class Real>
NodeBounds<Real> bounds_of(const PackedPoint<Real>* points, Range range) {
  NodeBounds<Real> bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.lower[axis] = std::numeric_limits<Real>::infinity();
    bounds.upper[axis] = -bounds.lower[axis];
  }
  for (std::int64_t k = range.begin; k < range.end; ++k)
    for (int axis = 0; axis < 3; ++axis) {
      bounds.lower[axis] = std::min(bounds.lower[axis], coordinate(points[k], axis));
      bounds.upper[axis] = std::max(bounds.upper[axis], coordinate(points[k], axis));
    }
  return bounds;
}

}  // namespace

template <class Real>
void PointTree<Real>::build(const cells::PointReader<Real>& points, std::int64_t count, int dimensions) {
  using Number = decltype(PackedPoint<Real>::number);
  points_.resize(count);
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = 0; i < count; ++i)
    points_.data()[i] = {{points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)},
                         static_cast<Number>(i)};
  levels_ = 0;
  while (count > leaf_points << levels_) ++levels_;
  bounds_.resize((std::int64_t{2} << levels_) - 1);
  if (count == 0) return;
#pragma omp parallel num_threads(queue_.threads())
#pragma omp single
  build_node({.number = 0, .points = {0, count}, .level = 0});
}

template <class Real>
void PointTree<Real>::build_node(const Node& node) {
  const NodeBounds<Real> bounds = bounds_of(points_.data(), node.points);
  bounds_.data()[node.number] = bounds;
  if (node.level == levels_) return;
  int widest = 0;
  for (const int axis : {1, 2})
    if (bounds.upper[axis] - bounds.lower[axis] > bounds.upper[widest] - bounds.lower[widest]) widest = axis;
  PackedPoint<Real>* const first = points_.data();
  std::nth_element(first + node.points.begin, first + node.middle(), first + node.points.end,
                   [widest](const PackedPoint<Real>& a, const PackedPoint<Real>& b) {
                     return coordinate(a, widest) < coordinate(b, widest);
                   });
#pragma omp task if (node.points.count() > task_points) default(none) firstprivate(node)
  build_node(node.lower());
  build_node(node.upper());
#pragma omp taskwait
}

template class PointTree<float>;
template class PointTree<double>;

}  // namespace shoal::neighbors
