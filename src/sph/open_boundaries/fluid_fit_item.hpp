// SPDX-License-Identifier: Apache-2.0
// Values of the fluid at a point, and their gradients, from the particles around it.
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <cmath>

#include "core/real.hpp"

namespace shoal::sph {

/// Numbers in the registers of a thread.
template <int count>
struct Numbers {
  double number[count];

  SHOAL_HD double& operator[](int k) { return number[k]; }
  SHOAL_HD const double& operator[](int k) const { return number[k]; }
};

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
  static constexpr int unknowns = dimensions + 1;  ///< a value and its gradient
  static constexpr int fields = dimensions + 1;    ///< reduced pressure and velocity
  using Values = Numbers<fields>;
  using Vector = Numbers<dimensions>;

  /// A particle as the sums take it: each sum adds the product of a weight and a factor.
  struct Terms {
    static constexpr int weights = unknowns, factors = unknowns + fields;
    double weight[weights];  ///< V [W; ∇W]
    double factor[factors];  ///< [1, r], f

    /// @param apart     r / h
    /// @param kernel    V W
    /// @param gradient  V dW/dr / r: ∇W = −gradient · r, with the gradient at the point
    SHOAL_HD Terms(const Vector& apart, double kernel, double gradient, const Values& values) {
      weight[0] = kernel;
      factor[0] = 1;
      for (int axis = 0; axis < dimensions; ++axis) {
        weight[axis + 1] = -gradient * apart[axis];
        factor[axis + 1] = apart[axis];
      }
      for (int field = 0; field < fields; ++field) factor[unknowns + field] = values[field];
    }
    SHOAL_HD const double* values() const { return factor + unknowns; }
    SHOAL_HD bool counts() const { return weight[0] > 0; }
  };

  /// Number of sums: those of a weight and all factors come one after the other.
  static constexpr int sums = Terms::weights * Terms::factors;

  FluidFit() = default;
  /// The fit of at least one particle whose sums are known.
  /// @param sum              [sums]
  /// @param lowest, highest  extremes of the values
  SHOAL_HD FluidFit(const double* sum, const Values& lowest, const Values& highest)
      : has_fluid_(true), lowest_(lowest), highest_(highest) {
    for (int row = 0; row < unknowns; ++row) {
      for (int k = 0; k < unknowns; ++k) matrix_[row][k] = sum[row * Terms::factors + k];
      for (int field = 0; field < fields; ++field) right_[row][field] = sum[row * Terms::factors + unknowns + field];
    }
  }

  /// Adds a particle. One at the edge of the support, without a weight, does not count.
  SHOAL_HD void add(const Terms& terms) {
    if (!terms.counts()) return;
    for (int row = 0; row < unknowns; ++row) {
      for (int k = 0; k < unknowns; ++k) matrix_[row][k] += terms.weight[row] * terms.factor[k];
      for (int field = 0; field < fields; ++field) right_[row][field] += terms.weight[row] * terms.values()[field];
    }
    for (int field = 0; field < fields; ++field) {
      lowest_[field] = has_fluid_ ? min(lowest_[field], terms.values()[field]) : terms.values()[field];
      highest_[field] = has_fluid_ ? max(highest_[field], terms.values()[field]) : terms.values()[field];
    }
    has_fluid_ = true;
  }

  SHOAL_HD bool has_fluid() const { return has_fluid_; }

  /// Values at a distance from the point. With too few particles for a gradient, or for `constant`, the mean Σ V W f / Σ V W.
  /// A linear value goes beyond those of the particles by the range of these times `beyond` at most.
  /// @param apart  (x − point) / h
  SHOAL_HD Values values_at(const Vector& apart, Extrapolation extrapolation, double beyond = 1) const {
    Values values;
    FluidFit solved = *this;
    if (extrapolation == Extrapolation::constant || std::abs(solved.eliminate()) < least_determinant) {
      for (int field = 0; field < fields; ++field) values[field] = right_[0][field] / matrix_[0][0];
      return values;
    }
    for (int field = 0; field < fields; ++field) {
      values[field] = solved.right_[0][field];
      for (int axis = 0; axis < dimensions; ++axis) values[field] += apart[axis] * solved.right_[axis + 1][field];
      const double range = beyond * (highest_[field] - lowest_[field]);
      values[field] = min(max(values[field], lowest_[field] - range), highest_[field] + range);
    }
    return values;
  }

 private:
  /// Fluid beside the point only, or a few drops, has less: gradients are then noise.
  static constexpr double least_determinant = 1e-3;

  SHOAL_HD static void exchange(Values& a, Values& b) {
    const Values kept = a;
    a = b;
    b = kept;
  }

  /// Replaces the right sides by the solution, by Gauss-Jordan elimination with pivots. Returns the determinant; if it is 0,
  /// the right sides have no meaning. Rows are exchanged one by one, so that a GPU keeps them in registers.
  SHOAL_HD double eliminate() {
    static_assert(fields == unknowns, "rows of both sides have the same type");
    double determinant = 1;
    for (int column = 0; column < unknowns; ++column) {
      for (int row = column + 1; row < unknowns; ++row) {
        if (!(std::abs(matrix_[row][column]) > std::abs(matrix_[column][column]))) continue;
        exchange(matrix_[row], matrix_[column]);
        exchange(right_[row], right_[column]);
        determinant = -determinant;
      }
      if (matrix_[column][column] == 0) return 0;
      determinant *= matrix_[column][column];
      const double inverse = 1 / matrix_[column][column];
      for (int k = 0; k < unknowns; ++k) matrix_[column][k] *= inverse;
      for (int field = 0; field < fields; ++field) right_[column][field] *= inverse;
      for (int row = 0; row < unknowns; ++row) {
        if (row == column) continue;
        const double factor = matrix_[row][column];
        for (int k = 0; k < unknowns; ++k) matrix_[row][k] -= factor * matrix_[column][k];
        for (int field = 0; field < fields; ++field) right_[row][field] -= factor * right_[column][field];
      }
    }
    return determinant;
  }

  Values matrix_[unknowns]{};
  Values right_[unknowns]{};
  bool has_fluid_ = false;
  Values lowest_{}, highest_{};  ///< extremes of the particles
};

}  // namespace shoal::sph
