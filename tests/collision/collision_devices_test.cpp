// SPDX-License-Identifier: Apache-2.0
// Results of a plan on CUDA against those on the CPU.
#include "collision/collision_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

constexpr VelocityGrid grid{9, 4, {0.1, 0, -0.2}};
constexpr double rounding = 1e-12;

/// Distributions of two cells.
std::vector<double> cells() {
  std::vector<double> f = BeamPair{}.on<double>(grid);
  for (const double value : Bkw{}.on<double>(grid)) f.push_back(3 * value);
  return f;
}

class CollisionOnCuda : public testing::Test {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(DeviceKind::cuda); }

  /// Calls compare(cpu plan, f, cuda plan, f, cuda queue) with a gas.
  template <class Compare>
  static void with_both(const Molecules& gas, Compare compare) {
    const Queue cpu = Queue::cpu(2), cuda = queue_on(DeviceKind::cuda);
    Collision<double> on_cpu(cpu, grid, gas), on_cuda(cuda, grid, gas);
    const std::vector<double> f = cells();
    const Array<double> device_f = to_device(cuda, f);
    compare(on_cpu, View<const double>(f), on_cuda, device_f.view(), cuda);
  }
};

void expect_near(double value, double expected, double scale) { EXPECT_NEAR(value, expected, rounding * scale); }

TEST_F(CollisionOnCuda, MomentsAndEntropyAreThoseOfTheCpu) {
  with_both({.rate = 1}, [](auto& cpu, View<const double> f, auto& cuda, View<const double> device_f, const Queue&) {
    const auto expected = cpu.moments(f), moments = cuda.moments(device_f);
    ASSERT_EQ(moments.size(), 2u);
    for (std::size_t cell = 0; cell < 2; ++cell) {
      expect_near(moments[cell].density, expected[cell].density, 3);
      expect_near(moments[cell].temperature, expected[cell].temperature, 1);
      for (std::size_t k = 0; k < 3; ++k) expect_near(moments[cell].velocity[k], expected[cell].velocity[k], 1);
      for (std::size_t k = 0; k < 6; ++k) expect_near(moments[cell].stress[k], expected[cell].stress[k], 3);
      for (std::size_t k = 0; k < 3; ++k) expect_near(moments[cell].heat_flux[k], expected[cell].heat_flux[k], 10);
      expect_near(cuda.entropy(device_f)[cell], cpu.entropy(f)[cell], 10);
      expect_near(cuda.entropy_production(device_f, device_f)[cell], cpu.entropy_production(f, f)[cell], 10);
      const auto cpu_defects = cpu.defects(f)[cell], cuda_defects = cuda.defects(device_f)[cell];
      expect_near(cuda_defects.mass, cpu_defects.mass, 3);
      expect_near(cuda_defects.energy, cpu_defects.energy, 20);
      expect_near(cuda_defects.momentum_transferred, cpu_defects.momentum_transferred, 10);
    }
    EXPECT_EQ(cuda.warnings(device_f).size(), cpu.warnings(f).size());
  });
}

/// Cells of grids that do not fill the device share launches.
TEST_F(CollisionOnCuda, CellsSideBySideHaveTheBitsOfEachAlone) {
  const Queue queue = queue_on(DeviceKind::cuda);
  for (const int nodes : {12, 32})
    for (const CollisionSupport support : {CollisionSupport::box, CollisionSupport::ball})
      for (const bool symmetrized : {false, true}) {
        const VelocityGrid small{nodes, 4, {0.1, 0, -0.2}};
        const CollisionOptions options{
            .approach = CollisionApproach::conservative, .support = support, .symmetrized = symmetrized};
        std::vector<double> side_by_side, expected;
        for (const double factor : {1.0, 2.0, 0.5}) {
          std::vector<double> f = BeamPair{}.on<double>(small);
          for (double& value : f) value *= factor;
          side_by_side.insert(side_by_side.end(), f.begin(), f.end());
          const std::vector<double> q = collided(queue, small, options, f);
          expected.insert(expected.end(), q.begin(), q.end());
        }
        const std::vector<double> q = collided(queue, small, options, side_by_side);
        EXPECT_EQ(q, expected) << nodes << " nodes";
        EXPECT_GT(*std::max_element(q.begin(), q.end()), 0);
      }
}

