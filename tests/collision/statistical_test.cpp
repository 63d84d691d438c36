// SPDX-License-Identifier: Apache-2.0
// Statistical integration: its random numbers, its mean and its error, with fixed seeds.
#include <shoal/collision/relaxation.hpp>

#include <cmath>

#include "collision/collision_cases.hpp"
#include "collision/interpolated/random_item.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

// The published results of Philox4x32-10 for a counter and a key.
TEST(Philox, KnownAnswers) {
  const auto expect = [](const RandomWords& counter, std::uint64_t key, const RandomWords& expected) {
    const RandomWords random = philox(counter, key);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(random.word[i], expected.word[i]) << i;
  };
  constexpr std::uint32_t ones = 0xffffffff;
  expect({{0, 0, 0, 0}}, 0, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  expect({{ones, ones, ones, ones}}, 0xffffffffffffffff, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  expect({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822,
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(Philox, UniformNumbersAreBelowOne) {
  EXPECT_EQ((RandomWords{{0, 0, 0x80000000, 0}}.uniform(0)), 0);
  EXPECT_EQ((RandomWords{{0, 0, 0x80000000, 0}}.uniform(1)), 0.5);
  EXPECT_EQ((RandomWords{{0xffffffff, 0xffffffff, 0, 0}}.uniform(0)), 1 - 0x1p-53);
}

constexpr VelocityGrid grid{8, 4, {}};

CollisionOptions statistical(int samples, int seed = 1) {
  return {.approach = CollisionApproach::interpolated,
          .integration = CollisionIntegration::statistical,
          .samples = samples,
          .seed = seed};
}

/// Q of consecutive evaluations by one plan.
std::vector<std::vector<double>> evaluations(const CollisionOptions& options, int count) {
  const std::vector<double> f = BeamPair{}.on<double>(grid);
  Collision<double> plan(Queue::cpu(2), grid, {.rate = 1}, options);
  std::vector<std::vector<double>> results;
  for (int k = 0; k < count; ++k) {
    results.emplace_back(f.size());
    plan.evaluate(f, View<double>(results.back()));
  }
  return results;
}

std::vector<double> regular_sum(const CollisionOptions& options) {
  CollisionOptions regular = options;
  regular.integration = CollisionIntegration::regular;
  return evaluations(regular, 1)[0];
}

/// Mean of the values of one node, and the standard error of that mean.
struct MeanOfSamples {
  double mean = 0, standard_error = 0;

  MeanOfSamples(const std::vector<std::vector<double>>& results, std::size_t node) {
    const auto count = static_cast<double>(results.size());
    for (const auto& q : results) mean += q[node] / count;
    double square = 0;
    for (const auto& q : results) square += (q[node] - mean) * (q[node] - mean);
    standard_error = std::sqrt(square / (count - 1) / count);
  }
};

TEST(StatisticalIntegration, HasTheRegularSumAsItsMean) {
  CollisionOptions ball_with_unequal_weights = statistical(300);
  ball_with_unequal_weights.support = CollisionSupport::ball;
  ball_with_unequal_weights.directions = {.family = DirectionFamily::octahedral, .degree = 7};
  for (const CollisionOptions& options : {statistical(300), ball_with_unequal_weights}) {
    const std::vector<double> regular = regular_sum(options);
    const std::vector<std::vector<double>> results = evaluations(options, 40);
    int random_nodes = 0, outside = 0;  // of one standard error
    for (std::size_t node = 0; node < regular.size(); ++node) {
      const MeanOfSamples samples(results, node);
      const double difference = std::abs(samples.mean - regular[node]);
      EXPECT_LE(difference, 5 * samples.standard_error) << "node " << node;
      random_nodes += samples.standard_error > 0;
      outside += difference > samples.standard_error;
    }
    EXPECT_EQ(random_nodes, options.support == CollisionSupport::ball ? 280 : 512);
    EXPECT_NEAR(outside / static_cast<double>(random_nodes), 0.32, 0.1);
  }
}

TEST(StatisticalIntegration, EachSeedHasTheSameMean) {
  std::vector<std::vector<double>> results;
  for (int seed = 0; seed < 40; ++seed) results.push_back(evaluations(statistical(300, seed), 1)[0]);
  const std::vector<double> regular = regular_sum(statistical(300));
  for (std::size_t node = 0; node < regular.size(); ++node) {
    const MeanOfSamples samples(results, node);
    EXPECT_LE(std::abs(samples.mean - regular[node]), 5 * samples.standard_error) << "node " << node;
  }
}

TEST(StatisticalIntegration, ErrorFallsAsTheRootOfTheSamples) {
  const std::vector<double> regular = regular_sum(statistical(1));
  const auto mean_square_error = [&](int samples) {
    const int count = 6400 / samples;
    double sum = 0;
    for (const std::vector<double>& q : evaluations(statistical(samples), count))
      for (std::size_t i = 0; i < q.size(); ++i) sum += (q[i] - regular[i]) * (q[i] - regular[i]);
    return sum / (count * static_cast<double>(regular.size()));
  };
  const double error = std::sqrt(mean_square_error(100));
  EXPECT_NEAR(error / std::sqrt(mean_square_error(400)), 2, 0.2);
  EXPECT_NEAR(error / std::sqrt(mean_square_error(1600)), 4, 0.4);
}

TEST(StatisticalIntegration, DrawsAnewAndRepeatsWhatItDrew) {
  const auto results = evaluations(statistical(100), 3);
  EXPECT_NE(results[0], results[1]);
  EXPECT_NE(results[1], results[2]);
  EXPECT_NE(results[0], evaluations(statistical(100, 2), 1)[0]);
  EXPECT_EQ(results, evaluations(statistical(100), 3));
  const std::vector<double> f = BeamPair{}.on<double>(grid);
  Collision<double> plan(Queue::cpu(1), grid, {.rate = 1}, statistical(100));
  std::vector<double> q(f.size());
  plan.set_evaluations(2);
  plan.evaluate(f, View<double>(q));
  EXPECT_EQ(q, results[2]);
  EXPECT_EQ(plan.evaluations(), 3);
  EXPECT_EQ(message_of([&] { plan.set_evaluations(-1); }), "collision: -1 evaluations, expected 0 or more.");
}

TEST(StatisticalIntegration, RelaxationsRepeatTheirSamples) {
  const std::vector<double> f = BeamPair{}.on<double>(grid);
  const auto relaxed = [&](Relaxation<double>& gas) {
    gas.start(f);
    gas.advance_to(1);
    return to_host(gas.collision().queue(), gas.f());
  };
  CollisionOptions options = statistical(200);
  options.negative = NegativeDistribution::accept;
  Relaxation<double> gas(Collision<double>(Queue::cpu(2), grid, {.rate = 1}, options), {});
  const std::vector<double> once = relaxed(gas);
  EXPECT_EQ(relaxed(gas), once);
}

TEST(StatisticalIntegration, AutoSelectsAMethodThatVisitsCollisionsOneByOne) {
  EXPECT_EQ(Collision<double>(Queue::cpu(1), grid, {}, statistical(1)).method().name, "pairs");
  CollisionOptions spheres = statistical(1);
  spheres.method = "spheres";
  EXPECT_EQ(message_of([&] { Collision<double>(Queue::cpu(1), grid, {}, spheres); }),
            "collision: method `spheres` is not available on cpu for approach interpolated with statistical "
            "integration. This build has on cpu: pairs, serial.");
}

TEST(StatisticalIntegration, ErrorsNameTheOption) {
  const auto message = [](CollisionOptions options) {
    return message_of([&] { Collision<double>(Queue::cpu(1), grid, {}, options); });
  };
  CollisionOptions conservative = statistical(10);
  conservative.approach = CollisionApproach::conservative;
  EXPECT_EQ(message(conservative),
            "collision: integration statistical is for approach interpolated, got conservative. Leave integration at "
            "regular.");
  EXPECT_EQ(message(statistical(0)), "collision: samples = 0, expected 1 or more for each node.");
  EXPECT_EQ(message(statistical(1, -1)), "collision: seed = -1, expected 0 or more.");
}

}  // namespace
}  // namespace shoal::collision
