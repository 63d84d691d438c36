// SPDX-License-Identifier: Apache-2.0
// Open boundaries as loops over particles use them, on host and device: the boxes, the columns of what enters, and what is
// given in them.
#pragma once
#include <cmath>
#include <cstdint>

#include "sph/open_boundaries/inflow_speed_item.hpp"
#include "sph/open_boundaries/velocity_profiles_item.hpp"
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// One open boundary.
template <class Real, int dimensions>
struct OpenBoundaryParameters {
  using Position = PositionDensity<Real, dimensions>;

  Coordinate<Real> from[dimensions], to[dimensions];  ///< the box; even numbers
  Coordinate<Real> margin[dimensions];  ///< width beside the box in which it holds fluid, too; even numbers
  int axis;                             ///< axis across which the plane between box and fluid is
  bool fluid_is_above;                  ///< the fluid is at larger coordinates than the box
  bool is_inlet;                        ///< it has a velocity
  bool lets_return;                     ///< an outlet through which fluid enters when its flow turns back
  bool has_pressure;
  bool has_water_level;
  VelocityProfile profile;
  Extrapolation extrapolation;
  int material;
  int first_knot;             ///< speed of an inlet: its first one among the knots of all boundaries
  int knots;                  ///< number of these; 0 for an outlet
  double pressure;            ///< Pa, where it is given
  double water_level;         ///< m, where it is given
  double mass;                ///< kg, of an entering particle
  std::int64_t columns[3];    ///< number of columns of entering particles along each axis, 1 across the plane
  std::int64_t first_column;  ///< number of the first of them among those of all boundaries
  EosParameters<double> eos;
  double reference_density;  ///< ρ₀, kg/m³

  std::int64_t column_count() const { return is_inlet || lets_return ? columns[0] * columns[1] * columns[2] : 0; }
  /// Returns true if pressure or velocity follows from the fluid.
  SHOAL_HD bool needs_fluid() const { return !is_inlet || !has_pressure; }

  SHOAL_HD bool holds(const Position& position) const {
    for (int k = 0; k < dimensions; ++k)
      if (position.x[k] < from[k] || position.x[k] >= to[k]) return false;
    return true;
  }
  /// Returns true also for a place beside the box, where fluid is that walls along it do not keep out exactly.
  SHOAL_HD bool holds_with_margin(const Position& position) const {
    for (int k = 0; k < dimensions; ++k)
      if (position.x[k] < from[k] - margin[k] || position.x[k] >= to[k] + margin[k]) return false;
    return true;
  }
  /// Returns true for a place beyond the far side of the box and its margin, at most as far as the box is deep.
  SHOAL_HD bool is_behind(const Position& position) const {
    Position moved = position;
    for (int k = 0; k < dimensions; ++k)
      if (k == axis) moved.x[k] += fluid_is_above ? to[k] - from[k] : from[k] - to[k];
    return holds_with_margin(moved);
  }
  /// Coordinate after a move along axis k. Along the sides that have a margin it passes neither of them.
  SHOAL_HD Coordinate<Real> kept_between_sides(int k, Coordinate<Real> before, Coordinate<Real> after) const {
    if (margin[k] == 0) return after;
    const Coordinate<Real> last = to[k] - 2;
    return min(max(after, min(before, from[k])), max(before, last));
  }
  /// Moves a place by the depth of the box, away from the fluid.
  SHOAL_HD Position set_back(Position position) const {
    for (int k = 0; k < dimensions; ++k)
      if (k == axis) position.x[k] += fluid_is_above ? from[k] - to[k] : to[k] - from[k];
    return position;
  }
  /// Number of the column of a place in the box, among those of all boundaries.
  SHOAL_HD std::int64_t column_at(const Position& position) const {
    std::int64_t number = 0, stride = 1;
    for (int k = 0; k < dimensions; ++k) {
      if (k == axis) continue;
      const double share = static_cast<double>(position.x[k] - from[k]) / static_cast<double>(to[k] - from[k]);
      const auto column = static_cast<std::int64_t>(share * static_cast<double>(columns[k]));
      number += stride * min(max(column, std::int64_t{0}), columns[k] - 1);
      stride *= columns[k];
    }
    return first_column + number;
  }
  /// Mirror image at the plane between the box and the fluid.
  SHOAL_HD Position mirrored(Position position) const {
    for (int k = 0; k < dimensions; ++k)
      if (k == axis) position.x[k] = 2 * plane() - position.x[k];
    return position;
  }
  /// Velocity over the largest one at a place.
  SHOAL_HD double profile_at(const Position& position) const {
    double s = 0.5, r = 0.5;  // of an axis that the section does not have
    for (int k = 0; k < dimensions; ++k) {
      if (k == axis) continue;
      const double part = static_cast<double>(position.x[k] - from[k]) / static_cast<double>(to[k] - from[k]);
      const double share = min(max(part, 0.0), 1.0);
      if (dimensions == 3 && k == (axis == 0 ? 1 : 0))
        r = share;
      else
        s = share;
    }
    return VelocityProfiles::visit(profile, [&]<class Profile> { return Profile::factor(s, r); });
  }
  SHOAL_HD Coordinate<Real> plane() const { return fluid_is_above ? to[axis] : from[axis]; }
  SHOAL_HD Coordinate<Real> far_side() const { return fluid_is_above ? from[axis] : to[axis]; }
  SHOAL_HD double direction() const { return fluid_is_above ? 1 : -1; }  ///< toward the fluid
};

