// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/pairs/kernel_item.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "sph/physics/parameters.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using std::numbers::pi;

TEST(Kernel, ShapesByHand) {
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(0.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(0.5), 1 - 1.5 * 0.25 + 0.75 * 0.125);  // 1 − 3/2 q² + 3/4 q³
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::cubic_spline>(1.5), 0.25 * 0.125);                   // (2 − q)³ / 4
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c2>(0.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c2>(1.0), 3.0 / 16);  // (1/2)⁴ · 3
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c4>(0.0), 1.0);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::wendland_c4>(1.0), (1 + 3 + 35.0 / 12) / 64);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::quintic_spline>(0.0), 243 - 6 * 32 + 15);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::quintic_spline>(1.0), 32 - 6);
  EXPECT_DOUBLE_EQ(kernel_shape<Kernel::quintic_spline>(2.0), 1);
}

TEST(Kernel, SlopesByHand) {
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::cubic_spline>(0.0), -3.0);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::cubic_spline>(0.5), -3 + 2.25 * 0.5);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::cubic_spline>(1.5), -0.75 * 0.25 / 1.5);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::wendland_c2>(0.0), -5.0);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::wendland_c2>(1.0), -5.0 / 8);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::wendland_c4>(0.0), -14.0 / 3);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::wendland_c4>(1.0), -14.0 / 3 / 32 * 3.5);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::quintic_spline>(0.0), -120);
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::quintic_spline>(1.0), -5 * (16 - 6));
  EXPECT_DOUBLE_EQ(kernel_gradient<Kernel::quintic_spline>(2.0), -5.0 / 2);
}

template <Kernel kernel>
void expect_consistent() {
  SCOPED_TRACE(to_name(kernel));
  // kernel_gradient is (dW/dr)/r in units of value_scale/h²: compare with a central difference
  for (const double q : {0.1, 0.6, 0.99, 1.01, 1.4, 1.9}) {
    const double step = 1e-5;
    const double difference = (kernel_shape<kernel>(q + step) - kernel_shape<kernel>(q - step)) / (2 * step);
    EXPECT_NEAR(kernel_gradient<kernel>(q), difference / q, 1e-8 * kernel_shape<kernel>(0.0)) << "q = " << q;
  }
  const double radius = kernel_radius(kernel);
  for (const double q : {radius, radius + 0.5, 100.0}) {
    EXPECT_EQ(kernel_shape<kernel>(q), 0);
    EXPECT_EQ(kernel_gradient<kernel>(q), 0);
  }
}

TEST(Kernel, SlopeIsTheDerivativeOfTheShape) {
  for (const Kernel each : testing_support::every<Kernel>())
    with_kernel(each, [&]<Kernel kernel> { expect_consistent<kernel>(); });
}

/// ∫ W dV by the midpoint rule, with the scale that a case gets.
template <Kernel kernel, int dimensions>
double integral() {
  Case simulation = testing_support::block_of_water(4, 4, dimensions == 3 ? 4 : 0);
  simulation.dimensions = dimensions;
  simulation.scheme.kernel = kernel;
  const auto parameters = make_parameters<double, dimensions>(simulation, make_lattice(simulation, 64));
  const double h = parameters.smoothing_length;
  const int steps = 20000;
  const double dr = kernel_radius(kernel) * h / steps;
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double r = (k + 0.5) * dr;
    const double shell = dimensions == 1 ? 2 : dimensions == 2 ? 2 * pi * r : 4 * pi * r * r;
    sum += parameters.value_scale * kernel_shape<kernel>(r / h) * shell * dr;
  }
  EXPECT_DOUBLE_EQ(parameters.gradient_scale, parameters.value_scale / (h * h));
  return sum;
}

template <Kernel kernel>
void expect_whole() {
  EXPECT_NEAR((integral<kernel, 1>()), 1, 1e-7) << to_name(kernel);
  EXPECT_NEAR((integral<kernel, 2>()), 1, 1e-7) << to_name(kernel);
  EXPECT_NEAR((integral<kernel, 3>()), 1, 1e-7) << to_name(kernel);
}

TEST(Kernel, IntegratesToOne) {
  for (const Kernel each : testing_support::every<Kernel>())
    with_kernel(each, [&]<Kernel kernel> { expect_whole<kernel>(); });
}

TEST(Kernel, SupportFollowsItsRadius) {
  Case simulation = testing_support::block_of_water(4, 4);
  EXPECT_DOUBLE_EQ(support(simulation), 2 * 0.012);
  simulation.scheme.kernel = Kernel::quintic_spline;
  EXPECT_DOUBLE_EQ(support(simulation), 3 * 0.012);
}

}  // namespace
}  // namespace shoal::sph
