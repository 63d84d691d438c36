// SPDX-License-Identifier: Apache-2.0
#include "sph/control/device_control.cuh"

#include <array>
#include <utility>

#include "core/communication/rank_group.hpp"
#include "core/memory/lengthen.hpp"

namespace shoal::sph {

namespace {

__device__ void refuse(ControlStatus* status, std::uint64_t word) {
  if (word != refusal::none) atomicMin(&status->refused, static_cast<unsigned long long>(word));
}

template <class Physics, class Real, int dimensions>
__global__ void copy_rows(Parameters<Real, dimensions> parameters, Lattice lattice, ParticleRows<Real, dimensions> rows,
                          ParticleCopies copies) {
  const std::int64_t i = thread_index();
  if (i < rows.count) copy_row<Physics>(parameters, lattice, rows, copies, i);
}

template <class Real, int dimensions>
__global__ void index_rows(ParticleRows<Real, dimensions> rows, std::int32_t* row_of_id) {
  const std::int64_t i = thread_index();
  if (i >= rows.count) return;
  if (const std::int64_t id = rows.id_of(i); id >= 0) row_of_id[id] = static_cast<std::int32_t>(i);
}

__global__ void look_up_rows(View<const std::int64_t> ids, const std::int32_t* row_of_id, std::int64_t end_of_ids,
                             std::int64_t* row, ControlStatus* status) {
  const std::int64_t k = thread_index();
  if (k >= ids.count) return;
  const std::int64_t id = ids.data[k * ids.stride];
  row[k] = id >= 0 && id < end_of_ids ? row_of_id[id] : -1;
  if (row[k] < 0) refuse(status, refusal::word(k, refusal::no_particle));
}

/// Finds the first value of a request for each row.
__global__ void find_first(SetRequest request, unsigned* first) {
  const std::int64_t k = thread_index();
  if (k < request.count && request.row[k] >= 0) atomicMin(first + request.row[k], static_cast<unsigned>(k));
}

/// @param first  [rows]; null: the request names no rows
template <class Physics, class Real, int dimensions>
__global__ void check_values(Parameters<Real, dimensions> parameters, ParticleRows<Real, dimensions> rows,
                             SetRequest request, const unsigned* first, ControlStatus* status) {
  const std::int64_t k = thread_index();
  if (k >= request.count) return;
  refuse(status, check_value<Physics>(parameters, rows, request, k));
  if (first && request.row[k] >= 0 && first[request.row[k]] != k) refuse(status, refusal::word(k, refusal::twice));
}

template <class Physics, class Real, int dimensions>
__global__ void set_values(Parameters<Real, dimensions> parameters, ParticleRows<Real, dimensions> rows,
                           SetRequest request, Real* acceleration, ControlStatus* status) {
  const std::int64_t k = thread_index();
  if (k >= request.count) return;
  const ValueLimits<Real> limits = set_row<Physics>(parameters, rows, request, k, acceleration);
  raise(status->speed_squared, limits.speed_squared);
  raise(status->acceleration_squared, limits.acceleration_squared);
}

template <class Real>
__global__ void shorten_step(StepControl control, DeviceClock* clock, const ControlStatus* status) {
  const auto number = [](unsigned long long bits) {
    return static_cast<Real>(__longlong_as_double(static_cast<long long>(bits)));
  };
  clock->next_dt = shortened_step<Real>(control, clock->next_dt,
                                        {number(status->speed_squared), number(status->acceleration_squared)});
}

}  // namespace

template <class Real, int dimensions>
DeviceControl<Real, dimensions>::DeviceControl(const Queue& queue, const Communicator& ranks,
                                               const Parameters<Real, dimensions>& parameters, DeviceClock* clock,
                                               ControlHooks<Real, dimensions> hooks)
    : queue_(queue),
      ranks_(ranks),
      parameters_(parameters),
      clock_(clock),
      hooks_(std::move(hooks)),
      change_(queue, hooks_.change),
      status_(queue, 1),
      row_of_id_(queue, 0),
      first_(queue, 0),
      acceleration_(queue, 0) {}

template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::copy(const Lattice& lattice, const ParticleCopies& copies) {
  const ParticleRows<Real, dimensions> present = particles();
  with_physics(parameters_, [&]<class Physics> {
    launch(queue_, present.count, copy_rows<Physics, Real, dimensions>, parameters_, lattice, present, copies);
  });
}

template <class Real, int dimensions>
std::uint64_t DeviceControl<Real, dimensions>::find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids,
                                                         std::int64_t* row) {
  const ParticleRows<Real, dimensions> present = particles();
  row_of_id_.resize(end_of_ids);
  fill_bytes(queue_, row_of_id_.data(), 0xff, static_cast<std::size_t>(end_of_ids) * sizeof(std::int32_t));
  clear_status();
  launch(queue_, present.count, index_rows<Real, dimensions>, present, row_of_id_.data());
  launch(queue_, ids.count, look_up_rows, ids, row_of_id_.data(), end_of_ids, row, status_.data());
  return refused();
}

