// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/arithmetic_item.hpp>
#include <shoal/item/host_device.hpp>

/// The shapes `tsc` and `pcs`: weights of the nodes around a particle along one axis, and their derivatives.
///
/// A particle of cell c at the offset f reaches nodes c − 1 to c + 2 at most. Beyond the end of an open axis there is no
/// node. The value of such a node is extrapolated linearly from the two at the end, 2 v(0) − v(1): its weight w counts
/// 2 w at the last node and −w at the one before. The formulas for the ends are these sums, simplified. They are not
/// negative, and keep the sum 1 and the first moment f.
namespace shoal::deposit {

/// Ends of an open axis beside a cell: true if the node below, or above, the nodes of the cell does not exist.
struct MissingNodes {
  bool below = false;
  bool above = false;
};

/// Numbers of nodes c − 1 to c + 2 that a particle reaches, from node c − 1 + first on.
template <class Real>
struct AxisWeights {
  int first = 0;  ///< 0 or 1
  Real weight[4] = {};

  /// Weight of node c − 1 + slot; 0 of a node that the particle does not reach.
  SHOAL_HD Real at_slot(int slot) const {
    Real result = 0;  // not weight[slot - first]: an index unknown to the compiler would put the array into memory
    for (int i = 0; i < 4; ++i) result = first + i == slot ? weight[i] : result;
    return result;
  }
};

/// Triangular-shaped cloud: a quadratic B-spline on the node nearest to the particle and the two beside it. With d, the
/// distance from the nearest node in [−1/2, 1/2], weights are (1/2 − d)²/2, 3/4 − d² and (1/2 + d)²/2. At an end, where
/// the nearest node is the last one, they are linear.
struct TscShape {
  static constexpr int nodes = 3;

  /// First node reached, counted from node c − 1.
  template <class Real>
  SHOAL_HD static int first(Real offset) {
    return offset >= Real(0.5) ? 1 : 0;
  }

  template <class Real>
  SHOAL_HD static AxisWeights<Real> weights(Real offset, const MissingNodes& missing) {
    const int upper = first(offset);
    const Real d = offset - static_cast<Real>(upper);
    if (is_at_end(upper, missing))
      return upper == 1 ? AxisWeights<Real>{1, {-d, 1 + d, 0}} : AxisWeights<Real>{0, {0, 1 - d, d}};
    const Real below = Real(0.5) - d;
    const Real above = Real(0.5) + d;
    return {upper,
            {rounded_product(below, below) / 2, Real(0.75) - rounded_product(d, d), rounded_product(above, above) / 2}};
  }

  /// Derivatives of the weights by the offset.
  template <class Real>
  SHOAL_HD static AxisWeights<Real> derivatives(Real offset, const MissingNodes& missing) {
    const int upper = first(offset);
    const Real d = offset - static_cast<Real>(upper);
    if (is_at_end(upper, missing))
      return upper == 1 ? AxisWeights<Real>{1, {-1, 1, 0}} : AxisWeights<Real>{0, {0, -1, 1}};
    return {upper, {d - Real(0.5), -2 * d, d + Real(0.5)}};
  }

 private:
  /// Returns true if the nearest node is the last one. Without branches, since each half of a cell is as likely.
  SHOAL_HD static bool is_at_end(int upper, const MissingNodes& missing) {
    return ((upper & static_cast<int>(missing.above)) | ((1 - upper) & static_cast<int>(missing.below))) != 0;
  }
};

/// Piecewise cubic spline on nodes c − 1 to c + 2. With g = 1 − f, weights are g³/6, (4 − 6 f² + 3 f³)/6,
/// (4 − 6 g² + 3 g³)/6 and f³/6.
struct PcsShape {
  static constexpr int nodes = 4;

  template <class Real>
  SHOAL_HD static int first(Real) {
    return 0;
  }

  template <class Real>
  SHOAL_HD static AxisWeights<Real> weights(Real offset, const MissingNodes& missing) {
    const Real f = offset;
    const Real g = 1 - offset;
    if (missing.below && missing.above) return {0, {0, g, f, 0}};
    if (missing.below) return {0, {0, g + outer(f), f - 2 * outer(f), outer(f)}};
    if (missing.above) return {0, {outer(g), g - 2 * outer(g), f + outer(g), 0}};
    return {0, {outer(g), inner(f), inner(g), outer(f)}};
  }

  /// Derivatives of the weights by the offset.
  template <class Real>
  SHOAL_HD static AxisWeights<Real> derivatives(Real offset, const MissingNodes& missing) {
    const Real f = offset;
    const Real g = 1 - offset;
    if (missing.below && missing.above) return {0, {0, -1, 1, 0}};
    if (missing.below) return {0, {0, outer_slope(f) - 1, 1 - 2 * outer_slope(f), outer_slope(f)}};
    if (missing.above) return {0, {-outer_slope(g), 2 * outer_slope(g) - 1, 1 - outer_slope(g), 0}};
    return {0, {-outer_slope(g), -inner_slope(f), inner_slope(g), outer_slope(f)}};
  }

 private:
  /// Weight a³/6 of the node at the distance 2 − a.
  template <class Real>
  SHOAL_HD static Real outer(Real a) {
    return rounded_product(rounded_product(rounded_product(a, a), a), Real(1) / 6);
  }
  template <class Real>
  SHOAL_HD static Real outer_slope(Real a) {
    return rounded_product(a, a) / 2;
  }
  /// Weight (4 − 6 a² + 3 a³)/6 of the node at the distance a.
  template <class Real>
  SHOAL_HD static Real inner(Real a) {
    return Real(2) / 3 - rounded_product(rounded_product(a, a), 1 - a / 2);
  }
  template <class Real>
  SHOAL_HD static Real inner_slope(Real a) {
    return rounded_product(a, 2 - rounded_product(Real(1.5), a));
  }
};

}  // namespace shoal::deposit
