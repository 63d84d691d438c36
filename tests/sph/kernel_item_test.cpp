// SPDX-License-Identifier: Apache-2.0
#include "sph/kernel_item.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "sph/parameters.hpp"
#include "sph_cases.hpp"

namespace shoal::sph {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Kernel, ShapesByHand) {
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(0.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(0.5), 1 - 1.5 * 0.25 + 0.75 * 0.125);  // 1 − 3/2 q² + 3/4 q³
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(1.5), 0.25 * 0.125);                   // (2 − q)³ / 4
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c2>(0.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c2>(1.0), 3.0 / 16);  // (1/2)⁴ · 3
}

TEST(Kernel, SlopesByHand) {
  EXPECT_DOUBLE_EQ(kernel_slope<Kernel::cubic_spline>(0.0), -3.0);
  EXPECT_DOUBLE_EQ(kernel_slope<Kernel::cubic_spline>(0.5), -3 + 2.25 * 0.5);
  EXPECT_DOUBLE_EQ(kernel_slope<Kernel::cubic_spline>(1.5), -0.75 * 0.25 / 1.5);
  EXPECT_DOUBLE_EQ(kernel_slope<Kernel::wendland_c2>(0.0), -5.0);
  EXPECT_DOUBLE_EQ(kernel_slope<Kernel::wendland_c2>(1.0), -5.0 / 8);
}

template <Kernel kernel>
void expect_consistent() {
  // kernel_slope is (dW/dr)/r in units of value_scale/h²: compare with a central difference
  for (const double q : {0.1, 0.6, 0.99, 1.01, 1.4, 1.9}) {
    const double step = 1e-5;
    const double difference = (kernel_shape<kernel>(q + step) - kernel_shape<kernel>(q - step)) / (2 * step);
    EXPECT_NEAR(kernel_slope<kernel>(q), difference / q, 1e-8) << "q = " << q;
  }
  for (const double q : {2.0, 2.5, 100.0}) {
    EXPECT_EQ(kernel_shape<kernel>(q), 0);
    EXPECT_EQ(kernel_slope<kernel>(q), 0);
  }
}

TEST(Kernel, SlopeIsTheDerivativeOfTheShape) {
  expect_consistent<Kernel::cubic_spline>();
  expect_consistent<Kernel::wendland_c2>();
}

/// ∫ W dV by the midpoint rule, with the scale that a case gets.
template <Kernel kernel, int dimensions>
double integral() {
  Case simulation = testing_support::block_of_water(4, 4, dimensions == 3 ? 4 : 0);
  simulation.scheme.kernel = kernel;
  const auto parameters = make_parameters<double, dimensions>(simulation, make_lattice(simulation, 64));
  const double h = parameters.smoothing_length;
  const int steps = 20000;
  const double dr = 2 * h / steps;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double r = (k + 0.5) * dr;
    const double shell = dimensions == 2 ? 2 * pi * r : 4 * pi * r * r;
    sum += parameters.value_scale * kernel_shape<kernel>(r / h) * shell * dr;
  }
  EXPECT_DOUBLE_EQ(parameters.gradient_scale, parameters.value_scale / (h * h));
  return sum;
}

TEST(Kernel, IntegratesToOne) {
  EXPECT_NEAR((integral<Kernel::cubic_spline, 2>()), 1, 1e-7);
  EXPECT_NEAR((integral<Kernel::cubic_spline, 3>()), 1, 1e-7);
  EXPECT_NEAR((integral<Kernel::wendland_c2, 2>()), 1, 1e-7);
  EXPECT_NEAR((integral<Kernel::wendland_c2, 3>()), 1, 1e-7);
}

}  // namespace
}  // namespace shoal::sph
