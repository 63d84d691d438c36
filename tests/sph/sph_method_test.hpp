// SPDX-License-Identifier: Apache-2.0
// Base of the suites that run once for each SPH method.
#pragma once
#include <shoal/sph.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "sph/snapshots.hpp"
#include "support/method_suite.hpp"

namespace shoal::testing_support {

/// Methods of a kind of device.
inline std::vector<MethodInfo> sph_methods_on(DeviceKind device) {
  std::vector<MethodInfo> entries = methods("sph");
  std::erase_if(entries, [&](const MethodInfo& method) { return method.device != device; });
  return entries;
}

class SphMethodTest : public MethodTest {
 protected:
  /// Solver of a case with the method and on the device of the parameter.
  sph::Solver solver(sph::Case simulation) const { return {queue(), with_method(std::move(simulation))}; }
  sph::Solver solver(sph::Case simulation, const sph::Snapshot& start) const {
    return {queue(), with_method(std::move(simulation)), start};
  }

  /// Runs a case whole, and with a restart between two numbers of steps. Returns the state at the restart.
  sph::Snapshot expect_same_bits_after_restart(const sph::Case& simulation, std::int64_t before,
                                               std::int64_t after) const {
    sph::Solver whole = solver(simulation);
    whole.advance_steps(before + after);
    sph::Solver first = solver(simulation);
    first.advance_steps(before);
    sph::Snapshot between = first.snapshot();
    sph::Solver second = solver(simulation, between);
    second.advance_steps(after);
    expect_same(whole.snapshot(), second.snapshot());
    return between;
  }

 private:
  sph::Case with_method(sph::Case simulation) const {
    simulation.method = GetParam().name;
    return simulation;
  }
};

}  // namespace shoal::testing_support
