// SPDX-License-Identifier: Apache-2.0
// Search for the nearest primitive of one point in the bounding-volume hierarchies of all bodies, on the CPU.
#pragma once
#include <array>

#include "wall_distance/bvh_cpu/bvh.hpp"
#include "wall_distance/motion/certificate_item.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal::wall_distance {

/// Nodes and leaves that remain to be visited, nearest on top.
struct TraversalStack {
  struct Entry {
    float bound;         ///< scaled and squared, lower bound of the distance
    std::int32_t child;  ///< see Bvh::Node::child
  };
  static constexpr int most = 320;  ///< seven on each level; at most 10 levels of SAH splits and 31 of halves

  std::array<Entry, most> entries;
  int count = 0;

  /// Inserts an entry below all nearer ones, but not below the first `begin` entries.
  SHOAL_HD void insert(Entry entry, int begin) {
    int i = count++;
    for (; i > begin && entries[static_cast<std::size_t>(i - 1)].bound < entry.bound; --i)
      entries[static_cast<std::size_t>(i)] = entries[static_cast<std::size_t>(i - 1)];
    entries[static_cast<std::size_t>(i)] = entry;
  }
};

/// Candidates of a certificate in the making, and lower bounds of the distances to all other primitives.
struct CertificateCandidates {
  static constexpr int most = Certificate::most;

  float bound[most];                      ///< scaled, ascending lower bounds of the distances to the candidates
  std::int32_t primitive[most];           ///< the candidates
  int count = 0;                          ///< number of candidates
  float* other_bound = nullptr;           ///< [bodies] scaled, lower bound of the distance to all other primitives
  const std::int32_t* body_of = nullptr;  ///< [primitives]

  SHOAL_HD void prune(std::int32_t body, float pruned_bound) {
    other_bound[body] = min(other_bound[body], pruned_bound);
  }

  SHOAL_HD void offer(std::int32_t new_primitive, float new_bound) {
    if (count == most) {
      if (new_bound >= bound[most - 1]) return prune(body_of[new_primitive], new_bound);
      prune(body_of[primitive[most - 1]], bound[most - 1]);
      --count;
    }
    int i = count++;
    for (; i > 0 && bound[i - 1] > new_bound; --i) {
      bound[i] = bound[i - 1];
      primitive[i] = primitive[i - 1];
    }
    bound[i] = new_bound;
    primitive[i] = new_primitive;
  }
};

SHOAL_HD float largest_of(const float (&a)[3]) { return max(std::abs(a[0]), max(std::abs(a[1]), std::abs(a[2]))); }

/// Resolution of distances in float, scaled: the squares of larger distances are normal numbers.
inline constexpr float least_distance = 1e-18f;

/// Search in the tree of one body for primitives nearer than the nearest one so far.
/// @tparam certify  true: collects candidates for a certificate
/// @tparam Counter  TestCounter or NoTestCounter
template <bool certify, class Counter>
struct Traversal {
  const Bvh& tree;
  const WallPrimitives& primitives;
  DoubleDoubleVector point;  ///< m, in the frame of the body
  NearestPrimitive& nearest;
  CertificateCandidates* candidates;
  Counter& counter;
  SearchRadius far;
  float margin;       ///< scaled, added to the search radius to find candidates
  float position[3];  ///< scaled, the point relative to the center of the tree
  float box_error;    ///< scaled, rounding error of distances to boxes
  float radius;       ///< scaled search radius, without the margin
  float limit;        ///< scaled and squared; boxes beyond are not visited
  TraversalStack stack;

  SHOAL_HD Traversal(const Bvh& bvh, const WallPrimitives& all_primitives, const DoubleDoubleVector& point_in_body,
                     NearestPrimitive& nearest_so_far, CertificateCandidates* certificate_candidates,
                     Counter& test_counter, const SearchRadius& far_field, float certificate_margin)
      : tree(bvh),
        primitives(all_primitives),
        point(point_in_body),
        nearest(nearest_so_far),
        candidates(certificate_candidates),
        counter(test_counter),
        far(far_field),
        margin(certificate_margin) {
    relative_position(tree.center, position);
    box_error = 0x1p-23f * largest_of(position) + least_distance;
    update_radius();
    limit = squared_limit(box_error + margin);
  }

  SHOAL_HD void update_radius() {
    radius = static_cast<float>(far.radius(nearest.distance) * tree.scale) * (1 + 0x1p-21f);
  }

