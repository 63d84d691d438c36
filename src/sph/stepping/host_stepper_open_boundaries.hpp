// SPDX-License-Identifier: Apache-2.0
// Parts of a step of the CPU methods at open boundaries. For host_stepper.cpp, which instantiates them.
#pragma once
#include "sph/ranks/agree_on_memory.hpp"
#include "sph/stepping/host_stepper.hpp"

namespace shoal::sph {

/// Gives the particles in open boundaries their velocity and pressure for a step, from the fluid at its start.
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::prescribe_open_boundaries() {
  open_boundaries_.find(base(), count(), owned_.begin, alive());
  open_boundaries_.prescribe(
      parameters_, base(), state_.clock.time,
      [&](const PositionDensity<Real, dimensions>& position, const auto& visit) {
        const std::uint32_t cell = cells_.cell_of(parameters_, position);
        if (cell == parameters_.cell_count) return;
        for (int run = 0; run < runs<GeneralPhysics>(); ++run) {
          const Range candidates = range_of_cell<GeneralPhysics>(cell, run);
          for (std::int64_t j = candidates.begin; j < candidates.end; ++j)
            if (within_support<GeneralPhysics>(parameters_, position, base_.position[static_cast<std::size_t>(j)]))
              visit(j);
        }
      });
  exchange_halo(base(), HaloValues::particles);
  lap("prescribe_open_boundaries");
}

/// Lets particles leave through open boundaries, and others enter behind those that have returned, before they may change
/// their rank.
/// @return  number of particles of this rank that entered less that of those that left
template <class Real, int dimensions>
std::int64_t HostStepper<Real, dimensions>::leave_open_boundaries() {
  const std::int64_t before = owned_.end;
  if (open_boundaries_.lets_return()) {
    const auto returning = open_boundaries_.find_returning(parameters_, ranks_, state_);
    try {
      agree_on_memory(ranks_,
                      [&] { open_boundaries_.add_returning(parameters_, arrays_, returning, owned_.end, state_); });
    } catch (const OutOfMemory&) {
      undo_step();
      throw;
    }
    owned_.end += static_cast<std::int64_t>(returning.size());
  }
  owned_.end = open_boundaries_.remove(owned_.begin, owned_.end, state_);
  if (!slab_) arrays_.resize(state_, static_cast<std::size_t>(owned_.end));
  lap("leave_open_boundaries");
  return owned_.end - before;
}

/// Lets particles enter through inlets at the end of a step.
/// @param end     s, time after the step
/// @param change  number of particles that have entered before less that of those that have left
template <class Real, int dimensions>
void HostStepper<Real, dimensions>::enter_open_boundaries(double end, std::int64_t change) {
  try {
    agree_on_memory(ranks_, [&] {
      const auto owns = [&](const PositionDensity<Real, dimensions>& position) {
        return !slab_ || slab_->owns(position);
      };
      change += open_boundaries_.enter_all(parameters_, arrays_, state_.clock.time, end, owns, state_);
      key_.resize(state_.count());
      order_.resize(state_.count());
    });
  } catch (const OutOfMemory&) {
    undo_step();
    throw;
  }
  if (slab_) slab_->add_to_total(change);
  lap("enter_open_boundaries");
}

}  // namespace shoal::sph
