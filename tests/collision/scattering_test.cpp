// SPDX-License-Identifier: Apache-2.0
// Anisotropic scattering by approach spectral, whose factor is a series of Legendre polynomials.
#include <numbers>

#include "collision/collision_cases.hpp"
#include "collision/spectral/gain_series_item.hpp"
#include "collision/spectral/spherical_bessel.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;
using std::numbers::pi;

TEST(SphericalBessel, HasItsClosedForms) {
  for (const double x : {0.3, 1.9, 2.1, 7.0, 80.0}) {
    const double sine = std::sin(x), cosine = std::cos(x);
    EXPECT_NEAR(spherical_bessel(0, x), sine / x, 1e-15);
    EXPECT_NEAR(spherical_bessel(1, x), sine / x / x - cosine / x, 2e-15);
    EXPECT_NEAR(spherical_bessel(2, x), (3 / x / x - 1) * sine / x - 3 * cosine / x / x, 1e-13);
  }
  EXPECT_EQ(spherical_bessel(0, 0), 1);
  EXPECT_EQ(spherical_bessel(4, 0), 0);
}

/// ∫ cos(x t) P_l(t) dt over 0 to 1, which is (−1)^(l/2) j_l(x) for even l.
TEST(SphericalBessel, TransformsLegendrePolynomials) {
  const auto legendre = [](double t) { return (35 * std::pow(t, 4) - 30 * t * t + 3) / 8; };
  for (const double x : {0.5, 3.9, 4.1, 20.0}) {
    double sum = 0;
    constexpr int count = 20000;
    for (int k = 0; k < count; ++k) sum += std::cos(x * (k + 0.5) / count) * legendre((k + 0.5) / count) / count;
    EXPECT_NEAR(spherical_bessel(4, x), sum, 1e-8);
  }
}

TEST(GainSeries, SumsLegendrePolynomials) {
  const std::vector<double> coefficients{1, 1, 2, 2, 4, 4, 8, 8};  // by l, then |k|² of 0 and 1
  const GainSeries series{coefficients.data(), 4, 2};
  const double t = 0.6, t2 = t * t;
  const double second = (3 * t2 - 1) / 2, fourth = (35 * t2 * t2 - 30 * t2 + 3) / 8;
  const double sixth = (231 * t2 * t2 * t2 - 315 * t2 * t2 + 105 * t2 - 5) / 16;
  EXPECT_NEAR(series(1, t), 1 + 2 * second + 4 * fourth + 8 * sixth, 1e-14);
  EXPECT_EQ(series(0, 0), 1);
}

TEST(CollisionKernel, HasTheLegendreMeansOfItsScattering) {
  const CollisionKernel kernel{.factor = 1, .power = 0, .scattering = 1.6};
  double second = 0, fourth = 0;
  constexpr int count = 200000;
  for (int k = 0; k < count; ++k) {
    const double t = (k + 0.5) / count, share = 4 * pi * kernel.share(t) / count;
    second += share * (3 * t * t - 1) / 2;
    fourth += share * (35 * std::pow(t, 4) - 30 * t * t + 3) / 8;
  }
  EXPECT_EQ(kernel.legendre_mean(0), 1);
  EXPECT_NEAR(kernel.legendre_mean(2), second, 1e-6);
  EXPECT_NEAR(kernel.legendre_mean(4), fourth, 1e-6);
  EXPECT_NEAR(CollisionKernel{.scattering = 2}.legendre_mean(2), 0, 0);  // n and −n together are isotropic
}

#ifdef SHOAL_FAST_FOURIER
/// vss of the collision frequency 1 at any speed.
Molecules soft_maxwell(double scattering) {
  Molecules gas = every_gas()[3];
  gas.viscosity_exponent = 1;
  gas.scattering_exponent = scattering;
  gas.diameter *= std::sqrt(1 / collision_kernel(gas).total(1));
  return gas;
}

TEST(Scattering, StressDecaysByItsSecondLegendreMean) {
  const VelocityGrid grid{32, 7.725, {}};
  const BeamPair beams;
  const Molecules gas = soft_maxwell(1.4);
  const CollisionOptions options{.approach = CollisionApproach::spectral, .directions = {.degree = 11}};
  const std::vector<double> q = collided(Queue::cpu(2), grid, options, beams.on<double>(grid), gas);
  const double rate = -(1 - collision_kernel(gas).legendre_mean(2)) / 2;
  EXPECT_LT(rate, -0.51);
  EXPECT_NEAR(integral(grid, q, [](double x, double y, double) { return x * y; }) / beams.deviator(0, 1), rate, 3e-4);
}

