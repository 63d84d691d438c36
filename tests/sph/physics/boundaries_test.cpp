// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/boundaries/boundaries.hpp"

#include <gtest/gtest.h>

#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

using Physics = PlainPhysics<Kernel::wendland_c2>;

class AdamiWall : public testing::Test {
 protected:
  AdamiWall() : simulation_(testing_support::block_of_water(4, 4)) {
    simulation_.scheme.gravity = {0, -10, 0};
    parameters_ = make_parameters<double, 2>(simulation_, make_lattice(simulation_, 64));
  }
  std::int64_t units(double meters) const { return 2 * std::llround(meters / parameters_.unit / 2); }
  Particle<double, 2> fluid(double x, double y, double p) const {
    Particle<double, 2> particle{{{units(x), units(y)}, 0, 0}, {{0, 0}}};
    particle.position.pressure_over_density2 = p / 1e6;  // ρ = 1000
    return particle;
  }

  Case simulation_;
  Parameters<double, 2> parameters_{};
};

TEST_F(AdamiWall, HasNoPressureWithoutFluid) {
  const auto wall = AdamiWalls::with_pressure<Physics>(parameters_, 0, 0, -1, fluid(0.1, 0.1, 77),
                                                       AdamiWalls::FixedWallSums<double>{});
  EXPECT_EQ(wall.position.pressure_over_density2, 0);
  EXPECT_EQ(wall.position.density, 0);
}

TEST_F(AdamiWall, AddsTheHeadOfTheFluidAbove) {
  const auto wall = fluid(0.1, 0.1, 0);
  AdamiWalls::FixedWallSums<double> sums;
  AdamiWalls::add_fluid<Physics>(parameters_, wall, fluid(0.1, 0.11, 500), sums);
  const auto pressed = AdamiWalls::with_pressure<Physics>(parameters_, 0, 0, -1, wall, sums);
  const double density = 1000 + pressed.position.density;
  EXPECT_NEAR(pressed.position.pressure_over_density2 * density * density, 500 + 1000 * 10 * 0.01, 1e-3);
  EXPECT_NEAR(pressure(parameters_.eos, pressed.position.density, 0.0), 600, 1e-3);
}

TEST_F(AdamiWall, WeighsNeighborsByTheKernel) {
  const auto wall = fluid(0.1, 0.1, 0);
  AdamiWalls::FixedWallSums<double> sums;
  AdamiWalls::add_fluid<Physics>(parameters_, wall, fluid(0.11, 0.1, 300), sums);
  AdamiWalls::add_fluid<Physics>(parameters_, wall, fluid(0.08, 0.1, 900), sums);
  const double near = kernel_shape<Kernel::wendland_c2>(1 / 1.2);
  const double far = kernel_shape<Kernel::wendland_c2>(2 / 1.2);
  const auto pressed = AdamiWalls::with_pressure<Physics>(parameters_, 0, 0, -1, wall, sums);
  EXPECT_NEAR(pressure(parameters_.eos, pressed.position.density, 0.0), (300 * near + 900 * far) / (near + far), 1e-2);
}

TEST_F(AdamiWall, DoesNotPull) {
  const auto wall = fluid(0.1, 0.1, 0);
  AdamiWalls::FixedWallSums<double> sums;
  AdamiWalls::add_fluid<Physics>(parameters_, wall, fluid(0.11, 0.1, -300), sums);
  EXPECT_EQ(AdamiWalls::with_pressure<Physics>(parameters_, 0, 0, -1, wall, sums).position.pressure_over_density2, 0);
}

}  // namespace
}  // namespace shoal::sph
