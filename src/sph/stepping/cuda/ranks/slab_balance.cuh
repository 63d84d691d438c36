// SPDX-License-Identifier: Apache-2.0
// When cuts between the ranks of a CUDA run move, and by which work.
#pragma once
#include <utility>
#include <vector>

#include "sph/ranks/slab_work.hpp"
#include "sph/stepping/cuda/ranks/work_clock.cuh"

namespace shoal::sph {

/// Measures the work of a rank and compares it with that of the others.
///
/// Results have the same bits for any cuts, so that cuts may follow measured times, which differ from run to run.
class SlabBalance {
 public:
  /// @param every  steps after which cuts move in any case, toward equal weights; 0: they move if work is uneven
  SlabBalance(const Communicator& ranks, cudaStream_t stream, std::int64_t every)
      : ranks_(ranks), every_(every), clock_(stream) {}

  /// Marks the begin or, in turn, the end of the work for inner layers in a stage. Most steps are not measured.
  void mark() {
    if (measures()) clock_.mark();
  }

  /// Takes the time of a step for which the host has waited. Outer layers run beside the inner ones and are taken to cost
  /// as much for each particle.
  /// @param inner_share  share of the inner layers in the particles of the rank
  void end_step(double inner_share) {
    if (measures() && inner_share > 0) seconds_ += clock_.take_seconds() / inner_share;
    ++steps_;
  }

  /// Returns true after a step where cuts should move. All ranks have the same answer.
  /// @param step    number of the step in the whole simulation
  /// @param weight  weight of the particles of this rank
  bool should_move(std::int64_t step, std::int64_t weight) {
    if (every_ > 0) return step % every_ == 0;
    if (!compares_times(steps_)) return false;
    work_ = gather_work(ranks_, {std::exchange(seconds_, 0), weight});
    return is_uneven(work_) && (is_timed(work_) || compares_weights(steps_));
  }

  /// Costs of layers, by which cuts move. @param weight  [layers]
  std::vector<std::int64_t> costs(const std::vector<std::int64_t>& weight, const Slabs& slabs) const {
    std::vector<std::int64_t> cost = weight;
    scale_to_times(cost, slabs, work_);
    return cost;
  }

 private:
  bool measures() const { return every_ == 0 && measures_work(steps_ + 1); }

  Communicator ranks_;
  std::int64_t every_;
  WorkClock clock_;
  std::int64_t steps_ = 0;      ///< number of steps of this run
  double seconds_ = 0;          ///< measured work of this rank since the last comparison
  std::vector<SlabWork> work_;  ///< [ranks] at the last comparison; empty: weights count
};

}  // namespace shoal::sph
