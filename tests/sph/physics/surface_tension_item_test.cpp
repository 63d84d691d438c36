// SPDX-License-Identifier: Apache-2.0
// Stress and forces of surface tension against answers by hand, and their sum over a plane interface.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sph/physics/round_parameters.hpp"
#include "sph/physics/surface_tension/surface_tension_item.hpp"

namespace shoal::sph {
namespace {

using Fluid = GeneralParticle<double, 2>;
using Tensor = SymmetricTensor<double, 2>;

TEST(SymmetricTensor, EqualsItsTranspose) {
  SymmetricTensor<double, 3> tensor;
  double value = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column <= row; ++column) tensor(row, column) = ++value;
  EXPECT_EQ(value, 6);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) EXPECT_EQ(tensor(row, column), tensor(column, row));
  EXPECT_EQ(tensor(0, 2), 4);
  EXPECT_EQ(tensor(1, 2), 5);
}

/// Three fluids of 1, 2 and 4 kg/m³ with m = 1 kg and h = 1 m.
class Tension : public testing::Test {
 protected:
  Tension() {
    parameters_.tables = &tables_;
    parameters_.model.several_fluids = true;
    for (int k = 0; k < 3; ++k) tables_.material[k].eos.density = 1 << k;
  }

  static Fluid particle(double x, double y, int material = 0, bool wall = false) {
    const Particle<double, 2> plain{{{2 * std::llround(512 * x) + wall, 2 * std::llround(512 * y)}, 0, 0}, {}};
    return {plain, {1, 1, 1, material}, plain.velocity};
  }

  Tensor stress(const Fluid& i, const std::vector<Fluid>& neighbors, bool flows = true) const {
    const TensionTable<double> table{interfaces_, 3};
    return capillary_stress<GeneralPhysics>(
        parameters_, table, i, flows,
        [&](const auto& visit) {
          for (const Fluid& j : neighbors) visit(j);
        },
        [](double value) { return value; });
  }

  Parameters<double, 2> parameters_ = round_parameters();
  ModelTables<double, 2> tables_{};
  /// None between the second fluid and the third.
  Interface<double> interfaces_[9] = {{}, {3}, {5}, {3}, {}, {}, {5}, {}, {}};
};

TEST_F(Tension, IsAlongTheInterface) {
  // one apart along x: ∇W = −5/8 x_ij, and the other fluid has 1/2 m³
  const Tensor across_x = stress(particle(2, 2), {particle(3, 2, 1)});
  EXPECT_DOUBLE_EQ(across_x(1, 1), 3 * 0.625 / 2);
  EXPECT_DOUBLE_EQ(across_x(0, 0), 0);
  EXPECT_DOUBLE_EQ(across_x(0, 1), 0);
  const Tensor across_y = stress(particle(2, 2, 1), {particle(2, 3, 0)});  // whose fluid has 1 m³
  EXPECT_DOUBLE_EQ(across_y(0, 0), 3 * 0.625);
  EXPECT_DOUBLE_EQ(across_y(1, 1), 0);
}

TEST_F(Tension, AddsThoseOfAllOtherFluids) {
  const Tensor both = stress(particle(2, 2), {particle(3, 2, 1), particle(2, 1, 2)});
  EXPECT_DOUBLE_EQ(both(1, 1), 3 * 0.625 / 2);
  EXPECT_DOUBLE_EQ(both(0, 0), 5 * 0.625 / 4);
}

TEST_F(Tension, IsZeroWithoutAnotherFluid) {
  for (const Tensor& none :
       {stress(particle(2, 2), {}), stress(particle(2, 2), {particle(3, 2, 0), particle(3, 2, 1, true)}),
        stress(particle(2, 2, 1), {particle(3, 2, 2)}), stress(particle(2, 2), {particle(3, 2, 1)}, false)})
    for (const double entry : none.entry) EXPECT_EQ(entry, 0);
}

TEST_F(Tension, PullsBothParticlesAlike) {
  Tensor first, second;
  first(0, 0) = 2, first(0, 1) = 1, first(1, 1) = 4, second(0, 0) = 1, second(1, 1) = -3;
  const Fluid i = particle(2, 2), j = particle(3, 2, 1);
  VectorOf<double, 2> of_i, of_j;
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, i, first, j, second, of_i);
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, j, second, i, first, of_j);
  EXPECT_DOUBLE_EQ(of_i.along[0], 0.625 / 2 * 3);  // toward the other one
  EXPECT_DOUBLE_EQ(of_i.along[1], 0.625 / 2 * 1);
  for (int axis = 0; axis < 2; ++axis) EXPECT_EQ(of_j.along[axis], -of_i.along[axis]);
}

TEST_F(Tension, FluidsPushEachOtherApartByAShareOfTheirPressures) {
  interfaces_[1].repulsion = interfaces_[3].repulsion = 0.25;
  Fluid i = particle(2, 2), j = particle(3, 2, 1);
  i.set_pressure_over_density2(-2);  // ρ = 1
  j.set_pressure_over_density2(3);   // ρ = 2, p = 12
  VectorOf<double, 2> of_i, of_j;
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, i, {}, j, {}, of_i);
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, j, {}, i, {}, of_j);
  EXPECT_DOUBLE_EQ(of_i.along[0], -0.625 / 2 * 0.25 * (2 + 12));  // away from the other one
  EXPECT_EQ(of_j.along[0], -of_i.along[0]);
  VectorOf<double, 2> of_one_fluid;
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, i, {}, particle(3, 2, 0), {}, of_one_fluid);
  EXPECT_EQ(of_one_fluid.along[0], 0);
}

TEST_F(Tension, AWallHasTheStressOfTheFluid) {
  Tensor stress_of_fluid;
  stress_of_fluid(0, 0) = 2;
  VectorOf<double, 2> force;
  add_capillary_force<GeneralPhysics>(parameters_, {interfaces_, 3}, particle(2, 2), stress_of_fluid,
                                      particle(3, 2, 0, true), {}, force);
  const double r = 1025.0 / 1024;  // walls are on odd units
  EXPECT_NEAR(force.along[0], 5 * std::pow(1 - r / 2, 3) * r * 4, 1e-12);
}

TEST_F(Tension, OfAPlaneInterfaceIsItsCoefficient) {
  parameters_.gradient_scale = 7 / (4 * 3.14159265358979324);
  constexpr int across = 8;  // particles a smoothing length
  for (int k = 0; k < 3; ++k) tables_.material[k].eos.density = across * across;
  std::vector<Fluid> fluids;
  for (int row = -2 * across; row < 2 * across; ++row)
    for (int column = -2 * across; column <= 2 * across; ++column)
      fluids.push_back(particle(2 + static_cast<double>(column) / across, 2 + (row + 0.5) / across, row < 0));
  double sum = 0;
  for (const Fluid& i : fluids) {
    if (i.position.x[0] != 2048) continue;
    std::vector<Fluid> neighbors;
    for (const Fluid& j : fluids)
      if (within_support<GeneralPhysics>(parameters_, i.position, j.position)) neighbors.push_back(j);
    const Tensor tangential = stress(i, neighbors);
    EXPECT_NEAR(tangential(1, 1), 0, 1e-12);
    sum += tangential(0, 0) / across;
  }
  EXPECT_NEAR(sum, 3, 0.01);
}

}  // namespace
}  // namespace shoal::sph
