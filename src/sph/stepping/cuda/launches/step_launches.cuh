// SPDX-License-Identifier: Apache-2.0
// Launches of a step: its sort, its stages with their passes and halos, and what ends it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "core/device/queue_order.hpp"
#include "sph/stepping/cuda/clock_kernels.cuh"
#include "sph/stepping/cuda/cuda_run.cuh"
#include "sph/stepping/cuda/launches/kernel_clock.cuh"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/launches/stage_launches.cuh"

namespace shoal::sph {

/// Launches the kernels of the steps of a run.
template <class Search, bool fused, class Real, int dimensions>
class StepLaunches {
 public:
  using Run = CudaRun<Search, fused, Real, dimensions>;

  explicit StepLaunches(Run& run) : run_(run), queue_(run.queue), launches_(run.parameters, run.wall_particles) {}

  /// Launches on another queue from now on.
  void set_queue(const Queue& queue) { queue_ = queue; }
  /// Lets launches from now on wait for the present work of another queue.
  void wait_for(const Queue& earlier) {
    if (stream_of(earlier) == stream_of(queue_)) return;
    enqueue_wait(queue_, earlier);
    has_waited_ = true;
  }

  /// Sets the clock that measures each kernel, or null.
  /// @return  the previous one
  KernelClock* set_kernel_clock(KernelClock* kernels) { return std::exchange(kernels_, kernels); }

  /// Launches the kernels of one step.
  void enqueue_step() {
    enqueue_sort();
    enqueue_stages();
    if (!run_.exchange) enqueue_end();
  }

  /// Launches the sort of a step.
  void enqueue_sort() {
    if (run_.memory.has_wide_ids())
      enqueue_sort_by<std::int64_t>(arrays_of_step());
    else
      enqueue_sort_by<std::uint32_t>(arrays_of_step());
  }

  /// Launches the stages of a step, and the passes before and after them.
  /// @param after_first  called after the launches of the first stage, before those for particles that it holds
  void enqueue_stages(const std::function<void()>& after_first = {}) {
    const Arrays a = arrays_of_step();
    if (run_.open) {
      exchange_halo(a.base, HaloValues::particles);  // fluid of other ranks is near the images of particles in boxes
      run_.open->enqueue_begin(main_lane(), run_.parameters, a, run_.entries());
    }
    if (!run_.absorption.empty()) run_.absorption.move(main_lane(), run_.parameters, a, run_.memory.plan());
    with_physics(run_.parameters, run_.has_viscosities(),
                 [&]<class Physics> { enqueue_stages_of<Physics>(a, after_first); });
    if (run_.damping.zones > 0)
      main_lane().run("damp_velocities", a.n, damp_velocities<Real, dimensions>, run_.damping, a);
    if (run_.open) run_.open->enqueue_end(main_lane(), run_.parameters, a, run_.entries());
  }

  /// Launches the end of a step on one rank.
  void enqueue_end() {
    main_lane().template run<scan_threads>("end_step", run_.memory.tiles() * scan_threads, end_step<Real, dimensions>,
                                           run_.parameters, arrays_of_step(), run_.memory.plan());
  }

  /// Kernels of the first lane after a wait for another queue are not chained.
  Lane main_lane() { return {queue_, !std::exchange(has_waited_, false) && !computes_beside_halo(), kernels_}; }

 private:
  using Arrays = StepArrays<Real, dimensions>;
  using State = StateView<Real, dimensions>;
  using Stage = StageArguments<Real, dimensions>;

  Arrays arrays_of_step() {
    Arrays a = run_.memory.arrays();
    if (computes_beside_halo()) {
      a.inner_first = run_.exchange->inner_layers(1).first;
      a.inner_end = a.inner_first + run_.exchange->inner_layers(1).count;
    }
    return a;
  }

  /// Returns true if the halos of this step have work beside them. In a profile they have none, so that the times of all
  /// parts add up to that of a step.
  bool computes_beside_halo() const {
    // Passes need ghosts before the stage.
    const bool has_passes = run_.has_viscosities() || !run_.memory.surface_tension().empty() || !run_.bodies.empty();
    return run_.exchange && !kernels_ && !has_passes && run_.exchange->is_beside_work(waiting_layers());
  }

  /// Layers of a rank beside the next one whose stage waits for an exchange. The second layer has neighbors in walls of the
  /// first one, which wait for ghosts.
  int waiting_layers() const { return launches_.walls_sum() ? 2 : 1; }

  template <class Id>
  void enqueue_sort_by(const Arrays& a) {
    main_lane().run("fill_buckets", std::max(a.source_n, a.may_be_fluid_words), fill_buckets<Id, Real, dimensions>, a);
    main_lane().run("move_to_order", std::max(a.source_n, run_.memory.cells() + 2), move_to_order<Id, Real, dimensions>,
                    a, run_.memory.cells(), run_.parameters.energy);
  }

