// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/probe.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sph/kernel_item.hpp"

namespace shoal::io {

namespace {

double surge_front(const sph::Fields& fields) {
  double front = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (!fields.wall[i]) front = std::max(front, fields.position[3 * i]);
  return std::isfinite(front) ? front : std::numeric_limits<double>::quiet_NaN();
}

/// W up to the constant that cancels in an average.
double kernel_shape(sph::Kernel kernel, double q) {
  return kernel == sph::Kernel::wendland_c2 ? sph::kernel_shape<sph::Kernel::wendland_c2>(q)
                                            : sph::kernel_shape<sph::Kernel::cubic_spline>(q);
}

double pressure_at(const sph::Vector& at, const sph::Case& simulation, const sph::Fields& fields) {
  const double h = simulation.smoothing * simulation.spacing;
  double weighted = 0, weights = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    double squared = 0;
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      const double distance =
          fields.position[3 * i + static_cast<std::size_t>(axis)] - at[static_cast<std::size_t>(axis)];
      squared += distance * distance;
    }
    if (squared >= 4 * h * h) continue;
    const double rest_density = simulation.materials[fields.material[i]].density;
    const double volume = rest_density / static_cast<double>(fields.density[i]);  // in spacing^dimensions
    const double weight = volume * kernel_shape(simulation.scheme.kernel, std::sqrt(squared) / h);
    weighted += weight * static_cast<double>(fields.pressure[i]);
    weights += weight;
  }
  return weights > 0 ? weighted / weights : 0;
}

}  // namespace

double measure(const sph::Probe& probe, const sph::Case& simulation, const sph::Fields& fields) {
  if (probe.kind == sph::ProbeKind::surge_front) return surge_front(fields);
  return pressure_at(probe.at, simulation, fields);
}

std::string quantity(sph::ProbeKind kind) {
  return kind == sph::ProbeKind::surge_front ? "front [m]" : "pressure [Pa]";
}

}  // namespace shoal::io
