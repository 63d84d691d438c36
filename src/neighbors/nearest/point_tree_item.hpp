// SPDX-License-Identifier: Apache-2.0
// Search in a tree of points, on host and device.
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include "core/range.hpp"
#include "core/real.hpp"

namespace shoal::neighbors {

/// Bounding box of the points of a tree's node.
template <class Real>
struct NodeBounds {
  Real lower[3], upper[3];  ///< m

  /// Bounds of no points.
  SHOAL_HD static NodeBounds none() {
    constexpr Real far = sizeof(Real) == 4 ? Real(0x1.fffffep127) : Real(0x1.fffffffffffffp1023);
    return {{far, far, far}, {-far, -far, -far}};
  }

  SHOAL_HD void add(const Position<Real>& position) {
    const Real x[] = {position.x, position.y, position.z};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], x[axis]);
      upper[axis] = max(upper[axis], x[axis]);
    }
  }

  SHOAL_HD void add(const NodeBounds& bounds) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], bounds.lower[axis]);
      upper[axis] = max(upper[axis], bounds.upper[axis]);
    }
  }

  /// Returns a number that no squared distance of a position to a point of the node is below, but for roundings.
  /// @param slack  m, rounding error of distances on periodic axes
  SHOAL_HD Real squared_distance(const PairTest<Real>& test, const Position<Real>& position,
                                 const Real (&slack)[3]) const {
    const Real x[] = {position.x, position.y, position.z};
    Real sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Real gap = max(lower[axis] - x[axis], x[axis] - upper[axis]);
      if (const Real period = test.period[axis]; period > 0) {
        const Real half_width = (upper[axis] - lower[axis]) / 2;
        const Real offset = x[axis] - (lower[axis] + half_width);
        const Real nearest = std::fma(-std::rint(offset * test.inverse_period[axis]), period, offset);
        gap = std::abs(nearest) - half_width - slack[axis];
      }
      if (gap > 0) sum = std::fma(gap, gap, sum);
    }
    return sum;
  }
};

/// Node of a tree, whose points are a range. Nodes 2n + 1 and 2n + 2 below node n have halves of its points.
struct TreeNode {
  std::int32_t number = 0;
  std::int32_t begin = 0, end = 0;

  SHOAL_HD std::int32_t middle() const { return begin + (end - begin) / 2; }
  SHOAL_HD TreeNode lower() const { return {2 * number + 1, begin, middle()}; }
  SHOAL_HD TreeNode upper() const { return {2 * number + 2, middle(), end}; }
};

/// Binary tree over points: the points in the order of its leaves, and a box for each node. Nodes halve their points, so
/// that neither ranges nor links are stored.
template <class Real>
struct TreeView {
  static constexpr std::int64_t leaf_points = 8;  ///< Maximum number of points of a leaf.
  static constexpr int max_levels = 32;           ///< More than the levels of a tree of 2^31 points.

  const PackedPoint<Real>* points = nullptr;  ///< [count]
  const NodeBounds<Real>* bounds = nullptr;   ///< [nodes]
  std::int32_t count = 0;                     ///< Number of points.
  int levels = 0;                             ///< Level of the leaves; the root has level 0.

  SHOAL_HD TreeNode root() const { return {0, 0, count}; }
  SHOAL_HD std::int32_t first_leaf() const { return (std::int32_t{1} << levels) - 1; }

  /// Calls use(point) for each point of every leaf, nearer nodes first, that is not farther than `bound()`, a squared
  /// distance that decreases.
  SHOAL_CALLS_ARGUMENT
  template <class Bound, class Use>
  SHOAL_HD void visit(const PairTest<Real>& test, const Position<Real>& position, const Real (&slack)[3], Bound&& bound,
                      Use&& use) const {
    // Squares of distances and of gaps err by less than eight roundings each, and by the least normal number.
    constexpr Real shrink = 1 - 16 * (sizeof(Real) == 4 ? Real(0x1p-24) : Real(0x1p-53));
    constexpr Real least = sizeof(Real) == 4 ? Real(0x1p-126) : Real(0x1p-1022);
    struct Visit {
      TreeNode node;
      Real squared;  ///< m², lower bound of squared distances to the node's points
    };
    if (count == 0) return;
    Visit waiting[max_levels];
    int waiting_count = 0;
    Visit now = {root(), 0};
    for (;;) {
      const bool is_within = !(now.squared * shrink - least > bound());
      if (is_within && now.node.number < first_leaf()) {
        const TreeNode lower = now.node.lower(), upper = now.node.upper();
        const Real to_lower = bounds[lower.number].squared_distance(test, position, slack);
        const Real to_upper = bounds[upper.number].squared_distance(test, position, slack);
        const bool lower_first = to_lower <= to_upper;
        waiting[waiting_count++] = lower_first ? Visit{upper, to_upper} : Visit{lower, to_lower};
        now = lower_first ? Visit{lower, to_lower} : Visit{upper, to_upper};
        continue;
      }
      if (is_within)
        for (std::int32_t k = now.node.begin; k < now.node.end; ++k) use(points[k]);
      if (waiting_count == 0) return;
      now = waiting[--waiting_count];
    }
  }
};

}  // namespace shoal::neighbors
