// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/pairs/pair_item.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sph/physics/boundaries/boundaries.hpp"
#include "sph/physics/round_parameters.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

Particle<double, 2> particle(std::int64_t x, std::int64_t y, double u, double v, double deviation, double stress) {
  return {{{x, y}, deviation, stress}, {{u, v}}};
}

TEST(Pair, UpperBitsTellOnWhichSideOfTheSupportAPairIs) {
  const Case simulation = testing_support::block_of_water(20, 10, 10);
  const auto parameters = make_parameters<double, 3>(simulation, make_lattice(simulation, 64));
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int pair = 0; pair < 10000; ++pair) {
    const double way[3] = {normal(random), normal(random), normal(random)};
    const double length = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    for (const double share : {1 - 2e-5, 1 - 1e-12, 1 + 1e-12, 1 + 2e-5}) {
      PositionDensity<double, 3> i{}, j{};
      for (int axis = 0; axis < 3; ++axis) {
        i.x[axis] = (std::int64_t{5} << parameters.bits) + static_cast<std::int64_t>(random());
        j.x[axis] =
            i.x[axis] + std::llround(way[axis] / length * share * support(simulation) * parameters.inverse_unit);
      }
      EXPECT_EQ(within_support<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j), share < 1);
      const float excess = coarse_excess<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j);
      EXPECT_EQ(excess < -parameters.coarse_margin, share < 1 - 1e-5);
      EXPECT_EQ(excess > parameters.coarse_margin, share > 1 + 1e-5);
    }
  }
}

TEST(Pair, MassMomentumAndEnergyByHand) {
  const auto parameters = round_parameters();
  const auto i = particle(2048, 1024, 0.5, 0, 0, 2);
  const auto j = particle(1024, 1024, 0.25, 0.5, 0, 3);  // x_ij = (1, 0) m, q = 1, slope −5/8
  Rates<double, 2> rates;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j, rates);
  rates = complete<PlainPhysics<Kernel::wendland_c2>>(parameters, rates);
  EXPECT_DOUBLE_EQ(rates.density, -0.625 * 0.25);      // m v_ij·∇W
  EXPECT_DOUBLE_EQ(rates.acceleration[0], 5 * 0.625);  // −m (2 + 3) ∇W
  EXPECT_DOUBLE_EQ(rates.acceleration[1], 0);
  EXPECT_DOUBLE_EQ(rates.heating, 0.5 * 5 * -0.625 * 0.25);  // m/2 (2 + 3) v_ij·∇W
}

TEST(Pair, ArtificialViscosityByHand) {
  auto parameters = round_parameters();
  parameters.viscosity = 2 * 0.5;  // 2 α c h with α = 1/2
  const auto i = particle(2048, 1024, -1, 0, 0, 0);
  const auto j = particle(1024, 1024, 0, 0, 0, 0);  // closing at 1 m/s
  Rates<double, 2> rates;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j, rates);
  rates = complete<PlainPhysics<Kernel::wendland_c2>>(parameters, rates);
  const double damping = 2 * 0.5 * 1 / (1.01 * 2);  // Π = 2 α c h |v·x| / ((r² + 0.01 h²)(ρ_i + ρ_j))
  EXPECT_DOUBLE_EQ(rates.acceleration[0], damping * 0.625);
  EXPECT_DOUBLE_EQ(rates.heating, 0.5 * damping * 0.625);  // friction heats
  Rates<double, 2> parting;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, particle(2048, 1024, 1, 0, 0, 0), j, parting);
  EXPECT_EQ(parting.acceleration[0], 0);
}

TEST(Pair, FluidSlipsAlongWalls) {
  auto parameters = round_parameters();
  parameters.viscosity = 1;
  Rates<double, 2> rates;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, particle(2048, 1024, -1, 0, 0, 0),
                                              particle(1025, 1024, 0, 0, 0, 0), rates);
  EXPECT_EQ(rates.acceleration[0], 0);
}

TEST(Pair, DensityDiffusionByHand) {
  auto parameters = round_parameters();
  const auto i = particle(2048, 1024, 0, 0, 0.5, 0);
  const auto j = particle(1024, 1024, 0, 0, 0, 0);
  parameters.diffusion_constant = 0.25;  // molteni: 2 δ h c
  Rates<double, 2> molteni;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j, molteni);
  EXPECT_DOUBLE_EQ(molteni.density, -0.625 * 2 * 0.5 / 2.5 * 0.25);  // slope 2 (ρ_i − ρ_j)/(ρ_i + ρ_j) constant
  parameters.diffusion_constant = 0;
  parameters.diffusion_slope = 3;  // ferrari: ξ c
  Rates<double, 2> ferrari;
  add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, i, j, ferrari);
  EXPECT_DOUBLE_EQ(ferrari.density, -0.625 * 2 * 0.5 / 2.5 * 3 * 1);  // times r
  EXPECT_LT(ferrari.density, 0);                                      // the denser one gives
}

