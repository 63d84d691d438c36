// SPDX-License-Identifier: Apache-2.0
#include "sph/control/change/device_change.cuh"

#include <algorithm>
#include <utility>

#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "sph/physics/label_item.hpp"
#include "sph/ranks/particle_exchange.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
__global__ void find_near_rows(Parameters<Real, dimensions> domain, ParticleRows<Real, dimensions> rows,
                               NewPositions<Real, dimensions> added, unsigned long long* first) {
  const std::int64_t i = thread_index();
  if (i >= rows.count || rows.id_of(i) < 0) return;
  const std::int32_t number = first_too_near(domain, added, rows.state.position[i]);
  if (number != no_number) atomicMin(first, static_cast<unsigned long long>(number));
}

/// @param word  the smallest refusal
template <class Real, int dimensions>
__global__ void mark_rows(Lattice lattice, ParticleRows<Real, dimensions> rows, RemoveRequest request,
                          std::uint8_t* mark, unsigned long long* word) {
  const std::int64_t k = thread_index();
  if (k >= visits_of(request, rows.count)) return;
  const std::uint64_t refused = mark_row(lattice, rows, request, k, mark);
  if (refused != refusal::none) atomicMin(word, static_cast<unsigned long long>(refused));
}

__global__ void count_marks(const std::uint8_t* mark, std::int64_t count, unsigned long long* marked) {
  const std::int64_t i = thread_index();
  const unsigned votes = __ballot_sync(whole_warp, i < count && mark[i]);
  if (threadIdx.x % 32 == 0 && votes) atomicAdd(marked, static_cast<unsigned long long>(__popc(votes)));
}

/// @param is_shared  no sort takes a removed particle; else it becomes a free place
template <class Real, int dimensions>
__global__ void free_marked(StepArrays<Real, dimensions> arrays, const std::uint8_t* mark, bool is_shared) {
  const std::int64_t k = thread_index();
  if (k >= arrays.source_n || !mark[k]) return;
  const std::int64_t i = arrays.source_first + k;
  arrays.state.position[i] = {};
  arrays.label[i] = gone_label;
  if (is_shared) arrays.cell[i] = gone;
}

template <class Real, int dimensions>
__global__ void flag_free_places(StepArrays<Real, dimensions> arrays, std::uint8_t* flag) {
  const std::int64_t i = thread_index();
  if (i < arrays.n) flag[i] = arrays.label[i] == gone_label;
}

/// Puts new particle k into the free place place[k], or behind the particles of this rank if `place` is null.
template <class Real, int dimensions>
__global__ void put_new_particles(StepArrays<Real, dimensions> arrays, StateView<Real, dimensions> added,
                                  const std::int64_t* label, const std::int32_t* place, std::int64_t count,
                                  double most_dt) {
  const std::int64_t k = thread_index();
  if (k == 0) arrays.clock->next_dt = min(arrays.clock->next_dt, most_dt);
  if (k >= count) return;
  const std::int64_t i = place ? place[k] : arrays.source_first + arrays.source_n + k;
  arrays.state.store(i, added.load(k));
  if (arrays.state.energy) arrays.state.energy[i] = added.energy[k];
  if (arrays.state.properties) arrays.state.properties[i] = added.properties[k];
  if (arrays.state.previous) arrays.state.previous[i] = added.previous[k];
  if (arrays.state.viscosity) arrays.state.viscosity[i] = added.viscosity[k];
  arrays.label[i] = label[k];
  arrays.cell[i] = 0;  // not one of a particle that is gone
}

}  // namespace

template <class Real, int dimensions>
DeviceChange<Real, dimensions>::DeviceChange(const Queue& queue, DeviceChangeHooks<Real, dimensions> hooks)
    : queue_(queue), hooks_(std::move(hooks)), scratch_(queue), mark_(queue, 0), word_(queue, 1) {}

template <class Real, int dimensions>
std::int32_t DeviceChange<Real, dimensions>::find_near(const Parameters<Real, dimensions>& domain,
                                                       const ParticleRows<Real, dimensions>& rows,
                                                       const SortedPositions<Real, dimensions>& added) {
  const auto position = to_device(queue_, added.position());
  const auto cell = to_device(queue_, added.cell());
  const auto number = to_device(queue_, added.number());
  NewPositions<Real, dimensions> view = added.view();
  view.position = position.data();
  view.cell = cell.data();
  view.number = number.data();
  const std::vector<unsigned long long> none{no_number};
  copy(queue_, View<const unsigned long long>(none), word_.view());
  launch(queue_, rows.count, find_near_rows<Real, dimensions>, domain, rows, view, word_.data());
  return static_cast<std::int32_t>(to_host(queue_, word_)[0]);
}

