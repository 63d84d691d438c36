// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>

#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::testing_support {

/// Message of the check of a case with a paddle that makes waves, which is valid before `spoil` changes it.
inline std::string message_with(const std::function<void(sph::Case&, sph::Wavemaker&)>& spoil) {
  sph::Case simulation = dam_break(1);
  simulation.duration = 1;
  simulation.walls.push_back({"paddle", {{-0.02, 0, 0}, {0, 1.6, 0}}, {}, 3, ""});
  simulation.walls.back().solid = true;
  simulation.walls.front().open.push_back(sph::Side::left);
  simulation.wavemakers = {{.wall = "paddle", .depth = 1, .period = 2, .height = 0.1}};
  spoil(simulation, simulation.wavemakers[0]);
  return message_of([&] { sph::require_valid(simulation); });
}

}  // namespace shoal::testing_support
