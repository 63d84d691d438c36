// SPDX-License-Identifier: Apache-2.0
#include "neighbors/skin/skin_search.hpp"

#include <cmath>

#include "core/primitives/primitives.hpp"
#include "neighbors/skin/skin_backend.hpp"

namespace shoal::neighbors {

namespace {

/// Returns the options of the candidates.
template <class Real>
NeighborsOptions candidate_options(double radius, const Box& box, const NeighborsOptions& options) {
  const double skin = options.skin;
  require(std::isfinite(skin) && skin > 0, "neighbors: skin = ", skin,
          " m, expected a positive length, or 0 for none.");
  require(options.radius == Radius::fixed, "neighbors: skin = ", skin, " m, but points have radii: a skin needs one ",
          "radius for all points. Leave the radii of points out, or set skin = 0.");
  require(options.order == RowOrder::ascending, "neighbors: skin = ", skin, " m with order = \"",
          to_name(options.order),
          "\", which changes whenever a point changes its cell. Set skin = 0, or order = \"ascending\".");
  const double candidate_radius = radius + skin;
  require(RadiusRule<Real>{1, true}.limit(static_cast<Real>(candidate_radius)) > 0,
          "neighbors: radius and skin together are ", candidate_radius, " m, whose square ",
          sizeof(Real) == 4 ? "float" : "double", " cannot hold. Choose other units.");
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(box.dimensions); ++axis)
    require(!box.periodic[axis] || box.upper[axis] - box.lower[axis] >= 2 * candidate_radius,
            "neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis], "] m along the periodic axis ",
            "xyz"[axis], ", less than twice the radius of ", radius, " m and the skin of ", skin,
            " m together: a point could be a candidate twice. Use a smaller skin or radius, or a larger box.");
  NeighborsOptions candidates;
  candidates.method = options.method;
  candidates.predicate = options.predicate;
  candidates.include_self = options.include_self;
  candidates.half = options.half;
  return candidates;
}

}  // namespace

template <class Real>
SkinSearch<Real>::SkinSearch(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : radius_(radius),
      skin_(options.skin),
      plan_(queue, radius + options.skin, box, candidate_options<Real>(radius, box, options)),
      method_(find_neighbors_method(queue, options.method)),
      destinations_(queue),
      sources_(queue),
      candidates_{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)},
      status_(plan_.watch_list("of candidates")),
      destination_references_(queue),
      source_references_(queue),
      order_(queue, 0),
      state_(queue, 1) {
  plan_.enable_spare_room();  // updates may find more candidates
}

template <class Real>
std::int64_t SkinSearch<Real>::find(const PairTest<Real>& test, const SearchPair<Real>& sets, NeighborList& list) {
  assign(sets);
  const SkinState initial;
  copy_bytes(queue(), state_.data(), queue().device(), &initial, {}, sizeof initial);
  search(sets.one_set, true, nullptr);
  write_list(test, sets.one_set, list);
  std::int64_t entries = 0;
  copy_bytes(queue(), &entries, {}, list.offsets.data() + destinations_.count(), queue().device(), sizeof entries);
  return entries;
}

template <class Real>
void SkinSearch<Real>::update(const PairTest<Real>& test, const SearchPair<Real>& sets, NeighborList& list) {
  assign(sets);
  backend<SkinBackend<Real>>(queue()).check_displacements(queue(), skin_of(sets.one_set));
  const int* const needed = &state_.data()->needed;
  if (!queue().on_cpu() || *needed != 0) search(sets.one_set, false, needed);
  write_list(test, sets.one_set, list);
}

template <class Real>
void SkinSearch<Real>::assign(const SearchPair<Real>& sets) {
  destinations_.mirror(sets.destinations);
  if (!sets.one_set) sources_.mirror(sets.sources);
}

template <class Real>
SkinSet<Real> SkinSearch<Real>::skin_set(SearchSet<Real>& set, References& references) {
  SkinSet<Real> skin;
  skin.points = set.survey_set();
  for (int axis = 0; axis < plan_.box().dimensions; ++axis) {
    references.component[axis].resize(set.count());
    skin.reference[axis] = references.component[axis].data();
  }
  return skin;
}

template <class Real>
Skin<Real> SkinSearch<Real>::skin_of(bool one_set) {
  Skin<Real> skin;
  skin.destinations = skin_set(destinations_, destination_references_);
  if (!one_set) skin.sources = skin_set(sources_, source_references_);
  order_.resize(destinations_.count());
  skin.order = order_.data();
  skin.one_set = one_set;
  skin.dimensions = plan_.box().dimensions;
  skin.test = plan_.test();
  skin.max_displacement = max_displacement(radius_, skin_, plan_.test());
  skin.state = state_.data();
  return skin;
}

template <class Real>
void SkinSearch<Real>::search(bool one_set, bool may_wait, const int* needed) {
  plan_.run_if(needed);
  const SearchPair<Real> sets = mirrored(one_set);
  plan_.survey(sets);
  method_.run(NeighborSearch<Real>{plan_, sets, may_wait, candidates_, status_->device_pointer()});
  backend<SkinBackend<Real>>(queue()).store_references(
      queue(), skin_of(one_set), {destinations_.order(), candidates_.offsets, candidates_.indices.count(), needed});
}

template <class Real>
void SkinSearch<Real>::write_list(const PairTest<Real>& test, bool one_set, NeighborList& list) {
  list.indices.resize(candidates_.indices.count());
  ScratchFrame frame(plan_.scratch());
  CandidateFilter<Real> filter;
  filter.rows = destinations_.count();
  filter.candidate_offsets = candidates_.offsets.data();
  filter.candidates = candidates_.indices.data();
  filter.candidate_room = candidates_.indices.count();
  filter.order = order_.data();
  filter.destinations = destinations_.survey_set();
  filter.sources = mirrored(one_set).sources.survey_set();
  filter.one_set = one_set;
  filter.dimensions = plan_.box().dimensions;
  filter.test = test;
  filter.masks = frame.array<std::uint32_t>(filter.mask_count()).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(filter.rows);
  filter.count = count.data;
  backend<SkinBackend<Real>>(queue()).mask_candidates(plan_.scratch(), filter, plan_.periodic());
  list.offsets.resize(filter.rows + 1);
  exclusive_scan<std::int32_t>(plan_.scratch(), count, list.offsets);
  filter.offsets = list.offsets.data();
  filter.indices = list.indices.data();
  backend<SkinBackend<Real>>(queue()).write_list(queue(), filter);
}

template <class Real>
std::int64_t SkinSearch<Real>::rebuilds() const {
  SkinState state;
  copy_bytes(queue(), &state, {}, state_.data(), queue().device(), sizeof state);
  return state.rebuilds;
}

template <class Real>
std::int64_t SkinSearch<Real>::bytes() const {
  return plan_.bytes() + destinations_.bytes() + sources_.bytes() + candidates_.offsets.bytes() +
         candidates_.indices.bytes() + status_->bytes() + destination_references_.bytes() + source_references_.bytes() +
         order_.bytes() + state_.bytes();
}

template class SkinSearch<float>;
template class SkinSearch<double>;

}  // namespace shoal::neighbors
