// SPDX-License-Identifier: Apache-2.0
// Velocity gradient of a particle from sums over its neighbors.
#pragma once
#include "sph/physics/physics.hpp"

namespace shoal::sph {

/// Sums of the velocity gradient over the neighbors j of particle i, with V = m/ρ and the kernel's gradient ∇W = F x_ij.
template <class Real, int dimensions>
struct VelocityGradientSums {
  Real velocity[dimensions][dimensions] = {};             ///< Σ V_j F (v_j − v_i) x_ijᵀ, 1/s
  Real moment[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< −Σ V_j F x_ij x_ijᵀ; an axis beyond the dimensions has 1

  SHOAL_HD VelocityGradientSums() {
    for (int axis = 0; axis < dimensions; ++axis) moment[axis][axis] = 0;
  }

  /// Adds a neighbor.
  /// @param weight   V_j F
  /// @param apart    x_ij
  /// @param along    along(axis) is v_j − v_i along an axis
  template <class Along>
  SHOAL_HD void add(Real weight, const Real (&apart)[dimensions], const Along& along) {
    for (int row = 0; row < dimensions; ++row) {
      const Real faster = along(row);
      for (int column = 0; column < dimensions; ++column) {
        velocity[row][column] += weight * faster * apart[column];
        moment[row][column] -= weight * apart[row] * apart[column];
      }
    }
  }

  /// Replaces every sum by sum(member): the way in which threads that share a particle add their parts.
  template <class Sum>
  SHOAL_HD void reduce(const Sum& sum) {
    for (int row = 0; row < dimensions; ++row)
      for (int column = 0; column < dimensions; ++column) {
        velocity[row][column] = sum(velocity[row][column]);
        moment[row][column] = sum(moment[row][column]);
      }
  }
};

/// Determinant of the moments, relative to that of a multiple of the unit matrix with the same trace, up to which neighbors
/// spread along too few axes to correct the gradient. A corner of a box has about 0.6 in 2-D and 0.3 in 3-D.
template <class Real>
constexpr Real least_determinant = Real(0.05);

/// Velocity gradient ∂v_row/∂x_column, 1/s.
template <class Real, int dimensions>
struct VelocityGradient {
  Real rate[dimensions][dimensions];
};

/// Velocity gradient, corrected so that a velocity that is linear in space has its own gradient, at surfaces too (Randles
/// and Libersky 1996):
///
///     ∇v = (Σ V_j F (v_j − v_i) x_ijᵀ) (−Σ V_j F x_ij x_ijᵀ)⁻¹,     without the inverse up to least_determinant
template <class Real, int dimensions>
SHOAL_HD VelocityGradient<Real, dimensions> velocity_gradient(const VelocityGradientSums<Real, dimensions>& sums) {
  const auto& m = sums.moment;
  const auto cofactor = [&](int row, int column) {
    const int r = (row + 1) % 3, s = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return m[r][c] * m[s][d] - m[r][d] * m[s][c];
  };
  const Real determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  Real mean = 0, unit_determinant = 1;
  for (int axis = 0; axis < dimensions; ++axis) mean += m[axis][axis] / dimensions;
  for (int axis = 0; axis < dimensions; ++axis) unit_determinant *= mean;
  const bool is_corrected = determinant > least_determinant<Real> * unit_determinant;
  VelocityGradient<Real, dimensions> gradient;
  for (int row = 0; row < dimensions; ++row)
    for (int column = 0; column < dimensions; ++column) {
      Real sum = 0;
      for (int k = 0; k < dimensions; ++k)
        sum += sums.velocity[row][k] * cofactor(k, column);  // the moment is symmetric
      gradient.rate[row][column] = is_corrected ? sum / determinant : sums.velocity[row][column];
    }
  return gradient;
}

}  // namespace shoal::sph
