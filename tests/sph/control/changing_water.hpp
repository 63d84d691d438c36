// SPDX-License-Identifier: Apache-2.0
// Water of which a program adds and removes particles, for tests on several ranks.
#pragma once
#include "sph/control/particle_arrays.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::testing_support {

/// A column of water that rises, so that particles change their rank.
inline sph::Case rising_water(int layers = 0) {
  sph::Case simulation = block_of_water(8, layers > 0 ? 8 : 30, layers);
  simulation.bodies[0].velocity = {0.3, 4, layers > 0 ? 4.0 : 0};
  simulation.domain = sph::Box{{-0.1, -0.1, -0.1}, {0.2, 0.6, 0.6}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.time_step = sph::TimeStep::cfl;
  return simulation;
}

/// Adds a line of particles through the layers of all ranks, and removes some in every way.
inline bool change(sph::Particles& particles) {
  const std::int64_t step = particles.clock().step;
  if (step % 7 == 0) {
    std::vector<sph::Vector> line;
    const double x = -0.05 - 0.006 * static_cast<double>(step / 7);
    for (int k = 0; k < 20; ++k) line.push_back({x, -0.08 + 0.03 * k, -0.08 + 0.03 * k});
    add_from_host(particles, line, {{-1, 3, 2}});
  }
  if (step == 9) remove_from_host(particles, {3, 200, 77});
  if (step == 15) particles.remove_in({{-0.06, 0.1, -1}, {0.02, 0.3, 1}});
  if (step == 18) {
    const std::vector<std::int64_t> id = to_host(particles.queue(), particles.id());
    std::vector<std::uint8_t> flags;
    for (const std::int64_t one : id) flags.push_back(one % 11 == 0);
    particles.remove_rows(to_device(particles.queue(), flags));
  }
  return true;
}

}  // namespace shoal::testing_support
