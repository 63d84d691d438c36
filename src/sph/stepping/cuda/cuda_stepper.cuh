// SPDX-License-Identifier: Apache-2.0
// The host side of the CUDA methods: captures a step as a CUDA graph and replays it. Where several ranks share the domain,
// they launch a step kernel by kernel: its sizes change.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/clock_kernels.cuh"
#include "sph/stepping/cuda/cuda_run.cuh"
#include "sph/stepping/cuda/launches/graph.cuh"
#include "sph/stepping/cuda/launches/step_launches.cuh"
#include "sph/stepping/cuda/probe_kernels.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// Stepper of the CUDA methods.
/// @param fused  as for CudaRun
template <class Search, bool fused, class Real, int dimensions>
class CudaStepper final : public Stepper<Real, dimensions>, private LevelStepper<Real, dimensions> {
 public:
  CudaStepper(const Queue& queue, Setup<Real, dimensions>&& setup)
      : arrays_(setup),
        run_(
            queue, setup,
            {[this] { return particles(); },
             [this] { require_no_failure(); },
             [this] {
               if (!run_.exchange) capture_steps();
             },
             {setup.ranks.size() > 1,
              [this](const auto& position) { return !run_.exchange || run_.exchange->owns(run_.parameters, position); },
              [this] { return run_.memory.arrays(); },
              [this](std::int64_t count, std::int64_t end_of_ids) {
                if (run_.make_places(count, end_of_ids)) capture_steps();
              },
              [this](std::int64_t change) { take_change(change); }}}),
        launches_(run_) {
    if (run_.exchange) return;
    count_particles();
    if (!run_.level) capture_steps();
  }

