// SPDX-License-Identifier: Apache-2.0
// Boxes through which fluid enters and leaves, in the coordinates of the lattice. What has entered by a time follows from the
// time alone, so that a run resumes, and ranks agree, without counting.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "sph/open_boundaries/inflow_speed.hpp"
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// One open boundary.
template <class Real, int dimensions>
struct OpenBoundaryParameters {
  using Position = PositionDensity<Real, dimensions>;

  OpenBoundary given;
  Coordinate<Real> from[dimensions], to[dimensions];  ///< the box; even numbers
  int axis;                                           ///< axis across which the plane between box and fluid is
  bool fluid_is_above;                                ///< the fluid is at larger coordinates than the box
  int material;
  double mass;                ///< kg, of an entering particle
  InflowSpeed inflow;         ///< speed of an inlet
  std::int64_t columns[3];    ///< number of columns of entering particles along each axis, 1 across the plane
  std::int64_t first_column;  ///< number of the first of them among those of all boundaries
  EosParameters<double> eos;
  double reference_density;  ///< ρ₀, kg/m³

  std::int64_t column_count() const { return given.is_inlet() ? columns[0] * columns[1] * columns[2] : 0; }
  bool holds(const Position& position) const;
  /// Returns true for a place beyond the far side of the box, at most as far as the box is deep.
  bool is_behind(const Position& position) const;
  /// Mirror image at the plane between the box and the fluid.
  Position mirrored(Position position) const;
  /// Velocity over the largest one at a place.
  double profile(const Position& position) const;
  Coordinate<Real> plane() const { return fluid_is_above ? to[axis] : from[axis]; }
  Coordinate<Real> far_side() const { return fluid_is_above ? from[axis] : to[axis]; }
  double direction() const { return fluid_is_above ? 1 : -1; }  ///< toward the fluid
};

/// A particle that enters.
template <class Real, int dimensions>
struct EnteringParticle {
  PositionDensity<Real, dimensions> position;
  std::int64_t id;
  std::size_t boundary;
};

/// All open boundaries of a case.
template <class Real, int dimensions>
class OpenBoundaries {
 public:
  using Position = PositionDensity<Real, dimensions>;
  using Shift = std::array<Coordinate<Real>, dimensions>;  ///< units of the lattice

  OpenBoundaries() = default;
  /// @param first_id  smallest id of particles that enter: the number of particles at the start
  OpenBoundaries(const Case& simulation, const Lattice& lattice, std::int64_t first_id);

  bool empty() const { return boundaries_.empty(); }
  std::size_t count() const { return boundaries_.size(); }
  const OpenBoundaryParameters<Real, dimensions>& operator[](std::size_t k) const { return boundaries_[k]; }

  static constexpr std::size_t none = ~std::size_t{0};
  /// Boundary whose box holds a position, or none.
  std::size_t box_of(const Position& position) const;
  bool is_behind_a_box(const Position& position) const;

  /// Boundary through which the particle of an id entered, or none for one that was there at the start.
  std::size_t entered_through(std::int64_t id) const;
  /// Mass that has entered by a time, in whole particles, kg.
  double mass_entered(double time) const;
  /// A number above the ids of all particles at a time.
  std::int64_t end_of_ids(double time) const;
  /// Particles that enter between two times, in the order of columns, at their places at the later one.
  std::vector<EnteringParticle<Real, dimensions>> entering(double begin, double end) const;

  /// Pressure that is given at a place, Pa.
  double given_pressure(std::size_t boundary, const Position& position) const;
  /// ρ₀ g·shift: pressure that a fluid at rest has more at the end of a shift than at its start, Pa.
  double hydrostatic(std::size_t boundary, const Shift& shift) const;

 private:
  Position corner(const OpenBoundaryParameters<Real, dimensions>& boundary, std::int64_t column) const;
  std::int64_t entered(const OpenBoundaryParameters<Real, dimensions>& boundary, std::int64_t column,
                       double time) const;
  /// Calls visit(boundary, column) for the columns of all boundaries in their order.
  template <class Visit>
  void for_each_column(const Visit& visit) const;
  double meters_along(int axis, Coordinate<Real> x) const { return origin_[axis] + unit_ * static_cast<double>(x); }

  std::vector<OpenBoundaryParameters<Real, dimensions>> boundaries_;
  Vector gravity_{};
  double origin_[3] = {};
  double unit_ = 1;
  double spacing_ = 1;
  std::int64_t first_id_ = 0;
  std::int64_t columns_ = 0;  ///< number of all columns
};

/// @throws Error  an open boundary is invalid: names the first member by its case-file key
void check_open_boundaries(const Case& simulation);

/// @throws Error  a run of several ranks whose cuts are across the flow through a boundary
void require_open_boundaries_beside_cuts(const Case& simulation, int ranks);

/// Mass of a particle of a material that enters, kg.
double entering_mass(const Case& simulation, const Material& material);

/// Mass of a particle as a run keeps it, kg: rounded where particles have masses of their own.
template <class Real>
double mass_in_run(const Case& simulation, double mass);

/// Largest speed at which fluid enters, m/s.
double largest_inflow_speed(const Case& simulation);

}  // namespace shoal::sph
