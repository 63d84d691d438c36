// SPDX-License-Identifier: Apache-2.0
// Comparison with exact solutions: BKW, whose right-hand side is known everywhere, and two beams, which are
// anisotropic, so that directions matter.
#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

/// Checks the rate of the stress over the stress, which is exactly −1/2.
void expect_stress_decay(const VelocityGrid& grid, const CollisionOptions& options, double tolerance) {
  const BeamPair beams;
  const std::vector<double> q = collided(Queue::cpu(2), grid, options, beams.on<double>(grid));
  const auto xx = [](double x, double y, double z) { return x * x - (x * x + y * y + z * z) / 3; };
  const auto xy = [](double x, double y, double) { return x * y; };
  EXPECT_NEAR(integral(grid, q, xx) / beams.deviator(0, 0), -0.5, tolerance);
  EXPECT_NEAR(integral(grid, q, xy) / beams.deviator(0, 1), -0.5, tolerance);
}

/// Heating rate d<v²>/dt of a gas at rest for ν = 1.
double heating(const VelocityGrid& grid, CollisionOptions options) {
  const std::vector<double> q = collided(Queue::cpu(2), grid, options, Bkw{}.on<double>(grid));
  return integral(grid, q, [](double x, double y, double z) { return x * x + y * y + z * z; });
}

TEST(CollisionAccuracy, NearestNodesHeatHalfAsMuchAsTrilinearInterpolation) {
  const VelocityGrid grid{24, 5.5, {}};
  const double predicted = grid.spacing() * grid.spacing() / 4;  // ν times the mean square distance from a node
  EXPECT_NEAR(
      heating(grid, {.approach = CollisionApproach::interpolated, .interpolation = VelocityInterpolation::nearest}),
      predicted, 0.15 * predicted);
}

TEST(CollisionAccuracy, TrilinearInterpolationHeatsAndTheOptionsDoNot) {
  const VelocityGrid grid{24, 5.5, {}};
  CollisionOptions options{.approach = CollisionApproach::interpolated};
  const double predicted = grid.spacing() * grid.spacing() / 2;  // ν h²/2
  EXPECT_NEAR(heating(grid, options), predicted, 0.05 * predicted);
  options.interpolation = VelocityInterpolation::cubic;
  EXPECT_NEAR(heating(grid, options), 0, 0.02 * predicted);
  options.projection = CollisionProjection::maxwellian;
  options.interpolation = VelocityInterpolation::trilinear;
  EXPECT_NEAR(heating(grid, options), 0, 1e-13);
}

TEST(CollisionAccuracy, InterpolationOverAMaxwellianPreservesIt) {
  const VelocityGrid grid{16, 6, {}};
  const auto maxwellian =
      at_nodes<double>(grid, [](double x, double y, double z) { return gaussian(x * x + y * y + z * z, 1); });
  const auto largest = [&](bool over_maxwellian) {
    const std::vector<double> q = collided(
        Queue::cpu(2), grid,
        {.approach = CollisionApproach::interpolated, .directions = {.degree = 5}, .over_maxwellian = over_maxwellian},
        maxwellian);
    double size = 0;
    for (const double value : q) size = std::max(size, std::abs(value));
    return size;
  };
  EXPECT_LT(largest(true), 1e-3 * largest(false));  // the remainder is due to the edge of the box
}

TEST(CollisionAccuracy, ConservativeHasTheRateOfTheFourthMoment) {
  const VelocityGrid grid{24, 5.5, {}};
  const auto v4 = [](double x, double y, double z) { return std::pow(x * x + y * y + z * z, 2); };
  const double exact = integral(grid, Bkw{}.rate_on<double>(grid), v4);
  for (const CollisionStencil stencil : {CollisionStencil::five, CollisionStencil::seven, CollisionStencil::ten}) {
    const auto q = collided(Queue::cpu(2), grid, {.stencil = stencil}, Bkw{}.on<double>(grid));
    EXPECT_NEAR(integral(grid, q, v4), exact, 0.004 * exact) << to_name(stencil);
  }
  const auto q = collided(Queue::cpu(2), grid, {.stencil = CollisionStencil::two_pair}, Bkw{}.on<double>(grid));
  EXPECT_NEAR(integral(grid, q, v4), exact, 0.03 * exact);
}

