// SPDX-License-Identifier: Apache-2.0
// Relaxation: exact solutions, invariants, errors; and the exact curves against each other.
#include <gmock/gmock.h>
#include <shoal/collision/relaxation.hpp>

#include <limits>

#include "collision/collision_cases.hpp"
#include "collision/relaxation/exact_solutions.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;
using testing::HasSubstr;

TEST(ExactSolutions, BkwAgreesWithTheSolutionOfTheTests) {
  const BkwSolution solution;
  for (const double time : {0.0, 1.0, 4.0}) {
    const Bkw bkw = Bkw::at(time);
    for (const double v2 : {0.0, 0.7, 16.0}) {
      EXPECT_NEAR(solution.distribution(v2, time), bkw.f(v2), 1e-15);
      EXPECT_NEAR(solution.change(v2, time), bkw.rate(v2), 1e-15);
    }
    for (int s = 1; s <= 5; ++s)
      EXPECT_NEAR(solution.moments(time)[static_cast<std::size_t>(s - 1)], bkw.moment(s), 1e-14);
  }
  EXPECT_NEAR(solution.entropy(0), 4.19288563, 1e-8) << "table of the reference";
  EXPECT_NEAR(solution.entropy(8), 4.25669097, 1e-8);
}

TEST(ExactSolutions, BkwScalesWithDensityTemperatureAndFrequency) {
  const BkwSolution unit, scaled{.density = 3, .temperature = 4, .frequency = 2};
  EXPECT_NEAR(scaled.distribution(4 * 0.7, 0.5), 3. / 8 * unit.distribution(0.7, 1), 1e-15);
  EXPECT_NEAR(scaled.change(4 * 0.7, 0.5), 2 * 3. / 8 * unit.change(0.7, 1), 1e-15);
  EXPECT_NEAR(scaled.moments(0.5)[2], 64 * unit.moments(1)[2], 1e-13);
  // −∫ n f ln(n T^(−3/2) f) = n (H − ln n + 3/2 ln T)
  EXPECT_NEAR(scaled.entropy(0.5), 3 * (unit.entropy(1) - std::log(3) + 1.5 * std::log(4)), 1e-11);
}

TEST(ExactSolutions, DecayOfTheFourthMomentIsThatOfBkw) {
  const BkwSolution bkw{.temperature = 2, .frequency = 1.5};
  const MaxwellDecay decay{.temperature = 2, .frequency = 1.5, .fourth = 15 * bkw.moments(0)[1]};
  for (const double time : {0.0, 0.3, 2.0}) EXPECT_NEAR(decay.m4(time), bkw.moments(time)[1], 1e-13);
}

TEST(ExactSolutions, DecayOfTwoBeamsIsTheFourthMomentOfTheCollisionIntegral) {
  const VelocityGrid grid{32, 7.725, {}};
  const collision::TwoBeams beams{.apart = {0.96, 0.72, 0}};
  const auto f = at_velocities<double>(grid, [&](const auto& v) { return beams.distribution(v); });
  const auto v4 = [](double x, double y, double z) { return std::pow(x * x + y * y + z * z, 2); };
  Collision<double> plan(Queue::cpu(2), grid, {.rate = 1},
                         {.approach = CollisionApproach::interpolated, .interpolation = VelocityInterpolation::cubic});
  const MaxwellDecay decay = MaxwellDecay::from_moments(plan.moments(f)[0], integral(grid, f, v4) / 15, 1);
  EXPECT_NEAR(decay.stress(0)[3], 0.96 * 0.72, 1e-9);
  // By hand: u² = 1.44, T_b = 0.6: u⁴ + 10 u² T_b + 15 T_b²; T = 1.08; D:D = 2/3 u⁴.
  EXPECT_NEAR(decay.fourth, 1.44 * 1.44 + 10 * 1.44 * 0.6 + 15 * 0.36, 1e-7);
  const double rate = (decay.m4(1e-5) - decay.m4(0)) / 1e-5;
  EXPECT_NEAR(15 * rate, -(decay.fourth - 15 * 1.08 * 1.08 + 2. / 3 * 1.44 * 1.44) / 3, 1e-4);
  std::vector<double> q(f.size());
  plan.evaluate(f, View<double>(q));
  EXPECT_NEAR(integral(grid, q, v4), 15 * rate, 0.01 * decay.fourth);
}

