// SPDX-License-Identifier: Apache-2.0
#include "io/case/keys/count_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::io {

void require_possible_count(double duration, double interval, double most, const std::string& what,
                            const std::string& remedy) {
  if (interval <= 0) return;
  const double count = duration / interval;
  require(
      std::ceil(count) <= most,
      fmt::format("{} = {:.3g} s fits {:.3g} times into the duration of {:.3g} s, expected at most {:.3g} times. {}",
                  what, interval, count, duration, most, remedy));
}

double expected_step(const sph::Case& simulation) {
  const sph::Scheme& scheme = simulation.scheme;
  if (scheme.time_step == sph::TimeStep::fixed) return scheme.dt;
  double fastest = 0;
  for (const sph::Material& material : simulation.materials) fastest = std::max(fastest, material.sound_speed);
  return scheme.courant_number() * simulation.smoothing * simulation.spacing / fastest;
}

}  // namespace shoal::io
