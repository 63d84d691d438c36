// SPDX-License-Identifier: Apache-2.0
#include "sph/control/change/device_change.cuh"

#include <utility>

#include "core/primitives/primitives.hpp"
#include "sph/physics/label_item.hpp"

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
  const unsigned votes = __ballot_sync(~0u, i < count && mark[i]);
  if (threadIdx.x % 32 == 0 && votes) atomicAdd(marked, static_cast<unsigned long long>(__popc(votes)));
}

template <class Real, int dimensions>
__global__ void free_marked(StepArrays<Real, dimensions> arrays, const std::uint8_t* mark) {
  const std::int64_t i = thread_index();
  if (i >= arrays.n || !mark[i]) return;
  arrays.state.position[i] = {};
  arrays.label[i] = gone_label;
}

template <class Real, int dimensions>
__global__ void flag_free_places(StepArrays<Real, dimensions> arrays, std::uint8_t* flag) {
  const std::int64_t i = thread_index();
  if (i < arrays.n) flag[i] = arrays.label[i] == gone_label;
}

/// Puts new particle k into the free place place[k].
template <class Real, int dimensions>
__global__ void put_new_particles(StepArrays<Real, dimensions> arrays, StateView<Real, dimensions> added,
                                  const std::int64_t* label, const std::int32_t* place, std::int64_t count,
                                  double most_dt) {
  const std::int64_t k = thread_index();
  if (k >= count) return;
  if (k == 0) arrays.clock->next_dt = min(arrays.clock->next_dt, most_dt);
  const std::int32_t i = place[k];
  arrays.state.store(i, added.load(k));
  if (arrays.state.energy) arrays.state.energy[i] = added.energy[k];
  if (arrays.state.properties) arrays.state.properties[i] = added.properties[k];
  if (arrays.state.previous) arrays.state.previous[i] = added.previous[k];
  if (arrays.state.viscosity) arrays.state.viscosity[i] = added.viscosity[k];
  arrays.label[i] = label[k];
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

template <class Real, int dimensions>
void DeviceChange<Real, dimensions>::add(const HostState<Real, dimensions>& added, double most_dt) {
  const auto count = static_cast<std::int64_t>(added.count());
  if (count == 0) return;
  hooks_.make_places(count, added.id.back() + 1);
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
  const View<std::uint8_t> flag = frame.array<std::uint8_t>(arrays.n);
  const View<std::int32_t> place = frame.array<std::int32_t>(arrays.n);
  const View<std::int64_t> places = frame.array<std::int64_t>(1);
  launch(queue_, arrays.n, flag_free_places<Real, dimensions>, arrays, flag.data);
  select<std::int32_t>(scratch_, flag, place, places);
  const StateView<Real, dimensions> state{position.data(), velocity.data(), energy.data(),   properties.data(),
                                          previous.data(), nullptr,         viscosity.data()};
  launch(queue_, count, put_new_particles<Real, dimensions>, arrays, state, label.data(), place.data, count, most_dt);
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
  launch(queue_, arrays.n, free_marked<Real, dimensions>, arrays, mark_.data());
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
