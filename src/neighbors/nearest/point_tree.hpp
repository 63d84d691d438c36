// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/item/neighbors_item.hpp>

#include "cells/assign_cells.hpp"
#include "core/range.hpp"

namespace shoal::neighbors {

/// Bounding box of the points of a tree's node.
template <class Real>
struct NodeBounds {
  Real lower[3], upper[3];  ///< m

  /// Returns a number that no squared distance of a position to a point of the node is below, but for roundings.
  /// @param slack  m, rounding error of distances on periodic axes
  Real squared_distance(const PairTest<Real>& test, const Position<Real>& position, const Real (&slack)[3]) const;
};

/// k-d tree: points in the order of its leaves, and a box for each node. Each node halves its points at the median along
/// the widest axis of their box. Node n has the children 2n + 1 and 2n + 2, so that neither ranges nor links are stored.
template <class Real>
class PointTree {
 public:
  static constexpr std::int64_t leaf_points = 8;  ///< Maximum number of points of a leaf.

  explicit PointTree(const Queue& queue) : queue_(queue), points_(queue, 0), bounds_(queue, 0) {}

  /// Builds the tree of points with valid coordinates.
  void build(const cells::PointReader<Real>& points, std::int64_t count, int dimensions);

  /// Points in the order of the leaves.
  const PackedPoint<Real>& point(std::int64_t k) const { return points_.data()[k]; }
  std::int64_t count() const { return points_.count(); }

  /// Calls use(point) for each point of every leaf, nearest leaves first, that is not farther than `bound()`, a squared
  /// distance that decreases.
  template <class Bound, class Use>
  void visit(const PairTest<Real>& test, const Position<Real>& position, const Real (&slack)[3], Bound&& bound,
             Use&& use) const;

  std::int64_t bytes() const { return points_.bytes() + bounds_.bytes(); }

 private:
  /// Node whose points are a range, `level` levels below the root.
  struct Node {
    std::int64_t number = 0;
    Range points;
    int level = 0;

    std::int64_t middle() const { return points.begin + points.count() / 2; }
    Node lower() const { return {2 * number + 1, {points.begin, middle()}, level + 1}; }
    Node upper() const { return {2 * number + 2, {middle(), points.end}, level + 1}; }
  };

  void build_node(const Node& node);

  Queue queue_;
  Array<PackedPoint<Real>> points_;
  Array<NodeBounds<Real>> bounds_;
  int levels_ = 0;  ///< Level of the leaves.
};

template <class Real>
Real NodeBounds<Real>::squared_distance(const PairTest<Real>& test, const Position<Real>& position,
                                        const Real (&slack)[3]) const {
  const Real x[] = {position.x, position.y, position.z};
  Real sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Real gap = std::max(lower[axis] - x[axis], x[axis] - upper[axis]);
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

template <class Real>
template <class Bound, class Use>
void PointTree<Real>::visit(const PairTest<Real>& test, const Position<Real>& position, const Real (&slack)[3],
                            Bound&& bound, Use&& use) const {
  // Squares of distances and of gaps err by less than eight roundings each, and by the least normal number.
  constexpr Real shrink = 1 - 16 * (sizeof(Real) == 4 ? Real(0x1p-24) : Real(0x1p-53));
  constexpr Real least = sizeof(Real) == 4 ? Real(0x1p-126) : Real(0x1p-1022);
  struct Waiting {
    Node node;
    Real squared;
  };
  if (count() == 0) return;
  Waiting stack[64];
  int waiting = 0;
  stack[waiting++] = {{.number = 0, .points = {0, count()}, .level = 0}, 0};
  while (waiting > 0) {
    const auto [node, squared] = stack[--waiting];
    if (squared * shrink - least > bound()) continue;
    if (node.level == levels_) {
      for (std::int64_t k = node.points.begin; k < node.points.end; ++k) use(points_.data()[k]);
      continue;
    }
    const auto child = [&](const Node& below) {
      return Waiting{below, bounds_.data()[below.number].squared_distance(test, position, slack)};
    };
    const Waiting lower = child(node.lower()), upper = child(node.upper());
    const bool lower_first = lower.squared <= upper.squared;
    stack[waiting++] = lower_first ? upper : lower;
    stack[waiting++] = lower_first ? lower : upper;
  }
}

}  // namespace shoal::neighbors
