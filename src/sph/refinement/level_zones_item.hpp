// SPDX-License-Identifier: Apache-2.0
// Zones of a level of refinement as loops over particles use them, on host and device.
#pragma once
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// A box in units of the lattice of a level.
template <class Real, int dimensions>
struct Zone {
  Coordinate<Real> from[dimensions], to[dimensions];
  bool exists;

  SHOAL_HD bool holds(const PositionDensity<Real, dimensions>& position) const {
    for (int axis = 0; axis < dimensions; ++axis)
      if (position.x[axis] < from[axis] || position.x[axis] >= to[axis]) return false;
    return exists;
  }
};

/// Zones of a level.
template <class Real, int dimensions>
struct LevelZones {
  using Position = PositionDensity<Real, dimensions>;

  Zone<Real, dimensions> box;      ///< box of the level; does not exist in the first level
  Zone<Real, dimensions> region;   ///< box with the guard zone, where fluid follows the parent
  Zone<Real, dimensions> covered;  ///< zone in which fluid follows the next level; does not exist in the last level
  Zone<Real, dimensions> finer_region;  ///< region of the next level
  double origin[dimensions];            ///< m, where the coordinate is 0
  double unit;                          ///< m
  double spacing;                       ///< m, between particles of the level
  Coordinate<Real> apart;      ///< units from a particle to the finer ones that it is split into, along each axis
  double mass[max_materials];  ///< kg, of a particle of each material

  SHOAL_HD bool is_guard(const Position& position) const { return box.exists && !box.holds(position); }
  SHOAL_HD bool is_covered(const Position& position) const { return covered.holds(position); }
  SHOAL_HD bool has_left(const Position& position) const { return box.exists && !region.holds(position); }

  SHOAL_HD double meters(const Position& position, int axis) const {
    return origin[axis] + unit * static_cast<double>(position.x[axis]);
  }
  SHOAL_HD Coordinate<Real> units(double place, int axis) const {
    return static_cast<Coordinate<Real>>(2 * std::llround((place - origin[axis]) / unit / 2));
  }
  /// Place of part k of the 2^dimensions ones that a particle is split into.
  SHOAL_HD Position part(Position position, int k) const {
    for (int axis = 0; axis < dimensions; ++axis) position.x[axis] += (k >> axis & 1) ? apart : -apart;
    return position;
  }
  /// Returns true if that part enters the region of the next level between two places of the particle.
  SHOAL_HD bool enters(const Position& before, const Position& after, int k) const {
    return finer_region.holds(part(after, k)) && !finer_region.holds(part(before, k));
  }
};

}  // namespace shoal::sph
