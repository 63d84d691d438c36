// SPDX-License-Identifier: Apache-2.0
// The tree of the method bvh on the CPU.
#include "wall_distance/bvh_cpu/bvh.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/dented_sphere.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {
namespace {

constexpr std::int32_t first_body = 0;

WallPrimitives dented_sphere_primitives(std::int64_t around) {
  return wall_primitives(testing_support::dented_sphere(around), {});
}

/// Primitives of which many have the same box, so that no plane divides them.
WallPrimitives stacked(int n) {
  WallMesh mesh;
  const std::int32_t wall = mesh.add_wall("stack");
  for (const double x : {0.0, 5.0}) {
    const std::int64_t a = mesh.add_point(x, 0, 0), b = mesh.add_point(x + 1, 0, 0), c = mesh.add_point(x, 1, 0);
    for (int k = 0; k < n; ++k) mesh.add_face({a, b, c}, wall);
  }
  return wall_primitives(mesh, {});
}

Bvh tree_of(const WallPrimitives& primitives, int threads) {
  return {primitives, first_body, bvh_scale(primitives, threads), threads};
}

template <class T>
bool have_same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
bool are_same(const Bvh::Node& a, const Bvh::Node& b) {  // without the padding
  return have_same_bits(a.lower, b.lower) && have_same_bits(a.upper, b.upper) && have_same_bits(a.child, b.child);
}
bool are_same(const Bvh::Leaf& a, const Bvh::Leaf& b) {
  return have_same_bits(a.origin, b.origin) && a.size == b.size && a.count == b.count &&
         have_same_bits(a.primitive, b.primitive) && have_same_bits(a.planar, b.planar);
}
bool are_same(const Bvh& a, const Bvh& b) {
  const auto same = [](const auto& first, const auto& second) { return are_same(first, second); };
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same) &&
         std::equal(a.leaves.begin(), a.leaves.end(), b.leaves.begin(), b.leaves.end(), same);
}

/// Scaled coordinate relative to the center of the tree.
double scaled(const Bvh& tree, int axis, double coordinate) { return (coordinate - tree.center[axis]) * tree.scale; }

/// Visits a subtree: counts the leaves of each primitive, and expects their corners within the boxes of all ancestors.
class Visitor {
 public:
  Visitor(const Bvh& tree, const WallPrimitives& primitives) : tree_(tree), primitives_(primitives) {
    visits_.resize(primitives.shape.size());
    visit(0, 0);
  }
  const std::vector<int>& visits() const { return visits_; }  ///< [primitives] number of leaves that have it
  int depth() const { return depth_; }

 private:
  /// Returns the primitives of the node.
  std::vector<std::int32_t> visit(std::int32_t number, int depth) {
    depth_ = std::max(depth_, depth);
    const Bvh::Node& node = tree_.nodes[static_cast<std::size_t>(number)];
    std::vector<std::int32_t> within;
    for (std::size_t i = 0; i < Bvh::width && node.child[i] != Bvh::no_child; ++i) {
      EXPECT_TRUE(node.child[i] < 0 || node.child[i] > number) << "refit() takes children before their parents";
      const std::vector<std::int32_t> inside =
          node.child[i] < 0 ? leaf(static_cast<std::size_t>(-1 - node.child[i])) : visit(node.child[i], depth + 1);
      for (const std::int32_t k : inside) expect_within(node, i, primitives_.shape[static_cast<std::size_t>(k)]);
      within.insert(within.end(), inside.begin(), inside.end());
    }
    return within;
  }

  std::vector<std::int32_t> leaf(std::size_t number) {
    const Bvh::Leaf& leaf = tree_.leaves[number];
    std::vector<std::int32_t> inside(leaf.primitive, leaf.primitive + leaf.count);
    for (const std::int32_t k : inside) ++visits_[static_cast<std::size_t>(k)];
    return inside;
  }

  void expect_within(const Bvh::Node& node, std::size_t i, const Primitive& primitive) const {
    const double* const corners[3] = {primitive.x, primitive.y, primitive.z};
    for (int axis = 0; axis < 3; ++axis)
      for (int k = 0; k < 3; ++k) {
        EXPECT_GE(scaled(tree_, axis, corners[axis][k]), node.lower[axis][i]);
        EXPECT_LE(scaled(tree_, axis, corners[axis][k]), node.upper[axis][i]);
      }
  }

  const Bvh& tree_;
  const WallPrimitives& primitives_;
  std::vector<int> visits_;
  int depth_ = 0;
};

TEST(Bvh, HasEachPrimitiveInOneLeafWithinItsBoxes) {
  for (const WallPrimitives& primitives : {dented_sphere_primitives(120), stacked(300), stacked(1)}) {
    const Bvh tree = tree_of(primitives, 2);
    const Visitor visitor(tree, primitives);
    EXPECT_EQ(visitor.visits(), std::vector<int>(primitives.shape.size(), 1));
  }
}

TEST(Bvh, IsTheSameForAnyNumberOfThreads) {
  for (const WallPrimitives& primitives : {dented_sphere_primitives(240), stacked(10'000)}) {
    const Bvh one = tree_of(primitives, 1);
    for (const int threads : {2, 3, 8})
      EXPECT_TRUE(are_same(one, tree_of(primitives, threads))) << threads << " threads";
  }
}

TEST(Bvh, IsShallowAlsoWhereNoPlaneDivides) {
  const WallPrimitives primitives = stacked(10'000);
  EXPECT_LE(Visitor(tree_of(primitives, 2), primitives).depth(), 4)
      << "20,000 primitives in 2,500 leaves, of 8 nodes each level";
}

TEST(Bvh, FitsThePresentPrimitives) {
  WallPrimitives primitives = dented_sphere_primitives(60);
  const Bvh built = tree_of(primitives, 2);
  Bvh fitted = built;
  fitted.refit(primitives, fitted.scale, 3);
  EXPECT_TRUE(are_same(built, fitted));
  for (Primitive& primitive : primitives.shape)
    for (double& x : primitive.x) x = 3 * x + 0.5;
  fitted.refit(primitives, bvh_scale(primitives, 1), 3);
  EXPECT_EQ(Visitor(fitted, primitives).visits(), std::vector<int>(primitives.shape.size(), 1));
}

}  // namespace
}  // namespace shoal::wall_distance
