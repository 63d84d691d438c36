// SPDX-License-Identifier: Apache-2.0
// bvh: a bounding-volume hierarchy, eight boxes and eight triangles at a time.
//
// idea           boxes in float, rounded outwards, prune; a lower bound in float, with its rounding taken off, says
// which
//                triangles of a leaf may be nearest; only those are seen exactly. What is pruned is farther than the
//                answer for certain, so the answer is that of `serial`, bit for bit
// source         shoal; wide trees after Wald, Benthin and Boulos (2008), "Getting rid of packets"
// memory         some 45 bytes a triangle for boxes and 110 for leaves, besides 84 of the triangle
// atomics        none
// deterministic  yes: the answer does not depend on the order of the search
// wins when      always on a CPU, but for some ten faces
// loses when     points are far from the walls: hundreds of triangles are then nearly as near as the nearest one
// differs        -
#include <algorithm>
#include <array>

#include "wall_distance/methods/methods.hpp"
#include "wall_distance/wall_tree.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 512;  ///< points that a thread takes at a time
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Boxes and leaves still to be looked at, nearest on top.
struct Stack {
  struct Entry {
    float bound;  ///< squared
    std::int32_t child;
  };
  static constexpr int most = 256;

  std::array<Entry, most> entries;
  int count = 0;

  /// Brings `entry` in behind those from `from` on that are farther.
  SHOAL_HD void insert(Entry entry, int from) {
    int place = count++;
    for (; place > from && entries[static_cast<std::size_t>(place - 1)].bound < entry.bound; --place)
      entries[static_cast<std::size_t>(place)] = entries[static_cast<std::size_t>(place - 1)];
    entries[static_cast<std::size_t>(place)] = entry;
  }
};

/// The search for one point.
struct Descent {
  const WallTree& tree;
  const WallPieces& pieces;
  TwofoldVector point;
  float at[3];             ///< m, from the centre of the tree
  float box_error;         ///< m, what rounding of `at` may add to the distance from a box
  float limit = infinity;  ///< squared: boxes that are farther need not be looked at
  NearestFace nearest;
  Stack stack;

  SHOAL_HD Descent(const WallTree& its_tree, const WallPieces& its_pieces, const TwofoldVector& its_point)
      : tree(its_tree), pieces(its_pieces), point(its_point) {
    at[0] = static_cast<float>(point.x.high - tree.centre[0]);
    at[1] = static_cast<float>(point.y.high - tree.centre[1]);
    at[2] = static_cast<float>(point.z.high - tree.centre[2]);
    box_error = 0x1p-23f * larger(std::abs(at[0]), larger(std::abs(at[1]), std::abs(at[2])));
  }

  /// The square that a number computed in float may have and still belong to something as near as the nearest piece.
  SHOAL_HD float limit_with(float error) const {
    const float reach = static_cast<float>(nearest.distance) * (1 + 0x1p-21f) + error;
    return reach * reach;
  }

  SHOAL_HD void look_at_node(const WallTree::Node& node) {
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) {
      float sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const float outside = larger(0.0f, larger(node.lower[axis][i] - at[axis], at[axis] - node.upper[axis][i]));
        sum += outside * outside;
      }
      bound[i] = sum;
    }
    const int from = stack.count;
    for (int i = 0; i < WallTree::width && node.child[i] != WallTree::no_child; ++i)
      if (!(bound[i] > limit)) stack.insert({bound[i], node.child[i]}, from);
  }

  SHOAL_HD void look_at_leaf(const WallTree::Leaf& leaf) {
    const float w[3] = {static_cast<float>(point.x.high - leaf.origin[0]),
                        static_cast<float>(point.y.high - leaf.origin[1]),
                        static_cast<float>(point.z.high - leaf.origin[2])};
    const float error = flat_error * (larger(std::abs(w[0]), larger(std::abs(w[1]), std::abs(w[2]))) + leaf.size);
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) bound[i] = flat_distance_squared(leaf.flat, i, w[0], w[1], w[2]);
    int first = 0;
    for (int i = 1; i < leaf.count; ++i)
      if (bound[i] < bound[first]) first = i;
    if (bound[first] > limit_with(error)) return;
    see(leaf.piece[first]);
    for (int i = 0; i < leaf.count; ++i)
      if (i != first && !(bound[i] > limit_with(error))) see(leaf.piece[i]);
    limit = limit_with(box_error);
  }

  SHOAL_HD void see(std::int32_t piece) { nearest.see(point, pieces.shape[static_cast<std::size_t>(piece)], piece); }

  SHOAL_HD void run() {
    stack.insert({0, 0}, 0);
    while (stack.count > 0) {
      const Stack::Entry entry = stack.entries[static_cast<std::size_t>(--stack.count)];
      if (entry.bound > limit) continue;
      if (entry.child < 0)
        look_at_leaf(tree.leaves[static_cast<std::size_t>(-1 - entry.child)]);
      else
        look_at_node(tree.nodes[static_cast<std::size_t>(entry.child)]);
    }
  }
};

SHOAL_CPU_VARIANTS void find_range(const WallTree& tree, const WallPieces& pieces, const WallQueries& queries,
                                   Range range) {
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const TwofoldVector point = queries.point(i);
    if (!queries.accept(i, point)) continue;
    Descent descent(tree, pieces, point);
    descent.run();
    const auto piece = static_cast<std::size_t>(descent.nearest.piece);
    queries.write(i, point, descent.nearest, pieces.face[piece], pieces.wall[piece]);
  }
}

class BvhSearch : public WallSearch {
 public:
  BvhSearch(const Queue& queue, const WallPieces& pieces) : queue_(queue), pieces_(pieces), tree_(pieces) {}

  void find(const WallQueries& queries) override {
    const std::int64_t n = queries.count();
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += chunk)
      find_range(tree_, pieces_, queries, {begin, std::min(n, begin + chunk)});
  }

  std::int64_t bytes() const override { return tree_.bytes(); }

 private:
  Queue queue_;
  const WallPieces& pieces_;
  WallTree tree_;
};

std::unique_ptr<WallSearch> open(const Queue& queue, const WallPieces& pieces) {
  return std::make_unique<BvhSearch>(queue, pieces);
}

}  // namespace

const WallDistanceMethod wall_distance_bvh_cpu{{"bvh", DeviceKind::cpu, true, "shoal"}, open};

}  // namespace shoal