TEST(Scattering, IsThatOfVhsIfBothDirectionsTogetherAreIsotropic) {
  const VelocityGrid grid{16, 7.725, {}};
  Molecules vhs = soft_maxwell(2);
  const std::vector<double> f = BeamPair{}.on<double>(grid);
  const CollisionOptions options{.approach = CollisionApproach::spectral};
  const std::vector<double> soft = collided(Queue::cpu(2), grid, options, f, vhs);
  vhs.model = MoleculeModel::vhs;
  EXPECT_LE(relative_difference(soft, collided(Queue::cpu(2), grid, options, f, vhs)), 1e-13);
}

/// Q of two beams by the definition: f is known everywhere, so only the integrals are sums.
double defined_rate(const CollisionKernel& kernel, const std::array<double, 3>& v) {
  const BeamPair beams;
  const Directions sphere = directions({.degree = 13});
  const VelocityGrid partners{20, 5.5, {}};
  double sum = 0;
  for (int z = 0; z < partners.nodes; ++z)
    for (int y = 0; y < partners.nodes; ++y)
      for (int x = 0; x < partners.nodes; ++x) {
        const std::array<double, 3> v1{partners.velocity(0, x), partners.velocity(1, y), partners.velocity(2, z)};
        const double vx = v[0] - v1[0], vy = v[1] - v1[1], vz = v[2] - v1[2];
        const double speed = std::sqrt(vx * vx + vy * vy + vz * vz);
        const auto value_along = [&](const std::array<double, 3>& n, double distance) {
          return beams.f((v[0] + v1[0]) / 2 + distance * n[0], (v[1] + v1[1]) / 2 + distance * n[1],
                         (v[2] + v1[2]) / 2 + distance * n[2]);
        };
        double gain = 0;
        for (std::size_t k = 0; k < sphere.point.size(); ++k) {
          const auto& n = sphere.point[k];
          const double cosine = speed == 0 ? 1 : (n[0] * vx + n[1] * vy + n[2] * vz) / speed;
          gain += sphere.weight[k] * kernel.share(cosine) * value_along(n, speed / 2) * value_along(n, -speed / 2);
        }
        sum += kernel.total(speed) * (gain - beams.f(v[0], v[1], v[2]) * beams.f(v1[0], v1[1], v1[2]));
      }
  return sum * std::pow(partners.spacing(), 3);
}

TEST(Scattering, AgreesWithTheDefinition) {
  const VelocityGrid grid{32, 7.725, {}};
  const Molecules gas = every_gas()[3];
  const auto q = [&](int degree, const Molecules& molecules) {
    return collided(Queue::cpu(2), grid,
                    {.approach = CollisionApproach::spectral, .directions = {.degree = degree}, .radii = 24},
                    BeamPair{}.on<double>(grid), molecules);
  };
  Molecules isotropic = gas;
  isotropic.model = MoleculeModel::vhs;
  const std::vector<double> sixteen = q(7, gas), many = q(13, gas), of_vhs = q(13, isotropic);
  double size = 0, largest_difference = 0;
  for (const double value : many) size = std::max(size, std::abs(value));
  for (const std::array<int, 3> node : {std::array{16, 16, 16}, std::array{18, 17, 16}, std::array{13, 18, 15}}) {
    const auto i = static_cast<std::size_t>((node[2] * 32 + node[1]) * 32 + node[0]);
    const double exact = defined_rate(
        collision_kernel(gas), {grid.velocity(0, node[0]), grid.velocity(1, node[1]), grid.velocity(2, node[2])});
    EXPECT_NEAR(many[i], exact, 1e-4 * size);
    EXPECT_NEAR(sixteen[i], exact, 1e-3 * size);
    largest_difference = std::max(largest_difference, std::abs(of_vhs[i] - exact));
  }
  EXPECT_GT(largest_difference, 0.01 * size);
}
#endif

}  // namespace
}  // namespace shoal::collision
