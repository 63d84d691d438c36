// SPDX-License-Identifier: Apache-2.0
#include "neighbors/list/list_buffers.hpp"

#include "neighbors/list/list_outputs.hpp"

namespace shoal::neighbors {

template <class Real>
void ListBuffers<Real>::find(SearchPlan<Real>& plan, const SearchPair<Real>& sets) {
  clear();
  clear_after_error([&] {
    method_->run(NeighborSearch<Real>{plan, sets, true, list_, plan.list_status()});
    resize_optional_arrays(plan);
    write_optional_arrays(plan, sets);
  });
}

template <class Real>
void ListBuffers<Real>::update(SearchPlan<Real>& plan, const SearchPair<Real>& sets, Status* list_status) {
  clear_after_error([&] {
    Status* const status = list_status != nullptr ? list_status : plan.list_status();
    method_->run(NeighborSearch<Real>{plan, sets, false, list_, status});
    write_optional_arrays(plan, sets);
  });
}

template <class Real>
void ListBuffers<Real>::find(SkinSearch<Real>& skin, SearchPlan<Real>& plan, const SearchPair<Real>& sets) {
  clear();
  clear_after_error([&] {
    const std::int64_t entries = skin.find(plan.test(), sets, list_);
    resize_optional_arrays(plan);
    list_.indices.resize(entries);  // updates use the remaining room
    resize_optional_arrays(plan);
    write_optional_arrays(plan, sets);
  });
}

template <class Real>
void ListBuffers<Real>::update(SkinSearch<Real>& skin, SearchPlan<Real>& plan, const SearchPair<Real>& sets) {
  clear_after_error([&] {
    skin.update(plan.test(), sets, list_);
    resize_optional_arrays(plan);
    write_optional_arrays(plan, sets);
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
  wide_indices_.resize(0);
  distances_.resize(0);
  for (Array<Real>& component : displacements_) component.resize(0);
  edge_index_.resize(0);
  shifts_.resize(0);
}

template <class Real>
NeighborListView<Real> ListBuffers<Real>::view() const {
  return {list_.offsets,
          list_.indices,
          wide_indices_,
          distances_,
          {displacements_[0], displacements_[1], displacements_[2]},
          edge_index_,
          shifts_};
}

template <class Real>
std::int64_t ListBuffers<Real>::bytes() const {
  std::int64_t total = list_.offsets.bytes() + list_.indices.bytes() + wide_indices_.bytes() + distances_.bytes();
  for (const Array<Real>& component : displacements_) total += component.bytes();
  return total + edge_index_.bytes() + shifts_.bytes();
}

template <class Real>
std::int64_t ListBuffers<Real>::bytes_of_entry(const SearchPlan<Real>& plan) {
  const NeighborsOptions& options = plan.options();
  const int reals = (options.distances ? 1 : 0) + (options.displacements ? plan.box().dimensions : 0);
  return 4 + (options.wide_indices ? 8 : 0) + reals * static_cast<std::int64_t>(sizeof(Real));
}

template <class Real>
void ListBuffers<Real>::resize_optional_arrays(const SearchPlan<Real>& plan) {
  const NeighborsOptions& options = plan.options();
  const std::int64_t room = list_.indices.count();
  if (options.wide_indices) wide_indices_.resize(room);
  if (options.distances) distances_.resize(room);
  for (int axis = 0; options.displacements && axis < plan.box().dimensions; ++axis) displacements_[axis].resize(room);
  if (options.edge_index) edge_index_.resize(2 * room);
  if (options.shifts) shifts_.resize(3 * room);
}

template <class Real>
void ListBuffers<Real>::write_optional_arrays(const SearchPlan<Real>& plan, const SearchPair<Real>& sets) {
  const NeighborsOptions& options = plan.options();
  if (!options.wide_indices && !options.distances && !options.displacements && !options.edge_index && !options.shifts)
    return;
  EntryOutputs<Real> outputs;
  outputs.offsets = list_.offsets.data();
  outputs.indices = list_.indices.data();
  outputs.rows = row_count();
  outputs.room = list_.indices.count();
  outputs.destinations = sets.destinations.survey_set();
  outputs.sources = sets.sources.survey_set();
  outputs.test = plan.test();
  outputs.dimensions = plan.box().dimensions;
  outputs.wide_index = wide_indices_.count() > 0 ? wide_indices_.data() : nullptr;
  outputs.distance = distances_.count() > 0 ? distances_.data() : nullptr;
  for (int axis = 0; axis < 3; ++axis)
    outputs.displacement[axis] = displacements_[axis].count() > 0 ? displacements_[axis].data() : nullptr;
  outputs.edge = edge_index_.count() > 0 ? edge_index_.data() : nullptr;
  outputs.shift = shifts_.count() > 0 ? shifts_.data() : nullptr;
  backend<ListBackend<Real>>(plan.queue()).write_entries(plan.queue(), outputs);
}

template class ListBuffers<float>;
template class ListBuffers<double>;

}  // namespace shoal::neighbors
