// SPDX-License-Identifier: Apache-2.0
#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

// Rounding of sums in another order, relative to the largest value.
constexpr double rounding = 1e-13;
constexpr double float_rounding = 1e-4;

class EveryCollisionMethod : public CollisionMethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryCollisionMethod, testing::ValuesIn(every_method_variant()),
                         method_variant_name);

/// Distribution without symmetries, above zero everywhere.
template <class Real>
std::vector<Real> lopsided(const VelocityGrid& grid) {
  return at_nodes<Real>(grid, [](double x, double y, double z) {
    return gaussian((x - 0.5) * (x - 0.5) + y * y + (z + 0.3) * (z + 0.3), 0.7) +
           0.5 * gaussian((x + 1) * (x + 1) + (y - 0.4) * (y - 0.4) + z * z, 0.9);
  });
}

template <class Real>
void expect_serial(const Queue& queue, const CollisionOptions& options, const Molecules& gas, int nodes,
                   double tolerance) {
  const VelocityGrid grid{nodes, 4, {0.1, 0, -0.2}};
  const std::vector<Real> f = lopsided<Real>(grid);
  const std::vector<Real> q = collided(queue, grid, options, f, gas);
  EXPECT_LE(relative_difference(q, serial(grid, options, f, gas)), tolerance)
      << to_name(gas.model) << ", " << nodes << " nodes";
}

TEST_P(EveryCollisionMethod, AgreesWithSerialInDouble) {
  if (is_serial()) GTEST_SKIP() << "the reference itself";
  expect_serial<double>(queue(), options(), {.rate = 1}, 8, tolerance(rounding));
  CollisionOptions few = options();
  if (is_continuous()) few.directions.degree = 3;
  for (const Molecules& gas : every_gas())
    if (gas.model != MoleculeModel::maxwell && supports(gas))
      expect_serial<double>(queue(), few, gas, 8, tolerance(rounding));
  const int odd = 9;
  if (!is_slow()) expect_serial<double>(queue(), few, {.rate = 1}, odd, tolerance(rounding));
}

TEST_P(EveryCollisionMethod, AgreesWithSerialInFloat) {
  if (is_serial()) GTEST_SKIP() << "the reference itself";
  expect_serial<float>(queue(), options(), {.rate = 1}, 8, tolerance(float_rounding));
}

// Threads take whole cells if there are enough of them, and share the work of a cell if not.
TEST_P(EveryCollisionMethod, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().method.device != DeviceKind::cpu || !GetParam().method.deterministic) GTEST_SKIP() << "not promised";
  const VelocityGrid grid{8, 4, {}};
  const std::vector<float> cell = lopsided<float>(grid);
  std::vector<float> f = cell;
  for (const float factor : {0.5f, 3.0f})
    for (std::size_t i = 0; !is_slow() && i < cell.size(); ++i) f.push_back(factor * cell[i]);
  const std::vector<float> expected = collided(Queue::cpu(1), grid, few_directions(), f);
  for (const int threads : {2, 5})
    EXPECT_EQ(collided(Queue::cpu(threads), grid, few_directions(), f), expected) << threads << " threads";
}

TEST_P(EveryCollisionMethod, GivesTheSameBitsOnEveryRun) {
  if (!GetParam().method.deterministic) GTEST_SKIP() << "not promised";
  const VelocityGrid grid{8, 4, {}};
  const std::vector<float> f = lopsided<float>(grid);
  const Queue plan_queue = queue();
  Collision<float> plan(plan_queue, grid, {.rate = 1}, few_directions());
  const Array<float> device_f = to_device(plan_queue, f);
  Array<float> q(plan_queue, device_f.count());
  plan.evaluate(device_f, q);
  const std::vector<float> once = to_host(plan_queue, q);
  plan.set_evaluations(0);  // with the same samples
  plan.evaluate(device_f, q);
  EXPECT_EQ(to_host(plan_queue, q), once);
}

TEST_P(EveryCollisionMethod, EvaluatesSeveralCellsOfAnyStride) {
  const VelocityGrid grid{8, 4, {}};
  const std::vector<double> cells[] = {lopsided<double>(grid), BeamPair{}.on<double>(grid)};
  std::vector<double> strided, expected;
  for (const auto& f : cells) {
    for (const double value : f) strided.insert(strided.end(), {value, -1});
    const std::vector<double> q = collided(queue(), grid, few_directions(), f);
    expected.insert(expected.end(), q.begin(), q.end());
  }
  const Queue plan_queue = queue();
  Collision<double> plan(plan_queue, grid, {.rate = 1}, few_directions());
  const Array<double> f = to_device(plan_queue, strided);
  Array<double> q(plan_queue, strided.size());
  const auto every_second = [](auto view) {
    view.count /= 2;
    view.stride = 2;
    return view;
  };
  plan.evaluate(every_second(f.view()), every_second(q.view()));
  const std::vector<double> result = to_host(plan_queue, q);
  const double tolerance = GetParam().method.deterministic ? 0 : rounding;
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(result[2 * i], expected[i], tolerance) << i;
}