class RelaxationOn : public DeviceTest {
 protected:
  template <class Real = double>
  Relaxation<Real> relaxation(const VelocityGrid& grid, const CollisionOptions& options,
                              const RelaxationOptions& relaxation_options = {}) const {
    return Relaxation<Real>{Collision<Real>(queue(), grid, {.rate = 1}, options), relaxation_options};
  }
};
INSTANTIATE_TEST_SUITE_P(AllDevices, RelaxationOn, every_device, device_test_name);

/// Options with which f stays positive.
const CollisionOptions quick{.approach = CollisionApproach::conservative,
                             .directions = {.degree = 5},
                             .stencil = CollisionStencil::two_pair,
                             .symmetrized = false};

TEST_P(RelaxationOn, ConservesInvariantsAndRaisesEntropy) {
  const VelocityGrid grid{12, 5, {}};
  auto gas = relaxation(grid, quick);
  gas.start(to_device(queue(), BeamPair{}.on<double>(grid)));
  const RelaxationState first = gas.states()[0];
  double entropy = first.entropy;
  for (const double time : {0.5, 1.0, 2.0}) {
    gas.advance_to(time);
    const RelaxationState now = gas.states()[0];
    EXPECT_NEAR(now.moments.density, first.moments.density, 1e-12);
    EXPECT_NEAR(now.energy(), first.energy(), 1e-12);
    EXPECT_GT(now.entropy, entropy);
    EXPECT_GE(now.least, 0);
    entropy = now.entropy;
  }
  EXPECT_EQ(gas.time(), 2);
  EXPECT_GE(gas.steps(), 4);  // steps of at most half of 1 / n, and the density in the box is nearly 1
  EXPECT_LE(gas.steps(), 5);
  EXPECT_LE(gas.step(), 0.5 + 1e-12);
}

TEST_P(RelaxationOn, SchemesHaveTheirOrder) {
  const VelocityGrid grid{8, 4, {}};
  const auto f = to_device(queue(), BeamPair{}.on<double>(grid));
  const auto after = [&](RelaxationScheme scheme, double step) {
    auto gas = relaxation(grid, quick, {.scheme = scheme, .step = step});
    gas.start(f);
    gas.advance_to(0.8);
    return gas.states()[0].moments.stress[3];
  };
  const double exact = after(RelaxationScheme::tvd_rk3, 0.0125);
  const double order[] = {1, 2, 3};
  for (int k = 0; k < 3; ++k) {
    const auto scheme = static_cast<RelaxationScheme>(k);
    const double coarse = std::abs(after(scheme, 0.4) - exact), fine = std::abs(after(scheme, 0.2) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), order[k], 0.3) << to_name(scheme);
  }
}

TEST_P(RelaxationOn, CellsAreIndependent) {
  const VelocityGrid grid{8, 4, {}};
  const std::vector<double> beams = BeamPair{}.on<double>(grid), bkw = Bkw::at(0).on<double>(grid);
  std::vector<double> both = beams;
  both.insert(both.end(), bkw.begin(), bkw.end());
  auto gas = relaxation(grid, quick, {.step = 0.25}), alone = relaxation(grid, quick, {.step = 0.25});
  gas.start(to_device(queue(), both));
  gas.advance_to(1);
  for (std::size_t cell = 0; cell < 2; ++cell) {
    alone.start(to_device(queue(), cell == 0 ? beams : bkw));
    alone.advance_to(1);
    EXPECT_EQ(gas.states()[cell].even, alone.states()[0].even);
  }
}

