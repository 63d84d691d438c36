// SPDX-License-Identifier: Apache-2.0
// Flows on both kinds of device.
#pragma once
#include "gas/flows.hpp"
#include "support/devices.hpp"

namespace shoal::testing_support {

template <class Real>
std::vector<Real> values(const gas::Gas<Real>& flow, DeviceKind device) {
  return to_host(queue_on(device), flow.f());
}

/// Runs a flow on both devices and compares f.
/// @param flow  flow.on<Real>(device) makes it
template <class Real = double, class Flow, class Run>
void expect_agreement(const Flow& flow, Run run, double tolerance = 1e-12) {
  gas::Gas<Real> cpu = flow.template on<Real>(DeviceKind::cpu), cuda = flow.template on<Real>(DeviceKind::cuda);
  const std::vector<Real> start = values(cpu, DeviceKind::cpu);
  EXPECT_EQ(values(cuda, DeviceKind::cuda), start);
  run(cpu);
  run(cuda);
  const std::vector<Real> expected = values(cpu, DeviceKind::cpu);
  EXPECT_GT(largest_difference(start, expected), 1e-4) << "something changed";
  EXPECT_LE(largest_difference(values(cuda, DeviceKind::cuda), expected), tolerance);
  EXPECT_EQ(cuda.clock().steps, cpu.clock().steps);
}

}  // namespace shoal::testing_support
