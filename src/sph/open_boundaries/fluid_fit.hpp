// SPDX-License-Identifier: Apache-2.0
// Values of the fluid at a point, and their gradients, from the particles around it.
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace shoal::sph {

/// Sums over the fluid around a point. Lengths are in smoothing lengths, volumes in their powers, so that a point within
/// the fluid has the determinant 1 in size for every spacing.
///
///     A = Σ V [W; ∇W] [1, r],   b = Σ V [W; ∇W] f,   r = x_j − x
///
/// A [f, ∇f] = b gives values and gradients that are exact for linear functions of any particles (Liu and Liu, Appl. Numer.
/// Math. 56 (2006) 19; as Tafuni et al., Comput. Methods Appl. Mech. Eng. 342 (2018) 604, use it for open boundaries).
template <int dimensions>
class FluidFit {
 public:
  static constexpr std::size_t unknowns = dimensions + 1;  ///< a value and its gradient
  static constexpr std::size_t fields = dimensions + 1;    ///< reduced pressure and velocity
  using Values = std::array<double, fields>;

  /// Adds a particle.
  /// @param apart     r / h
  /// @param kernel    V W
  /// @param gradient  V dW/dr / r: ∇W = −gradient · r, with the gradient at the point
  void add(const std::array<double, dimensions>& apart, double kernel, double gradient, const Values& values) {
    for (std::size_t row = 0; row < unknowns; ++row) {
      const double weight = row == 0 ? kernel : -gradient * apart[row - 1];
      for (std::size_t column = 0; column < unknowns; ++column)
        matrix_[row][column] += column == 0 ? weight : weight * apart[column - 1];
      for (std::size_t field = 0; field < fields; ++field) right_[row][field] += weight * values[field];
    }
    for (std::size_t field = 0; field < fields; ++field) {
      lowest_[field] = has_fluid_ ? std::min(lowest_[field], values[field]) : values[field];
      highest_[field] = has_fluid_ ? std::max(highest_[field], values[field]) : values[field];
    }
    has_fluid_ = true;
  }

  bool has_fluid() const { return has_fluid_; }

  /// Values at a distance from the point. With too few particles for a gradient, or for `constant`, the mean Σ V W f / Σ V W.
  /// A linear value goes beyond those of the particles by the range of these at most.
  /// @param apart  (x − point) / h
  Values values_at(const std::array<double, dimensions>& apart, Extrapolation extrapolation) const {
    Values values;
    auto matrix = matrix_;
    auto right = right_;
    if (extrapolation == Extrapolation::constant || std::abs(eliminate(matrix, right)) < least_determinant) {
      for (std::size_t field = 0; field < fields; ++field) values[field] = right_[0][field] / matrix_[0][0];
      return values;
    }
    for (std::size_t field = 0; field < fields; ++field) {
      values[field] = right[0][field];
      for (std::size_t axis = 0; axis < dimensions; ++axis) values[field] += apart[axis] * right[axis + 1][field];
      const double range = highest_[field] - lowest_[field];
      values[field] = std::clamp(values[field], lowest_[field] - range, highest_[field] + range);
    }
    return values;
  }

 private:
  using Matrix = std::array<std::array<double, unknowns>, unknowns>;
  using Right = std::array<Values, unknowns>;
  /// Fluid beside the point only, or a few drops, has less: gradients are then noise.
  static constexpr double least_determinant = 1e-3;

  /// Replaces `right` by the solution, by Gauss-Jordan elimination with pivots. Returns the determinant; if it is 0, `right`
  /// has no meaning.
  static double eliminate(Matrix& matrix, Right& right) {
    double determinant = 1;
    for (std::size_t column = 0; column < unknowns; ++column) {
      std::size_t pivot = column;
      for (std::size_t row = column + 1; row < unknowns; ++row)
        if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
      if (matrix[pivot][column] == 0) return 0;
      if (pivot != column) determinant = -determinant;
      std::swap(matrix[pivot], matrix[column]);
      std::swap(right[pivot], right[column]);
      determinant *= matrix[column][column];
      const double inverse = 1 / matrix[column][column];
      for (double& value : matrix[column]) value *= inverse;
      for (double& value : right[column]) value *= inverse;
      for (std::size_t row = 0; row < unknowns; ++row) {
        if (row == column) continue;
        const double factor = matrix[row][column];
        for (std::size_t k = 0; k < unknowns; ++k) matrix[row][k] -= factor * matrix[column][k];
        for (std::size_t field = 0; field < fields; ++field) right[row][field] -= factor * right[column][field];
      }
    }
    return determinant;
  }

  Matrix matrix_{};
  Right right_{};
  bool has_fluid_ = false;
  Values lowest_{}, highest_{};  ///< extremes of the particles
};

}  // namespace shoal::sph
