// SPDX-License-Identifier: Apache-2.0
// How the CPU looks for the nearest piece in trees.
#pragma once
#include <array>

#include "wall_distance/bvh_cpu/test_counter.hpp"
#include "wall_distance/geometry/search_radius_item.hpp"
#include "wall_distance/motion/certificate_item.hpp"
#include "wall_distance/bvh_cpu/bvh.hpp"

namespace shoal {

/// Boxes and leaves still to be looked at, nearest on top.
struct Stack {
  struct Entry {
    float bound;  ///< squared
    std::int32_t child;
  };
  static constexpr int most = 320;  ///< seven a level; at most 10 levels are cut by area, 31 halve their pieces

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

/// What keeps the proof of an answer: the pieces that may become the nearest, and how far all others are at least.
struct Candidates {
  static constexpr int most = Proof::most;

  float bound[most];  ///< scaled, ascending: no farther than the piece
  std::int32_t piece[most];
  int count = 0;
  float* outside = nullptr;  ///< [bodies] scaled: all pieces of the body that are not here are at least so far
  const std::int32_t* body_of = nullptr;  ///< [pieces]

  SHOAL_HD void leave_out(std::int32_t body, float its_bound) { outside[body] = min(outside[body], its_bound); }

  SHOAL_HD void offer(std::int32_t its_piece, float its_bound) {
    if (count == most) {
      if (its_bound >= bound[most - 1]) return leave_out(body_of[its_piece], its_bound);
      leave_out(body_of[piece[most - 1]], bound[most - 1]);
      --count;
    }
    int place = count++;
    for (; place > 0 && bound[place - 1] > its_bound; --place) {
      bound[place] = bound[place - 1];
      piece[place] = piece[place - 1];
    }
    bound[place] = its_bound;
    piece[place] = its_piece;
  }
};

SHOAL_HD float largest_of(const float (&a)[3]) { return max(std::abs(a[0]), max(std::abs(a[1]), std::abs(a[2]))); }

/// Scaled, of any distance in float: what is nearer is not told apart, and squares of what is not are normal numbers.
inline constexpr float least_distance = 1e-18f;

/// The search for the pieces of one body that are nearer to a point than what was found so far.
/// @tparam keep   whether candidates for later are kept, too
/// @tparam Tally  FaceTally or NoTally
template <bool keep, class Tally>
struct Descent {
  const WallTree& tree;
  const WallPieces& pieces;
  TwofoldVector point;  ///< as the body sees it
  NearestFace& nearest;
  Candidates* candidates;
  Tally& tally;
  FarReach far;
  float motion;     ///< scaled: candidates are those within so much more than the distance
  float at[3];      ///< scaled, from the center of the tree
  float box_error;  ///< scaled, what rounding of `at` may add to the distance from a box
  float reach;      ///< scaled: what is farther need not be looked at
  float limit;      ///< squared: boxes that are farther need not be looked at
  Stack stack;

  SHOAL_HD Descent(const WallTree& its_tree, const WallPieces& its_pieces, const TwofoldVector& its_point,
                   NearestFace& so_far, Candidates* to_keep, Tally& its_tally, const FarReach& its_far,
                   float its_motion)
      : tree(its_tree),
        pieces(its_pieces),
        point(its_point),
        nearest(so_far),
        candidates(to_keep),
        tally(its_tally),
        far(its_far),
        motion(its_motion) {
    offset(tree.center, at);
    box_error = 0x1p-23f * largest_of(at) + least_distance;
    take_reach();
    limit = limit_with(box_error + motion);
  }

  SHOAL_HD void take_reach() { reach = static_cast<float>(far.reach(nearest.distance) * tree.scale) * (1 + 0x1p-21f); }

  SHOAL_HD void offset(const double (&origin)[3], float (&from)[3]) const {
    from[0] = static_cast<float>(((point.x.high - origin[0]) + point.x.low) * tree.scale);
    from[1] = static_cast<float>(((point.y.high - origin[1]) + point.y.low) * tree.scale);
    from[2] = static_cast<float>(((point.z.high - origin[2]) + point.z.low) * tree.scale);
  }

