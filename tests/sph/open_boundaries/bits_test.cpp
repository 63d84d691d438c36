// SPDX-License-Identifier: Apache-2.0
// Open boundaries: the same bits from any start and number of threads and places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "sph/open_boundaries/open_boundary_cases.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/snapshots.hpp"
#include "sph/sph_method_test.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class BitsOfOpenBoundary : public SphMethodTest {};
class PlacesOfOpenBoundary : public SphMethodTest {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PlacesOfOpenBoundary);  // a build without CUDA has no methods of it

INSTANTIATE_TEST_SUITE_P(AllMethods, BitsOfOpenBoundary, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, PlacesOfOpenBoundary, testing::ValuesIn(sph_methods_on(DeviceKind::cuda)),
                         method_test_name);

TEST_P(BitsOfOpenBoundary, ARestartContinuesWithTheSameBits) {
  for (const bool is_general : {false, true})
    for (const Integrator integrator : integrators) {
      Case simulation = disturbed_stream(integrator);
      simulation.scheme.laminar_viscosity = is_general;
      Solver whole = solver(simulation);
      whole.advance_steps(240);
      Solver first = solver(simulation);
      first.advance_steps(133);
      EXPECT_NE(first.snapshot().total, 400);
      Solver second = solver(simulation, first.snapshot());
      second.advance_steps(107);
      expect_same(whole.snapshot(), second.snapshot());
      EXPECT_EQ(whole.balance().outflow, second.balance().outflow);
    }
}

TEST_P(BitsOfOpenBoundary, ARepeatedRunHasTheSameBits) {
  for (const Case& simulation : {disturbed_stream(), stream_in_3d()}) {
    Solver one = solver(simulation), other = solver(simulation);
    one.advance_steps(150);
    for (int step = 0; step < 150; step += 50) other.advance_steps(50);
    expect_same(one.snapshot(), other.snapshot());
  }
}

TEST_P(BitsOfOpenBoundary, AProfileHasTheBitsOfARun) {
  Solver run = solver(disturbed_stream()), profiled = solver(disturbed_stream());
  run.advance_steps(100);
  EXPECT_FALSE(profiled.profile(100, 1, {}).empty());
  expect_same(run.snapshot(), profiled.snapshot());
}

// The restart of a run has no trace of the device, and ids and times of what enters are the same everywhere.
TEST_P(BitsOfOpenBoundary, ARunOfAnotherDeviceResumes) {
  Case simulation = disturbed_stream();
  simulation.precision = Precision::double_;
  simulation.scheme.laminar_viscosity = true;
  Case serial_case = simulation;
  serial_case.method = "serial";
  Solver whole(Queue::cpu(1), serial_case);
  whole.advance_steps(240);
  Solver first(Queue::cpu(1), serial_case);
  first.advance_steps(133);
  Solver second = solver(simulation, first.snapshot());
  second.advance_steps(50);
  Solver back(Queue::cpu(1), serial_case, second.snapshot());
  back.advance_steps(57);
  expect_near(whole.fields(), back.fields(), 1e-9);
  EXPECT_EQ(whole.balance().inflow, back.balance().inflow);
  EXPECT_EQ(whole.balance().outflow, back.balance().outflow);
}

/// Bytes of all particles, by id, after steps of a run with so many free places at first.
std::map<std::int64_t, std::string> after_steps(const MethodInfo& method, const Queue& queue, const Case& simulation,
                                                std::int64_t steps, std::int64_t spare, bool profiles) {
  const Lattice lattice = make_lattice(simulation, 32);
  auto setup = make_setup<float, 2>(simulation, lattice, queue, nullptr);
  setup.spare_particles = spare;
  const auto stepper = choose_method(method.name, method.device).make<float, 2>()(queue, std::move(setup));
  if (profiles)
    EXPECT_FALSE(stepper->profile({.step = steps}, {}).empty());
  else
    stepper->advance({.step = steps}, {});
  const HostState<float, 2> state = stepper->download();
  EXPECT_EQ(state.clock.step, steps);
  EXPECT_EQ(state.clock.particles, static_cast<std::int64_t>(state.count()));
  std::map<std::int64_t, std::string> particles;
  for (std::size_t i = 0; i < state.count(); ++i) particles[state.id[i]] = bytes_of_particle(state, i);
  return particles;
}

/// The same of an inlet without an outlet, after 300 steps.
std::map<std::int64_t, std::string> filled(const MethodInfo& method, const Queue& queue, std::int64_t spare,
                                           bool profiles) {
  Case simulation = free_stream();
  simulation.open_boundaries.pop_back();
  return after_steps(method, queue, simulation, 300, spare, profiles);
}

TEST_P(PlacesOfOpenBoundary, ChangeNothing) {
  const auto expected = filled(GetParam(), queue(), 1000, false);
  EXPECT_EQ(expected.size(), 460u);
  for (const std::int64_t spare : {1, 7}) EXPECT_EQ(filled(GetParam(), queue(), spare, false), expected);
  EXPECT_EQ(filled(GetParam(), queue(), 1, true), expected);
}

TEST_P(PlacesOfOpenBoundary, MoreThanADeviceCanNumberAreRefused) {
  EXPECT_THAT(message_of([&] { filled(GetParam(), queue(), std::int64_t{1} << 31, false); }),
              HasSubstr("2147484048 particles, with ghosts and room for more, are more than one device can number"));
}

TEST_P(PlacesOfOpenBoundary, ChangeNothingThatReturns) {
  Case simulation = turning_stream();
  simulation.bodies[0].strain_rate = {3, -2, 0};
  const auto expected = after_steps(GetParam(), queue(), simulation, 700, 1000, false);
  EXPECT_GT(std::prev(expected.end())->first, 400) << "some have returned";
  for (const std::int64_t spare : {1, 7})
    EXPECT_EQ(after_steps(GetParam(), queue(), simulation, 700, spare, false), expected);
}

TEST(OpenBoundary, AnyNumberOfThreadsHasTheSameBits) {
  const auto state = [](int threads) {
    Solver run(Queue::cpu(threads), disturbed_stream());
    run.advance_steps(300);
    return run.snapshot();
  };
  expect_same(state(1), state(3));
}

}  // namespace
}  // namespace shoal::sph
