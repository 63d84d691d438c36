// SPDX-License-Identifier: Apache-2.0
#include "neighbors/search/search_plan.hpp"

#include <array>
#include <cmath>
#include <new>

#include "core/memory/check_views.hpp"
#include "neighbors/methods/methods.hpp"

namespace shoal {

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
std::string short_period(const Box& box, std::size_t axis, Number radius) {
  return text("neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis], "] m along the periodic axis ",
              axis_names[axis], ", less than twice the radius of ", radius,
              " m: a point could be a neighbor twice. Use a smaller radius or a larger box.");
}

template <class Real>
const char* precision() {
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

/// The limit of a radius that all points share.
template <class Real>
Real fixed_limit(const Box& box, double radius, const RadiusRule<Real>& rule) {
  const Real limit = rule.limit(static_cast<Real>(radius));
  require(limit > 0, "neighbors: radius = ", radius, " m, whose square ", precision<Real>(),
          " cannot hold. Choose other units", sizeof(Real) == 4 ? " or double." : ".");
  for (int axis = 0; axis < box.dimensions; ++axis)
    require(!box.periodic[axis] || box.upper[axis] - box.lower[axis] >= 2 * radius,
            short_period(box, static_cast<std::size_t>(axis), radius));
  return limit;
}

/// What is said about a point that cannot be searched.
template <class Real>
StatusBlock::Explain explain_with(const Box& box, const std::string& who, const std::string& name) {
  return [box, who, of = name.empty() ? "" : " of " + name](int fault, std::int64_t point, const double* value) {
    const std::string start = text("neighbors: ", who, " ", point, of, ": ");
    if (fault == fault_of_radius)
      return text(start, "radius = ", static_cast<Real>(value[0]), " m, expected a positive length whose square ",
                  precision<Real>(), " can hold.");
    const auto coordinate = static_cast<Real>(value[fault]);
    const std::string place = start + axis_names[fault];
    if (std::isnan(coordinate)) return text(place, " is not a number. Repair or remove it.");
    if (std::isfinite(coordinate) && box.periodic[static_cast<std::size_t>(fault)])
      return text(place, " = ", coordinate, " m is more than one period outside the box [", box.lower[fault], ", ",
                  box.upper[fault], "] m. Wrap it into the box.");
    return text(place, " = ", coordinate, " m, expected a finite position. Repair or remove it.");
  };
}

/// @param list  its name and a space, where it has one
template <class Real>
StatusBlock::Explain explain_search(const Box& box, const std::string& list) {
  return [box, list](int fault, std::int64_t axis, const double* value) {
    if (fault == static_cast<int>(SearchFault::period))
      return short_period(box, static_cast<std::size_t>(axis), static_cast<Real>(value[0]));
    return text("neighbors: the list ", list, "has ", static_cast<std::int64_t>(value[0]),
                " entries and the plan room for ", static_cast<std::int64_t>(value[1]),
                ". Call find(), which makes room.");
  };
}

}  // namespace

std::span<const NeighborsMethod> neighbors_rows() {
  // `auto` takes the first row of the device; docs/neighbors.md has the timings behind this order.
  static const NeighborsMethod rows[] = {
#ifdef SHOAL_CUDA
      neighbors_rows_cuda,   neighbors_tiles_cuda,
      neighbors_simple,      neighbors_simple_cpu_binning,
      neighbors_linked_list, neighbors_linked_list_cpu_binning,
#endif
      neighbors_rows_cpu,    neighbors_tiles_cpu,
      neighbors_cell_list,   neighbors_serial,
  };
  return rows;
}

std::vector<MethodInfo> neighbors_methods() { return method_infos("neighbors", neighbors_rows()); }