/// A column of particles that enter one after the other.
template <class Real, int dimensions>
struct InletColumn {
  PositionDensity<Real, dimensions> place;  ///< place at which it crosses the far side of the box
  int boundary;
  double factor;  ///< velocity over the largest one; 0 above the water level
};

/// A particle that enters.
template <class Real, int dimensions>
struct EnteringParticle {
  PositionDensity<Real, dimensions> position;
  std::int64_t id;
  int boundary;
};

/// All open boundaries of a run: pointers to memory of the host or of a device.
template <class Real, int dimensions>
struct OpenBoundaryView {
  using Position = PositionDensity<Real, dimensions>;
  using Shift = Coordinate<Real>[dimensions];  ///< units of the lattice

  const OpenBoundaryParameters<Real, dimensions>* boundaries;
  const InflowKnot* knots;                       ///< knots of all inlets
  const InletColumn<Real, dimensions>* columns;  ///< columns of all inlets
  int count;                                     ///< number of boundaries
  std::int64_t column_count;                     ///< number of columns of inlets
  std::int64_t id_columns;                       ///< number of columns of all boundaries through which fluid enters
  std::int64_t first_id;                         ///< smallest id of particles that enter
  double unit;                                   ///< m
  double spacing;                                ///< m
  double gravity[dimensions];
  int vertical;            ///< axis along which gravity acts; −1 without gravity, or along none
  double vertical_origin;  ///< m, where the coordinate along it is 0

  static constexpr int none = -1;

  /// Number of columns of outlets that let fluid return; their numbers follow those of inlets.
  SHOAL_HD std::int64_t return_columns() const { return id_columns - column_count; }

  /// Boundary whose box holds a position, else one whose margin does, or none.
  SHOAL_HD int box_of(const Position& position) const {
    for (int k = 0; k < count; ++k)
      if (boundaries[k].holds(position)) return k;
    for (int k = 0; k < count; ++k)
      if (boundaries[k].holds_with_margin(position)) return k;
    return none;
  }
  SHOAL_HD bool is_behind_a_box(const Position& position) const {
    for (int k = 0; k < count; ++k)
      if (boundaries[k].is_behind(position)) return true;
    return false;
  }

  /// Largest speed at which fluid enters through an inlet.
  SHOAL_HD InflowSpeed inflow(const OpenBoundaryParameters<Real, dimensions>& inlet) const {
    return {knots + inlet.first_knot, inlet.knots};
  }

  /// Height of a coordinate along the vertical axis, m.
  SHOAL_HD double height(Coordinate<Real> x) const { return vertical_origin + unit * static_cast<double>(x); }

  /// Pressure that is given at a place, Pa.
  SHOAL_HD double given_pressure(const OpenBoundaryParameters<Real, dimensions>& boundary,
                                 const Position& position) const {
    if (!boundary.has_water_level) return boundary.pressure;
    double head = 0;
    for (int axis = 0; axis < dimensions; ++axis)
      if (axis == vertical) head = gravity[axis] * (height(position.x[axis]) - boundary.water_level);
    return boundary.pressure + max(0.0, boundary.reference_density * head);
  }

  /// ρ₀ g·shift: pressure that a fluid at rest has more at the end of a shift than at its start, Pa.
  SHOAL_HD double hydrostatic(const OpenBoundaryParameters<Real, dimensions>& boundary, const Shift& shift) const {
    double sum = 0;
    for (int axis = 0; axis < dimensions; ++axis) sum += gravity[axis] * unit * static_cast<double>(shift[axis]);
    return boundary.reference_density * sum;
  }

  /// Way that a column has made by a time, m. The same bits on host and device, as the next two.
  SHOAL_HD double way_of(const InletColumn<Real, dimensions>& column, double time) const {
    return rounded_product(column.factor, inflow(boundaries[column.boundary]).distance(time));
  }
  /// Number of particles of a column that have entered by a time. The first is half a spacing behind the far side at t = 0.
  SHOAL_HD std::int64_t entered(const InletColumn<Real, dimensions>& column, double time) const {
    return static_cast<std::int64_t>(std::floor(way_of(column, time) / spacing + 0.5));
  }
  /// Particle `number` of a column, counted from 1, at its place at a time.
  SHOAL_HD EnteringParticle<Real, dimensions> entering(std::int64_t column, std::int64_t number, double time) const {
    const InletColumn<Real, dimensions>& inlet = columns[column];
    const OpenBoundaryParameters<Real, dimensions>& boundary = boundaries[inlet.boundary];
    const double depth = fma(0.5 - static_cast<double>(number), spacing, way_of(inlet, time));
    Position position = inlet.place;
    for (int k = 0; k < dimensions; ++k)
      if (k == boundary.axis)
        position.x[k] += static_cast<Coordinate<Real>>(2 * std::llround(boundary.direction() * depth / unit / 2));
    return {position, id_of(column, number - 1), inlet.boundary};
  }

  /// Id of a particle that enters in a column.
  /// @param number  number of those of the column before it; of an outlet that lets fluid return, number of the step
  SHOAL_HD std::int64_t id_of(std::int64_t column, std::int64_t number) const {
    return first_id + number * id_columns + column;
  }
};

}  // namespace shoal::sph
