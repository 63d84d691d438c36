// SPDX-License-Identifier: Apache-2.0
// Steps of the CPU methods on levels of refinement. For host_stepper.cpp, which instantiates them.
#pragma once
#include "sph/stepping/host_stepper.hpp"

namespace shoal::sph {

/// Visits the particles in the cells around a place, by their places at the start of the step.
template <class Real, int dimensions>
template <class Visit>
void HostStepper<Real, dimensions>::for_each_around(const PositionDensity<Real, dimensions>& place,
                                                    const Visit& visit) const {
  const std::uint32_t cell = cells_.cell_of(parameters_, place);
  if (cell == parameters_.cell_count) return;
  for (int run = 0; run < runs<GeneralPhysics>(); ++run) {
    const Range candidates = range_of_cell<GeneralPhysics>(cell, run);
    for (std::int64_t j = candidates.begin; j < candidates.end; ++j) visit(j);
  }
}

/// Finds the particles of the guard zone, and what they do in the step.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::prescribe_level(double dt) {
  level_->prescribe(
      parameters_, base(), owned_.begin, alive(), dt,
      [&](const PositionDensity<Real, dimensions>& place, const auto& visit) { for_each_around(place, visit); });
  lap("prescribe_level");
}

/// Lets particles enter and leave after the last stage, and makes the fluid available to the next level.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::renew_level() {
  level_->find_entering(parameters_, base(), state_.view(), state_);
  const auto is_free = [&](const PositionDensity<Real, dimensions>& place) {
    if (is_outside(parameters_, place)) return false;
    bool has_room = true;
    for_each_around(place, [&](std::int64_t j) {
      has_room &= !are_too_near(parameters_, place, state_.position[static_cast<std::size_t>(j)]);
    });
    return has_room;
  };
  level_->renew(parameters_, arrays_, is_free, state_);
  key_.resize(state_.count());
  order_.resize(state_.count());
  level_->offer_outside(parameters_, state_.view(), count());
  lap("renew_level");
}

/// Gives covered fluid the values of the next level, after a step of both.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::take_values(HostStepper& finer) {
  if (parts_) parts_->start();
  finer.level_->offer_inside(finer.parameters_, finer.state_.view(), finer.count());
  level_->restrict_from(*finer.level_, parameters_, state_.view(), count());
  lap("take_values");
}

/// The step that all levels allow.
template <class Real, int dimensions>
double HostStepper<Real, dimensions>::shortest_step(const Levels& levels, const Goal& goal) const {
  double dt = choose_step(goal);
  for (const auto* level : levels) dt = std::min(dt, static_cast<const HostStepper*>(level)->choose_step(goal));
  return dt;
}

/// Steps the levels from the coarsest to the finest, then lets covered fluid follow from the finest on.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::step_levels(const Levels& levels, double dt) {
  const auto level = [&](std::size_t k) -> HostStepper& { return static_cast<HostStepper&>(*levels[k]); };
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (k > 0) level(k).level_->connect(*level(k - 1).level_);
    try {
      level(k).step(dt);
    } catch (...) {
      for (std::size_t done = 0; done < k; ++done) level(done).undo_step();
      throw;
    }
  }
  for (std::size_t k = levels.size(); k-- > 1;) level(k - 1).take_values(level(k));
}

template <class Real, int dimensions>
void HostStepper<Real, dimensions>::advance_levels(const Levels& levels, const Goal& goal,
                                                   const std::function<bool()>& observer) {
  while (state_.clock.step < goal.step && state_.clock.time < goal.time) {
    step_levels(levels, shortest_step(levels, goal));
    if (observer && !observer()) return;
  }
}

template <class Real, int dimensions>
std::vector<KernelProfile> HostStepper<Real, dimensions>::profile_levels(const Levels& levels, const Goal& goal,
                                                                         const std::function<bool()>& observer) {
  for (auto* level : levels) static_cast<HostStepper*>(level)->parts_.emplace();
  advance_levels(levels, goal, observer);
  std::vector<KernelProfile> profiles;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    std::optional<PartClock>& parts = static_cast<HostStepper*>(levels[k])->parts_;
    for (KernelProfile profile : parts->read()) {
      profile.name = text("level_", k, ".", profile.name);
      profiles.push_back(std::move(profile));
    }
    parts.reset();
  }
  return profiles;
}

}  // namespace shoal::sph
