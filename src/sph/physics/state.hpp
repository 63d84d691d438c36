// SPDX-License-Identifier: Apache-2.0
// How particles lie in memory: two packed structures a particle, so that a neighbor costs two wide loads.
#pragma once
#include <cstdint>
#include <type_traits>

#include <shoal/item/host_device.hpp>

namespace shoal::sph {

/// Positions are fixed-point numbers: differences are exact, every part of the domain has the same resolution, and the
/// cell of a particle is a shift. docs/decisions/0003 has the reasons and the resolution.
template <class Real>
using Coordinate = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;

template <class Real, int dimensions>
struct Place;

template <class Real, int dimensions>
struct Motion;

template <class Real>
struct alignas(16) Place<Real, 1> {
  Coordinate<Real> x[1];
  Real density;
  Real stress;
};
template <class Real>
struct Motion<Real, 1> {
  Real velocity[1];
};

template <class Real>
struct alignas(16) Place<Real, 2> {
  Coordinate<Real> x[2];
  Real density;  ///< deviation from the reference, kg/m³
  Real stress;   ///< p/ρ², what equation (5) sums
};
template <class Real>
struct alignas(2 * sizeof(Real)) Motion<Real, 2> {
  Real velocity[2];  ///< m/s
};

template <class Real>
struct alignas(16) Place<Real, 3> {
  Coordinate<Real> x[3];
  Real density;
};
template <class Real>
struct alignas(16) Motion<Real, 3> {
  Real velocity[3];
  Real stress;
};

/// The lowest bit of x[0] tells particles of walls from fluid, so that a neighbor's kind costs no load of its own: the
/// fluid sits on even units, walls on odd ones.
template <class Real, int dimensions>
SHOAL_HD bool is_wall(const Place<Real, dimensions>& place) {
  return (place.x[0] & 1) != 0;
}

/// 1 for two particles of fluid, 0 if one belongs to a wall: a number, so that loops over pairs have no branch.
template <class Real, int dimensions>
SHOAL_HD int fluid_pair(const Place<Real, dimensions>& i, const Place<Real, dimensions>& j) {
  return static_cast<int>((i.x[0] | j.x[0]) & 1) ^ 1;
}

/// What else a particle brings into a pair in runs of full physics.
template <class Real>
struct alignas(16) Trait {
  Real mass;              ///< kg
  Real smoothing_length;  ///< m
  Real sound_speed;       ///< m/s
  std::int32_t kind;      ///< material; for particles of moving walls, 256 (1 + movement) is added

  SHOAL_HD int material() const { return kind & 0xff; }
  SHOAL_HD int movement() const { return (kind >> 8) - 1; }  ///< −1: stands still
};

/// What verlet keeps of the step before.
template <class Real, int dimensions>
struct Earlier {
  Real velocity[dimensions];
  Real density;
  Real energy;
};

/// One particle in registers.
template <class Real, int dimensions>
struct Particle {
  Place<Real, dimensions> place;
  Motion<Real, dimensions> motion;

  SHOAL_HD Real stress() const {
    if constexpr (dimensions < 3)
      return place.stress;
    else
      return motion.stress;
  }
  SHOAL_HD void set_stress(Real value) {
    if constexpr (dimensions < 3)
      place.stress = value;
    else
      motion.stress = value;
  }
};

/// The arrays of one state of all particles, on the device of whoever steps them.
template <class Real, int dimensions>
struct StateView {
  Place<Real, dimensions>* place = nullptr;
  Motion<Real, dimensions>* motion = nullptr;
  Real* energy = nullptr;                        ///< J/kg; null unless the case integrates energy
  Trait<Real>* trait = nullptr;                  ///< null unless physics is full
  Earlier<Real, dimensions>* earlier = nullptr;  ///< null unless the integrator is verlet
  Motion<Real, dimensions>* slip =
      nullptr;  ///< m/s, what viscosity sees of a wall along which fluid does not slip, or null

  SHOAL_HD Particle<Real, dimensions> load(std::int64_t i) const { return {place[i], motion[i]}; }
  SHOAL_HD void store(std::int64_t i, const Particle<Real, dimensions>& particle) const {
    place[i] = particle.place;
    motion[i] = particle.motion;
  }
  SHOAL_HD Real energy_of(std::int64_t i) const { return energy ? energy[i] : Real(0); }
};

/// What a particle is, in one byte: the index of its material, and whether it belongs to a wall.
struct Tag {
  static constexpr std::uint8_t wall_bit = 0x80;
  static bool is_wall(std::uint8_t tag) { return (tag & wall_bit) != 0; }
  static int material(std::uint8_t tag) { return tag & 0x7f; }
};

}  // namespace shoal::sph
