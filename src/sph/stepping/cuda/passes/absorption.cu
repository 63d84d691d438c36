// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/cuda/passes/absorption.cuh"

#include "core/communication/rank_group.hpp"
#include "core/cuda/warp.cuh"

namespace shoal::sph {

namespace {

/// Sums the fluid at the gauges, as whole numbers, whose sums have no order.
template <class Real, int dimensions>
__global__ void measure_levels(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                               PaddleArrays paddles, const StepPlan<dimensions>* plan) {
  join_chain(false);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index();
  const std::int64_t i = arrays.first + (index < arrays.n ? index : 0);
  const bool is_inside = index < arrays.n && arrays.base_cell[i] != parameters.cell_count;
  for (int k = 0; k < paddles.count; ++k) {
    const AbsorptionParameters& paddle = paddles.paddle[k];
    const auto gauge = gauge_of<Real>(paddle, paddles.now[k], plan->pose[0][paddle.movement], parameters.tables->unit);
    const long long level = is_inside ? level_part(parameters, paddle, gauge, arrays.base, i) : 0;
    if (!__any_sync(whole_warp, level != 0)) continue;
    const auto sum = static_cast<unsigned long long>(warp_sum(level));
    if (threadIdx.x % 32 == 0) atomicAdd(paddles.level + k, sum);
  }
}

/// Moves each paddle, and clears its level.
template <class Real, int dimensions>
__global__ void move_paddles(Parameters<Real, dimensions> parameters, const DeviceClock* clock, PaddleArrays paddles,
                             StepPlan<dimensions>* plan) {
  join_chain(true);
  const auto k = static_cast<int>(thread_index());
  if (k >= paddles.count || !clock->running) return;
  const AbsorptionState now = paddles.now[k];
  paddles.before[k] = now;
  paddles.now[k] = move_paddle(paddles.paddle[k], parameters.tables->knots, parameters.integrator, now,
                               static_cast<std::int64_t>(paddles.level[k]), clock->time, clock->dt, *plan);
  paddles.level[k] = 0;
}

}  // namespace

template <class Real, int dimensions>
DeviceAbsorption<Real, dimensions>::DeviceAbsorption(const Queue& queue, const Setup<Real, dimensions>& setup)
    : queue_(queue), ranks_(setup.ranks), paddle_(queue, 0), before_(queue, 0), now_(queue, 0), level_(queue, 0) {
  if (setup.absorption.empty()) return;
  paddle_ = to_device(queue, setup.absorption);
  now_ = to_device(queue, setup.state.absorption);
  before_ = to_device(queue, setup.state.absorption);
  level_ = to_device(queue, std::vector<std::int64_t>(setup.absorption.size()));
}

template <class Real, int dimensions>
std::vector<AbsorptionState> DeviceAbsorption<Real, dimensions>::states(bool before_step) const {
  return empty() ? std::vector<AbsorptionState>() : to_host(queue_, before_step ? before_ : now_);
}

template <class Real, int dimensions>
void DeviceAbsorption<Real, dimensions>::move(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                                              const StepArrays<Real, dimensions>& particles,
                                              StepPlan<dimensions>* plan) {
  const PaddleArrays paddles = arrays();
  lane.run("measure_levels", particles.n, measure_levels<Real, dimensions>, parameters, particles, paddles, plan);
  if (ranks_.size() > 1) {
    std::vector<std::int64_t> levels = to_host(queue_, level_);
    ranks_.group().all_sum(levels);
    copy(queue_, View<const std::int64_t>(levels), View<std::int64_t>(level_.data(), level_.count(), level_.device()));
  }
  lane.run("move_paddles", paddles.count, move_paddles<Real, dimensions>, parameters, particles.clock, paddles, plan);
}

template <class Real, int dimensions>
PaddleArrays DeviceAbsorption<Real, dimensions>::arrays() {
  return {.count = static_cast<int>(paddle_.count()),
          .paddle = paddle_.data(),
          .before = before_.data(),
          .now = now_.data(),
          .level = reinterpret_cast<unsigned long long*>(level_.data())};
}

template class DeviceAbsorption<float, 1>;
template class DeviceAbsorption<float, 2>;
template class DeviceAbsorption<float, 3>;
template class DeviceAbsorption<double, 1>;
template class DeviceAbsorption<double, 2>;
template class DeviceAbsorption<double, 3>;

}  // namespace shoal::sph