TEST_F(CollisionOnCuda, FrequencyAndLossAreThoseOfTheCpu) {
  for (const Molecules& gas : {every_gas()[0], every_gas()[2]})
    with_both(gas, [](auto& cpu, View<const double> f, auto& cuda, View<const double> device_f, const Queue& queue) {
      std::vector<double> expected(static_cast<std::size_t>(f.count));
      Array<double> result(queue, f.count);
      cpu.frequency(f, expected);
      cuda.frequency(device_f, result);
      EXPECT_LE(relative_difference(to_host(queue, result), expected), rounding);
      cpu.loss(f, expected);
      cuda.loss(device_f, result);
      EXPECT_LE(relative_difference(to_host(queue, result), expected), rounding);
      EXPECT_NEAR(cuda.step_bound(device_f) / cpu.step_bound(f), 1, rounding);
    });
}

bool cuda_supports(CollisionApproach approach) {
  return std::ranges::any_of(collision_method_table(), [&](const CollisionMethod& method) {
    return method.device == DeviceKind::cuda && method.supports(approach);
  });
}

/// Q of hard spheres on CUDA.
std::vector<double> hard_sphere_q(const VelocityGrid& velocity_grid, const CollisionOptions& options,
                                  const std::vector<double>& f) {
  return collided(queue_on(DeviceKind::cuda), velocity_grid, options, f, every_gas()[1]);
}

#ifdef SHOAL_FAST_FOURIER
/// Sizes with kernels of our own, and 20, which cuFFT transforms.
TEST_F(CollisionOnCuda, FourierTransformsOfEverySizeAreThoseOfTheCpu) {
  for (const int nodes : {16, 20, 24, 32, 48, 64})
    for (const bool scattering : {false, true})
      for (const CollisionApproach approach : {CollisionApproach::spectral, CollisionApproach::carleman}) {
        if (!cuda_supports(approach)) GTEST_SKIP() << "a build without cuFFT";
        if (scattering && approach == CollisionApproach::carleman) continue;
        const VelocityGrid sized{nodes, 6, {0.1, 0, -0.2}};
        const Molecules gas = every_gas()[scattering ? 3 : 1];
        const CollisionOptions options{.approach = approach, .directions = {.degree = 9}, .radii = 3};
        const std::vector<double> f = BeamPair{}.on<double>(sized);
        EXPECT_LE(relative_difference(collided(queue_on(DeviceKind::cuda), sized, options, f, gas),
                                      collided(Queue::cpu(2), sized, options, f, gas)),
                  1e-13)
            << to_name(approach) << " on " << nodes << " nodes";
      }
}

TEST_F(CollisionOnCuda, CellsInOneTransformHaveTheBitsOfEachAlone) {
  const Queue queue = queue_on(DeviceKind::cuda);
  for (const int nodes : {16, 20})
    for (const Molecules& gas : {every_gas()[1], every_gas()[3]}) {
      if (!cuda_supports(CollisionApproach::spectral)) GTEST_SKIP() << "a build without cuFFT";
      const VelocityGrid small{nodes, 6, {}};
      const CollisionOptions options{.approach = CollisionApproach::spectral, .directions = {.degree = 5}, .radii = 8};
      std::vector<double> side_by_side, expected;
      for (int cell = 0; cell < 100; ++cell) {
        std::vector<double> f = BeamPair{}.on<double>(small);
        for (double& value : f) value *= 1 + 0.1 * cell;
        side_by_side.insert(side_by_side.end(), f.begin(), f.end());
        if (cell % 33 != 0) continue;
        const std::vector<double> q = collided(queue, small, options, f, gas);
        expected.insert(expected.end(), q.begin(), q.end());
      }
      const std::vector<double> q = collided(queue, small, options, side_by_side, gas);
      const std::ptrdiff_t count = nodes * nodes * nodes;
      for (std::ptrdiff_t k = 0; k < 4; ++k)
        EXPECT_TRUE(
            std::equal(expected.begin() + k * count, expected.begin() + (k + 1) * count, q.begin() + 33 * k * count))
            << nodes << " nodes, cell " << 33 * k;
    }
}

TEST_F(CollisionOnCuda, FourierTransformsInSeveralBatches) {
  const VelocityGrid fine{64, 6, {}};
  const std::vector<double> f = BeamPair{}.on<double>(fine);
  for (const CollisionApproach approach : {CollisionApproach::spectral, CollisionApproach::carleman}) {
    const CollisionOptions options{.approach = approach, .directions = {.degree = 7}, .radii = 5};
    if (!cuda_supports(approach)) GTEST_SKIP() << "a build without cuFFT";
    EXPECT_LE(
        relative_difference(hard_sphere_q(fine, options, f), collided(Queue::cpu(2), fine, options, f, every_gas()[1])),
        1e-13)
        << to_name(approach);
  }
}
#endif

