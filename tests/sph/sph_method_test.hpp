// SPDX-License-Identifier: Apache-2.0
// Base of the suites that run once for each SPH method.
#pragma once
#include <shoal/sph.hpp>

#include <utility>

#include "support/method_suite.hpp"

namespace shoal::testing_support {

class SphMethodTest : public MethodTest {
 protected:
  /// Solver of a case with the method and on the device of the parameter.
  sph::Solver solver(sph::Case simulation) const { return {queue(), with_method(std::move(simulation))}; }
  sph::Solver solver(sph::Case simulation, const sph::Snapshot& start) const {
    return {queue(), with_method(std::move(simulation)), start};
  }

 private:
  sph::Case with_method(sph::Case simulation) const {
    simulation.method = GetParam().name;
    return simulation;
  }
};

}  // namespace shoal::testing_support
