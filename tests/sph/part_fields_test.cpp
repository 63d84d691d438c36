// SPDX-License-Identifier: Apache-2.0
// Numbers of walls and bodies in the fields: at the start by geometry, later by id, on ranks and after restarts.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <map>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class SphPartFields : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphPartFields, testing::ValuesIn(methods("sph")), method_test_name);

/// Number of the wall and of the body of a particle.
using Numbers = std::pair<std::int32_t, std::int32_t>;

Wall solid(const std::string& name, const Box& box) {
  Wall wall{name, box, {}, 3, ""};
  wall.solid = true;
  return wall;
}

/// Two bodies, of which the second leaves the domain, and three walls: the last one covers parts of the others.
Case two_bodies_and_three_walls() {
  Case simulation = block_of_water(10, 6);
  simulation.bodies.push_back(simulation.bodies[0]);
  simulation.bodies[1].box = {{0.12, 0.01, 0}, {0.22, 0.06, 0}};
  simulation.bodies[1].velocity = {10, 0, 0};
  simulation.walls = {solid("left", {{-0.03, 0, 0}, {0, 0.06, 0}}), solid("floor", {{-0.03, -0.03, 0}, {0.2, 0, 0}}),
                      solid("cover", {{-0.03, -0.03, 0}, {0, 0.08, 0}})};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.24, 0.4, 0}};
  return simulation;
}

Numbers numbers_at(double x, double y) {
  if (y < 0) return {1, -1};
  if (x < 0) return {y < 0.06 ? 0 : 2, -1};
  return {-1, x < 0.1 ? 0 : 1};
}

/// Numbers by id, of fields whose arrays have one entry for each particle.
std::map<std::int64_t, Numbers> numbers_of(const Fields& fields) {
  EXPECT_EQ(fields.wall_number.size(), fields.id.size());
  EXPECT_EQ(fields.body.size(), fields.id.size());
  std::map<std::int64_t, Numbers> numbers;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    EXPECT_EQ(fields.wall_number[i] >= 0, fields.wall[i] == 1) << fields.id[i];
    numbers[fields.id[i]] = {fields.wall_number[i], fields.body[i]};
  }
  return numbers;
}

/// Requires the numbers of the start for all particles that are left.
void expect_same_parts(const Fields& fields, const std::map<std::int64_t, Numbers>& start) {
  for (const auto& [id, numbers] : numbers_of(fields)) EXPECT_EQ(numbers, start.at(id)) << id;
}

TEST_P(SphPartFields, AreThoseOfThePlaceAtTheStart) {
  const Fields fields = solver(two_bodies_and_three_walls()).fields();
  std::map<Numbers, int> counts;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    const Numbers numbers = {fields.wall_number[i], fields.body[i]};
    EXPECT_EQ(numbers, numbers_at(fields.position[3 * i], fields.position[3 * i + 1])) << fields.id[i];
    ++counts[numbers];
  }
  const std::map<Numbers, int> expected = {
      {{-1, 0}, 10 * 6}, {{-1, 1}, 10 * 5}, {{0, -1}, 3 * 6}, {{1, -1}, 23 * 3}, {{2, -1}, 3 * 2}};
  EXPECT_EQ(counts, expected);
}

TEST_P(SphPartFields, StayWithTheParticleWhileOthersLeave) {
  Solver run = solver(two_bodies_and_three_walls());
  const auto start = numbers_of(run.fields());
  run.advance_steps(110);
  const Fields fields = run.fields();
  EXPECT_GT(fields.clock.lost, 0);
  EXPECT_GT(std::count(fields.body.begin(), fields.body.end(), 1), 0) << "a part of the body is left";
  expect_same_parts(fields, start);
}

TEST_P(SphPartFields, AreTheSameAfterARestart) {
  for (const bool is_general : {false, true}) {
    Case simulation = two_bodies_and_three_walls();
    if (is_general) simulation.walls[1].motion.amplitude = {0.001, 0, 0};
    Solver run = solver(simulation);
    const auto start = numbers_of(run.fields());
    run.advance_steps(10);
    const Fields fields = solver(simulation, run.snapshot()).fields();
    EXPECT_EQ(fields.id.size(), start.size());
    expect_same_parts(fields, start);
  }
}

TEST(SphPartFieldsOfRanks, HaveTheRowsOfOneRank) {
  const Case simulation = two_bodies_and_three_walls();
  const Fields one = Solver(Queue::cpu(1), simulation).fields();
  for (const int count : {2, 3}) {
    std::vector<Fields> parts(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      parts[static_cast<std::size_t>(ranks.rank())] = Solver(Queue::cpu(1), simulation, ranks).fields();
    });
    std::vector<std::int32_t> walls, bodies;
    for (const Fields& part : parts) {
      walls.insert(walls.end(), part.wall_number.begin(), part.wall_number.end());
      bodies.insert(bodies.end(), part.body.begin(), part.body.end());
    }
    EXPECT_EQ(walls, one.wall_number) << count;
    EXPECT_EQ(bodies, one.body) << count;
  }
}

}  // namespace
}  // namespace shoal::sph
