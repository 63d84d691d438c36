// SPDX-License-Identifier: Apache-2.0
#include "neighbors/list/list_buffers.hpp"

#include "neighbors/list/list_outputs.hpp"

namespace shoal {

template <class Real>
void ListBuffers<Real>::find(SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources,
                             bool one_set, std::int64_t first_destination) {
  clear();
  clear_after_error([&] {
    plan.search(destinations, sources, one_set, first_destination, true, list_);
    make_room(plan);
    write_outputs(plan, destinations, sources);
  });
}

template <class Real>
void ListBuffers<Real>::update(SearchPlan<Real>& plan, SearchSet<Real>& destinations, SearchSet<Real>& sources,
                               bool one_set, Status* list_status) {
  clear_after_error([&] {
    plan.search(destinations, sources, one_set, 0, false, list_, list_status);
    write_outputs(plan, destinations, sources);
  });
}

template <class Real>
void ListBuffers<Real>::find(SkinSearch<Real>& skin, SearchPlan<Real>& plan, SearchSet<Real>& destinations,
                             SearchSet<Real>& sources, bool one_set) {
  clear();
  clear_after_error([&] {
    const std::int64_t entries = skin.find(plan.test(), destinations, sources, one_set, list_);
    make_room(plan);
    write_outputs(plan, destinations, sources);
    list_.indices.resize(entries);  // the rest is kept for updates
    make_room(plan);
  });
}

template <class Real>
void ListBuffers<Real>::update(SkinSearch<Real>& skin, SearchPlan<Real>& plan, SearchSet<Real>& destinations,
                               SearchSet<Real>& sources, bool one_set) {
  clear_after_error([&] {
    skin.update(plan.test(), destinations, sources, one_set, list_);
    make_room(plan);
    write_outputs(plan, destinations, sources);
  });
}

template <class Real>
template <class Work>
void ListBuffers<Real>::clear_after_error(Work&& work) {
  try {
    work();
  } catch (...) {
    clear();
    throw;
  }
}

template <class Real>
void ListBuffers<Real>::clear() {
  list_.offsets.resize(0);
  list_.indices.resize(0);
  wide_.resize(0);
  distance_.resize(0);
  for (Array<Real>& along : displacement_) along.resize(0);
}

template <class Real>
NeighborListView<Real> ListBuffers<Real>::view() const {
  return {list_.offsets, list_.indices, wide_, distance_, {displacement_[0], displacement_[1], displacement_[2]}};
}

template <class Real>
std::int64_t ListBuffers<Real>::bytes() const {
  std::int64_t total = list_.offsets.bytes() + list_.indices.bytes() + wide_.bytes() + distance_.bytes();
  for (const Array<Real>& along : displacement_) total += along.bytes();
  return total;
}

template <class Real>
std::int64_t ListBuffers<Real>::bytes_of_entry(const SearchPlan<Real>& plan) {
  const NeighborsOptions& options = plan.options();
  const int reals = (options.distances ? 1 : 0) + (options.displacements ? plan.box().dimensions : 0);
  return 4 + (options.wide_indices ? 8 : 0) + reals * static_cast<std::int64_t>(sizeof(Real));
}

template <class Real>
void ListBuffers<Real>::make_room(const SearchPlan<Real>& plan) {
  const NeighborsOptions& options = plan.options();
  const std::int64_t room = list_.indices.count();
  if (options.wide_indices) wide_.resize(room);
  if (options.distances) distance_.resize(room);
  for (int axis = 0; options.displacements && axis < plan.box().dimensions; ++axis) displacement_[axis].resize(room);
}

template <class Real>
void ListBuffers<Real>::write_outputs(const SearchPlan<Real>& plan, SearchSet<Real>& destinations,
                                      SearchSet<Real>& sources) {
  const NeighborsOptions& options = plan.options();
  if (!options.wide_indices && !options.distances && !options.displacements) return;
  EntryOutputs<Real> outputs;
  outputs.offsets = list_.offsets.data();
  outputs.indices = list_.indices.data();
  outputs.rows = rows();
  outputs.room = list_.indices.count();
  outputs.destinations = destinations.survey_set();
  outputs.sources = sources.survey_set();
  outputs.test = plan.test();
  outputs.dimensions = plan.box().dimensions;
  outputs.wide = wide_.count() > 0 ? wide_.data() : nullptr;
  outputs.distance = distance_.count() > 0 ? distance_.data() : nullptr;
  for (int axis = 0; axis < 3; ++axis)
    outputs.displacement[axis] = displacement_[axis].count() > 0 ? displacement_[axis].data() : nullptr;
  shoal::write_entries(plan.queue(), outputs);
}

template class ListBuffers<float>;
template class ListBuffers<double>;

}  // namespace shoal