  SHOAL_HD void relative_position(const double (&origin)[3], float (&relative)[3]) const {
    relative[0] = static_cast<float>(((point.x.high - origin[0]) + point.x.low) * tree.scale);
    relative[1] = static_cast<float>(((point.y.high - origin[1]) + point.y.low) * tree.scale);
    relative[2] = static_cast<float>(((point.z.high - origin[2]) + point.z.low) * tree.scale);
  }

  /// Largest squared distance, computed in float with this error, of anything within the search radius.
  SHOAL_HD float squared_limit(float error) const { return (radius + error) * (radius + error); }

  /// Scaled lower bound of a distance whose square was computed in float with this error.
  SHOAL_HD static float lower_bound(float squared, float error) { return fast_sqrt(squared) * (1 - 0x1p-20f) - error; }

  SHOAL_HD void prune(float squared, float error) {
    if constexpr (certify) candidates->prune(body(), lower_bound(squared, error));
  }
  SHOAL_HD std::int32_t body() const { return primitives.body[static_cast<std::size_t>(tree.leaves[0].primitive[0])]; }

  SHOAL_HD void visit_node(const Bvh::Node& node) {
    float bound[Bvh::width];
    for (int i = 0; i < Bvh::width; ++i) {
      float sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const float outside =
            max(0.0f, max(node.lower[axis][i] - position[axis], position[axis] - node.upper[axis][i]));
        sum += outside * outside;
      }
      bound[i] = sum;
    }
    const int begin = stack.count;
    for (int i = 0; i < Bvh::width && node.child[i] != Bvh::no_child; ++i) {
      if (bound[i] > limit)
        prune(bound[i], box_error);
      else
        stack.insert({bound[i], node.child[i]}, begin);
    }
  }

  SHOAL_HD void visit_leaf(const Bvh::Leaf& leaf) {
    float w[3];
    relative_position(leaf.origin, w);
    const float error = planar_error * (largest_of(w) + leaf.size) + least_distance;
    float bound[Bvh::width];
    for (int i = 0; i < Bvh::width; ++i) bound[i] = planar_distance_squared(leaf.planar.primitive(i), w[0], w[1], w[2]);
    counter.add_bounded(leaf.count);
    int first = 0;
    for (int i = 1; i < leaf.count; ++i)
      if (bound[i] < bound[first]) first = i;
    test_primitive(leaf, first, bound[first], error);
    for (int i = 0; i < leaf.count; ++i)
      if (i != first) test_primitive(leaf, i, bound[i], error);
    limit = squared_limit(box_error + margin);
  }

  SHOAL_HD void test_primitive(const Bvh::Leaf& leaf, int i, float bound, float error) {
    const std::int32_t primitive = leaf.primitive[i];
    if constexpr (certify) candidates->offer(primitive, lower_bound(bound, error));
    if (bound > squared_limit(error)) return;
    nearest.test(point, primitives.shape[static_cast<std::size_t>(primitive)], primitive);
    counter.add_exact();
    update_radius();
  }

  SHOAL_HD void run() {
    stack.insert({0, 0}, 0);
    while (stack.count > 0) {
      const TraversalStack::Entry entry = stack.entries[static_cast<std::size_t>(--stack.count)];
      if (entry.bound > limit)
        prune(entry.bound, box_error);
      else if (entry.child < 0)
        visit_leaf(tree.leaves[static_cast<std::size_t>(-1 - entry.child)]);
      else
        visit_node(tree.nodes[static_cast<std::size_t>(entry.child)]);
    }
  }
};

/// The bounding-volume hierarchies of all bodies.
struct BvhSet {
  const WallPrimitives& primitives;
  std::vector<Bvh> trees;  ///< [bodies]
  double scale;            ///< scale of all trees
  float motion;            ///< scaled WallDistanceOptions::motion

  /// Finds the nearest primitive of a point.
  /// @param only  number of the only body to search; −1: all bodies
  template <bool certify, class Counter>
  SHOAL_HD void search(const DoubleDoubleVector& point, std::int32_t only, const SearchRadius& far,
                       NearestPrimitive& nearest, CertificateCandidates* candidates, Counter& counter) const {
    for (std::int32_t body = 0; body < primitives.body_count(); ++body) {
      if (only >= 0 && body != only) continue;
      const auto b = static_cast<std::size_t>(body);
      Traversal<certify, Counter>(trees[b], primitives, primitives.pose[b].to_body(point), nearest, candidates, counter,
                                  far, certify ? 2 * motion : 0)
          .run();
    }
  }
};

}  // namespace shoal::wall_distance
