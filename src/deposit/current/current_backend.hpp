// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit/shape.hpp>

#include "deposit/current/moving_particles_item.hpp"

namespace shoal::deposit {

/// Calls run(MovedCic{}), or run(MovedSpline<...>{}) of another shape.
template <class Run>
void with_moved(DepositShape shape, Run&& run) {
  switch (shape) {
    case DepositShape::cic:
      return run(MovedCic{});
    case DepositShape::tsc:
      return run(MovedSpline<TscShape>{});
    case DepositShape::pcs:
      return run(MovedSpline<PcsShape>{});
  }
}

/// Steps of deposit_current() that differ by device.
struct CurrentBackend {
  /// Number of the first particle with a fault; the number of particles if there is none. Waits for the queue.
  std::int64_t (*first_fault)(const Queue& queue, const MovingParticles& particles);

  /// Writes the currents.
  /// @param current  [nodes] each, A, by axis
  void (*add)(const Queue& queue, const MovingParticles& particles, double time_step, DepositShape shape,
              const Fields<double>& current);

  static const CurrentBackend cpu, cuda;
};

}  // namespace shoal::deposit