TEST_P(EveryCollisionMethod, ConservesMassMomentumAndEnergy) {
  if (!uses(CollisionApproach::conservative)) GTEST_SKIP() << "not promised";
  for (const int nodes : {8, 9, 16}) {
    if (nodes > 8 && is_slow()) continue;
    const VelocityGrid grid{nodes, 4, {0.3, 0, 0}};
    const std::vector<double> q = collided(queue(), grid, few_directions(), lopsided<double>(grid));
    Collision<double> plan(Queue::cpu(1), grid, {.rate = 1});
    const CollisionDefects defects = plan.defects(q)[0];
    EXPECT_LE(std::abs(defects.mass), rounding * defects.mass_transferred);
    for (const double momentum : defects.momentum)
      EXPECT_LE(std::abs(momentum), rounding * defects.momentum_transferred);
    EXPECT_LE(std::abs(defects.energy), rounding * defects.energy_transferred);
  }
}

TEST_P(EveryCollisionMethod, IgnoresNodesOutsideTheBall) {
  if (options().support != CollisionSupport::ball) GTEST_SKIP() << "the box has no outside";
  const VelocityGrid grid{8, 4, {0.1, 0, -0.2}};
  std::vector<double> f = lopsided<double>(grid);
  const std::vector<double> with_corners = collided(queue(), grid, few_directions(), f);
  const std::vector<double> distance2 = at_nodes<double>(
      grid, [](double x, double y, double z) { return (x - 0.1) * (x - 0.1) + y * y + (z + 0.2) * (z + 0.2); });
  int outside = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (distance2[i] <= 16) continue;
    ++outside;
    f[i] = 0;
    EXPECT_EQ(with_corners[i], 0) << i;
  }
  EXPECT_EQ(outside, 512 - 280);  // of 8 along each axis: 280 have odd coordinates whose squares add up to 64 or less
  EXPECT_LE(relative_difference(collided(queue(), grid, few_directions(), f), with_corners), rounding);
}

TEST_P(EveryCollisionMethod, SymmetrizedKeepsAMaxwellianAndNeverLowersEntropy) {
  if (!uses(CollisionApproach::conservative) || !options().symmetrized) GTEST_SKIP() << "not promised";
  const VelocityGrid grid{8, 4, {}};
  const auto maxwellian = at_nodes<double>(
      grid, [](double x, double y, double z) { return gaussian((x - 0.2) * (x - 0.2) + y * y + z * z, 0.8); });
  Collision<double> plan(Queue::cpu(1), grid, {.rate = 1});
  const std::vector<double> equilibrium_q = collided(queue(), grid, options(), maxwellian);
  std::vector<double> loss(maxwellian.size());
  plan.loss(maxwellian, View<double>(loss));
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    largest = std::max(largest, std::abs(equilibrium_q[i]));
    scale = std::max(scale, loss[i]);
  }
  EXPECT_LE(largest, 1e-14 * scale);
  for (const auto& f : {lopsided<double>(grid), Bkw{}.on<double>(grid), BeamPair{}.on<double>(grid)})
    EXPECT_GT(plan.entropy_production(f, collided(queue(), grid, options(), f))[0], 0);
}

TEST_P(EveryCollisionMethod, ProjectionRemovesTheDefects) {
  const VelocityGrid grid{8, 4, {0.1, 0, -0.2}};
  const std::vector<double> f = lopsided<double>(grid);
  for (const CollisionProjection projection : {CollisionProjection::uniform, CollisionProjection::maxwellian}) {
    CollisionOptions changed = few_directions();
    changed.projection = projection;
    const std::vector<double> q = collided(queue(), grid, changed, f);
    Collision<double> plan(Queue::cpu(1), grid, {.rate = 1});
    const CollisionDefects defects = plan.defects(q)[0];
    EXPECT_LE(std::abs(defects.mass), rounding * defects.mass_transferred);
    EXPECT_LE(std::abs(defects.momentum[2]), rounding * defects.momentum_transferred);
    EXPECT_LE(std::abs(defects.energy), rounding * defects.energy_transferred);
  }
}