  /// The square that a number computed in float may have and still belong to something as near as the nearest piece.
  SHOAL_HD float limit_with(float error) const { return (reach + error) * (reach + error); }

  /// Scaled, what a square computed in float proves.
  SHOAL_HD static float proven(float squared, float error) { return fast_sqrt(squared) * (1 - 0x1p-20f) - error; }

  SHOAL_HD void leave_out(float squared, float error) {
    if constexpr (keep) candidates->leave_out(body(), proven(squared, error));
  }
  SHOAL_HD std::int32_t body() const { return pieces.body[static_cast<std::size_t>(tree.leaves[0].piece[0])]; }

  SHOAL_HD void look_at_node(const WallTree::Node& node) {
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) {
      float sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const float outside = max(0.0f, max(node.lower[axis][i] - at[axis], at[axis] - node.upper[axis][i]));
        sum += outside * outside;
      }
      bound[i] = sum;
    }
    const int from = stack.count;
    for (int i = 0; i < WallTree::width && node.child[i] != WallTree::no_child; ++i) {
      if (bound[i] > limit)
        leave_out(bound[i], box_error);
      else
        stack.insert({bound[i], node.child[i]}, from);
    }
  }

  SHOAL_HD void look_at_leaf(const WallTree::Leaf& leaf) {
    float w[3];
    offset(leaf.origin, w);
    const float error = flat_error * (largest_of(w) + leaf.size) + least_distance;
    float bound[WallTree::width];
    for (int i = 0; i < WallTree::width; ++i) bound[i] = flat_distance_squared(leaf.flat.piece(i), w[0], w[1], w[2]);
    tally.add_bounded(leaf.count);
    int first = 0;
    for (int i = 1; i < leaf.count; ++i)
      if (bound[i] < bound[first]) first = i;
    see_if_near(leaf, first, bound[first], error);
    for (int i = 0; i < leaf.count; ++i)
      if (i != first) see_if_near(leaf, i, bound[i], error);
    limit = limit_with(box_error + motion);
  }

  SHOAL_HD void see_if_near(const WallTree::Leaf& leaf, int i, float bound, float error) {
    const std::int32_t piece = leaf.piece[i];
    if constexpr (keep) candidates->offer(piece, proven(bound, error));
    if (bound > limit_with(error)) return;
    nearest.see(point, pieces.shape[static_cast<std::size_t>(piece)], piece);
    tally.add_exact();
    take_reach();
  }

  SHOAL_HD void run() {
    stack.insert({0, 0}, 0);
    while (stack.count > 0) {
      const Stack::Entry entry = stack.entries[static_cast<std::size_t>(--stack.count)];
      if (entry.bound > limit)
        leave_out(entry.bound, box_error);
      else if (entry.child < 0)
        look_at_leaf(tree.leaves[static_cast<std::size_t>(-1 - entry.child)]);
      else
        look_at_node(tree.nodes[static_cast<std::size_t>(entry.child)]);
    }
  }
};

/// All that a search needs.
struct BodyTrees {
  const WallPieces& pieces;
  std::vector<WallTree> trees;  ///< [bodies]
  double scale;                 ///< of all of them
  float motion;                 ///< scaled

  template <bool keep, class Tally>
  SHOAL_HD void search(const TwofoldVector& point, std::int32_t only, const FarReach& far, NearestFace& nearest,
                       Candidates* candidates, Tally& tally) const {
    for (std::int32_t body = 0; body < pieces.body_count(); ++body) {
      if (only >= 0 && body != only) continue;
      const auto b = static_cast<std::size_t>(body);
      Descent<keep, Tally>(trees[b], pieces, pieces.pose[b].to_body(point), nearest, candidates, tally, far,
                           keep ? 2 * motion : 0)
          .run();
    }
  }
};

}  // namespace shoal
