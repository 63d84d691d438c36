// SPDX-License-Identifier: Apache-2.0
// The numbers of a case as the items use them: computed once on the host, passed to kernels by value.
#pragma once
#include <shoal/sph_case.hpp>

#include <cstdint>

namespace shoal::sph {

/// Where fixed-point coordinates lie. Cells have an edge of 2^bits units, a little more than the support of the kernel.
/// The outermost ring of cells stays empty: what enters it has left the domain.
struct Lattice {
  double origin[3];  ///< m, where the coordinate is 0
  double unit;       ///< m
  int bits;
  int cells[3];  ///< with the ring; 1 along z in 2-D

  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }
};

/// One equation of state, ready to evaluate.
template <class Real>
struct EosParameters {
  EquationOfState kind;
  Real density;            ///< ρ₀
  Real inverse_density;    ///< 1/ρ₀
  Real stiffness;          ///< tait: ρ₀ c² / γ
  Real exponent;           ///< tait: γ
  bool exponent_is_seven;  ///< tait with γ = 7 is a polynomial in μ
  Real compression[3];     ///< polynomial: a
  Real tension[2];         ///< polynomial: t
  Real heating[2];         ///< polynomial: b ρ₀
};

template <class Real, int dimensions>
struct Parameters {
  // the cells
  std::uint32_t cell_count;  ///< also the key of particles outside the domain
  Real unit;
  Real inverse_unit;
  int bits;
  int cells[dimensions];
  // the kernel
  Kernel kernel;
  Real smoothing_length;
  Real inverse_smoothing_length;
  Real support_squared;
  Real value_scale;     ///< W = value_scale · shape(q)
  Real gradient_scale;  ///< ∇W = gradient_scale · slope(q) · x_ij
  // the fluid
  Real mass;
  EosParameters<Real> eos;
  Real sound_speed;
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
  bool by_cfl;
  double dt;
  double cfl;
};

/// The support 2h of both kernels, m.
double support(const Case& simulation);

/// The lattice of a case for coordinates of `coordinate_bits` (32 or 64) bits.
/// @throws Error  the domain is too large for them
Lattice make_lattice(const Case& simulation, int coordinate_bits);

template <class Real>
EosParameters<Real> make_eos(const Material& material);

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice);

}  // namespace shoal::sph
