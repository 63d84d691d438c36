// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/io/statistics.hpp>

#include <string>
#include <vector>

#include "papers/deposit/deposit_particles.hpp"
#include "support/harness.hpp"

namespace shoal::benchmarks {

/// Measurements with one number of particles, three values each, in double. A Timing of a method that failed has no
/// iterations.
struct DepositTimings {
  std::int64_t particles = 0;
  std::int64_t nodes = 0;
  io::CellCounts cells;
  Timing serial;                ///< `serial` on one CPU thread, once
  Timing sort;                  ///< bin() on the device
  Timing reorder;               ///< reorder() of the three values on the device
  std::vector<Timing> methods;  ///< to_nodes() by each method of the device, with sorted particles
  std::vector<std::string> failures;

  /// B, smallest possible memory traffic: coordinates and values of the particles in, values of the nodes out.
  double least_bytes() const {
    constexpr double in = 6, out = 3;
    return sizeof(double) * (in * static_cast<double>(particles) + out * static_cast<double>(nodes));
  }
};

/// Methods of a device that are measured: all but `serial`, the reference.
std::vector<std::string> measured_methods(DeviceKind device);

/// Measures every method with particles and nodes on the device. A method whose nodes differ from those of `serial` by
/// more than rounding is a failure.
DepositTimings measure_deposit(const Queue& queue, const DepositParticles& particles, const MeasureOptions& options);

}  // namespace shoal::benchmarks
