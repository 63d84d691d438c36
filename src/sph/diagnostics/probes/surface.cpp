// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/probes/surface.hpp"

#include <shoal/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

constexpr double most_samples = 10'000;

Vector point_on(const Probe& probe, double share) {
  Vector point{};
  for (std::size_t axis = 0; axis < 3; ++axis) point[axis] = std::lerp(probe.from[axis], probe.to[axis], share);
  return point;
}

double length_of(const Probe& probe) {
  return std::hypot(probe.to[0] - probe.from[0], probe.to[1] - probe.from[1], probe.to[2] - probe.from[2]);
}

bool is_wet(double filling) { return filling > least_filling; }

}  // namespace

std::vector<Vector> surface_samples(const Probe& probe, double spacing) {
  const double length = length_of(probe);
  require(std::isfinite(length) && length > 0, "sph: probe \"", probe.name, "\" has a line of ", length,
          " m, expected different finite points. Change probe.from or probe.to.");
  const double parts = std::max(1.0, std::ceil(2 * length / spacing - 1e-9));
  require(parts < most_samples, "sph: probe \"", probe.name, "\" has a line of ", length / spacing,
          " spacings, expected less than ", most_samples / 2, ". Shorten the line.");
  std::vector<Vector> samples;
  for (double part = 0; part <= parts; ++part) samples.push_back(point_on(probe, part / parts));
  return samples;
}

Vector surface_point(const Probe& probe, const Case& simulation, const std::vector<double>& filling) {
  const double parts = static_cast<double>(filling.size() - 1);
  const double least_run = 2 * simulation.smoothing * simulation.spacing / length_of(probe) * parts;
  // Position between samples k and k + 1 at which the filling is that of a surface, in parts.
  const auto crossing = [&](std::size_t k) {
    return static_cast<double>(k) + (least_filling - filling[k]) / (filling[k + 1] - filling[k]);
  };
  double begin = 0;
  std::optional<double> surface;
  for (std::size_t k = 0; k < filling.size(); ++k) {
    if (!is_wet(filling[k])) continue;
    if (k > 0 && !is_wet(filling[k - 1])) begin = crossing(k - 1);
    const bool is_last = k + 1 == filling.size();
    if (!is_last && is_wet(filling[k + 1])) continue;
    const double end = is_last ? parts : crossing(k);
    if (end - begin >= least_run) surface = end;
  }
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return surface ? point_on(probe, *surface / parts) : Vector{none, none, none};
}

}  // namespace shoal::sph
