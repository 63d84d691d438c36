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

/// A step of all levels, from the coarsest to the finest; then covered fluid follows from the finest on. The sort of a level and
/// its first stage need nothing of the parent, and its end nothing of other levels: with a queue each, these parts run side
/// by side.
/// @param queues  [levels]; the first is that of the run
template <class Search, bool fused, class Real, int dimensions>
void CudaStepper<Search, fused, Real, dimensions>::enqueue_levels(const Levels& levels,
                                                                  const std::vector<Queue>& queues) {
  using Level = typename Run::Level;
  const auto launches = [&](std::size_t k) -> Launches& { return stepper_of(levels[k]).launches_; };
  const auto arrays = [&](std::size_t k) { return stepper_of(levels[k]).run_.level_arrays(); };
  for (std::size_t k = 0; k < levels.size(); ++k) {
    launches(k).set_queue(queues[k]);
    launches(k).wait_for(queues[0]);
  }
  launches(0).enqueue_sort();
  launches(0).enqueue_stages();
  for (std::size_t k = 1; k < levels.size(); ++k) {
    launches(k).enqueue_sort();
    Level::enqueue_list(launches(k).main_lane(), arrays(k));
    launches(k).enqueue_stages([&] {
      launches(k).wait_for(queues[k - 1]);
      Level::enqueue_begin(launches(k).main_lane(), arrays(k), arrays(k - 1));
    });
    Level::enqueue_enter(launches(k).main_lane(), arrays(k), arrays(k - 1));
  }
  for (std::size_t k = levels.size(); k-- > 1;) {
    if (k + 1 < levels.size()) launches(k).wait_for(queues[k + 1]);
    Level::enqueue_take_values(launches(k).main_lane(), arrays(k - 1), arrays(k));
  }
  launches(0).wait_for(queues[1]);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    Level::enqueue_end(launches(k).main_lane(), arrays(k));
    launches(k).enqueue_end();
  }
  for (const Queue& queue : queues) launches(0).wait_for(queue);
  enqueue_join_clocks(launches(0).main_lane(), clocks_of(levels));
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
  std::int64_t places = 0;
  for (auto* level : levels) places += stepper_of(level).run_.memory.n();
  level_queues_.assign(1, run_.queue);
  while (level_queues_.size() < levels.size())
    level_queues_.push_back(places < places_of_levels_side_by_side ? Queue::cuda(run_.queue.device().index)
                                                                   : run_.queue);
  graphs_ = std::make_unique<StepGraphs>(run_.queue, [&] { enqueue_levels(levels, level_queues_); });
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
  const std::vector<Queue> one_queue(levels.size(), run_.queue);  // times of kernels are those of each alone
  while (!is_reached(goal, clock())) {
    begin_levels(levels, goal);
    for (auto* level : levels) stepper_of(level).launches_.set_kernel_clock(&kernels);
    for (std::int64_t left = steps_left(clock(), goal); left > 0; --left) enqueue_levels(levels, one_queue);
    run_.queue.wait();
    for (auto* level : levels) stepper_of(level).launches_.set_kernel_clock(nullptr);
    fail_levels(levels);
    if (add_places_of_levels(levels)) graphs_.reset();  // arrays have moved
  }
  if (observer) observer();
  return kernels.read();
}

}  // namespace shoal::sph
