// SPDX-License-Identifier: Apache-2.0
#include "sph/host_stepper.hpp"

#include <cmath>
#include <utility>

#include "core/text.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
HostStepper<Real, dimensions>::HostStepper(const Queue& queue, const Parameters<Real, dimensions>& parameters,
                                           HostState<Real, dimensions> state)
    : queue_(queue),
      parameters_(parameters),
      state_(std::move(state)),
      base_(state_.count()),
      other_(state_.count()),
      cell_(state_.count()),
      cell_start_(static_cast<std::size_t>(parameters.cell_count) + 1) {}

/// Puts the particles into base_ in the order of their cells, those outside the domain last; stable.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::sort() {
  const std::size_t n = state_.count();
  std::vector<std::uint32_t> key(n);
  std::vector<std::int64_t> next(cell_start_.size() + 1);
  for (std::size_t i = 0; i < n; ++i) {
    key[i] = cell_of(parameters_, state_.place[i]);
    ++next[key[i] + 1];
  }
  for (std::size_t cell = 1; cell < next.size(); ++cell) next[cell] += next[cell - 1];
  std::copy(next.begin(), next.end() - 1, cell_start_.begin());
  for (std::size_t i = 0; i < n; ++i) {
    const auto to = static_cast<std::size_t>(next[key[i]]++);
    base_.place[to] = state_.place[i];
    base_.motion[to] = state_.motion[i];
    base_.energy[to] = state_.energy[i];
    base_.tag[to] = state_.tag[i];
    base_.id[to] = state_.id[i];
    cell_[to] = key[i];
  }
  state_.tag = base_.tag;
  state_.id = base_.id;
  base_.clock = state_.clock;
  base_.clock.particles = cell_start_.back();
  base_.clock.lost = static_cast<std::int64_t>(n) - base_.clock.particles;
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::step(double dt) {
  sort();
  find_neighbors();
  // base → state → other → state: the base stays as it was, so that a failed step can be undone
  const View from[stages] = {base_.view(), state_.view(), other_.view()};
  const View to[stages] = {state_.view(), other_.view(), state_.view()};
  StageExtremes extremes;
  for (int s = 0; s < stages; ++s) {
    if (parameters_.walls == Walls::adami) set_wall_pressures(from[s]);
    const StageExtremes met = stage({stage_weight<Real>(s), static_cast<Real>(dt)}, from[s], to[s]);
    if (s + 1 == stages) {
      extremes.speed_squared = met.speed_squared;
      extremes.pushed_squared = met.pushed_squared;
    }
    extremes.moved_squared = larger(extremes.moved_squared, met.moved_squared);
    extremes.fault_id = smaller(extremes.fault_id, met.fault_id);
  }
  Clock& clock = state_.clock;
  clock = base_.clock;
  ++clock.step;
  clock.dt = dt;
  clock.time = parameters_.by_cfl ? clock.time + dt : static_cast<double>(clock.step) * dt;
  clock.next_dt = parameters_.by_cfl
                      ? allowed_step(parameters_.cfl, parameters_.smoothing_length, parameters_.sound_speed,
                                     extremes.speed_squared, extremes.pushed_squared)
                      : dt;
  if (extremes.fault_id == std::numeric_limits<std::int64_t>::max()) return;
  const Clock failed = clock;
  std::swap(state_, base_);
  throw Error(blow_up_message(failed, extremes.fault_id, std::sqrt(extremes.moved_squared),
                              std::sqrt(static_cast<double>(parameters_.support_squared))));
}

template <class Real, int dimensions>
double HostStepper<Real, dimensions>::choose_step(const Goal& goal) const {
  const Clock& clock = state_.clock;
  return parameters_.by_cfl ? std::min(clock.next_dt, goal.time - clock.time) : clock.next_dt;
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::advance(const Goal& goal, const Solver::Observer& observer) {
  while (state_.clock.step < goal.step && state_.clock.time < goal.time) {
    step(choose_step(goal));
    if (observer && !observer(state_.clock)) return;
  }
}

template class HostStepper<float, 2>;
template class HostStepper<float, 3>;
template class HostStepper<double, 2>;
template class HostStepper<double, 3>;

}  // namespace shoal::sph