TEST(CollisionAccuracy, StressDecaysAtItsExactRate) {
  const VelocityGrid grid{24, 5.5, {}};
  expect_stress_decay(grid, {.approach = CollisionApproach::interpolated}, 1e-3);
  expect_stress_decay(grid, {.approach = CollisionApproach::conservative}, 8e-3);
  expect_stress_decay(grid, {.approach = CollisionApproach::conservative, .symmetrized = false}, 1e-3);
}

double bkw_error(const VelocityGrid& grid, const CollisionOptions& options) {
  return relative_difference(collided(Queue::cpu(2), grid, options, Bkw{}.on<double>(grid)),
                             Bkw{}.rate_on<double>(grid));
}

TEST(CollisionAccuracy, ABallIsAsAccurateAsABoxWithEmptyCorners) {
  const VelocityGrid grid{24, 5.5, {}};
  for (CollisionOptions options : {CollisionOptions{.approach = CollisionApproach::interpolated},
                                   CollisionOptions{.approach = CollisionApproach::conservative}}) {
    const double in_box = bkw_error(grid, options);
    options.support = CollisionSupport::ball;
    EXPECT_NEAR(bkw_error(grid, options), in_box, 0.01 * in_box) << to_name(options.approach);
    expect_stress_decay(grid, options, 8e-3);
  }
}

#ifdef SHOAL_FAST_FOURIER
TEST(CollisionAccuracy, SpectralConverges) {
  const CollisionOptions options{.approach = CollisionApproach::spectral, .directions = {.degree = 5}, .radii = 16};
  EXPECT_LE(bkw_error({32, 7.725, {}}, options), 3e-5);
  EXPECT_LE(bkw_error({64, 7.725, {}}, options), 1e-7);
}

TEST(CollisionAccuracy, CarlemanHasTheDecayOfStressOfMaxwellMolecules) {
  const CollisionOptions options{.approach = CollisionApproach::carleman};
  EXPECT_LE(bkw_error({32, 7.725, {}}, options), 3e-6);
  expect_stress_decay({32, 7.725, {}}, options, 3e-4);
}

TEST(CollisionAccuracy, SpectralAndCarlemanAgreeForHardSpheres) {
  const VelocityGrid grid{32, 7.725, {}};
  const Molecules gas{.model = MoleculeModel::hard_sphere, .diameter = 0.4};
  const std::vector<double> f = BeamPair{}.on<double>(grid);
  const CollisionOptions spectral{.approach = CollisionApproach::spectral, .directions = {.degree = 13}};
  const CollisionOptions carleman{.approach = CollisionApproach::carleman, .directions = {.degree = 13}};
  EXPECT_LE(relative_difference(collided(Queue::cpu(2), grid, carleman, f, gas),
                                collided(Queue::cpu(2), grid, spectral, f, gas)),
            1e-3);
}

TEST(CollisionAccuracy, DirectionsMatterForTwoBeams) {
  const VelocityGrid grid{32, 7.725, {}};
  const auto energy = [&](int degree) {
    const CollisionOptions options{.approach = CollisionApproach::spectral, .directions = {.degree = degree}};
    Collision<double> plan(Queue::cpu(2), grid, {.rate = 1}, options);
    return std::abs(plan.defects(collided(Queue::cpu(2), grid, options, BeamPair{}.on<double>(grid)))[0].energy);
  };
  expect_stress_decay(grid, {.approach = CollisionApproach::spectral}, 3e-4);
  EXPECT_GT(energy(5), 1e-2);
  EXPECT_LT(energy(11), 1e-4);
}
#endif

}  // namespace
}  // namespace shoal::collision
