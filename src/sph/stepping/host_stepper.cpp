// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/host_stepper.hpp"

#include <cmath>
#include <utility>

#include "core/text.hpp"

namespace shoal::sph {

template <class Real, int dimensions, class Cells>
HostStepper<Real, dimensions, Cells>::HostStepper(const Queue& queue, Setup<Real, dimensions>&& setup)
    : queue_(queue),
      parameters_(Cells::number(setup.parameters)),
      state_(std::move(setup.state)),
      base_(state_),
      intermediate_(state_),
      tables_(setup.tables),
      initial_(std::move(setup.initial)),
      cell_(state_.count()),
      key_(state_.count()),
      sorter_(queue) {
  if (!setup.is_general) return;
  parameters_.tables = &tables_;
  tables_.plan = &plan_;
  tables_.initial = initial_.empty() ? nullptr : initial_.data();
  if (mirrors_velocity(parameters_)) mirrored_velocity_.resize(state_.count());
}

/// Puts the particles into base_ in the order of their cells, those outside the domain last; stable.
template <class Real, int dimensions, class Cells>
void HostStepper<Real, dimensions, Cells>::sort() {
  const std::int64_t n = count();
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t i = 0; i < n; ++i) key_[i] = Cells::cell_of(parameters_, state_.position[i]);
  sorter_.sort(View<const std::uint32_t>(key_), parameters_.cell_count);
  const std::int32_t* order = sorter_.order().data;
#pragma omp parallel for num_threads(queue_.threads())
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int32_t i = order[k];
    base_.position[k] = state_.position[i];
    base_.velocity[k] = state_.velocity[i];
    base_.energy[k] = state_.energy[i];
    base_.tag[k] = state_.tag[i];
    base_.id[k] = state_.id[i];
    if (!base_.properties.empty()) base_.properties[k] = state_.properties[i];
    if (!base_.previous.empty()) base_.previous[k] = state_.previous[i];
    cell_[k] = key_[i];
  }
  state_.tag = base_.tag;
  state_.id = base_.id;
  base_.clock = state_.clock;
  base_.clock.particles = alive();
  base_.clock.lost = n - alive();
}

template <class Real, int dimensions, class Cells>
void HostStepper<Real, dimensions, Cells>::step(double dt) {
  if (parts_) parts_->start();
  sort();
  lap("sort");
  find_neighbors();
  // The base stays as it was, so that a failed step can be undone; the last stage writes to state_.
  const int stages = stages_of(parameters_.integrator);
  if (parameters_.tables) plan_step(tables_, parameters_.integrator, state_.clock.time, dt, plan_);
  State now = base();
  StageExtremes extremes;
  for (int s = 0; s < stages; ++s) {
    const State next = view((stages - s) % 2 ? state_ : intermediate_);
    if (sums_over_fluid(parameters_.walls)) {
      set_wall_pressures(s, now);
      lap("set_wall_pressures");
    }
    const StageExtremes stage_extremes =
        stage({parameters_.integrator, s, static_cast<Real>(dt), state_.clock.step}, now, next);
    lap("advance_stage");
    if (s + 1 == stages) {
      extremes.speed_squared = stage_extremes.speed_squared;
      extremes.acceleration_squared = stage_extremes.acceleration_squared;
    }
    extremes.displacement_squared = max(extremes.displacement_squared, stage_extremes.displacement_squared);
    extremes.fault_word = min(extremes.fault_word, stage_extremes.fault_word);
    now = next;
  }
  Clock& clock = state_.clock;
  clock = base_.clock;
  ++clock.step;
  clock.dt = dt;
  const StepControl& control = parameters_.control;
  clock.time = control.by_cfl ? clock.time + dt : static_cast<double>(clock.step) * dt;
  clock.next_dt = control.by_cfl ? allowed_step(control, extremes.speed_squared, extremes.acceleration_squared) : dt;
  if (extremes.fault_word == fault::none) return;
  const Clock failed = clock;
  std::swap(state_, base_);
  throw Error(divergence_message(failed, extremes.fault_word, std::sqrt(extremes.displacement_squared),
                                 std::sqrt(static_cast<double>(parameters_.support_squared))));
}

template <class Real, int dimensions, class Cells>
double HostStepper<Real, dimensions, Cells>::choose_step(const Goal& goal) const {
  const Clock& clock = state_.clock;
  return parameters_.control.by_cfl ? std::min(clock.next_dt, goal.time - clock.time) : clock.next_dt;
}

template <class Real, int dimensions, class Cells>
void HostStepper<Real, dimensions, Cells>::advance(const Goal& goal, const Solver::Observer& observer) {
  while (state_.clock.step < goal.step && state_.clock.time < goal.time) {
    step(choose_step(goal));
    if (observer && !observer(state_.clock)) return;
  }
}

template <class Real, int dimensions, class Cells>
std::vector<KernelProfile> HostStepper<Real, dimensions, Cells>::profile(const Goal& goal,
                                                                         const Solver::Observer& observer) {
  struct Off {
    std::optional<PartClock>& parts;
    ~Off() { parts.reset(); }
  } off{parts_};
  parts_.emplace();
  advance(goal, observer);
  return parts_->read();
}

template <class Real, int dimensions, class Cells>
std::vector<ProbeSums> HostStepper<Real, dimensions, Cells>::measure(
    const std::vector<ProbePoint<Real, dimensions>>& probes) const {
  std::vector<ProbeSums> sums(probes.size(), ProbeSums::none());
  const Properties<Real>* properties = state_.properties.empty() ? nullptr : state_.properties.data();
#pragma omp parallel for num_threads(queue_.threads())
  for (std::size_t probe = 0; probe < probes.size(); ++probe)
    for (std::size_t i = 0; i < state_.count(); ++i)
      add_particle(
          parameters_, probes[probe], state_.particle(i),
          reference_density(parameters_, properties, static_cast<std::int64_t>(i)) + state_.position[i].density,
          mass_of(parameters_, properties, static_cast<std::int64_t>(i)), sums[probe]);
  return sums;
}

template class HostStepper<float, 1, LinearCells>;
template class HostStepper<double, 1, LinearCells>;
template class HostStepper<float, 2, LinearCells>;
template class HostStepper<float, 3, LinearCells>;
template class HostStepper<double, 2, LinearCells>;
template class HostStepper<double, 3, LinearCells>;
template class HostStepper<float, 1, ZOrderCells>;
template class HostStepper<double, 1, ZOrderCells>;
template class HostStepper<float, 2, ZOrderCells>;
template class HostStepper<float, 3, ZOrderCells>;
template class HostStepper<double, 2, ZOrderCells>;
template class HostStepper<double, 3, ZOrderCells>;

}  // namespace shoal::sph
