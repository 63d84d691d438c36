// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/wall_item.hpp"

#include <gtest/gtest.h>

#include "sph_cases.hpp"

namespace shoal::sph {
namespace {

class AdamiWall : public testing::Test {
 protected:
  AdamiWall() : simulation_(testing_support::block_of_water(4, 4)) {
    simulation_.scheme.gravity = {0, -10, 0};
    parameters_ = make_parameters<double, 2>(simulation_, make_lattice(simulation_, 64));
  }
  std::int64_t units(double meters) const { return 2 * std::llround(meters / parameters_.unit / 2); }
  Particle<double, 2> fluid(double x, double y, double p) const {
    Particle<double, 2> particle{{{units(x), units(y)}, 0, 0}, {{0, 0}}};
    particle.place.stress = p / 1e6;  // ρ = 1000
    return particle;
  }

  Case simulation_;
  Parameters<double, 2> parameters_{};
};

TEST_F(AdamiWall, HasNoPressureWithoutFluid) {
  const auto wall = with_pressure(parameters_, fluid(0.1, 0.1, 77), WallSums<double, 2>{});
  EXPECT_EQ(wall.place.stress, 0);
  EXPECT_EQ(wall.place.density, 0);
}

TEST_F(AdamiWall, AddsTheHeadOfTheFluidAbove) {
  const auto wall = fluid(0.1, 0.1, 0);
  WallSums<double, 2> sums;
  add_fluid<PlainPhysics<Kernel::wendland_c2>>(parameters_, wall, fluid(0.1, 0.11, 500), sums);
  const auto pressed = with_pressure(parameters_, wall, sums);
  const double density = 1000 + pressed.place.density;
  EXPECT_NEAR(pressed.place.stress * density * density, 500 + 1000 * 10 * 0.01, 1e-3);
  EXPECT_NEAR(pressure(parameters_.eos, pressed.place.density, 0.0), 600, 1e-3);
}

TEST_F(AdamiWall, WeighsNeighborsByTheKernel) {
  const auto wall = fluid(0.1, 0.1, 0);
  WallSums<double, 2> sums;
  add_fluid<PlainPhysics<Kernel::wendland_c2>>(parameters_, wall, fluid(0.11, 0.1, 300), sums);
  add_fluid<PlainPhysics<Kernel::wendland_c2>>(parameters_, wall, fluid(0.08, 0.1, 900), sums);
  const double near = kernel_shape<Kernel::wendland_c2>(1 / 1.2);
  const double far = kernel_shape<Kernel::wendland_c2>(2 / 1.2);
  const auto pressed = with_pressure(parameters_, wall, sums);
  EXPECT_NEAR(pressure(parameters_.eos, pressed.place.density, 0.0), (300 * near + 900 * far) / (near + far), 1e-2);
}

TEST_F(AdamiWall, DoesNotPull) {
  const auto wall = fluid(0.1, 0.1, 0);
  WallSums<double, 2> sums;
  add_fluid<PlainPhysics<Kernel::wendland_c2>>(parameters_, wall, fluid(0.11, 0.1, -300), sums);
  EXPECT_EQ(with_pressure(parameters_, wall, sums).place.stress, 0);
}

}  // namespace
}  // namespace shoal::sph
