// SPDX-License-Identifier: Apache-2.0
#include "collision/carleman/carleman_tables.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "collision/carleman/carleman_item.hpp"

namespace shoal::collision {
namespace {

using std::numbers::pi;
const Molecules vhs{.model = MoleculeModel::vhs,
                    .diameter = 0.4,
                    .viscosity_exponent = 0.81,
                    .reference_temperature = 1,
                    .mass = 1.380649e-23};

CollisionSetup make_setup(int nodes, const Molecules& molecules, double cutoff = 0) {
  return {{nodes, 5, {}},
          molecules,
          {.approach = CollisionApproach::carleman, .directions = {.degree = 3}, .cutoff = cutoff}};
}

TEST(CarlemanTables, AgreeWithTheKernelAtEveryWaveNumber) {
  for (const Molecules& molecules : {Molecules{.rate = 2}, vhs})
    for (const double cutoff : {0., 10.}) {  // the largest cutoff: most oscillations of φ
      const CollisionSetup setup = make_setup(16, molecules, cutoff);
      const CarlemanKernel kernel(setup);
      const CarlemanTables<double> tables(setup, 16, 1);
      const double largest_phi = kernel.along(0), largest_psi = kernel.across(0);
      for (std::size_t e = 0; e < setup.directions.point.size(); ++e)
        for (int i = 0; i < 4096; ++i) {
          const WaveNumbers waves{16};
          const int k[3] = {waves.signed_number(i % 16), waves.signed_number(i / 16 % 16),
                            waves.signed_number(i / 256)};
          const CarlemanKernel::Wave wave = kernel.wave(k, setup.directions.point[e].data());
          const std::complex<double> factor = tables.factors[e * 4096 + static_cast<std::size_t>(i)];
          ASSERT_NEAR(factor.real(), kernel.along(wave.along), 1e-14 * largest_phi) << e << " " << i;
          ASSERT_NEAR(factor.imag(), kernel.across(wave.across), 1e-14 * largest_psi) << e << " " << i;
        }
    }
}

TEST(CarlemanTables, AtWaveNumberZeroByHand) {
  const CollisionSetup setup = make_setup(8, {.rate = 3});
  const CarlemanTables<double> tables(setup, 8, 2);
  // Maxwell molecules: φ = 2 R, ψ = π R², C = 3 · 15 / (24 · 4π), and weights add up to 4π.
  const double reach = 5 * 7 / (6 * std::numbers::sqrt2), scale = 2 * 3 * 15 / (24 * 4 * pi);
  const std::size_t directions = setup.directions.point.size();
  for (std::size_t e = 0; e < directions; ++e) {
    EXPECT_NEAR(tables.factors[e * 512].real(), 2 * reach, 1e-13);
    EXPECT_NEAR(tables.factors[e * 512].imag(), pi * reach * reach, 1e-12);
    EXPECT_NEAR(tables.weights[e], scale * setup.directions.weight[e], 1e-14);
  }
  EXPECT_NEAR(tables.factors[directions * 512].real(), scale * 4 * pi * 2 * reach * pi * reach * reach, 1e-10);
}

TEST(CarlemanTables, OfAHalfSpectrumAreAPartOfTheFullTables) {
  for (const int n : {8, 9}) {
    const CollisionSetup setup = make_setup(n, vhs);
    const CarlemanTables<float> whole(setup, n, 2), half(setup, n / 2 + 1, 1);
    ASSERT_EQ(half.factors.size(),
              whole.factors.size() / static_cast<std::size_t>(n) * static_cast<std::size_t>(n / 2 + 1));
    for (std::size_t i = 0; i < half.factors.size(); ++i) {
      const std::size_t across = static_cast<std::size_t>(n / 2 + 1), row = i / across;
      EXPECT_EQ(half.factors[i], whole.factors[row * static_cast<std::size_t>(n) + i % across]) << i;
    }
  }
}

}  // namespace
}  // namespace shoal::collision
