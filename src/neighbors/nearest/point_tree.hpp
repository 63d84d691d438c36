// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"
#include "core/backends.hpp"
#include "core/memory/scratch.hpp"
#include "neighbors/nearest/point_tree_item.hpp"

namespace shoal::neighbors {

/// Device-dependent steps of a tree of points. They do not wait.
template <class Real>
struct PointTreeBackend {
  /// Packs the points in an order in which neighbors are near each other. The CPU keeps the order: build() finds one.
  void (*pack)(Scratch& scratch, const Points<Real>& points, int dimensions, View<PackedPoint<Real>> packed);

  /// Computes the boxes of all nodes. The CPU first orders the points of each node.
  void (*build)(const Queue& queue, const TreeView<Real>& tree, PackedPoint<Real>* points, NodeBounds<Real>* bounds);

  static const PointTreeBackend cpu, cuda;
};

/// Tree over points on the device of a queue.
template <class Real>
class PointTree {
 public:
  explicit PointTree(const Queue& queue) : points_(queue, 0), bounds_(queue, 0) {}

  /// Builds the tree of points with valid coordinates.
  void build(Scratch& scratch, const Points<Real>& points, int dimensions) {
    const Queue& queue = scratch.queue();
    const auto& steps = backend<PointTreeBackend<Real>>(queue);
    const std::int64_t n = points.count();
    points_.resize(n);
    tree_ = {};
    while (n > TreeView<Real>::leaf_points << tree_.levels) ++tree_.levels;
    bounds_.resize((std::int64_t{2} << tree_.levels) - 1);
    tree_.points = points_.data();
    tree_.bounds = bounds_.data();
    tree_.count = static_cast<std::int32_t>(n);
    if (n == 0) return;
    steps.pack(scratch, points, dimensions, points_);
    steps.build(queue, tree_, points_.data(), bounds_.data());
  }

  const TreeView<Real>& view() const { return tree_; }

  std::int64_t bytes() const { return points_.bytes() + bounds_.bytes(); }

 private:
  Array<PackedPoint<Real>> points_;
  Array<NodeBounds<Real>> bounds_;
  TreeView<Real> tree_;
};

}  // namespace shoal::neighbors
