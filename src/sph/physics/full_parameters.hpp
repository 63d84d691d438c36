// SPDX-License-Identifier: Apache-2.0
// What runs of full physics know besides Parameters: tables of materials, movements of walls and beams.
#pragma once
#include <vector>

#include "sph/physics/parameters.hpp"

namespace shoal::sph {

constexpr int most_materials = 16;
constexpr int most_movements = 16;
constexpr int most_beams = 16;

template <class Real>
struct MaterialParameters {
  EosParameters<Real> eos;
  Real kinematic_viscosity;  ///< m²/s
  Real density_over_head;    ///< ρ₀/c²: what a head of g·x adds to the density
};

/// How a wall moves; one entry of Case::walls.
struct MovementParameters {
  MovementKind kind;
  double velocity[3];        ///< m/s
  double amplitude[3];       ///< m
  double angular;            ///< rad/s of rotation, rad of pitch
  double angular_frequency;  ///< rad/s, 2π frequency
  double about[3];           ///< m from the origin of the lattice
  double axis[3];            ///< of length 1
};

template <class Real, int dimensions>
struct BeamParameters {
  Coordinate<Real> at[dimensions];
  Real inverse_radius_squared;
  double energy;  ///< J/kg at the center
  double start;   ///< s
  double length;  ///< s
};

template <int dimensions>
struct StepPlan;

template <class Real, int dimensions>
struct FullParameters {
  double unit;  ///< m
  MaterialParameters<Real> material[most_materials];
  // the smoothing length
  Real smoothing;              ///< smoothing length / spacing
  Real most_smoothing_length;  ///< m
  // shifting
  Real surface;           ///< ∇·r of a particle at the surface
  Real inverse_interior;  ///< 1 / (D − surface)
  // the step
  int beams;
  BeamParameters<Real, dimensions> beam[most_beams];
  int movements;
  MovementParameters movement[most_movements];
  const StepPlan<dimensions>* plan;  ///< of the step under way
  const Coordinate<Real>* rest;      ///< [n][D] by id, where walls were drawn; null unless one moves
};

/// @param lattice  of the case
/// @throws Error  more materials, moving walls or beams than the tables hold
template <class Real, int dimensions>
FullParameters<Real, dimensions> make_full_parameters(const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
