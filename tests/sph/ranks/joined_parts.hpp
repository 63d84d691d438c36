// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <cstddef>
#include <vector>

namespace shoal::testing_support {

/// Snapshot of all rows of several parts, as a restart file of several ranks has it.
inline sph::Snapshot joined(const std::vector<sph::Snapshot>& parts) {
  sph::Snapshot whole = parts.front();
  const auto append = [](auto& target, const auto& more) { target.insert(target.end(), more.begin(), more.end()); };
  for (std::size_t part = 1; part < parts.size(); ++part) {
    const sph::Snapshot& more = parts[part];
    append(whole.id, more.id);
    append(whole.tag, more.tag);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      append(whole.coordinate[axis], more.coordinate[axis]);
      append(whole.velocity[axis], more.velocity[axis]);
      append(whole.previous_velocity[axis], more.previous_velocity[axis]);
    }
    append(whole.density_deviation, more.density_deviation);
    append(whole.pressure_over_density2, more.pressure_over_density2);
    append(whole.energy, more.energy);
    append(whole.smoothing_length, more.smoothing_length);
    append(whole.sound_speed, more.sound_speed);
    append(whole.previous_density_deviation, more.previous_density_deviation);
    append(whole.previous_energy, more.previous_energy);
  }
  return whole;
}

}  // namespace shoal::testing_support