TEST_P(RelaxationOn, StopsWhenTheObserverReturnsFalse) {
  const VelocityGrid grid{8, 4, {}};
  auto gas = relaxation(grid, quick, {.step = 0.25});
  gas.start(to_device(queue(), Bkw::at(0).on<double>(grid)));
  gas.advance_to(1, [&] { return gas.steps() < 2; });
  EXPECT_EQ(gas.time(), 0.5);
  gas.advance_to(0.5);
  EXPECT_EQ(gas.steps(), 2) << "nothing to do";
}

TEST_P(RelaxationOn, ErrorsNameTheCause) {
  const VelocityGrid grid{8, 4, {}};
  EXPECT_THAT(message_of([&] { relaxation(grid, quick, {.step = -1}); }), HasSubstr("a time step of -1 s"));
  EXPECT_THAT(message_of([&] { relaxation(grid, quick, {.step_share = 1.5}); }), HasSubstr("step_share is 1.5"));
  auto gas = relaxation(grid, quick, {.step = 1.5});
  EXPECT_THAT(message_of([&] { gas.advance_to(1); }), HasSubstr("Call start() first"));
  EXPECT_THAT(message_of([&] { gas.states(); }), HasSubstr("Call start() first"));
  std::vector<double> f = Bkw::at(0).on<double>(grid);
  gas.start(to_device(queue(), f));
  EXPECT_THAT(message_of([&] { gas.advance_to(2); }), HasSubstr("above the stability bound 1 / max ν"));
  EXPECT_THAT(message_of([&] { gas.advance_to(-1); }), HasSubstr("cannot advance to -1 s, the time is 0 s"));
  f[88] = -1e-3;
  EXPECT_EQ(message_of([&] { gas.start(to_device(queue(), f)); }),
            "relaxation: f is negative at node 88 of cell 0 at the start. Repair it.");
  EXPECT_THAT(message_of([&] { gas.advance_to(1); }), HasSubstr("Call start() first"));
  f[88] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of([&] { gas.start(to_device(queue(), f)); }), HasSubstr("f is not finite at node 88"));
  f.pop_back();
  EXPECT_THAT(message_of([&] { gas.start(to_device(queue(), f)); }), HasSubstr("f has 511 elements"));
}

#ifdef SHOAL_FAST_FOURIER
TEST(RelaxationAccuracy, SpectralFollowsBkw) {
  const Queue queue = Queue::cpu(2);
  const VelocityGrid grid{32, 7.725, {}};
  const CollisionOptions options{
      .approach = CollisionApproach::spectral, .directions = {.degree = 5}, .negative = NegativeDistribution::accept};
  const BkwSolution bkw{.amplitude = 1 - 0.66153};
  Relaxation<double> gas(Collision<double>(queue, grid, {.rate = 1}, options));
  gas.start(at_velocities<double>(
      grid, [&](const auto& v) { return bkw.distribution(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 0); }));
  gas.advance_to(2);
  const RelaxationState state = gas.states()[0];
  for (std::size_t i = 0; i < even_moment_count; ++i) EXPECT_NEAR(state.even[i], bkw.moments(2)[i], 2e-4) << i;
}

TEST(RelaxationAccuracy, SpectralFollowsTwoBeams) {
  const Queue queue = Queue::cpu(2);
  const VelocityGrid grid{24, 7.725, {}};
  const CollisionOptions options{.approach = CollisionApproach::spectral,
                                 .projection = CollisionProjection::maxwellian,
                                 .negative = NegativeDistribution::accept};
  const collision::TwoBeams beams{.apart = {0.96, 0.72, 0}};
  Relaxation<double> gas(Collision<double>(queue, grid, {.rate = 1}, options));
  gas.start(at_velocities<double>(grid, [&](const auto& v) { return beams.distribution(v); }));
  const RelaxationState first = gas.states()[0];
  const MaxwellDecay decay = MaxwellDecay::from_moments(first.moments, first.even[1], 1);
  gas.advance_to(2);
  const RelaxationState state = gas.states()[0];
  EXPECT_NEAR(state.moments.stress[3], decay.stress(2)[3], 1e-3);
  EXPECT_NEAR(state.even[1], decay.m4(2), 2e-3);
}
#endif

}  // namespace
}  // namespace shoal::collision
