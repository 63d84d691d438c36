// SPDX-License-Identifier: Apache-2.0
// Runs of sph that processes share: each particle has the bits of one rank's run. On GPUs of their own they exchange by
// NCCL. The tests in tests/sph/ranks go through all combinations, with threads as ranks.
#include <gtest/gtest.h>
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>
#include <shoal/sph.hpp>

#include <array>
#include <bit>
#include <cstdlib>

#include "core/communication/rank_group.hpp"
#include "sph/control/changing_water.hpp"
#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/sph_cases.hpp"
#include "sph/tuning.hpp"
#include "support/method_suite.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

/// Sum over all particles of a number made from the bits of each, which is independent of the order of particles.
std::int64_t digest_of(const Snapshot& state) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    std::uint64_t particle = mixed(static_cast<std::uint64_t>(state.id[i]));
    const auto add = [&](std::uint64_t word) { particle = mixed(particle ^ word); };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!state.coordinate[axis].empty()) add(static_cast<std::uint64_t>(state.coordinate[axis][i]));
      if (!state.velocity[axis].empty()) add(std::bit_cast<std::uint64_t>(state.velocity[axis][i]));
    }
    add(std::bit_cast<std::uint64_t>(state.density_deviation[i]));
    add(std::bit_cast<std::uint64_t>(state.pressure_over_density2[i]));
    sum += particle;
  }
  return static_cast<std::int64_t>(sum);
}

/// Periodic box of jittered water that moves through the cuts.
Case moving_box(int columns, int layers) {
  Case box = block_of_water(columns, columns, layers);
  box.bodies[0].jitter = 0.1;
  box.bodies[0].velocity = {0.1, 0.2, 3};
  box.domain = box.bodies[0].box;
  box.scheme.periodic = {Axis::x, Axis::y, Axis::z};
  return box;
}

/// Falling water between Adami walls, which stand on all sides of it.
Case walled_block(int columns, int layers) {
  Case simulation = block_of_water(columns, columns, layers);
  simulation.bodies[0].velocity = {0.1, 0.2, -1};
  simulation.walls = {{"tank", simulation.bodies[0].box, {sph::Side::back}, 3, ""}};
  simulation.scheme.walls = Walls::adami;
  simulation.scheme.gravity = {0, 0, -9.81};
  return simulation;
}

class SphOnProcesses : public MethodTest {
 protected:
  void SetUp() override {
    MethodTest::SetUp();
    if (!IsSkipped()) setenv("SHOAL_RANKS_SHARE_DEVICES", "1", 1);
  }
  void TearDown() override { unsetenv("SHOAL_RANKS_SHARE_DEVICES"); }

  bool is_on_cuda() const { return GetParam().device == DeviceKind::cuda; }

  void expect_bits_of_one_rank(Case simulation, std::int64_t cuda_steps = 1000, const StepCallback& callback = {}) {
    const Communicator ranks = mpi::world();
    const MethodInfo& method = GetParam();
    const std::int64_t steps = is_on_cuda() ? cuda_steps : 6;
    simulation.method = method.name;
    const Queue queue = mpi::queue(ranks, device_word(method.device));
    Solver shared(queue, simulation, ranks);
    shared.on_step(callback);
    shared.advance_steps(steps);
    std::array<std::int64_t, 1> digest{digest_of(shared.snapshot())};
    ranks.group().all_sum(digest);
    Solver alone(queue, simulation);
    alone.on_step(callback);
    alone.advance_steps(steps);
    EXPECT_EQ(shared.clock().time, alone.clock().time);
    EXPECT_EQ(shared.clock().particles, alone.clock().particles);
    EXPECT_EQ(digest[0], digest_of(alone.snapshot()));
  }
};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphOnProcesses, testing::ValuesIn(methods("sph")), method_test_name);

TEST_P(SphOnProcesses, ComputeADamBreakWithTheBitsOfOneRank) { expect_bits_of_one_rank(dam_break(1)); }

TEST_P(SphOnProcesses, ComputeAMovingBoxWithTheBitsOfOneRank) { expect_bits_of_one_rank(moving_box(16, 40)); }

TEST_P(SphOnProcesses, ComputeAStreamThroughOpenBoundariesWithTheBitsOfOneRank) {
  expect_bits_of_one_rank(disturbed_stream());
  expect_bits_of_one_rank(turned_upward(disturbed_stream()));
  expect_bits_of_one_rank(turned_upward(turning_stream()));
}

TEST_P(SphOnProcesses, AddAndRemoveParticlesWithTheBitsOfOneRank) {
  expect_bits_of_one_rank(rising_water(24), 30, change);
}

TEST_P(SphOnProcesses, ComputeInnerLayersBesideHalosWithTheBitsOfOneRank) {
  if (!is_on_cuda()) GTEST_SKIP() << "ranks on the CPU compute all layers after the halo";
  constexpr int columns = 64;
  const int layers =
      static_cast<int>(particles_beside_halo / (columns * columns)) + 24;  // more than the outer layers of cells
  expect_bits_of_one_rank(moving_box(columns, layers * mpi::world().size()), 50);
  expect_bits_of_one_rank(walled_block(columns, layers * mpi::world().size()), 50);
}

TEST(DigestOfParticles, DependsOnEachBitAndNotOnTheOrder) {
  Snapshot state = Solver(Queue::cpu(1), block_of_water(8, 8)).snapshot();
  const std::int64_t digest = digest_of(state);
  std::swap(state.id[0], state.id[1]);
  EXPECT_NE(digest_of(state), digest);
  for (auto* array : {&state.coordinate[0], &state.coordinate[1]}) std::swap((*array)[0], (*array)[1]);
  for (auto* array : {&state.velocity[0], &state.velocity[1], &state.density_deviation, &state.pressure_over_density2})
    std::swap((*array)[0], (*array)[1]);
  EXPECT_EQ(digest_of(state), digest);
  state.velocity[1][5] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(state.velocity[1][5]) ^ 1);
  EXPECT_NE(digest_of(state), digest);
}

}  // namespace
}  // namespace shoal::sph
