// SPDX-License-Identifier: Apache-2.0
// Steps of the CUDA methods on levels of refinement. For cuda_stepper.cuh: the host launches whole steps of all levels, and reads
// their clocks as seldom as that of a run with one spacing.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "sph/stepping/cuda/cuda_stepper.cuh"

namespace shoal::sph {

/// A step of all levels, from the coarsest to the finest; then covered fluid follows from the finest on.
template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::enqueue_levels(const Levels& levels) {
  using Level = typename Run::Level;
  const Lane lane = launches_.main_lane();
  const auto stepper = [&](std::size_t k) -> CudaStepper& { return stepper_of(levels[k]); };
  for (auto* level : levels) stepper_of(level).launches_.enqueue_sort();
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (k > 0) Level::enqueue_begin(lane, stepper(k).run_.level_arrays(), stepper(k - 1).run_.level_arrays());
    stepper(k).launches_.enqueue_stages();
    if (k > 0) Level::enqueue_enter(lane, stepper(k).run_.level_arrays(), stepper(k - 1).run_.level_arrays());
  }
  for (std::size_t k = levels.size(); k-- > 1;)
    Level::enqueue_take_values(lane, stepper(k - 1).run_.level_arrays(), stepper(k).run_.level_arrays());
  for (auto* level : levels) {
    Level::enqueue_end(lane, stepper_of(level).run_.level_arrays());
    stepper_of(level).launches_.enqueue_end();
  }
  enqueue_join_clocks(lane, clocks_of(levels));
}

template <class Search, bool fused, class Real, int dimensions>
LevelClocks CudaStepper<Search, fused, Real, dimensions>::clocks_of(const Levels& levels) const {
  LevelClocks clocks{};
  clocks.count = static_cast<int>(levels.size());
  clocks.by_cfl = run_.parameters.control.by_cfl;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    Run& run = stepper_of(levels[k]).run_;
    clocks.clock[k] = run.memory.clock();
    clocks.counts[k] = run.level->counts();
    clocks.most_entering[k] = run.level->most_entering();
  }
  return clocks;
}

template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::capture_levels(const Levels& levels) {
  graphs_ = std::make_unique<StepGraphs>(run_.queue, [&] { enqueue_levels(levels); });
}

template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::begin_levels(const Levels& levels, const Goal& goal) {
  for (auto* level : levels) stepper_of(level).begin(goal);
  enqueue_join_clocks(launches_.main_lane(), clocks_of(levels));
}

/// Makes more free places where a level lacks them. Returns true if it has.
template <class Search, bool fused, class Real, int dimensions>
bool CudaStepper<Search, fused, Real, dimensions>::add_places_of_levels(const Levels& levels) {
  bool has_added = false;
  for (auto* level : levels) {
    if (!stepper_of(level).run_.add_places_of_level()) continue;
    stepper_of(level).count_particles();
    has_added = true;
  }
  return has_added;
}

template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::advance_levels(const Levels& levels, const Goal& goal,
                                                                  const std::function<bool()>& observer) {
  if (is_reached(goal, clock())) return;
  if (!graphs_) capture_levels(levels);
  begin_levels(levels, goal);
  while (true) {
    const Clock before = clock();
    if (is_reached(goal, before)) return;
    graphs_->launch(run_.queue, std::min(steps_left(before, goal), batch_));
    fail_levels(levels);
    if (add_places_of_levels(levels)) {
      capture_levels(levels);
      begin_levels(levels, goal);
      continue;
    }
    if (observer && !observer()) return;
    batch_ = std::min<std::int64_t>(2 * batch_, max_steps_between_reads());
  }
}

/// @throws Error  a level has a fault: all of them then have the state before the step
template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::fail_levels(const Levels& levels) {
  const auto clock_of_level = [](auto* level) { return stepper_of(level).run_.memory.read_clock(); };
  const auto first = std::find_if(levels.begin(), levels.end(),
                                  [&](auto* level) { return clock_of_level(level).fault_word != fault::none; });
  if (first == levels.end()) return;
  const DeviceClock failed = clock_of_level(*first);
  for (auto* level : levels) {
    DeviceClock clock = clock_of_level(level);
    clock.fault_word = failed.fault_word;
    stepper_of(level).before_fault_ = stepper_of(level).clock_before(clock);
    stepper_of(level).failure_ = stepper_of(*first).message_of(failed);
  }
  throw Error(failure_);
}

template <class Search, bool fused, class Real, int dimensions>
std::vector<KernelProfile> CudaStepper<Search, fused, Real, dimensions>::profile_levels(
    const Levels& levels, const Goal& goal, const std::function<bool()>& observer) {
  if (is_reached(goal, clock())) return {};
  KernelClock kernels(stream_of(run_.queue));
  while (!is_reached(goal, clock())) {
    begin_levels(levels, goal);
    for (auto* level : levels) stepper_of(level).launches_.set_kernel_clock(&kernels);
    for (std::int64_t left = steps_left(clock(), goal); left > 0; --left) enqueue_levels(levels);
    run_.queue.wait();
    for (auto* level : levels) stepper_of(level).launches_.set_kernel_clock(nullptr);
    fail_levels(levels);
    if (add_places_of_levels(levels)) graphs_.reset();  // arrays have moved
  }
  if (observer) observer();
  return kernels.read();
}

}  // namespace shoal::sph
