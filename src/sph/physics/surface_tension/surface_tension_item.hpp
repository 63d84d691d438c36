// SPDX-License-Identifier: Apache-2.0
// Surface tension between fluids as a stress along their interface (Lafaurie et al. 1994; Hu and Adams 2006): the stress of
// a particle from the other fluids around it, and the force of a pair from the stresses of both.
#pragma once
#include <cmath>
#include <limits>

#include "sph/physics/physics.hpp"
#include "sph/physics/surface_tension/interface.hpp"

namespace shoal::sph {

/// ∇C of one fluid at a particle of another one, 1/m: Σ V_j ∇W over the particles j of the fluid, V = m/ρ. It points to the
/// fluid, and its magnitude is the δ of the interface.
template <class Real, int dimensions>
struct ColorGradient {
  Real along[dimensions] = {};

  /// Replaces every sum by sum(member): the way in which threads that share a particle add their parts.
  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    for (Real& component : along) component = sum(component);
  }
};

/// Adds a particle j of the fluid.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_color(const Parameters<Real, dimensions>& parameters, const ParticleOf<Physics, Real, dimensions>& i,
                        const ParticleOf<Physics, Real, dimensions>& j, ColorGradient<Real, dimensions>& gradient) {
  const Separation<Real, dimensions> pair = Physics::separation(parameters, i.position, j.position);
  const Real weight = Physics::weighted_gradient(parameters, i, j, quick_sqrt(pair.squared)) *
                      fast_reciprocal(density_of<Physics>(parameters, j));
  for (int axis = 0; axis < dimensions; ++axis) gradient.along[axis] += weight * pair.x[axis];
}

/// Smallest normal number.
template <class Real>
inline constexpr Real least_normal = std::numeric_limits<Real>::min();

/// Adds σ (|∇C| I − ∇C ∇Cᵀ/|∇C|) to the stress of a particle, Pa. A |∇C|² below the normal numbers, of a fluid whose nearest
/// particle is barely within the support, has no root on CUDA and adds nothing.
template <class Real, int dimensions>
SHOAL_HD void add_tension(Real coefficient, const ColorGradient<Real, dimensions>& gradient,
                          SymmetricTensor<Real, dimensions>& stress) {
  Real squared = 0;
  for (const Real component : gradient.along) squared += component * component;
  if (!(squared >= least_normal<Real>)) return;
  const Real magnitude = fast_sqrt(squared);
  const Real scale = coefficient * fast_reciprocal(magnitude);
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column <= row; ++column)
      stress(row, column) +=
          scale * ((row == column ? squared : Real(0)) - gradient.along[row] * gradient.along[column]);
}

/// Stress of surface tension at particle i of a fluid, Pa, from every other fluid that has some with its own. Walls belong
/// to no fluid.
/// @param for_each_neighbor  for_each_neighbor(visit) calls visit(j) for the neighbors of i, with the particle j
/// @param sum                adds the parts of threads that share a particle; all of them must call this function
/// @param flows              false: no fluid within the domain, which has no stress
template <class Physics, class Real, int dimensions, class ForEachNeighbor, class Sum>
SHOAL_HD SymmetricTensor<Real, dimensions> capillary_stress(const Parameters<Real, dimensions>& parameters,
                                                            const TensionTable<Real>& table,
                                                            const ParticleOf<Physics, Real, dimensions>& i, bool flows,
                                                            const ForEachNeighbor& for_each_neighbor, const Sum& sum) {
  SymmetricTensor<Real, dimensions> stress;
  for (int fluid = 0; fluid < table.materials; ++fluid) {
    const Real coefficient = flows ? table.between(i.properties.material(), fluid).coefficient : Real(0);
    ColorGradient<Real, dimensions> gradient;
    if (coefficient > 0)
      for_each_neighbor([&](const ParticleOf<Physics, Real, dimensions>& j) {
        if (!is_wall(j.position) && j.properties.material() == fluid) add_color<Physics>(parameters, i, j, gradient);
      });
    gradient.reduce(sum);
    add_tension(coefficient, gradient, stress);
  }
  return stress;
}

/// Pressure ε (|p_i| + |p_j|) with which particles of different fluids push each other apart, so that none enters the other
/// fluid alone (Grenier et al. 2009), Pa.
template <class Physics, class Real, int dimensions>
SHOAL_HD Real interface_repulsion(const TensionTable<Real>& table, const ParticleOf<Physics, Real, dimensions>& i,
                                  const ParticleOf<Physics, Real, dimensions>& j, Real density_i, Real density_j) {
  if (is_wall(j.position)) return 0;
  const Real share = table.between(i.properties.material(), j.properties.material()).repulsion;
  return share * (std::abs(i.pressure_over_density2()) * density_i * density_i +
                  std::abs(j.pressure_over_density2()) * density_j * density_j);
}

/// Adds neighbor j to the acceleration of a particle of fluid by surface tension, Σ m_j/(ρ_i ρ_j) (S_i + S_j − R_ij) ∇W with
/// the repulsion R_ij of interface_repulsion(): equal and opposite forces on both. A wall has the stress of the fluid beside
/// it, so that an interface meets it at right angles.
template <class Physics, class Real, int dimensions>
SHOAL_HD void add_capillary_force(const Parameters<Real, dimensions>& parameters, const TensionTable<Real>& table,
                                  const ParticleOf<Physics, Real, dimensions>& i,
                                  const SymmetricTensor<Real, dimensions>& stress_i,
                                  const ParticleOf<Physics, Real, dimensions>& j,
                                  const SymmetricTensor<Real, dimensions>& stress_j,
                                  VectorOf<Real, dimensions>& acceleration) {
  const Separation<Real, dimensions> pair = Physics::separation(parameters, i.position, j.position);
  const Real density_i = density_of<Physics>(parameters, i), density_j = density_of<Physics>(parameters, j);
  const Real weight =
      Physics::weighted_gradient(parameters, i, j, quick_sqrt(pair.squared)) * fast_reciprocal(density_i * density_j);
  const SymmetricTensor<Real, dimensions>& stress_beside = is_wall(j.position) ? stress_i : stress_j;
  const Real repulsion = interface_repulsion<Physics>(table, i, j, density_i, density_j);
  for (int row = 0; row < dimensions; ++row) {
    Real traction = -repulsion * pair.x[row];
    for (int column = 0; column < dimensions; ++column)
      traction += (stress_i(row, column) + stress_beside(row, column)) * pair.x[column];
    acceleration.along[row] += weight * traction;
  }
}

}  // namespace shoal::sph
