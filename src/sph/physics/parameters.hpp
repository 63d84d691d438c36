// SPDX-License-Identifier: Apache-2.0
// Numbers of a case as the physics uses them: computed once on the host, passed to kernels by value. Tables of
// materials, moving walls and heat pulses are in device memory.
#pragma once
#include <shoal/sph/case.hpp>

#include <cstdint>

#include "core/motion_item.hpp"
#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

/// Fixed-point coordinates of a case. Cells have an edge of 2^bits units, a little more than the support of the kernel.
/// The outermost ring of cells stays empty: a particle that enters it has left the domain.
struct Lattice {
  double origin[3];        ///< m, where the coordinate is 0
  double unit;             ///< m
  int bits;                ///< bits of a coordinate within a cell
  int cells[3];            ///< number of cells along each axis, with the ring; 1 along z in 2-D
  std::int64_t period[3];  ///< units, an even number; 0 along an axis that is not periodic

  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
};

/// Control of the time step, shared by all methods.
struct StepControl {
  bool by_cfl;
  double dt;                ///< s, of a fixed step
  double cfl;               ///< Courant number
  double smoothing_length;  ///< m; 0 in general physics, where particles report (c + |v|)/h and |a|/h
  double sound_speed;       ///< m/s
  double max_dt;            ///< s, limit of laminar viscosity
  double force_dt;          ///< s, limit of the contact of rigid bodies and of surface tension
};

/// Coefficients of a pair in general physics. They are kernel arguments, which a GPU keeps in constant memory, unlike
/// ModelTables.
template <class Real>
struct PairModel {
  bool several_fluids;             ///< sums of volumes, not of masses over densities squared
  bool variable_smoothing_length;  ///< h = smoothing (m/ρ)^(1/D)
  bool plain_pairs;                ///< pairs are those of plain physics: only walls that move differ
  Real kernel_scale;               ///< W = kernel_scale / h^D · kernel_shape(q)
  Real artificial;                 ///< α of the artificial viscosity
  Real quadratic;                  ///< β of the artificial viscosity
  bool laminar;                    ///< there is laminar viscosity
  bool no_slip;                    ///< laminar viscosity acts beside walls
  bool central_friction;           ///< laminar viscosity acts along the line between two particles
  DensityDiffusion diffusion;
  Real diffusion_coefficient;  ///< δ or ξ
  Real shifting;               ///< A of particle shifting; 0: none
  Real inverse_spaced_shape;   ///< 1 / kernel_shape(1 / smoothing)
};

template <class Real, int dimensions>
struct ModelTables;

/// Layers of cells across the last axis for which a rank has cells: its own ones and a ghost layer at each end. On one
/// rank these are all layers, and the ring takes the place of the ghosts.
struct SlabLayers {
  int first;     ///< number of local layer 0 among the layers of the domain, whose ring begins with layer 0
  int count;     ///< number of local layers
  int period;    ///< layers after which a periodic domain repeats, if several ranks share it; else 0
  bool is_part;  ///< several ranks share the domain
};

template <class Real, int dimensions>
struct Parameters {
  // the cells
  std::uint32_t cell_count;             ///< number of cells of this rank, and the key of particles outside the domain
  Real unit;                            ///< m
  Real inverse_unit;                    ///< 1/m
  int bits;                             ///< bits of a coordinate within a support
  int slice_bits;                       ///< a cell is 2^slice_bits times narrower along x
  int cells[dimensions];                ///< number of cells of the domain along each axis, with the ring
  SlabLayers slab;                      ///< the layers of this rank
  std::uint32_t z_mask[dimensions];     ///< Z-order: the bits of a cell's number that are its index along an axis
  std::uint32_t z_last[dimensions];     ///< Z-order: the index of the last cell along an axis, in those bits
  Real support_units_squared;           ///< support² of the largest smoothing length, units²
  int coarse_shift;                     ///< bits of a difference of 64-bit coordinates that coarse_excess() drops
  float coarse_support_squared;         ///< the same support² in the coarser units
  float coarse_margin;                  ///< bound of the error of coarse_excess() near 0
  Coordinate<Real> period[dimensions];  ///< units, an even number; 0 along an axis that is not periodic
  Real most_density_deviation;          ///< kg/m³, of fluid inside the domain; infinite without a bound
  // the kernel
  Kernel kernel;
  Real smoothing_length;          ///< m
  Real inverse_smoothing_length;  ///< 1/m
  Real support_squared;           ///< m², of the largest smoothing length
  Real value_scale;               ///< W = value_scale · kernel_shape(q)
  Real gradient_scale;            ///< ∇W = gradient_scale · kernel_gradient(q) · x_ij
  // the fluid
  Real mass;  ///< kg, of a particle
  EosParameters<Real> eos;
  Real viscosity;           ///< 2 α c h, m²/s
  Real softening;           ///< 0.01 h², m²: keeps the viscosity of close pairs finite
  Real diffusion_constant;  ///< molteni: 2 δ h c, m²/s
  Real diffusion_slope;     ///< ferrari: ξ c, m/s
  Real gravity[dimensions];
  // the walls
  Walls walls;
  Real repulsion;  ///< h^D c² / 2
  // the step
  bool energy;  ///< the case integrates internal energy
  Integrator integrator;
  StepControl control;
  // general physics
  PairModel<Real> model;
  const ModelTables<Real, dimensions>* tables;  ///< device memory; null in plain physics
};

constexpr int max_materials = 16;
constexpr int max_movements = 16;
constexpr int max_motions = 32;
constexpr int max_heat_pulses = 16;

template <class Real>
struct MaterialParameters {
  EosParameters<Real> eos;
  Real kinematic_viscosity;  ///< m²/s
  Real density_over_head;    ///< ρ₀/c²: density difference of hydrostatic water over a head of g·x
};

template <class Real, int dimensions>
struct HeatPulseParameters {
  Coordinate<Real> center[dimensions];
  Real inverse_radius_squared;  ///< 1/m²
  double energy;                ///< J/kg at the center
  double start;                 ///< s
  double length;                ///< s
};

/// Motions of a moving wall, in the order in which they act.
struct MovementParameters {
  int first;  ///< index into ModelTables::motion
  int count;
};

template <int dimensions>
struct StepPlan;

/// Tables of general physics.
template <class Real, int dimensions>
struct ModelTables {
  double unit;  ///< m, of the lattice
  MaterialParameters<Real> material[max_materials];
  // the smoothing length
  Real smoothing;             ///< smoothing length / spacing
  Real max_smoothing_length;  ///< m
  // shifting
  Real surface;           ///< ∇·r of a particle at the surface
  Real inverse_interior;  ///< 1 / (D − surface)
  // the step
  int heat_pulses;  ///< number of heat pulses
  HeatPulseParameters<Real, dimensions> heat_pulse[max_heat_pulses];
  int movements;                                 ///< number of moving walls
  MovementParameters movement[max_movements];    ///< their motions
  motion::MotionParameters motion[max_motions];  ///< m from the origin of the lattice
  const PathKnot* knots;                         ///< knots of all paths; null without a path
  const StepPlan<dimensions>* plan;              ///< plan of the step under way
  /// [walls][D] coordinates before any wall moved, by id from first_initial on; null unless a wall moves.
  const Coordinate<Real>* initial;
  std::int64_t first_initial;  ///< smallest id of a particle of a moving wall
  /// [n] m/s², acceleration of fluid by surface tension before a stage; null without surface tension.
  const VectorOf<Real, dimensions>* capillary_acceleration;
};

}  // namespace shoal::sph