TEST_F(CollisionOnCuda, CellsOfABatchAreIndependent) {
  if (!cuda_supports(CollisionApproach::carleman)) GTEST_SKIP() << "a build without cuFFT";
  constexpr std::size_t count = 100;  // several full batches and a part of one
  const CollisionOptions options{.approach = CollisionApproach::carleman, .directions = {.degree = 13}};
  const std::vector<double> first = BeamPair{}.on<double>(grid), second = Bkw{}.on<double>(grid);
  std::vector<double> all_f;
  for (std::size_t cell = 0; cell < count; ++cell) {
    const std::vector<double>& f = cell % 3 == 0 ? first : second;
    all_f.insert(all_f.end(), f.begin(), f.end());
  }
  const std::vector<double> q = hard_sphere_q(grid, options, all_f);
  const std::vector<double> alone[] = {hard_sphere_q(grid, options, first), hard_sphere_q(grid, options, second)};
  for (std::size_t cell = 0; cell < count; ++cell) {
    const auto first_value = q.begin() + static_cast<std::ptrdiff_t>(cell * first.size());
    EXPECT_EQ(std::vector<double>(first_value, first_value + static_cast<std::ptrdiff_t>(first.size())),
              alone[cell % 3 == 0 ? 0 : 1])
        << cell;
  }
}

/// Q on CUDA of f = 1, 2, ..., 8 along z, with collisions along z and h³ |V| σ_T = 1: gain and loss of each pair are
/// products of two interpolated or given values.
std::vector<double> linear_q(const std::string& method, VelocityInterpolation interpolation) {
  std::vector<double> f;
  for (int node = 0; node < 512; ++node) f.push_back(node / 64 + 1);
  return collided(queue_on(DeviceKind::cuda), {8, 4, {}},
                  {.approach = CollisionApproach::interpolated,
                   .method = method,
                   .directions = {.degree = 1},
                   .interpolation = interpolation},
                  f);
}

/// Largest distance of a value from a multiple of a step.
double distance_from_multiples(const std::vector<double>& values, double step) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - step * std::round(value / step)));
  return largest;
}

// Weights of texture units are multiples of 1/256, so values of an integer f that depends on z alone are, too, and their
// products are multiples of 2^-16. Exact weights are not: distances are roots of integers.
TEST_F(CollisionOnCuda, TextureUnitsInterpolateWithWeightsIn256ths) {
  const std::vector<double> by_hardware = linear_q("texture", VelocityInterpolation::trilinear);
  const std::vector<double> exact = linear_q("lerp", VelocityInterpolation::trilinear);
  constexpr double step = 0x1p-16, sum_rounding = 1e-3 * step;
  EXPECT_LE(distance_from_multiples(by_hardware, step), sum_rounding);
  EXPECT_GT(distance_from_multiples(exact, step), 0.1 * step) << "software has weights in full precision";
  EXPECT_LE(relative_difference(by_hardware, exact), 6. / 512);
  EXPECT_NE(by_hardware, exact);
}

// Single texels are integers, and so are their products.
TEST_F(CollisionOnCuda, TextureUnitsStepFromNodeToNode) {
  EXPECT_LE(distance_from_multiples(linear_q("texture", VelocityInterpolation::nearest), 1), 1e-9);
  EXPECT_GT(distance_from_multiples(linear_q("texture", VelocityInterpolation::trilinear), 1), 0.01);
}

TEST_F(CollisionOnCuda, NamesTheFirstInvalidNode) {
  const Queue queue = queue_on(DeviceKind::cuda);
  std::vector<double> f = cells();
  f[729 + 80] = -1e-3;
  f[729 + 90] = std::numeric_limits<double>::quiet_NaN();
  const Array<double> device_f = to_device(queue, f);
  Array<double> q(queue, device_f.count());
  Collision<double> plan(queue, grid, {.rate = 1});
  plan.evaluate(device_f, q);
  EXPECT_EQ(message_of([&] { queue.wait(); }),
            "collision: f is negative at node 80 of cell 1. Repair it or set negative = \"accept\".");
}

}  // namespace
}  // namespace shoal::collision
