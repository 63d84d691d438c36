// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/search_plan.hpp"

#include <array>
#include <cmath>

#include "core/memory/check_views.hpp"
#include "neighbors/search/search_box.hpp"

namespace shoal::neighbors {

namespace {

template <class Number>
std::string short_period_message(const Box& box, std::size_t axis, Number radius) {
  return text("neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis], "] m along the periodic axis ",
              axis_names[axis], ", less than twice the radius of ", radius,
              " m: a point could be a neighbor twice. Use a smaller radius or a larger box.");
}

/// Throws an Error unless each period holds twice the radius.
void require_periods(const Box& box, double radius) {
  for (int axis = 0; axis < box.dimensions; ++axis)
    require(!box.periodic[axis] || box.upper[axis] - box.lower[axis] >= 2 * radius,
            short_period_message(box, static_cast<std::size_t>(axis), radius));
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
    : box_((require_valid(box), require_radius(radius, options.radius), box)),
      options_(options),
      scratch_(queue),
      space_(search_space<Real>(box)),
      radius_rule_{options.radius == Radius::fixed ? Real(1) : static_cast<Real>(radius),
                   options.predicate == Predicate::inclusive},
      test_(pair_test<Real>(box)),
      grid_(queue, 1),
      total_(queue, 1),
      status_(watch_status(queue, explain_search<Real>(box, ""))) {
  fill_bytes(queue, total_.data(), 0, sizeof(SurveyTotal<Real>));
  require(options.skin == 0, "neighbors: skin = ", options.skin,
          " m, but only Neighbors keeps candidates. Set skin = 0.");
  if (options.radius != Radius::fixed) return;
  test_.limit = fixed_limit(radius, radius_rule_);
  require_periods(box, radius);
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
  survey.total = total_.data();
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
