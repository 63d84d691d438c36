// SPDX-License-Identifier: Apache-2.0
// Zones of a level from its boxes.
#pragma once
#include <cmath>

#include "sph/refinement/level_zones_item.hpp"
#include "sph/refinement/levels.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
Zone<Real, dimensions> make_zone(const std::optional<Box>& box, const Lattice& lattice) {
  Zone<Real, dimensions> zone{};
  zone.exists = box.has_value();
  if (!box) return zone;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto units = [&](double place) {
      return static_cast<Coordinate<Real>>(2 * std::llround((place - lattice.origin[axis]) / lattice.unit / 2));
    };
    zone.from[axis] = units(box->from[axis]);
    zone.to[axis] = units(box->to[axis]);
  }
  return zone;
}

template <class Real, int dimensions>
LevelZones<Real, dimensions> make_zones(const Level& level, const Lattice& lattice) {
  LevelZones<Real, dimensions> zones{};
  zones.box = make_zone<Real, dimensions>(level.box, lattice);
  zones.region = make_zone<Real, dimensions>(level.region, lattice);
  zones.covered = make_zone<Real, dimensions>(level.covered, lattice);
  zones.finer_region = make_zone<Real, dimensions>(level.finer_region, lattice);
  for (int axis = 0; axis < dimensions; ++axis) zones.origin[axis] = lattice.origin[axis];
  zones.unit = lattice.unit;
  zones.spacing = level.simulation.spacing;
  zones.apart = static_cast<Coordinate<Real>>(2 * std::llround(level.simulation.spacing / 4 / lattice.unit / 2));
  for (std::size_t k = 0; k < level.simulation.materials.size(); ++k)
    zones.mass[k] =
        level.simulation.materials[k].density * std::pow(level.simulation.spacing, level.simulation.dimensions);
  return zones;
}

}  // namespace shoal::sph
