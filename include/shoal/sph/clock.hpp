// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal::sph {

/// Time, step and particle count of a run.
struct Clock {
  double time = 0;  ///< s
  std::int64_t step = 0;
  double dt = 0;               ///< s, of the last step
  double next_dt = 0;          ///< s, suggested by the step control for the next step
  std::int64_t particles = 0;  ///< number of particles in the domain
  std::int64_t lost = 0;       ///< number of particles that left the domain
};

}  // namespace shoal::sph
