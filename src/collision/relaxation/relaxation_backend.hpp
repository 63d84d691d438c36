// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/item/host_device.hpp>

#include <cstdint>

#include "core/backends.hpp"

namespace shoal::collision {

/// Value of a node after a Runge-Kutta stage: a convex combination of f at the start of the step and of an Euler step
/// from the value after the previous stage.
/// @param share  weight of f
template <class Real>
SHOAL_HD Real relaxation_stage(Real f, Real stage, Real q, Real share, Real step) {
  return share * f + (1 - share) * (stage + step * q);
}

/// Device-dependent step of a relaxation.
template <class Real>
struct RelaxationBackend {
  /// stage = share f + (1 − share) (stage + step q) at each node.
  void (*advance_stage)(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count,
                        Real* stage);

  static const RelaxationBackend cpu, cuda;
};

}  // namespace shoal::collision
