// SPDX-License-Identifier: Apache-2.0
#include "neighbors/skin/skin_search.hpp"

#include <cmath>

#include "core/backends.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/skin/skin_backend.hpp"

namespace shoal {

namespace {

/// The options of candidates.
template <class Real>
NeighborsOptions candidate_options(double radius, const Box& box, const NeighborsOptions& options) {
  const double skin = options.skin;
  require(std::isfinite(skin) && skin > 0, "neighbors: skin = ", skin,
          " m, expected a positive length, or 0 for none.");
  require(options.radius == Radius::fixed, "neighbors: skin = ", skin, " m with radius = \"", to_name(options.radius),
          "\": a skin needs one radius for all points. Use radius = \"fixed\" or skin = 0.");
  const double both = radius + skin;
  require(RadiusRule<Real>{1, true}.limit(static_cast<Real>(both)) > 0, "neighbors: radius and skin together are ",
          both, " m, whose square ", sizeof(Real) == 4 ? "float" : "double", " cannot hold. Choose other units.");
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(box.dimensions); ++axis)
    require(!box.periodic[axis] || box.upper[axis] - box.lower[axis] >= 2 * both, "neighbors: the box spans [",
            box.lower[axis], ", ", box.upper[axis], "] m along the periodic axis ", "xyz"[axis],
            ", less than twice the radius of ", radius, " m and the skin of ", skin,
            " m together: a point could be a candidate twice. Use a smaller skin or radius, or a larger box.");
  NeighborsOptions of_candidates;
  of_candidates.method = options.method;
  of_candidates.predicate = options.predicate;
  of_candidates.include_self = options.include_self;
  of_candidates.half = options.half;
  return of_candidates;
}

}  // namespace

template <class Real>
SkinSearch<Real>::SkinSearch(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : radius_(radius),
      skin_(options.skin),
      plan_(queue, radius + options.skin, box, candidate_options<Real>(radius, box, options)),
      near_(queue),
      of_(queue),
      candidates_{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)},
      status_(plan_.watch_list("of candidates")),
      near_places_(queue),
      of_places_(queue),
      order_(queue, 0),
      state_(queue, 1) {
  plan_.spare_room();  // for candidates that come later
}

template <class Real>
std::int64_t SkinSearch<Real>::find(const PairTest<Real>& test, SearchSet<Real>& destinations, SearchSet<Real>& sources,
                                    bool one_set, NeighborList& list) {
  take(destinations, sources, one_set);
  const SkinState fresh;
  copy_bytes(queue(), state_.data(), queue().device(), &fresh, {}, sizeof fresh);
  search(one_set, true, nullptr);
  list.indices.resize(candidates_.indices.count());
  ScratchFrame frame(plan_.scratch());
  const CandidateFilter<Real> filter = mark(frame, test, one_set, list);
  SHOAL_RUN(queue(), write_candidates(queue(), filter));
  std::int64_t entries = 0;
  copy_bytes(queue(), &entries, {}, filter.offsets + filter.rows, queue().device(), sizeof entries);
  return entries;
}

template <class Real>
void SkinSearch<Real>::update(const PairTest<Real>& test, SearchSet<Real>& destinations, SearchSet<Real>& sources,
                              bool one_set, NeighborList& list) {
  take(destinations, sources, one_set);
  SHOAL_RUN(queue(), check_motion(queue(), skin_of(one_set)));
  const int* const needed = &state_.data()->needed;
  if (!queue().on_cpu() || *needed != 0) search(one_set, false, needed);
  list.indices.resize(candidates_.indices.count());
  ScratchFrame frame(plan_.scratch());
  const CandidateFilter<Real> filter = mark(frame, test, one_set, list);
  SHOAL_RUN(queue(), write_candidates(queue(), filter));
}

template <class Real>
void SkinSearch<Real>::take(SearchSet<Real>& destinations, SearchSet<Real>& sources, bool one_set) {
  near_.mirror(destinations);
  if (!one_set) of_.mirror(sources);
}

template <class Real>
SkinSet<Real> SkinSearch<Real>::skin_set(SearchSet<Real>& set, Places& places) {
  SkinSet<Real> skin;
  skin.now = set.survey_set();
  for (int axis = 0; axis < plan_.box().dimensions; ++axis) {
    places.along[axis].resize(set.count());
    skin.then[axis] = places.along[axis].data();
  }
  return skin;
}

template <class Real>
Skin<Real> SkinSearch<Real>::skin_of(bool one_set) {
  Skin<Real> skin;
  skin.destinations = skin_set(near_, near_places_);
  if (!one_set) skin.sources = skin_set(of_, of_places_);
  order_.resize(near_.count());
  skin.order = order_.data();
  skin.one_set = one_set;
  skin.dimensions = plan_.box().dimensions;
  skin.test = plan_.test();
  skin.most_motion = most_motion(radius_, skin_, plan_.test());
  skin.state = state_.data();
  return skin;
}

template <class Real>
void SkinSearch<Real>::search(bool one_set, bool may_wait, const int* needed) {
  plan_.run_if(needed);
  plan_.survey(near_, sources(one_set));
  plan_.search(near_, sources(one_set), one_set, 0, may_wait, candidates_, status_->device_pointer());
  const View<const std::int64_t> offsets = candidates_.offsets;
  SHOAL_RUN(queue(), remember(queue(), skin_of(one_set), near_.order(), offsets, candidates_.indices.count(), needed));
}

template <class Real>
CandidateFilter<Real> SkinSearch<Real>::mark(ScratchFrame& frame, const PairTest<Real>& test, bool one_set,
                                             NeighborList& list) {
  CandidateFilter<Real> filter;
  filter.rows = near_.count();
  filter.candidate_offsets = candidates_.offsets.data();
  filter.candidates = candidates_.indices.data();
  filter.candidate_room = candidates_.indices.count();
  filter.order = order_.data();
  filter.destinations = near_.survey_set();
  filter.sources = sources(one_set).survey_set();
  filter.one_set = one_set;
  filter.dimensions = plan_.box().dimensions;
  filter.test = test;
  filter.marks = frame.array<std::uint32_t>(filter.mark_count()).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(filter.rows);
  filter.count = count.data;
  SHOAL_RUN(queue(), mark_candidates(plan_.scratch(), filter, plan_.periodic()));
  list.offsets.resize(filter.rows + 1);
  exclusive_scan<std::int32_t>(plan_.scratch(), count, list.offsets);
  filter.offsets = list.offsets.data();
  filter.indices = list.indices.data();
  return filter;
}

template <class Real>
std::int64_t SkinSearch<Real>::rebuilds() const {
  SkinState state;
  copy_bytes(queue(), &state, {}, state_.data(), queue().device(), sizeof state);
  return state.rebuilds;
}

template <class Real>
std::int64_t SkinSearch<Real>::bytes() const {
  return plan_.bytes() + near_.bytes() + of_.bytes() + candidates_.offsets.bytes() + candidates_.indices.bytes() +
         status_->bytes() + near_places_.bytes() + of_places_.bytes() + order_.bytes() + state_.bytes();
}

template class SkinSearch<float>;
template class SkinSearch<double>;

}  // namespace shoal