/// The new particles of this rank.
template <class Real, int dimensions>
HostState<Real, dimensions> DeviceChange<Real, dimensions>::owned_of(const HostState<Real, dimensions>& added) const {
  if (!hooks_.is_shared) return added;
  ArraysOf<Real, dimensions> arrays;
  arrays.properties = !added.properties.empty();
  arrays.previous = !added.previous.empty();
  arrays.viscosity = !added.viscosity.empty();
  HostState<Real, dimensions> owned = arrays.make(added.count());
  std::size_t count = 0;
  for (std::size_t k = 0; k < added.count(); ++k)
    if (hooks_.owns(added.position[k])) copy_particle(added, k, owned, count++);
  arrays.resize(owned, count);
  return owned;
}

/// Free places among the particles, by their row.
template <class Real, int dimensions>
View<std::int32_t> DeviceChange<Real, dimensions>::find_free_places(ScratchFrame& frame,
                                                                    const StepArrays<Real, dimensions>& arrays) {
  const View<std::uint8_t> flag = frame.array<std::uint8_t>(arrays.n);
  const View<std::int32_t> place = frame.array<std::int32_t>(arrays.n);
  const View<std::int64_t> places = frame.array<std::int64_t>(1);
  launch(queue_, arrays.n, flag_free_places<Real, dimensions>, arrays, flag.data);
  select<std::int32_t>(scratch_, flag, place, places);
  return place;
}

template <class Real, int dimensions>
void DeviceChange<Real, dimensions>::add(const HostState<Real, dimensions>& given, double most_dt) {
  if (given.count() == 0) return;
  const HostState<Real, dimensions> added = owned_of(given);
  const auto count = static_cast<std::int64_t>(added.count());
  hooks_.make_places(count, given.id.back() + 1);
  const StepArrays<Real, dimensions> arrays = hooks_.arrays();
  std::vector<std::int64_t> labels;
  for (std::size_t k = 0; k < added.count(); ++k) labels.push_back(make_label(added.id[k], added.tag[k]));
  const auto label = to_device(queue_, labels);
  auto position = to_device(queue_, added.position);
  auto velocity = to_device(queue_, added.velocity);
  auto energy = to_device(queue_, added.energy);
  auto properties = to_device(queue_, added.properties);
  auto previous = to_device(queue_, added.previous);
  auto viscosity = to_device(queue_, added.viscosity);
  ScratchFrame frame(scratch_);
  const std::int32_t* const place = hooks_.is_shared ? nullptr : find_free_places(frame, arrays).data;
  const StateView<Real, dimensions> state{position.data(), velocity.data(), energy.data(),   properties.data(),
                                          previous.data(), nullptr,         viscosity.data()};
  launch(queue_, std::max<std::int64_t>(count, 1), put_new_particles<Real, dimensions>, arrays, state, label.data(),
         place, count, most_dt);
  hooks_.recount(count);
  queue_.wait();
}

template <class Real, int dimensions>
std::uint64_t DeviceChange<Real, dimensions>::mark(const Lattice& lattice, const ParticleRows<Real, dimensions>& rows,
                                                   const RemoveRequest& request) {
  mark_.resize(rows.count);
  fill_bytes(queue_, mark_.data(), 0, static_cast<std::size_t>(rows.count));
  fill_bytes(queue_, word_.data(), 0xff, sizeof(unsigned long long));
  launch(queue_, visits_of(request, rows.count), mark_rows<Real, dimensions>, lattice, rows, request, mark_.data(),
         word_.data());
  const std::uint64_t refused = to_host(queue_, word_)[0];
  fill_bytes(queue_, word_.data(), 0, sizeof(unsigned long long));
  launch(queue_, rows.count, count_marks, mark_.data(), rows.count, word_.data());
  marked_ = static_cast<std::int64_t>(to_host(queue_, word_)[0]);
  return refused;
}

template <class Real, int dimensions>
void DeviceChange<Real, dimensions>::remove_marked() {
  const StepArrays<Real, dimensions> arrays = hooks_.arrays();
  launch(queue_, arrays.source_n, free_marked<Real, dimensions>, arrays, mark_.data(), hooks_.is_shared);
  hooks_.recount(-marked_);
  marked_ = 0;
}

template class DeviceChange<float, 1>;
template class DeviceChange<float, 2>;
template class DeviceChange<float, 3>;
template class DeviceChange<double, 1>;
template class DeviceChange<double, 2>;
template class DeviceChange<double, 3>;

}  // namespace shoal::sph
