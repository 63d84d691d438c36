// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Why no neighbour is lost
//
// Let u be the unit roundoff of Real, r the radius, R the largest |x - lower| of a point that matters, h the edge of a
// cell on this axis, and t = fl(fl(x - lower) * fl(1/h)), whose floor is the number of the cell.
//
// 1. A pair passes the test only if fl(dx*dx) <= fl(r*r), because fma rounds monotonically and the other terms are not
//    negative. So |dx| <= r (1 + 2u), and on an open axis, where dx = fl(x_i - x_j), |x_i - x_j| <= r (1 + 4u). On a
//    periodic axis with period L, dx = fl(fl(x_i - x_j) - n L), whose inner rounding adds 2uR:
//    |x_i - x_j - n L| <= r (1 + 4u) + 2uR.
// 2. Rounding moves t by at most 2uR/h, of which 1/h, the same factor for both points, makes a part of the distance:
//    |t_i - t_j| <= (|x_i - x_j| (1 + 3u) + 5uR) / h, and as n L / h = n M (1 + 2u) for the M cells of a periodic axis,
//    |t_i - t_j - n M| <= (|x_i - x_j - n L| (1 + 3u) + 8uR) / h.
// 3. Together: at most 1 if h >= r (1 + 8u) + 11uR. Then floor(t_i) and floor(t_j) + n M differ by at most 1, and
//    moving cells outside the grid to its nearest cell cannot increase that.
//
// We take 16 instead of 8 and 11. The test squares numbers that are normal (checked when the plan is made), and h is
// far above the numbers that underflow.
namespace shoal {

namespace {

struct SearchAxis {
  double origin = 0;
  double length = 0;    ///< of the sources' box, or the period
  double smallest = 1;  ///< edge that the argument above allows
  bool periodic = false;

  std::int64_t cells(double factor) const {
    const auto whole = static_cast<std::int64_t>(std::min(1e15, std::floor(length / (factor * smallest))));
    return periodic ? std::max<std::int64_t>(1, whole) : whole + 1;
  }
};

template <class Real>
SearchAxis search_axis(const Box& box, int axis, Real radius, const Extent& sources) {
  SearchAxis along;
  along.periodic = box.periodic[axis];
  if (along.periodic) {
    along.origin = static_cast<Real>(box.lower[axis]);
    along.length = static_cast<Real>(box.upper[axis] - box.lower[axis]);
  } else if (sources.finite()) {
    along.origin = sources.lower[axis];
    along.length = sources.upper[axis] - sources.lower[axis];
  }
  // Points are at most one period outside the box; destinations that have neighbours at most a radius.
  const double farthest = along.periodic ? 2 * along.length : along.length + 2 * static_cast<double>(radius);
  constexpr double margin = 16 * (std::numeric_limits<Real>::epsilon() / 2);
  along.smallest = radius * (1 + margin) + margin * farthest;
  return along;
}

}  // namespace

bool Extent::finite() const {
  for (int axis = 0; axis < 3; ++axis)
    if (!std::isfinite(upper[axis] - lower[axis])) return false;
  return true;
}

template <class Real>
CellFormula<Real> search_formula(const Box& box, Real radius, const Extent& sources, std::int64_t source_count) {
  SearchAxis axes[3];
  for (int axis = 0; axis < box.dimensions; ++axis) axes[axis] = search_axis(box, axis, radius, sources);
  const auto total = [&](double factor) {
    double product = 1;
    for (int axis = 0; axis < box.dimensions; ++axis) product *= static_cast<double>(axes[axis].cells(factor));
    return product;
  };
  const double most = std::clamp(2.0 * static_cast<double>(source_count), 4096.0, 2147483646.0);
  double factor = 1;
  while (total(factor) > most) factor *= 1.25;

  CellFormula<Real> formula;
  formula.dimensions = box.dimensions;
  for (int axis = 0; axis < box.dimensions; ++axis) {
    const SearchAxis& from = axes[axis];
    CellAxis<Real>& along = formula.axes[axis];
    along.cells = static_cast<std::int32_t>(from.cells(factor));
    along.periodic = from.periodic;
    along.lower = static_cast<Real>(from.origin);
    const double edge = from.periodic ? from.length / along.cells : factor * from.smallest;
    along.inverse_spacing = static_cast<Real>(1 / edge);
    constexpr Real most_real = std::numeric_limits<Real>::max() / 4;  // so that differences stay finite
    along.allowed_lower = from.periodic ? static_cast<Real>(from.origin - from.length) : -most_real;
    along.allowed_upper = from.periodic ? static_cast<Real>(from.origin + 2 * from.length) : most_real;
  }
  return formula;
}

template CellFormula<float> search_formula(const Box&, float, const Extent&, std::int64_t);
template CellFormula<double> search_formula(const Box&, double, const Extent&, std::int64_t);

}  // namespace shoal
