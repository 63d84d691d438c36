// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/steps/step_plan_item.hpp"

#include <gtest/gtest.h>

namespace shoal::sph {
namespace {

TEST(HeatPulse, FractionsAddUpToOne) {
  for (const double length : {0.0, 0.01, 0.35, 2.0}) {
    HeatPulseParameters<double, 2> pulse{};
    pulse.start = 0.123;
    pulse.length = length;
    double sum = 0;
    for (int step = 0; step < 300; ++step) sum += pulse_fraction(pulse, 0.01 * step, 0.01);
    EXPECT_NEAR(sum, 1, 1e-9) << length;
  }
}

}  // namespace
}  // namespace shoal::sph
