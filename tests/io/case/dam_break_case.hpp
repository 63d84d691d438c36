// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_file.hpp>

#include <string>
#include <vector>

#include "support/messages.hpp"
#include "support/replaced.hpp"

namespace shoal::testing_support {

/// Case file of a dam break that gives a value to most sections.
inline constexpr const char* dam_break = R"(kind  = "sph"
title = "A \"small\" dam"

[run]
duration = 4.0
output_every = 0.04
precision = "double"

[particles]
dimensions = 2
spacing = 0.02
smoothing = 1.3

[[body]]
material = "water"
box = { from = [0, 0], to = [2, 1] }
velocity = [0.5, 0]

[[wall]]
name = "tank"
box = { from = [0, 0], to = [5.38, 1.6] }
open = ["top", "right"]
layers = 4

[material.water]
density = 998
sound_speed = 50
equation_of_state = "tait"
exponent = 6.5

[scheme]
time_step = "fixed"
dt = 4e-4
kernel = "cubic_spline"
density_diffusion = "ferrari"
diffusion_coefficient = 0.3
viscosity = { artificial = 0.05 }
walls = "dynamic"
gravity = [0, -9.81]

[[probe]]
kind = "surge_front"

[[probe]]
name = "gauge"
kind = "pressure"
at = [5.38, 0.2]
every = 0.01
)";

/// Text of `dam_break` with the first `before` replaced by `after`.
inline std::string changed(const std::string& before, const std::string& after) {
  return replaced(dam_break, before, after);
}

/// Case of this text, which messages call case.toml.
inline sph::Case parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return io::parse_case(text, "case.toml", overrides);
}

/// Message of the error that a case of this text gives.
inline std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return message_of([&] { parse(text, overrides); });
}

/// Message of the error that `dam_break` gives with an override.
inline std::string message_of_set(const std::string& override_text) { return message(dam_break, {override_text}); }

}  // namespace shoal::testing_support
