// SPDX-License-Identifier: Apache-2.0
// Active absorption of the CPU methods: paddles in a step.
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "sph/waves/absorption/absorption_item.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostAbsorption {
 public:
  HostAbsorption(std::vector<AbsorptionParameters> paddles, const Communicator& ranks, int threads)
      : paddles_(std::move(paddles)), ranks_(ranks), threads_(threads) {}

  bool empty() const { return paddles_.empty(); }

  /// Plans the motion of the paddles in a step, from the levels at its start. Collective.
  /// @param parameters  with the tables of the run
  /// @param base        state of the particles at the start; those of this rank in the domain are begin to end
  /// @param paddles     states at the start; those after the step in their place
  /// @param plan        poses without absorption; with it in their place
  void move(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& base, std::int64_t begin,
            std::int64_t end, double time, double dt, std::vector<AbsorptionState>& paddles,
            StepPlan<dimensions>& plan) const {
    std::vector<std::int64_t> levels(paddles_.size());
    for (std::size_t k = 0; k < levels.size(); ++k)
      levels[k] = level_at(parameters, base, begin, end, k, paddles[k], plan);
    ranks_.group().all_sum(levels);
    for (std::size_t k = 0; k < levels.size(); ++k)
      paddles[k] = move_paddle(paddles_[k], parameters.tables->knots, parameters.integrator, paddles[k], levels[k],
                               time, dt, plan);
  }

 private:
  /// Level at the gauge of paddle k over the particles of this rank, in level_unit().
  std::int64_t level_at(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& base,
                        std::int64_t begin, std::int64_t end, std::size_t k, const AbsorptionState& state,
                        const StepPlan<dimensions>& plan) const {
    const AbsorptionParameters& paddle = paddles_[k];
    const auto gauge = gauge_of<Real>(paddle, state, plan.pose[0][paddle.movement], parameters.tables->unit);
    std::int64_t level = 0;
#pragma omp parallel for num_threads(threads_) reduction(+ : level)
    for (std::int64_t i = begin; i < end; ++i) level += level_part(parameters, paddle, gauge, base, i);
    return level;
  }

  std::vector<AbsorptionParameters> paddles_;
  Communicator ranks_;
  int threads_;
};

}  // namespace shoal::sph
