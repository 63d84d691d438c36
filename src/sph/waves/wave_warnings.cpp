// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/wave_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/text.hpp"

namespace shoal::sph {

void add_wave_warnings(const Case& simulation, std::size_t number, std::vector<Warning>& list) {
  const Wavemaker& wavemaker = simulation.wavemakers[number];
  const Vector& gravity = simulation.scheme.gravity;
  const double k = wave_number(wavemaker.period, wavemaker.depth, std::hypot(gravity[0], gravity[1], gravity[2]));
  const double depth = wavemaker.depth, length = 2 * std::numbers::pi / k;
  const double height = wavemaker.waves == Waves::focused ? 2 * wavemaker.crest : wavemaker.height;
  const auto shown = [](double value) { return static_cast<float>(std::round(value * 1e4) / 1e4); };
  const double breaking = std::min(0.142 * length * std::tanh(k * depth), 0.78 * depth);
  if (height > breaking)
    list.push_back({"wave_height", height, breaking,
                    text("wavemaker ", number, " makes waves of ", shown(height), " m, expected at most ",
                         shown(breaking), " m: higher ones break (Miche 1944; McCowan 1894)."),
                    "Make them lower, or longer."});
  const double longest = 8 * std::numbers::pi * std::numbers::pi / 3;
  const double ratio = height * length * length / (depth * depth * depth);
  if (wavemaker.order == 2 && ratio > longest)
    list.push_back({"wave_order", ratio, longest,
                    text("wavemaker ", number, " has order 2 and H L^2/d^3 = ", shown(ratio), ", expected at most ",
                         shown(longest), ": the waves are too long for the second order (Madsen 1971)."),
                    "Make them lower or shorter, or set order = 1."});
}

}  // namespace shoal::sph
