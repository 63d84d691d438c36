// SPDX-License-Identifier: Apache-2.0
// Memory that one rank lacks during steps: every allocation of a rank fails in turn, and all ranks throw the same error.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include "sph/ranks/failing_allocation.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::Each;
using testing::EndsWith;
using testing::StartsWith;

/// Messages of two ranks whose second one has memory for so many large allocations.
std::vector<std::string> messages_with(int allocations, const Case& simulation) {
  std::vector<std::string> messages(2);
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver solver(Queue::cpu(1), simulation, ranks);
    if (ranks.rank() == 1) allocations_left = allocations;
    messages[static_cast<std::size_t>(ranks.rank())] = message_of([&] { solver.advance_steps(3); });
    allocations_left = -1;
  });
  return messages;
}

class MemoryOfRanks : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, MemoryOfRanks, testing::Values("serial", "list", "symmetric"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(MemoryOfRanks, IsTheSameErrorOnAllRanksWhereverItEnds) {
  Case fluid = block_of_water(40, 40);
  fluid.bodies[0].velocity = {0, 1, 0};
  Case general = general_case(Integrator::verlet, Walls::adami, Kernel::wendland_c2, DensityDiffusion::molteni);
  for (Case* simulation : {&fluid, &general}) {
    simulation->method = GetParam();
    int allocations = 0;
    for (; allocations < 500; ++allocations) {
      const std::vector<std::string> messages = messages_with(allocations, *simulation);
      if (messages[0] == "no error") break;
      ASSERT_THAT(messages, Each(AllOf(StartsWith("sph: the memory of the host is exhausted during a step."),
                                       EndsWith("(rank 1 of 2 on this machine)"))))
          << allocations << " allocations";
    }
    EXPECT_EQ(messages_with(allocations, *simulation), std::vector<std::string>(2, "no error"));
    EXPECT_GT(allocations, 5);
  }
}

TEST_P(MemoryOfRanks, OneRankKeepsTheStateBeforeTheStep) {
  Case simulation = block_of_water(40, 40);
  simulation.bodies[0].velocity = {0, 1, 0};
  simulation.method = GetParam();
  Solver whole(Queue::cpu(1), simulation);
  whole.advance_steps(3);
  const Snapshot expected = whole.snapshot();
  int allocations = 0;
  for (bool is_enough = false; !is_enough; ++allocations) {
    ASSERT_LT(allocations, 500);
    Solver solver(Queue::cpu(1), simulation);
    allocations_left = allocations;
    const std::string message = message_of([&] { solver.advance_steps(3); });
    allocations_left = -1;
    is_enough = message == "no error";
    if (!is_enough) {
      EXPECT_THAT(message, StartsWith("sph: the memory of the host is exhausted during a step."));
    }
    solver.advance_steps(3 - solver.clock().step);
    const Snapshot snapshot = solver.snapshot();
    ASSERT_EQ(snapshot.id, expected.id);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      ASSERT_EQ(snapshot.coordinate[axis], expected.coordinate[axis]) << allocations << " allocations";
      ASSERT_EQ(snapshot.velocity[axis], expected.velocity[axis]);
    }
  }
  if (simulation.method != "serial") {
    EXPECT_GT(allocations, 1);
  }
}

}  // namespace
}  // namespace shoal::sph