TEST_P(EveryCollisionMethod, EquilibriumPreservingKeepsAMaxwellian) {
  if (!is_fourier(options().approach)) GTEST_SKIP() << "not promised";
  const VelocityGrid grid{16, 6, {}};
  const auto maxwellian =
      at_nodes<double>(grid, [](double x, double y, double z) { return gaussian(x * x + y * y + z * z, 0.8); });
  CollisionOptions changed = options();
  const auto largest_q = [&] {
    double largest = 0;
    for (const double value : collided(queue(), grid, changed, maxwellian))
      largest = std::max(largest, std::abs(value));
    return largest;
  };
  const double plain = largest_q();
  changed.equilibrium_preserving = true;
  EXPECT_LT(largest_q(), 1e-3 * plain);  // the discrete moments differ from the exact ones by 1e-8
}

TEST(CollisionFrequency, IsTheSumOverPartners) {
  const VelocityGrid grid{8, 4, {}};
  const std::vector<double> f = lopsided<double>(grid);
  const Molecules gas{.model = MoleculeModel::hard_sphere, .diameter = 0.4};
  Collision<double> plan(Queue::cpu(2), grid, gas);
  std::vector<double> frequency(f.size()), expected(f.size());
  plan.frequency(f, frequency);
  const double area = 3.14159265358979324 * 0.4 * 0.4 * std::pow(grid.spacing(), 3);
  for (int i = 0; i < 512; ++i)
    for (int j = 0; j < 512; ++j) {
      const double distance = std::hypot(i % 8 - j % 8, i / 8 % 8 - j / 8 % 8, i / 64 - j / 64) * grid.spacing();
      expected[static_cast<std::size_t>(i)] += area * distance * f[static_cast<std::size_t>(j)];
    }
  EXPECT_LE(relative_difference(frequency, expected), rounding);
}

TEST_P(EveryCollisionMethod, HalfAndFullSphereAreTheSame) {
  if (options().integration == CollisionIntegration::statistical) GTEST_SKIP() << "other samples of other directions";
  const VelocityGrid grid{8, 4, {}};
  const std::vector<double> f = lopsided<double>(grid);
  CollisionOptions full = options();
  // No direction of degree 7 lies in a plane of the grid, where the nearest node may be either of two.
  full.directions = {.degree = is_continuous() ? 5 : 7, .half = false};
  CollisionOptions half = full;
  half.directions.half = true;
  const Molecules gas = supports(every_gas()[3]) ? every_gas()[3] : every_gas()[0];
  EXPECT_LE(relative_difference(collided(queue(), grid, full, f, gas), collided(queue(), grid, half, f, gas)), 1e-12);
}

template <class Real>
class CollisionFrequency : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(CollisionFrequency, Reals);

TYPED_TEST(CollisionFrequency, IsTheSumOverAllPartners) {
  const VelocityGrid grid{9, 4, {}};
  const auto nodes = static_cast<std::size_t>(grid.node_count());
  std::vector<TypeParam> f = BeamPair{}.on<TypeParam>(grid);
  f.resize(2 * nodes);
  f[nodes + 17] = 3;  // the second cell has gas at one node only
  for (const Molecules& gas : every_gas()) {
    Collision<TypeParam> plan(Queue::cpu(2), grid, gas, {.approach = CollisionApproach::conservative});
    std::vector<TypeParam> frequency(f.size());
    plan.frequency(f, View<TypeParam>(frequency));
    std::vector<double> rate(3 * 8 * 8 + 1);
    CollisionSetup(grid, gas, {}).rates_by_square_distance(rate.data());
    for (const std::size_t i : {std::size_t{0}, nodes / 2, nodes - 1}) {
      double sums[2] = {};
      for (std::size_t k = 0; k < nodes; ++k) {
        const auto difference2 = [&](std::size_t step) {
          const auto d = static_cast<int>(i / step % 9) - static_cast<int>(k / step % 9);
          return d * d;
        };
        for (const std::size_t cell : {std::size_t{0}, std::size_t{1}})
          sums[cell] += rate[static_cast<std::size_t>(difference2(1) + difference2(9) + difference2(81))] *
                        static_cast<double>(f[cell * nodes + k]);
      }
      const double relative = sizeof(TypeParam) == 4 ? 1e-6 : rounding;
      for (const std::size_t cell : {std::size_t{0}, std::size_t{1}})
        EXPECT_NEAR(static_cast<double>(frequency[cell * nodes + i]), sums[cell], relative * sums[cell] + 1e-14)
            << to_name(gas.model);
    }
  }
}

}  // namespace
}  // namespace shoal::collision
