// SPDX-License-Identifier: Apache-2.0
// Launches of the kernels of one stage.
#pragma once
#include <cstdint>

#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/stages.cuh"
#include "sph/stepping/cuda/step_arrays.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// Launches the kernels of a stage for a range of particles: neighbors, pressures of walls, rates and update.
/// @param fused  as for CudaRun
template <class Search, bool fused, class Real, int dimensions>
class StageLaunches {
 public:
  using Arrays = StepArrays<Real, dimensions>;
  using Stage = StageArguments<Real, dimensions>;

  /// @param parameters  may change between steps
  /// @param wall_particles  number of particles of all ranks
  StageLaunches(const Parameters<Real, dimensions>& parameters, std::int64_t wall_particles)
      : parameters_(parameters), wall_particles_(wall_particles) {}

  /// Returns true if walls sum over fluid before each stage, whose pressures then are exchanged, too.
  bool walls_sum() const { return wall_particles_ > 0 && sums_over_fluid(parameters_.walls); }

  /// Finds the neighbors before the first stage.
  template <class Physics>
  void enqueue_neighbors(const Lane& lane, const Arrays& a, const Stage& stage) {
    if constexpr (Search::has_list)
      if (stage.stage == 0)
        lane.run("find_neighbors", a.n, find_neighbors<Search, Physics, Real, dimensions>, parameters_, a);
  }

  /// Sets the pressures of listed walls from the fluid. @param most  bound of their number
  template <class Physics>
  void enqueue_walls(const Lane& lane, const Arrays& a, const Stage& stage, std::int32_t most) {
    if (!walls_sum()) return;
    with_summing_walls(parameters_.walls, [&]<class Treatment> {
      if (wall_particles_ < large_team_walls)
        enqueue_wall_teams<Treatment, Physics, Search::few_walls_width>(lane, a, stage, most);
      else
        enqueue_wall_teams<Treatment, Physics, Search::wall_width>(lane, a, stage, most);
    });
  }

  template <class Physics>
  void enqueue_stage(const Lane& lane, const Arrays& a, const Stage& stage) {
    if constexpr (!fused)
      enqueue_kernels<Physics>(lane, a, stage);
    else if (a.is_small)
      enqueue_team_stage<Physics, Search::few_width>(lane, a, stage);
    else
      enqueue_team_stage<Physics, 1>(lane, a, stage);
  }

 private:
  template <class Treatment, class Physics, int width>
  void enqueue_wall_teams(const Lane& lane, const Arrays& a, const Stage& stage, std::int32_t most) {
    lane.run("set_wall_pressures", std::int64_t{most} * width,
             set_wall_pressures<Search, Treatment, Physics, width, Real, dimensions>, parameters_, a, stage.now,
             stage.stage);
  }

  template <class Physics, int width>
  void enqueue_team_stage(const Lane& lane, const Arrays& a, const Stage& stage) {
    lane.run("advance_stage", std::int64_t{a.n} * width, advance_stage<Search, Physics, width, Real, dimensions>,
             parameters_, a, stage);
  }

  template <class Physics>
  void enqueue_kernels(const Lane& lane, const Arrays& a, const Stage& stage) {
    lane.run("sum_mass_and_momentum", a.n, sum_rates<Search, Sums::mass_and_momentum, Physics, Real, dimensions>,
             parameters_, a, stage);
    if (parameters_.energy)
      lane.run("sum_energy", a.n, sum_rates<Search, Sums::energy, Physics, Real, dimensions>, parameters_, a, stage);
    lane.run("update_particles", a.n, update_particles<Search, Physics, Real, dimensions>, parameters_, a, stage);
  }

  const Parameters<Real, dimensions>& parameters_;
  std::int64_t wall_particles_;
};

}  // namespace shoal::sph
