// SPDX-License-Identifier: Apache-2.0
// Stepwise interpolation: two nodes with gas and one direction, computed by hand.
#include <array>
#include <cmath>

#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

using Node = std::array<int, 3>;

constexpr VelocityGrid grid{8, 4, {}};  // spacing 1
constexpr double a = 2, b = 3;          // f at the two nodes

std::size_t number(const Node& node) { return static_cast<std::size_t>((node[2] * 8 + node[1]) * 8 + node[0]); }

/// Methods of the interpolated approach on every device.
std::vector<MethodInfo> interpolating_methods() {
  std::vector<MethodInfo> supporting;
  for (const CollisionMethod& method : collision_method_table())
    if (method.supports(CollisionApproach::interpolated)) supporting.push_back(method_info("collision", method));
  return supporting;
}

class EveryInterpolatingMethod : public MethodTest {
 protected:
  /// Q of gas at two nodes; molecules leave a collision along z, and h³ |V| σ_T = 1.
  std::vector<double> collided_along_z(const Node& first, const Node& second) {
    std::vector<double> f(512);
    f[number(first)] = a;
    f[number(second)] = b;
    return collided(queue(), grid,
                    {.approach = CollisionApproach::interpolated,
                     .method = GetParam().name,
                     .directions = {.degree = 1},
                     .interpolation = VelocityInterpolation::nearest},
                    f);
  }
  /// Expects a b at some nodes and 0 elsewhere.
  static void expect_gain(const std::vector<double>& q, const std::vector<Node>& gaining) {
    std::vector<double> expected(512);
    for (const Node& node : gaining) expected[number(node)] = a * b;
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(q[i], expected[i], 1e-13) << "node " << i;
  }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryInterpolatingMethod, testing::ValuesIn(interpolating_methods()),
                         method_test_name);

// A pair around (4, 4, 4) at distances r from it has v' = (4, 4, 4 + r) and v1' = (4, 4, 4 - r): for r = 1 the two nodes
// with gas, for r = sqrt(2) these are the nearest nodes, for r = sqrt(3) and 2 others are. The pair of the two nodes
// itself loses what it gains.
TEST_P(EveryInterpolatingMethod, NearestNodesByHand) {
  if (GetParam().name == "texture")
    GTEST_SKIP() << "the hardware takes the upper of two nearest nodes for both molecules";
  std::vector<Node> gaining;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z)
        if (const int square = x * x + y * y + z * z; square == 2 || (square == 1 && z == 0))
          gaining.push_back({4 + x, 4 + y, 4 + z});
  expect_gain(collided_along_z({4, 4, 3}, {4, 4, 5}), gaining);
}

// Pairs around (4, 4.5, 4) have points halfway between two nodes along y, and the pair at distance 1/2 also along z. The
// molecule in the direction takes the upper node, its partner the lower one.
TEST_P(EveryInterpolatingMethod, OfTwoNearestNodesOneIsUpperAndOneIsLower) {
  if (GetParam().name == "texture")
    GTEST_SKIP() << "the hardware takes the upper of two nearest nodes for both molecules";
  expect_gain(collided_along_z({4, 4, 3}, {4, 5, 5}),
              {{4, 4, 4}, {4, 5, 4}, {3, 4, 4}, {3, 5, 4}, {5, 4, 4}, {5, 5, 4}, {4, 5, 3}, {4, 4, 5}});
}

/// f at the node nearest to a point, the upper or the lower one of two; 0 outside the grid.
double nearest_value(const std::vector<double>& f, const std::array<double, 3>& point, bool upper) {
  Node node;
  for (int axis = 0; axis < 3; ++axis) {
    node[axis] = static_cast<int>(upper ? std::floor(point[axis] + 0.5) : std::ceil(point[axis] - 0.5));
    if (node[axis] < 0 || node[axis] > 7) return 0;
  }
  return f[number(node)];
}

/// Q of gas f by a loop over all pairs of nodes: molecules leave along z.
/// @param upper  the partner takes the upper of two nearest nodes, too
std::vector<double> collisions_along_z(const std::vector<double>& f, bool upper) {
  std::vector<double> q(512);
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 512; ++j) {
      const Node first{i % 8, i / 8 % 8, i / 64}, second{j % 8, j / 8 % 8, j / 64};
      std::array<double, 3> center;
      double square = 0;
      for (int axis = 0; axis < 3; ++axis) {
        center[axis] = (first[axis] + second[axis]) / 2.0;
        square += std::pow((first[axis] - second[axis]) / 2.0, 2);
      }
      std::array<double, 3> after = center, partner_after = center;
      after[2] += std::sqrt(square);
      partner_after[2] -= std::sqrt(square);
      q[static_cast<std::size_t>(i)] += nearest_value(f, after, true) * nearest_value(f, partner_after, upper) -
                                        f[static_cast<std::size_t>(i)] * f[static_cast<std::size_t>(j)];
    }
  return q;
}

// The texture units take the upper of two nearest nodes for both molecules.
TEST_P(EveryInterpolatingMethod, NearestNodesOfAllPairs) {
  const Node first{4, 4, 3}, second{4, 4, 5};
  std::vector<double> f(512);
  f[number(first)] = a;
  f[number(second)] = b;
  const std::vector<double> q = collided_along_z(first, second);
  const std::vector<double> expected = collisions_along_z(f, GetParam().name == "texture");
  for (std::size_t i = 0; i < q.size(); ++i) ASSERT_NEAR(q[i], expected[i], 1e-13) << "node " << i;
}

}  // namespace
}  // namespace shoal::collision
