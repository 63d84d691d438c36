// SPDX-License-Identifier: Apache-2.0
// Refinement: the same bits from any start and number of threads.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <algorithm>

#include "sph/refinement/join_levels.hpp"
#include "sph/refinement/refinement_cases.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class BitsOfRefinement : public SphMethodTest {};
INSTANTIATE_TEST_SUITE_P(AllMethods, BitsOfRefinement, testing::ValuesIn(methods("sph")), method_test_name);

/// Largest id of a particle within its level.
std::int64_t largest_id(const Snapshot& snapshot) {
  std::int64_t largest = 0;
  for (const std::int64_t id : snapshot.id) largest = std::max(largest, id & ((std::int64_t{1} << level_shift) - 1));
  return largest;
}

TEST_P(BitsOfRefinement, ARestartContinuesWithTheSameBits) {
  for (const bool is_general : {false, true})
    for (const Integrator integrator : {Integrator::tvd_rk3, Integrator::symplectic}) {
      Case simulation = stream_through_a_box();
      simulation.scheme.integrator = integrator;
      simulation.scheme.laminar_viscosity = is_general;
      const Snapshot between = expect_same_bits_after_restart(simulation, 60, 50);
      EXPECT_GT(largest_id(between), std::int64_t{1} << 32) << "some have entered";
    }
}

TEST_P(BitsOfRefinement, AreThoseOfARestartWithThreeSpacings) {
  expect_same_bits_after_restart(collapse_into_boxes(), 60, 40);
}

TEST_P(BitsOfRefinement, AreThoseOfARestartIn3D) { expect_same_bits_after_restart(impact_in_3d(), 30, 20); }

TEST_P(BitsOfRefinement, AProfileHasTheBitsOfARun) {
  Solver run = solver(stream_through_a_box()), profiled = solver(stream_through_a_box());
  run.advance_steps(40);
  EXPECT_FALSE(profiled.profile(40).empty());
  expect_same(run.snapshot(), profiled.snapshot());
}

TEST(BitsOfRefinementOnThreads, AreThoseOfOneThread) {
  Solver one(Queue::cpu(1), stream_through_a_box()), four(Queue::cpu(4), stream_through_a_box());
  one.advance_steps(100);
  four.advance_steps(100);
  expect_same(one.snapshot(), four.snapshot());
}

}  // namespace
}  // namespace shoal::sph
