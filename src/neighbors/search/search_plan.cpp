// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/search_plan.hpp"

#include <array>
#include <cmath>

#include "core/memory/check_views.hpp"

namespace shoal::neighbors {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

void require_valid(const Box& box, double radius, Radius kind) {
  require(box.dimensions >= 1 && box.dimensions <= 3, "neighbors: dimensions = ", box.dimensions,
          ", expected 1, 2 or 3.");
  require(std::isfinite(radius) && radius > 0, "neighbors: radius = ", radius,
          kind == Radius::fixed ? " m, expected a positive length." : ", expected a positive factor.");
  for (int axis = 0; axis < box.dimensions; ++axis) {
    if (!box.periodic[axis]) continue;
    const double length = box.upper[axis] - box.lower[axis];
    require(std::isfinite(length) && length > 0, "neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis],
            "] m along the periodic axis ", axis_names[axis], ", expected a positive, finite length.");
  }
}

template <class Number>
std::string short_period_message(const Box& box, std::size_t axis, Number radius) {
  return text("neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis], "] m along the periodic axis ",
              axis_names[axis], ", less than twice the radius of ", radius,
              " m: a point could be a neighbor twice. Use a smaller radius or a larger box.");
}

template <class Real>
const char* precision_name() {
  return sizeof(Real) == 4 ? "float" : "double";
}

template <class Real>
SearchSpace<Real> space_of(const Box& box) {
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

/// Returns the limit of a radius that all points share.
template <class Real>
Real fixed_limit(const Box& box, double radius, const RadiusRule<Real>& rule) {
  const Real limit = rule.limit(static_cast<Real>(radius));
  require(limit > 0, "neighbors: radius = ", radius, " m, whose square ", precision_name<Real>(),
          " cannot hold. Choose other units", sizeof(Real) == 4 ? " or double." : ".");
  for (int axis = 0; axis < box.dimensions; ++axis)
    require(!box.periodic[axis] || box.upper[axis] - box.lower[axis] >= 2 * radius,
            short_period_message(box, static_cast<std::size_t>(axis), radius));
  return limit;
}

/// Returns the message about an invalid point.
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

/// Returns the message about a fault of the search as a whole.
/// @param list  name of the list, followed by a space; empty if it has none
template <class Real>
StatusBlock::Explain explain_search(const Box& box, const std::string& list) {
  return [box, list](int fault, std::int64_t axis, const double* value) {
    if (fault == static_cast<int>(SearchFault::period))
      return short_period_message(box, static_cast<std::size_t>(axis), static_cast<Real>(value[0]));
    return text("neighbors: the list ", list, "has ", static_cast<std::int64_t>(value[0]),
                " entries, but the plan has room for ", static_cast<std::int64_t>(value[1]),
                ". Call find(), which makes room.");
  };
}

}  // namespace

template <class Real>
SearchPlan<Real>::SearchPlan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : box_((require_valid(box, radius, options.radius), box)),
      options_(options),
      scratch_(queue),
      space_(space_of<Real>(box)),
      radius_rule_{options.radius == Radius::fixed ? Real(1) : static_cast<Real>(radius),
                   options.predicate == Predicate::inclusive},
      test_(pair_test<Real>(box)),
      grid_(queue, 1),
      result_(queue, 1),
      status_(watch_status(queue, explain_search<Real>(box, ""))) {
  require(options.skin == 0, "neighbors: skin = ", options.skin,
          " m, but only Neighbors keeps candidates. Set skin = 0.");
  if (options.radius == Radius::fixed) test_.limit = fixed_limit<Real>(box, radius, radius_rule_);
}

template <class Real>
SearchSet<Real> SearchPlan<Real>::make_set(const std::string& role, const std::string& name) const {
  return SearchSet<Real>(queue(), explain_point<Real>(box_, role, name));
}

template <class Real>
std::shared_ptr<StatusBlock> SearchPlan<Real>::watch_list(const std::string& name) const {
  return watch_status(queue(), explain_search<Real>(box_, name + " "));
}

template <class Real>
void SearchPlan<Real>::require_points(const char* operation, const Points<Real>& points) const {
  shoal::require_points(queue(), operation, points, box_.dimensions);
  if (options_.radius != Radius::fixed) require_view(queue(), operation, "radius", points.radius, points.count());
}

template <class Real>
void SearchPlan<Real>::assign(SearchSet<Real>& set, const Points<Real>& points) const {
  Points<Real> used = points;
  if (options_.radius == Radius::fixed) used.radius = {};
  set.assign(used);
}

template <class Real>
void SearchPlan<Real>::survey(std::span<const SearchRole<Real>> roles) {
  std::int64_t sources = 0;
  for (const SearchRole<Real>& role : roles) {
    role.set->begin_survey(role.is_source);
    if (role.is_source) sources += role.set->count();
  }
  space_.max_cells = max_cells_for(sources);
  Survey<Real> survey;
  survey.space = space_;
  survey.rule = radius_rule_;
  survey.fixed_limit = test_.limit;
  survey.total = result_.data();
  survey.grid = grid_.data();
  survey.status = status_->device_pointer();
  survey.needed = needed_;
  for (const SearchRole<Real>& role : roles) {
    survey.set = role.set->survey_set();
    survey.is_first = &role == &roles.front();
    survey.is_last = &role == &roles.back();
    backend<SearchBackend<Real>>(queue()).survey(scratch_, survey);
  }
}

template <class Real>
void SearchPlan<Real>::survey(const SearchPair<Real>& sets) {
  const std::array<SearchRole<Real>, 2> roles{{{&sets.sources, true}, {&sets.destinations, false}}};
  survey(std::span(roles.data(), &sets.destinations == &sets.sources ? 1u : 2u));
}

template <class Real>
PairRule SearchPlan<Real>::rule_of(const SearchPair<Real>& sets) const {
  return {.first_destination = sets.first_destination,
          .one_set = sets.one_set,
          .include_self = options_.include_self,
          .half = options_.half && sets.one_set};
}

template <class Real>
NeighborPairs<Real> SearchPlan<Real>::sorted_pairs(const SearchPair<Real>& sets) {
  NeighborPairs<Real> pairs;
  pairs.grid = grid();
  pairs.test = test_;
  pairs.rule = rule_of(sets);
  pairs.sources = sets.sources.sorted(scratch_, grid(), space_.max_cells, needed_);
  pairs.destinations = sets.destinations.sorted(scratch_, grid(), space_.max_cells, needed_);
  if (!uses_source_limits()) pairs.sources.limits = nullptr;
  if (!uses_destination_limits()) pairs.destinations.limits = nullptr;
  return pairs;
}

template <class Real>
UnsortedPairs<Real> SearchPlan<Real>::unsorted_pairs(const SearchPair<Real>& sets) const {
  UnsortedPairs<Real> pairs;
  pairs.grid = grid();
  pairs.test = test_;
  pairs.rule = rule_of(sets);
  pairs.destinations = PointReader<Real>(sets.destinations.points());
  pairs.sources = PointReader<Real>(sets.sources.points());
  pairs.destination_count = sets.destinations.count();
  pairs.source_count = sets.sources.count();
  if (uses_destination_limits()) pairs.destination_limits = sets.destinations.limits().data;
  if (uses_source_limits()) pairs.source_limits = sets.sources.limits().data;
  return pairs;
}

template class SearchPlan<float>;
template class SearchPlan<double>;

}  // namespace shoal::neighbors
