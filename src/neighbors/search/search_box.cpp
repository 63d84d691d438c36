// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/search_box.hpp"

#include <cmath>

#include "core/text.hpp"

namespace shoal::neighbors {

void require_valid(const Box& box) {
  require(box.dimensions >= 1 && box.dimensions <= 3, "neighbors: dimensions = ", box.dimensions,
          ", expected 1, 2 or 3.");
  for (int axis = 0; axis < box.dimensions; ++axis) {
    if (!box.periodic[axis]) continue;
    const double length = box.upper[axis] - box.lower[axis];
    require(std::isfinite(length) && length > 0, "neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis],
            "] m along the periodic axis ", axis_names[axis], ", expected a positive, finite length.");
  }
}

void require_radius(double radius, Radius kind) {
  require(std::isfinite(radius) && radius > 0, "neighbors: radius = ", radius,
          kind == Radius::fixed ? " m, expected a positive length." : ", expected a positive factor.");
}

template <class Real>
Real fixed_limit(double radius, const RadiusRule<Real>& rule) {
  const Real limit = rule.limit(static_cast<Real>(radius));
  require(limit > 0, "neighbors: radius = ", radius, " m, whose square ", precision_name<Real>(),
          " cannot hold. Choose other units", sizeof(Real) == 4 ? " or double." : ".");
  return limit;
}

template <class Real>
SearchSpace<Real> search_space(const Box& box) {
  SearchSpace<Real> space;
  space.dimensions = box.dimensions;
  for (int axis = 0; axis < box.dimensions; ++axis) {
    space.periodic[axis] = box.periodic[axis];
    space.lower[axis] = box.lower[axis];
    space.upper[axis] = box.upper[axis];
  }
  return space;
}

template <class Real>
PairTest<Real> pair_test(const Box& box) {
  PairTest<Real> test;
  for (int axis = 0; axis < box.dimensions; ++axis) {
    if (!box.periodic[axis]) continue;
    test.period[axis] = static_cast<Real>(box.upper[axis] - box.lower[axis]);
    test.inverse_period[axis] = 1 / test.period[axis];
  }
  return test;
}

template <class Real>
StatusBlock::Explain explain_point(const Box& box, const std::string& role, const std::string& name) {
  return [box, role, suffix = name.empty() ? "" : " of " + name](int fault, std::int64_t point, const double* value) {
    const std::string start = text("neighbors: ", role, " ", point, suffix, ": ");
    if (fault == radius_fault)
      return text(start, "radius = ", static_cast<Real>(value[0]), " m, expected a positive length whose square ",
                  precision_name<Real>(), " can hold.");
    const auto coordinate = static_cast<Real>(value[fault]);
    const std::string axis_start = start + axis_names[fault];
    if (std::isnan(coordinate)) return text(axis_start, " is not a number. Repair or remove it.");
    if (std::isfinite(coordinate) && box.periodic[static_cast<std::size_t>(fault)])
      return text(axis_start, " = ", coordinate, " m is more than one period outside the box [", box.lower[fault], ", ",
                  box.upper[fault], "] m. Wrap it into the box.");
    return text(axis_start, " = ", coordinate, " m, expected a finite position. Repair or remove it.");
  };
}

template float fixed_limit<float>(double, const RadiusRule<float>&);
template double fixed_limit<double>(double, const RadiusRule<double>&);
template SearchSpace<float> search_space<float>(const Box&);
template SearchSpace<double> search_space<double>(const Box&);
template PairTest<float> pair_test<float>(const Box&);
template PairTest<double> pair_test<double>(const Box&);
template StatusBlock::Explain explain_point<float>(const Box&, const std::string&, const std::string&);
template StatusBlock::Explain explain_point<double>(const Box&, const std::string&, const std::string&);

}  // namespace shoal::neighbors
