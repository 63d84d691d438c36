// SPDX-License-Identifier: Apache-2.0
// Memory layout of the particles: two packed structures a particle, so that a neighbor costs two wide loads.
#pragma once
#include <cstdint>
#include <type_traits>

#include <shoal/item/host_device.hpp>

namespace shoal::sph {

/// Positions are fixed-point numbers: differences are exact, every part of the domain has the same resolution, and the
/// cell of a particle is a shift. docs/decisions/0003 has the reasons and the resolution.
template <class Real>
using Coordinate = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

/// Position and density of a particle; in 1-D and 2-D with p/ρ² beside them.
template <class Real, int dimensions>
struct PositionDensity;

/// Velocity of a particle; in 3-D with p/ρ² beside it.
template <class Real, int dimensions>
struct PackedVelocity;

template <class Real>
struct alignas(16) PositionDensity<Real, 1> {
  Coordinate<Real> x[1];
  Real density;
  Real pressure_over_density2;
};
template <class Real>
struct PackedVelocity<Real, 1> {
  Real v[1];
};

template <class Real>
struct alignas(16) PositionDensity<Real, 2> {
  Coordinate<Real> x[2];        ///< units of the lattice
  Real density;                 ///< ρ − ρ₀, kg/m³
  Real pressure_over_density2;  ///< p/ρ², m⁵/(kg s²)
};
template <class Real>
struct alignas(2 * sizeof(Real)) PackedVelocity<Real, 2> {
  Real v[2];  ///< m/s
};

template <class Real>
struct alignas(16) PositionDensity<Real, 3> {
  Coordinate<Real> x[3];
  Real density;
};
template <class Real>
struct alignas(16) PackedVelocity<Real, 3> {
  Real v[3];
  Real pressure_over_density2;
};

/// Returns true for a particle of a wall. Walls sit on odd units along x and fluid on even ones, so that a neighbor's
/// kind costs no load of its own.
template <class Real, int dimensions>
SHOAL_HD bool is_wall(const PositionDensity<Real, dimensions>& position) {
  return (position.x[0] & 1) != 0;
}

/// 1 for two particles of fluid, 0 if one belongs to a wall: a number, so that loops over pairs have no branch.
template <class Real, int dimensions>
SHOAL_HD int fluid_pair(const PositionDensity<Real, dimensions>& i, const PositionDensity<Real, dimensions>& j) {
  return static_cast<int>((i.x[0] | j.x[0]) & 1) ^ 1;
}

/// Properties of a particle in general physics; in plain physics they are the same for all particles.
template <class Real>
struct alignas(16) Properties {
  Real mass;              ///< kg
  Real smoothing_length;  ///< m
  Real sound_speed;       ///< m/s
  /// material + 2^8 (1 + index of the wall's motion) + 2^16 (1 + axis of the face); −1 is the index of a fixed wall, and
  /// the axis of a particle without a face.
  std::int32_t kind;

  SHOAL_HD int material() const { return kind & 0xff; }
  SHOAL_HD int movement() const { return ((kind >> 8) & 0xff) - 1; }  ///< −1: the particle has none
  SHOAL_HD int face() const { return (kind >> 16) - 1; }              ///< axis across the face of a wall; −1: none
};

/// State at the start of the previous step, which verlet keeps.
template <class Real, int dimensions>
struct Previous {
  Real velocity[dimensions];
  Real density;
  Real energy;
};

/// State of one particle in registers.
template <class Real, int dimensions>
struct Particle {
  PositionDensity<Real, dimensions> position;
  PackedVelocity<Real, dimensions> velocity;

  SHOAL_HD Real pressure_over_density2() const {
    if constexpr (dimensions < 3)
      return position.pressure_over_density2;
    else
      return velocity.pressure_over_density2;
  }
  SHOAL_HD void set_pressure_over_density2(Real value) {
    if constexpr (dimensions < 3)
      position.pressure_over_density2 = value;
    else
      velocity.pressure_over_density2 = value;
  }
};

/// The same with the properties that particles have in general physics.
template <class Real, int dimensions>
struct GeneralParticle : Particle<Real, dimensions> {
  Properties<Real> properties;
  /// Velocity for laminar viscosity, m/s: mirrored at walls without slip, else the particle's own.
  PackedVelocity<Real, dimensions> viscous_velocity;
};

/// A vector along each axis.
template <class Real, int dimensions>
struct VectorOf {
  Real along[dimensions] = {};
};

/// A tensor that equals its transpose, by rows of its lower triangle.
template <class Real, int dimensions>
struct SymmetricTensor {
  Real entry[dimensions * (dimensions + 1) / 2] = {};

  /// @param column  at most row, or with both exchanged
  SHOAL_HD Real& operator()(int row, int column) { return entry[index(row, column)]; }
  SHOAL_HD Real operator()(int row, int column) const { return entry[index(row, column)]; }

 private:
  SHOAL_HD static constexpr int index(int row, int column) {
    return row < column ? column * (column + 1) / 2 + row : row * (row + 1) / 2 + column;
  }
};

/// Arrays of one state of all particles, on the device that steps them.
template <class Real, int dimensions>
struct StateView {
  PositionDensity<Real, dimensions>* position = nullptr;
  PackedVelocity<Real, dimensions>* velocity = nullptr;
  Real* energy = nullptr;                                         ///< J/kg; null unless the case integrates energy
  Properties<Real>* properties = nullptr;                         ///< null in plain physics
  Previous<Real, dimensions>* previous = nullptr;                 ///< null unless the integrator is verlet
  PackedVelocity<Real, dimensions>* mirrored_velocity = nullptr;  ///< m/s, of walls without slip; else null
  Real* viscosity = nullptr;                                      ///< η, Pa s; null where fluids are newtonian

  SHOAL_HD Particle<Real, dimensions> load(std::int64_t i) const { return {position[i], velocity[i]}; }
  SHOAL_HD void store(std::int64_t i, const Particle<Real, dimensions>& particle) const {
    position[i] = particle.position;
    velocity[i] = particle.velocity;
  }
  SHOAL_HD Real energy_of(std::int64_t i) const { return energy ? energy[i] : Real(0); }
};

/// Kind of a particle in one byte: the index of its material, and bit 7 for particles of walls.
struct Tag {
  static constexpr std::uint8_t wall_bit = 0x80;
  static bool is_wall(std::uint8_t tag) { return (tag & wall_bit) != 0; }
  SHOAL_HD static int material(std::uint8_t tag) { return tag & 0x7f; }
};

}  // namespace shoal::sph