template <class Real>
SearchPlan<Real>::SearchPlan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : box_(box),
      options_(options),
      scratch_(queue),
      method_((require_valid(box, radius, options.radius),
               &find_method("neighbors", neighbors_rows(), options.method, queue.device().kind))),
      space_(space_of<Real>(box)),
      rule_{options.radius == Radius::fixed ? Real(1) : static_cast<Real>(radius),
            options.predicate == Predicate::inclusive},
      test_(pair_test<Real>(box)),
      grid_(queue, 1),
      found_(queue, 1),
      status_(watch_status(queue, explain_search<Real>(box, ""))),
      no_list_{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)} {
  require(options.skin == 0, "neighbors: skin = ", options.skin,
          " m, but only Neighbors keeps candidates. Set skin = 0.");
  if (options.radius == Radius::fixed) test_.limit = fixed_limit<Real>(box, radius, rule_);
}

template <class Real>
SearchSet<Real> SearchPlan<Real>::make_set(const std::string& who, const std::string& name) const {
  return SearchSet<Real>(queue(), explain_with<Real>(box_, who, name));
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
  Points<Real> taken = points;
  if (options_.radius == Radius::fixed) taken.radius = {};
  set.assign(taken);
}

template <class Real>
void SearchPlan<Real>::survey(std::span<const SearchRole<Real>> roles) {
  std::int64_t sources = 0;
  for (const SearchRole<Real>& role : roles) {
    role.set->begin_survey(role.is_source);
    if (role.is_source) sources += role.set->count();
  }
  space_.most_cells = most_cells_for(sources);
  Survey<Real> of;
  of.space = space_;
  of.rule = rule_;
  of.fixed_limit = test_.limit;
  of.found = found_.data();
  of.grid = grid_.data();
  of.status = status_->device_pointer();
  of.needed = needed_;
  for (const SearchRole<Real>& role : roles) {
    of.set = role.set->survey_set();
    of.is_first = &role == &roles.front();
    of.is_last = &role == &roles.back();
#ifdef SHOAL_CUDA
    if (!queue().on_cpu()) {
      cuda::survey(scratch_, of);
      continue;
    }
#endif
    cpu::survey(scratch_, of);
  }
}

template <class Real>
void SearchPlan<Real>::survey(SearchSet<Real>& destinations, SearchSet<Real>& sources) {
  const std::array<SearchRole<Real>, 2> roles{{{&sources, true}, {&destinations, false}}};
  survey(std::span(roles.data(), &destinations == &sources ? 1u : 2u));
}

template <class Real>
NeighborSearch<Real> SearchPlan<Real>::search_of(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
                                                 NeighborList& list) {
  return {.scratch = scratch_,
          .grid = grid_.data(),
          .most_cells = space_.most_cells,
          .test = test_,
          .periodic = periodic(),
          .radius = options_.radius,
          .destinations = destinations,
          .sources = sources,
          .one_set = one_set,
          .include_self = options_.include_self,
          .half = options_.half && one_set,
          .spare_room = spare_room_,
          .needed = needed_,
          .list = list,
          .list_status = status_->device_pointer()};
}

template <class Real>
void SearchPlan<Real>::search(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set,
                              std::int64_t first_destination, bool may_wait, NeighborList& list, Status* list_status) {
  NeighborSearch<Real> search = search_of(destinations, sources, one_set, list);
  search.first_destination = first_destination;
  search.may_wait = may_wait;
  if (list_status != nullptr) search.list_status = list_status;
  try {
    list.offsets.resize(destinations.count() + 1);
    method_->run(search);
  } catch (const OutOfMemory& error) {
    throw OutOfMemory(text("neighbors: no room for the list of ", destinations.count(), " destinations: ", error.what(),
                           " A NeighborStream hands out lists that do not fit."));
  } catch (const std::bad_alloc&) {
    throw OutOfMemory(text("neighbors: no room on the host to search ", destinations.count(),
                           " destinations. Use fewer points or a smaller radius."));
  }
}

template <class Real>
NeighborPairs<Real> SearchPlan<Real>::sorted_pairs(SearchSet<Real>& destinations, SearchSet<Real>& sources,
                                                   bool one_set) {
  return search_of(destinations, sources, one_set, no_list_).sorted_pairs();
}

template class SearchPlan<float>;
template class SearchPlan<double>;

}  // namespace shoal