template <class Real, int dimensions>
std::uint64_t DeviceControl<Real, dimensions>::check(const SetRequest& request) {
  hooks_.require_running();
  const ParticleRows<Real, dimensions> present = particles();
  clear_status();
  if (request.row) {
    first_.resize(present.count);
    fill_bytes(queue_, first_.data(), 0xff, static_cast<std::size_t>(present.count) * sizeof(unsigned));
    launch(queue_, request.count, find_first, request, first_.data());
  }
  with_physics(parameters_, [&]<class Physics> {
    launch(queue_, request.count, check_values<Physics, Real, dimensions>, parameters_, present, request,
           request.row ? first_.data() : nullptr, status_.data());
  });
  return refused();
}

template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::set(const SetRequest& request, std::int64_t end_of_ids) {
  if (request.quantity == Quantity::acceleration) make_accelerations(end_of_ids);
  clear_status();
  with_physics(parameters_, [&]<class Physics> {
    launch(queue_, request.count, set_values<Physics, Real, dimensions>, parameters_, particles(), request,
           acceleration_.data(), status_.data());
  });
  if (ranks_.size() > 1) take_limits_of_ranks();
  launch(queue_, 1, shorten_step<Real>, parameters_.control, clock_, status_.data());
}

/// Replaces the limits of the next step by the largest ones of all ranks.
template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::take_limits_of_ranks() {
  ControlStatus status = to_host(queue_, status_)[0];
  std::array<std::uint64_t, 2> words{status.speed_squared, status.acceleration_squared};
  ranks_.group().all_max(words);
  status.speed_squared = words[0];
  status.acceleration_squared = words[1];
  copy_bytes(queue_, status_.data(), queue_.device(), &status, {}, sizeof status);
  queue_.wait();
}

/// Makes room for the accelerations of all particles; new ones are 0.
template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::make_accelerations(std::int64_t end_of_ids) {
  const std::int64_t present = acceleration_.count(), needed = end_of_ids * dimensions;
  if (needed <= present) return;
  if (present > 0)
    lengthen(queue_, acceleration_, needed);
  else
    acceleration_.resize(needed);
  fill_bytes(queue_, acceleration_.data() + present, 0, static_cast<std::size_t>(needed - present) * sizeof(Real));
  hooks_.capture();
}

template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::clear_acceleration() {
  if (!accelerates()) return;
  acceleration_ = Array<Real>(queue_, 0);
  hooks_.capture();
}

template <class Real, int dimensions>
void DeviceControl<Real, dimensions>::clear_status() {
  const ControlStatus clear{refusal::none, 0, 0};
  copy_bytes(queue_, status_.data(), queue_.device(), &clear, {}, sizeof clear);
}

template <class Real, int dimensions>
std::uint64_t DeviceControl<Real, dimensions>::refused() const {
  return to_host(queue_, status_)[0].refused;
}

template class DeviceControl<float, 1>;
template class DeviceControl<float, 2>;
template class DeviceControl<float, 3>;
template class DeviceControl<double, 1>;
template class DeviceControl<double, 2>;
template class DeviceControl<double, 3>;

}  // namespace shoal::sph