  LevelStepper<Real, dimensions>* level() override { return run_.level ? this : nullptr; }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    Clock clock = this->clock();
    if (is_reached(goal, clock)) return;
    begin(goal);
    while (!is_reached(goal, clock)) {
      const std::int64_t left = steps_left(clock, goal);
      const DeviceClock device_clock = run_steps(std::min(left, batch_));
      clock = run_.clock_of(device_clock);
      if (device_clock.fault_word != fault::none) fail(device_clock);
      if (run_.lacks_places()) {
        add_places(goal);
        continue;
      }
      if (observer && !agree_to_continue(observer(clock))) return;
      batch_ = std::min<std::int64_t>(2 * batch_, max_steps_between_reads());
    }
  }

  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) override {
    const Clock before = clock();
    if (is_reached(goal, before)) return {};
    begin(goal);
    KernelClock kernels(stream_of(run_.queue));
    launches_.set_kernel_clock(&kernels);
    const DeviceClock device_clock = run_.exchange ? run_steps(steps_left(before, goal)) : enqueue_profiled(goal);
    launches_.set_kernel_clock(nullptr);
    std::vector<KernelProfile> profiles = kernels.read();
    if (device_clock.fault_word != fault::none) fail(device_clock);
    if (observer) observer(run_.clock_of(device_clock));
    return profiles;
  }

  Clock clock() const override { return has_failed() ? before_fault_ : run_.clock_of(run_.memory.read_clock()); }

  SlabCounts slab_counts() const override {
    return run_.exchange ? run_.exchange->counts() : SlabCounts{.particles = run_.particles, .weight = run_.particles};
  }

  HostState<Real, dimensions> download() const override {
    HostState<Real, dimensions> host = run_.memory.download(has_failed());
    if (run_.exchange)
      run_.exchange->complete(host);
    else if (run_.open || run_.level || run_.spare_places > 0)
      leave_out_free_places(arrays_, host);
    host.clock = clock();
    host.rigid_bodies = rigid_bodies();
    host.absorption = run_.absorption.states(has_failed());
    return host;
  }

  std::vector<RigidBodyState> rigid_bodies() const override { return run_.bodies.states(has_failed()); }

  ParticleControl<Real, dimensions>& control() override { return run_.control; }
  void set_control(std::size_t body, const BodyControl& control) override { run_.bodies.set_control(body, control); }
  void set_rigid_body(std::size_t body, const RigidBodyState& state) override { run_.bodies.set_state(body, state); }

  std::vector<ProbeSums> measure(const std::vector<ProbePoint<Real, dimensions>>& probes) const override {
    const DeviceState<Real, dimensions>& state = run_.memory.state(has_failed());
    const ParticleRange range = run_.memory.range(has_failed());
    return measure_probes(run_.queue, run_.ranks, run_.parameters,
                          {state.position.data() + range.first, state.velocity.data() + range.first,
                           run_.parameters.tables ? state.properties.data() + range.first : nullptr, range.count},
                          probes);
  }

 private:
  using Run = CudaRun<Search, fused, Real, dimensions>;
  using Launches = StepLaunches<Search, fused, Real, dimensions>;
  using Arrays = StepArrays<Real, dimensions>;
  static constexpr int block = search_threads;

  bool has_failed() const { return !failure_.empty(); }

  /// @throws Error  the fault of the run: the next step would be that one again
  void require_no_failure() const {
    if (has_failed()) throw Error(failure_);
  }

  /// Particles of this rank between steps, or before the step that failed. A rank of several has none outside the domain.
  ParticleRows<Real, dimensions> particles() {
    const Arrays a = run_.memory.arrays();
    const ParticleRange range = run_.memory.range(has_failed());
    return {.state = from_row(has_failed() ? a.base : a.state, range.first),
            .label = (has_failed() ? a.base_label : a.label) + range.first,
            .cell = run_.exchange  ? nullptr
                    : has_failed() ? a.base_cell
                                   : a.cell,
            .count = range.count,
            .outside = run_.parameters.cell_count};
  }

  /// Returns true if all ranks continue.
  bool agree_to_continue(bool continues) const {
    std::array<std::uint64_t, 1> stops{!continues};
    run_.ranks.group().all_max(stops);
    return stops[0] == 0;
  }

  /// Runs steps up to the goal.
  /// @return  clock after them
  DeviceClock run_steps(std::int64_t count) {
    if (!run_.exchange) {
      graphs_->launch(run_.queue, count);
      return run_.memory.read_clock();
    }
    DeviceClock device_clock{};
    for (; count > 0; --count) {
      launches_.enqueue_step();
      device_clock = run_.exchange->end_step(run_.parameters, run_.memory.plan());
      if (device_clock.fault_word != fault::none) break;
      if (run_.exchange->should_rebalance(device_clock.step))
        run_.parameters = run_.exchange->rebalance(run_.parameters);
      if (!device_clock.running) break;
    }
    if (run_.open) run_.exchange->count_changes();
    return device_clock;
  }

  /// Makes room for more particles, so that the run goes on.
  void add_places(const Goal& goal) {
    run_.add_places();
    count_particles();
    capture_steps();
    begin(goal);
  }

  /// Counts the particles in their cells for the first step.
  void count_particles() {
    enqueue_count();
    run_.queue.wait();
  }

  void enqueue_count() {
    const Arrays a = run_.memory.arrays();
    launch<block>(run_.queue, a.n, count_cells<typename Search::Cells, Real, dimensions>, run_.parameters, a);
    launch<scan_threads>(run_.queue, run_.memory.tiles() * scan_threads, scan_cells<Real, dimensions>, a);
  }

  /// Counts the particles in their cells again after a program has added or removed some between two steps. Collective.
  /// @param change  of the number of particles of this rank
  void take_change(std::int64_t change) {
    if (run_.exchange) return run_.exchange->take_change(run_.parameters, change);
    run_.spare_places -= change;
    run_.memory.set_cells(run_.memory.cells());
    enqueue_count();
    launch<1>(run_.queue, 1, count_inside<Real, dimensions>, run_.memory.arrays(), run_.parameters.cell_count);
  }

  void capture_steps() {
    graphs_ = std::make_unique<StepGraphs>(run_.queue, [this] { launches_.enqueue_step(); });
  }

  /// Launches steps up to the goal kernel by kernel.
  /// @return  clock after them
  DeviceClock enqueue_profiled(const Goal& goal) {
    while (true) {
      const Clock now = clock();
      if (!is_reached(goal, now))
        for (std::int64_t left = steps_left(now, goal); left > 0; --left) launches_.enqueue_step();
      const DeviceClock device_clock = run_.memory.read_clock();
      if (device_clock.fault_word != fault::none || !run_.lacks_places()) return device_clock;
      KernelClock* const kernels = launches_.set_kernel_clock(nullptr);  // graphs have no kernel clock
      add_places(goal);
      launches_.set_kernel_clock(kernels);
    }
  }

  static bool is_reached(const Goal& goal, const Clock& clock) {
    return clock.step >= goal.step || clock.time >= goal.time;
  }

  /// @throws Error  the run has failed
  void begin(const Goal& goal) {
    require_no_failure();
    begin_run<<<1, 1, 0, stream_of(run_.queue)>>>(run_.parameters, run_.memory.clock(), goal, run_.memory.plan());
    SHOAL_CUDA_CHECK(cudaGetLastError());
  }

  std::int64_t steps_left(const Clock& clock, const Goal& goal) const {
    const double by_time = std::ceil((goal.time - clock.time) / clock.next_dt);
    const std::int64_t by_step = goal.step - clock.step;
    return by_time < static_cast<double>(by_step) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(by_time))
                                                  : by_step;
  }

  /// Steps after which the host reads the clock: about 1e8 particle-steps, some tens of milliseconds.
  std::int64_t max_steps_between_reads() const {
    return std::clamp<std::int64_t>(100'000'000 / (run_.particles + 1), 16, 1024);
  }

  /// Clock before a step that failed.
  Clock clock_before(const DeviceClock& device_clock) const {
    Clock before = run_.clock_of(device_clock);
    --before.step;
    before.time -= before.dt;
    return before;
  }

  /// Message of a step that failed.
  std::string message_of(const DeviceClock& device_clock) const {
    double displacement_squared = 0;
    std::memcpy(&displacement_squared, &device_clock.displacement_squared, sizeof displacement_squared);
    return divergence_message(run_.clock_of(device_clock), device_clock.fault_word, std::sqrt(displacement_squared),
                              std::sqrt(static_cast<double>(run_.parameters.support_squared)));
  }

  [[noreturn]] void fail(const DeviceClock& device_clock) {
    before_fault_ = clock_before(device_clock);
    failure_ = message_of(device_clock);
    run_.ranks.agree([this] { throw Error(failure_); });
    throw Error(failure_);
  }

  using Levels = std::vector<LevelStepper<Real, dimensions>*>;
  static CudaStepper& stepper_of(LevelStepper<Real, dimensions>* level) { return static_cast<CudaStepper&>(*level); }
  void advance_levels(const Levels& levels, const Goal& goal, const std::function<bool()>& observer) override;
  std::vector<KernelProfile> profile_levels(const Levels& levels, const Goal& goal,
                                            const std::function<bool()>& observer) override;
  void enqueue_levels(const Levels& levels, const std::vector<Queue>& queues);
  LevelClocks clocks_of(const Levels& levels) const;
  void capture_levels(const Levels& levels);
  void begin_levels(const Levels& levels, const Goal& goal);
  bool add_places_of_levels(const Levels& levels);
  void fail_levels(const Levels& levels);

  ArraysOf<Real, dimensions> arrays_;
  Run run_;
  Launches launches_;
  std::int64_t batch_ = StepGraphs::most_steps;  ///< number of steps before the clock is read
  std::string failure_;                          ///< error that ended the run, or empty
  Clock before_fault_;
  std::unique_ptr<StepGraphs> graphs_;  ///< null on several ranks
  std::vector<Queue> level_queues_;     ///< [levels] of the first level; empty until its steps are captured
};

}  // namespace shoal::sph

#include "sph/stepping/cuda/cuda_stepper_levels.cuh"

namespace shoal::sph {

template <class Search, bool fused, class Real, int dimensions>
std::unique_ptr<Stepper<Real, dimensions>> make_cuda(const Queue& queue, Setup<Real, dimensions>&& setup) {
  return std::make_unique<CudaStepper<Search, fused, Real, dimensions>>(queue, std::move(setup));
}

/// The method for both precisions and all dimensions.
template <class Search, bool fused>
constexpr Method cuda_method(const MethodEntry& row) {
  return {
      row,
      {make_cuda<Search, fused, float, 1>, make_cuda<Search, fused, float, 2>, make_cuda<Search, fused, float, 3>,
       make_cuda<Search, fused, double, 1>, make_cuda<Search, fused, double, 2>, make_cuda<Search, fused, double, 3>}};
}

}  // namespace shoal::sph
