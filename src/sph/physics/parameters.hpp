// SPDX-License-Identifier: Apache-2.0
// The numbers of a case as the items use them: computed once on the host, passed to kernels by value.
#pragma once
#include <shoal/sph_case.hpp>

#include <cstdint>

#include "sph/physics/state.hpp"

namespace shoal::sph {

/// Where fixed-point coordinates lie. Cells have an edge of 2^bits units, a little more than the support of the kernel.
/// The outermost ring of cells stays empty: what enters it has left the domain.
struct Lattice {
  double origin[3];  ///< m, where the coordinate is 0
  double unit;       ///< m
  int bits;
  int cells[3];            ///< with the ring; 1 along z in 2-D
  std::int64_t period[3];  ///< units after which the domain repeats, even; 0: it does not

  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
};

/// One equation of state, ready to evaluate.
template <class Real>
struct EosParameters {
  EquationOfState kind;
  Real density;              ///< ρ₀
  Real inverse_density;      ///< 1/ρ₀
  Real stiffness;            ///< tait: ρ₀ c² / γ
  Real exponent;             ///< tait, ideal_gas: γ
  bool exponent_is_seven;    ///< tait with γ = 7 is a polynomial in μ
  Real compression[3];       ///< polynomial: a
  Real tension[2];           ///< polynomial: t
  Real heating[2];           ///< polynomial: b ρ₀; linear, mie_grueneisen: Γ ρ₀, 0
  Real bulk_modulus;         ///< ρ₀ c²
  Real sound_speed_squared;  ///< c²
  Real grueneisen;           ///< Γ
  Real pole;                 ///< mie_grueneisen: s − 1; its pole is at μ = 1/(s − 1)
  Real least_pressure;
};

/// What decides the length of a step, shared by all methods.
struct StepControl {
  bool by_cfl;
  double dt;  ///< s, of a fixed step
  double cfl;
  double smoothing_length;  ///< m; 0: particles report (c + |v|)/h and |a|/h instead of |v| and |a|
  double sound_speed;       ///< m/s
  double most;              ///< s, what viscosity allows
};

/// What runs of full physics ask for every pair. Not in FullParameters: what is passed by value a GPU reads like
/// constants.
template <class Real>
struct FullPairParameters {
  bool by_volume;     ///< several fluids: sums of volumes, not of masses over densities squared
  bool by_density;    ///< h = smoothing (m/ρ)^(1/D)
  Real kernel_scale;  ///< W = kernel_scale / h^D · shape(q)
  Real artificial;    ///< α
  Real quadratic;     ///< β
  bool laminar;
  bool no_slip;
  DensityDiffusion diffusion;
  Real diffusion_coefficient;  ///< δ or ξ
  Real shifting;               ///< A
  Real inverse_spaced_shape;   ///< 1 / shape(1 / smoothing)
};

template <class Real, int dimensions>
struct FullParameters;

template <class Real, int dimensions>
struct Parameters {
  // the cells
  std::uint32_t cell_count;  ///< also the key of particles outside the domain
  Real unit;
  Real inverse_unit;
  int bits;                             ///< of a coordinate within a support
  int slice_bits;                       ///< a cell is so many bits narrower along x
  int cells[dimensions];                ///< with the ring
  Real support_units_squared;           ///< support² of the largest smoothing length, in units of coordinates
  int coarse_shift;                     ///< bits of a difference of 64-bit coordinates that coarse_excess() leaves out
  float coarse_support_squared;         ///< support² of the largest smoothing length, in what is left of the units
  float coarse_margin;                  ///< more than coarse_excess() is wrong by near 0
  Coordinate<Real> period[dimensions];  ///< of the axes along which the domain repeats, even; else 0
  // the kernel
  Kernel kernel;
  Real smoothing_length;
  Real inverse_smoothing_length;
  Real support_squared;  ///< of the largest smoothing length
  Real value_scale;      ///< W = value_scale · shape(q)
  Real gradient_scale;   ///< ∇W = gradient_scale · slope(q) · x_ij
  // the fluid
  Real mass;
  EosParameters<Real> eos;
  Real viscosity;           ///< 2 α c h
  Real softening;           ///< 0.01 h², keeps the viscosity of close pairs finite
  Real diffusion_constant;  ///< molteni: 2 δ h c
  Real diffusion_slope;     ///< ferrari: ξ c
  Real gravity[dimensions];
  // the walls
  Walls walls;
  Real repulsion;  ///< h^D c² / 2
  // the step
  bool energy;
  Integrator integrator;
  StepControl control;
  FullPairParameters<Real> full_pair;
  /// What else runs of full physics know, in the memory of the device that steps them; null for plain physics.
  const FullParameters<Real, dimensions>* full;
};

/// Whether viscosity sees walls move against the fluid, as in a mirror.
template <class Real, int dimensions>
bool mirrors_fluid(const Parameters<Real, dimensions>& parameters) {
  return parameters.full_pair.laminar && parameters.full_pair.no_slip && parameters.walls == Walls::adami;
}

/// The support of the kernel at the largest smoothing length, m.
double support(const Case& simulation);

/// The lattice of a case for coordinates of `coordinate_bits` (32 or 64) bits.
/// @throws Error  the domain is too large for them
Lattice make_lattice(const Case& simulation, int coordinate_bits);

template <class Real>
EosParameters<Real> make_eos(const Material& material);

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