  template <class Physics>
  void enqueue_stages_of(const Arrays& a, const std::function<void()>& after_first) {
    State now = a.base;
    for (int stage = 0; stage < run_.stages; ++stage) {
      const State next = (run_.stages - stage) % 2 ? a.state : a.intermediate;
      const bool is_last = stage + 1 == run_.stages;
      const Stage arguments{now, next, stage, is_last,
                            is_last && !run_.open && !run_.level && !run_.control.accelerates()};
      if (computes_beside_halo())
        enqueue_beside_halo<Physics>(a, arguments);
      else
        enqueue_after_halo<Physics>(a, arguments);
      if (run_.control.accelerates()) enqueue_accelerations<Physics>(a, arguments);
      if (stage == 0 && after_first) after_first();
      if (run_.open) run_.open->enqueue_hold(main_lane(), run_.parameters, a, stage, next);
      if (run_.level && run_.level->has_parent())
        Run::Level::enqueue_hold(main_lane(), run_.level_arrays(), stage, next);
      now = next;
    }
  }

  /// Adds the accelerations by a program after a stage.
  template <class Physics>
  void enqueue_accelerations(const Arrays& a, const Stage& stage) {
    using Model = std::conditional_t<Physics::has_properties, GeneralPhysics, Physics>;
    main_lane().run("add_accelerations", a.n, add_accelerations<typename Search::Cells, Model, Real, dimensions>,
                    run_.parameters, a, stage.next, stage.stage, stage.last, stage.last && !run_.open,
                    run_.control.accelerations());
  }

  /// A stage of all particles after its halos.
  template <class Physics>
  void enqueue_after_halo(const Arrays& a, const Stage& stage) {
    exchange_halo(stage.now, HaloValues::particles);
    launches_.template enqueue_neighbors<Physics>(main_lane(), a, stage);
    launches_.template enqueue_walls<Physics>(main_lane(), a, stage, run_.memory.walls());
    if (launches_.walls_sum()) exchange_halo(stage.now, HaloValues::wall_pressures);
    enqueue_passes<Physics>(a, stage);
    launches_.template enqueue_stage<Physics>(main_lane(), a, stage);
  }

  /// Sets what a stage needs besides the particles: apparent viscosities, surface tension, and where rigid bodies are after
  /// it.
  template <class Physics>
  void enqueue_passes(const Arrays& a, const Stage& stage) {
    if constexpr (Physics::has_apparent_viscosity) {
      run_.memory.viscosities().template set<Search>(main_lane(), run_.parameters, a, stage);
      exchange_halo(stage.now, HaloValues::viscosities);
    }
    if constexpr (dimensions > 1 && Physics::has_properties)
      if (!run_.memory.surface_tension().empty())
        run_.memory.surface_tension().template set<Search>(main_lane(), run_.parameters, a, stage,
                                                           [&](auto* stresses) { exchange_halo(stresses); });
    if constexpr (dimensions > 1 && Physics::may_move_walls)
      if (!run_.bodies.empty())
        run_.bodies.template move<Search, Physics>(main_lane(), run_.parameters, a, stage, run_.memory.walls(),
                                                   run_.memory.plan(), run_.exchange.get());
  }

  /// A stage whose halos are exchanged beside the work for inner layers. The outer layers follow the exchange in its queue.
  template <class Physics>
  void enqueue_beside_halo(const Arrays& a, const Stage& stage) {
    const Queue& beside = run_.exchange->halo_queue();
    const Lane outer{beside, false, kernels_};
    run_.exchange->mark_work();
    launches_.template enqueue_neighbors<Physics>(main_lane(), part(a, run_.exchange->inner_layers(1)), stage);
    launches_.template enqueue_walls<Physics>(main_lane(), a, stage, run_.memory.walls());
    enqueue_wait(beside, run_.queue);
    launches_.template enqueue_stage<Physics>(main_lane(), part(a, run_.exchange->inner_layers(waiting_layers())),
                                              stage);
    run_.exchange->mark_work();
    run_.exchange->exchange_halo_beside(stage.now,
                                        HaloValues::particles);  // may block the host, so the inner layers go first
    for (const ParticleRange& layer : run_.exchange->outer_layers(1))
      launches_.template enqueue_neighbors<Physics>(outer, part(a, layer), stage);
    Arrays outer_walls = a;
    outer_walls.takes_outer_walls = true;
    launches_.template enqueue_walls<Physics>(outer, outer_walls, stage,
                                              std::min(run_.memory.walls(), run_.exchange->outer_count(1)));
    if (launches_.walls_sum()) run_.exchange->exchange_halo_beside(stage.now, HaloValues::wall_pressures);
    for (const ParticleRange& layers : run_.exchange->outer_layers(waiting_layers()))
      launches_.template enqueue_stage<Physics>(outer, part(a, layers), stage);
    enqueue_wait(run_.queue, beside);
  }

  /// Arrays of a launch for a range of own particles.
  static Arrays part(const Arrays& a, const ParticleRange& range) {
    Arrays arrays = a;
    arrays.first = range.first;
    arrays.n = range.count;
    return arrays;
  }

  /// @param values  a state and its values, or one array
  template <class... Values>
  void exchange_halo(const Values&... values) {
    if (!run_.exchange) return;
    if (kernels_) kernels_->start("exchange_halo");
    run_.exchange->exchange_halo(values...);
    if (kernels_) kernels_->stop();
  }

  Run& run_;
  Queue queue_;
  bool has_waited_ = false;  ///< no kernel was launched since a wait for another queue
  StageLaunches<Search, fused, Real, dimensions> launches_;
  KernelClock* kernels_ = nullptr;  ///< while a profile is taken
};

}  // namespace shoal::sph