TEST(Pair, RepulsionByHand) {
  auto parameters = round_parameters();
  parameters.repulsion = 4;
  Rates<double, 2> rates;
  RepulsiveWalls::add_force<PlainPhysics<Kernel::wendland_c2>>(parameters, particle(2048, 2048, 0, 0, 0, 0),
                                                               particle(2048, 1024, 0, 0, 0, 0), rates);
  EXPECT_EQ(rates.repulsion[0], 0);
  EXPECT_NEAR(rates.repulsion[1], 4 * 3.0 / 16, 1e-5);  // repulsion · W · x/r²
}

TEST(Pair, IsAntisymmetricToTheLastBit) {
  auto simulation = testing_support::block_of_water(4, 4);
  const auto parameters = make_parameters<float, 2>(simulation, make_lattice(simulation, 32));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<float> pick(-1, 1);
  std::uniform_int_distribution<int> place(0, 1 << 19);
  for (int trial = 0; trial < 1000; ++trial) {
    const auto make = [&] {
      return Particle<float, 2>{{{2 * place(random), 2 * place(random)}, 10 * pick(random), pick(random)},
                                {{pick(random), pick(random)}}};
    };
    const auto i = make();
    const auto j = make();
    Rates<float, 2> of_i;
    Rates<float, 2> of_j;
    add_pair<PlainPhysics<Kernel::cubic_spline>>(parameters, i, j, of_i);
    add_pair<PlainPhysics<Kernel::cubic_spline>>(parameters, j, i, of_j);
    EXPECT_EQ(of_i.acceleration[0], -of_j.acceleration[0]);
    EXPECT_EQ(of_i.acceleration[1], -of_j.acceleration[1]);
    EXPECT_EQ(of_i.heating, of_j.heating);
  }
}

TEST(Pair, BothAtOnceAreOneAfterTheOtherToTheLastBit) {
  auto simulation = testing_support::block_of_water(4, 4);
  const auto parameters = make_parameters<float, 2>(simulation, make_lattice(simulation, 32));
  using Physics = PlainPhysics<Kernel::wendland_c2>;
  const Particle<float, 2> i{{{200000, 300000}, 3.5f, 0.25f}, {{0.3f, -0.7f}}};
  const Particle<float, 2> j{{{240000, 290000}, -1.5f, -0.125f}, {{-0.4f, 0.2f}}};
  Rates<float, 2> of_i, of_j, both_i, both_j;
  add_pair<Physics>(parameters, i, j, of_i);
  add_pair<Physics>(parameters, j, i, of_j);
  add_both<Physics>(parameters, i, j, both_i, both_j);
  EXPECT_NE(of_i.density, 0);
  for (const auto& [one, both] : {std::pair(of_i, both_i), std::pair(of_j, both_j)}) {
    EXPECT_EQ(one.density, both.density);
    EXPECT_EQ(one.heating, both.heating);
    for (int axis = 0; axis < 2; ++axis) EXPECT_EQ(one.acceleration[axis], both.acceleration[axis]);
  }
}

TEST(Pair, AParticleAddsExactlyNothingToItself) {
  auto simulation = testing_support::block_of_water(4, 4, 4);
  const auto parameters = make_parameters<float, 3>(simulation, make_lattice(simulation, 32));
  const Particle<float, 3> self{{{1234, 567, 89}, 3.5f}, {{0.3f, -0.7f, 0.1f}, 12.25f}};
  for (const bool wendland : {false, true}) {
    Rates<float, 3> rates;
    if (wendland)
      add_pair<PlainPhysics<Kernel::wendland_c2>>(parameters, self, self, rates);
    else
      add_pair<PlainPhysics<Kernel::cubic_spline>>(parameters, self, self, rates);
    EXPECT_EQ(rates.density, 0);
    EXPECT_EQ(rates.heating, 0);
    for (const float a : rates.acceleration) EXPECT_EQ(a, 0);
  }
}

TEST(Pair, SupportIsOpen) {
  const auto parameters = round_parameters();
  const PositionDensity<double, 2> i{{0, 0}, 0, 0};
  EXPECT_TRUE(within_support<PlainPhysics<Kernel::wendland_c2>>(parameters, i, {{2046, 0}, 0, 0}));
  EXPECT_FALSE(within_support<PlainPhysics<Kernel::wendland_c2>>(parameters, i, {{2048, 0}, 0, 0}));  // r = 2h exactly
}

}  // namespace
}  // namespace shoal::sph
