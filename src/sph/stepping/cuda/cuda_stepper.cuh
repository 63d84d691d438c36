// SPDX-License-Identifier: Apache-2.0
// The host side of the CUDA methods: captures a step as a CUDA graph and replays it. Where several ranks share the domain,
// they launch a step kernel by kernel: its sizes change.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/device/queue_order.hpp"
#include "sph/control/device_control.cuh"
#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/clock_kernels.cuh"
#include "sph/stepping/cuda/graph.cuh"
#include "sph/stepping/cuda/kernel_clock.cuh"
#include "sph/stepping/cuda/lane.cuh"
#include "sph/stepping/cuda/passes/absorption.cuh"
#include "sph/stepping/cuda/passes/device_bodies.cuh"
#include "sph/stepping/cuda/passes/free_places.cuh"
#include "sph/stepping/cuda/passes/open_boundaries.cuh"
#include "sph/stepping/cuda/probe_kernels.cuh"
#include "sph/stepping/cuda/ranks/slab_exchange.cuh"
#include "sph/stepping/cuda/run_memory.cuh"
#include "sph/stepping/cuda/stages.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// @param fused  sums and update are one kernel; else sums of mass and momentum, sums of energy, and update are three
template <class Search, bool fused, class Real, int dimensions>
class CudaStepper final : public Stepper<Real, dimensions> {
 public:
  CudaStepper(const Queue& queue, Setup<Real, dimensions>&& setup)
      : queue_(queue),
        ranks_(setup.ranks),
        parameters_(number_cells(setup)),
        stages_(stages_of(setup.parameters.integrator)),
        particles_(setup.particles),
        wall_particles_(setup.wall_particles),
        damping_(setup.damping),
        arrays_(setup),
        memory_(queue, setup, room_for(setup)),
        bodies_(queue, setup),
        absorption_(queue, setup),
        control_(queue, parameters_, memory_.clock(),
                 {[this] { return particles(); }, [this] { require_no_failure(); }, [this] { capture_steps(); }}) {
    parameters_.tables = memory_.tables();
    if (has_viscosities())  // the viscosities of each step limit the next one
      parameters_.control.max_dt = std::numeric_limits<double>::infinity();
    if (ranks_.size() > 1) {
      exchange_ = std::make_unique<Exchange>(queue, setup, memory_);
      exchange_->start(parameters_);
      return;
    }
    if (!setup.open_boundaries.empty()) {
      const std::int64_t present = memory_.n();
      memory_.add_free_places();
      open_ = std::make_unique<Open>(queue, setup.open_boundaries, memory_.room(), setup.state.clock,
                                     present - setup.state.clock.particles);
    }
    prepare_graphs();
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    Clock clock = this->clock();
    if (is_reached(goal, clock)) return;
    begin(goal);
    while (!is_reached(goal, clock)) {
      const std::int64_t left = steps_left(clock, goal);
      const DeviceClock device_clock = run_steps(std::min(left, batch_));
      clock = clock_of(device_clock);
      if (device_clock.fault_word != fault::none) fail(device_clock);
      if (lacks_places()) {
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
    KernelClock kernels(stream_of(queue_));
    kernels_ = &kernels;
    const DeviceClock device_clock = exchange_ ? run_steps(steps_left(before, goal)) : enqueue_profiled(goal);
    kernels_ = nullptr;
    std::vector<KernelProfile> profiles = kernels.read();
    if (device_clock.fault_word != fault::none) fail(device_clock);
    if (observer) observer(clock_of(device_clock));
    return profiles;
  }

  Clock clock() const override { return has_failed() ? before_fault_ : clock_of(memory_.read_clock()); }

  SlabCounts slab_counts() const override {
    return exchange_ ? exchange_->counts() : SlabCounts{.particles = particles_, .weight = particles_};
  }

  HostState<Real, dimensions> download() const override {
    HostState<Real, dimensions> host = memory_.download(has_failed());
    if (exchange_) exchange_->complete(host);
    if (open_) leave_out_free_places(arrays_, host);
    host.clock = clock();
    host.rigid_bodies = rigid_bodies();
    host.absorption = absorption_.states(has_failed());
    return host;
  }

  std::vector<RigidBodyState> rigid_bodies() const override { return bodies_.states(has_failed()); }

  ParticleControl<Real, dimensions>& control() override { return control_; }
  void set_control(std::size_t body, const BodyControl& control) override { bodies_.set_control(body, control); }
  void set_rigid_body(std::size_t body, const RigidBodyState& state) override { bodies_.set_state(body, state); }

  std::vector<ProbeSums> measure(const std::vector<ProbePoint<Real, dimensions>>& probes) const override {
    const DeviceState<Real, dimensions>& state = memory_.state(has_failed());
    const ParticleRange range = memory_.range(has_failed());
    return measure_probes(queue_, ranks_, parameters_,
                          {state.position.data() + range.first, state.velocity.data() + range.first,
                           parameters_.tables ? state.properties.data() + range.first : nullptr, range.count},
                          probes);
  }

 private:
  using Memory = RunMemory<Search, fused, Real, dimensions>;
  using Exchange = SlabExchange<Memory, typename Search::Cells, Real, dimensions>;
  using Open = CudaOpenBoundaries<typename Search::Cells, Real, dimensions>;
  using Arrays = StepArrays<Real, dimensions>;
  using State = StateView<Real, dimensions>;
  using Stage = StageArguments<Real, dimensions>;
  static constexpr int block = search_threads;

  static Parameters<Real, dimensions> number_cells(Setup<Real, dimensions>& setup) {
    if (setup.ranks.size() > 1)
      setup.parameters = Exchange::slab_parameters(setup.parameters, setup.slabs, setup.ranks.rank());
    return Search::Cells::number(setup.parameters);
  }

  /// Particles for which memory is allocated at first. A rank needs room for ghosts and for those that arrive, and open
  /// boundaries for those that enter.
  static std::int64_t room_for(const Setup<Real, dimensions>& setup) {
    const auto particles = static_cast<std::int64_t>(setup.state.count());
    if (!setup.open_boundaries.empty()) return particles + free_places(setup);
    return setup.ranks.size() > 1 ? particles + particles / particles_per_spare + 1024 : particles;
  }

  bool has_failed() const { return !failure_.empty(); }

  /// @throws Error  the fault of the run: the next step would be that one again
  void require_no_failure() const {
    if (has_failed()) throw Error(failure_);
  }

  /// Particles between steps, or before the step that failed; on one rank.
  ParticleRows<Real, dimensions> particles() {
    const Arrays a = memory_.arrays();
    return {.state = has_failed() ? a.base : a.state,
            .label = has_failed() ? a.base_label : a.label,
            .cell = has_failed() ? a.base_cell : a.cell,
            .count = a.n,
            .outside = parameters_.cell_count};
  }

  /// Returns true if all ranks continue.
  bool agree_to_continue(bool continues) const {
    std::array<std::uint64_t, 1> stops{!continues};
    ranks_.group().all_max(stops);
    return stops[0] == 0;
  }

  /// Runs steps up to the goal.
  /// @return  clock after them
  DeviceClock run_steps(std::int64_t count) {
    if (!exchange_) {
      graphs_->launch(queue_, count);
      return memory_.read_clock();
    }
    DeviceClock device_clock{};
    for (; count > 0; --count) {
      enqueue_step();
      device_clock = exchange_->end_step(parameters_, memory_.plan());
      if (device_clock.fault_word != fault::none) break;
      if (exchange_->should_rebalance(device_clock.step)) parameters_ = exchange_->rebalance(parameters_);
      if (!device_clock.running) break;
    }
    return device_clock;
  }

  Lane main_lane() const { return {queue_, !computes_beside_halo(), kernels_}; }

  /// Returns true if the halos of this step have work beside them. In a profile they have none, so that the times of all
  /// parts add up to that of a step.
  bool computes_beside_halo() const {
    // Passes need ghosts before the stage.
    const bool has_passes = has_viscosities() || !memory_.surface_tension().empty() || !bodies_.empty();
    return exchange_ && !kernels_ && !has_passes && exchange_->is_beside_work(waiting_layers());
  }

  /// Returns true if a pass sets apparent viscosities before each stage.
  bool has_viscosities() const { return !memory_.viscosities().empty(); }

  /// Returns true if walls sum over fluid before each stage, whose pressures then are exchanged, too.
  bool walls_sum() const { return wall_particles_ > 0 && sums_over_fluid(parameters_.walls); }

  /// Layers of a rank beside the next one whose stage waits for an exchange. The second layer has neighbors in walls of the
  /// first one, which wait for ghosts.
  int waiting_layers() const { return walls_sum() ? 2 : 1; }

  void enqueue_step() {
    Arrays a = memory_.arrays();
    if (computes_beside_halo()) {
      a.inner_first = exchange_->inner_layers(1).first;
      a.inner_end = a.inner_first + exchange_->inner_layers(1).count;
    }
    if (memory_.has_wide_ids())
      enqueue_sort<std::int64_t>(a);
    else
      enqueue_sort<std::uint32_t>(a);
    if (open_) open_->enqueue_begin(main_lane(), parameters_, a);
    if (!absorption_.empty()) absorption_.move(main_lane(), parameters_, a, memory_.plan());
    with_physics(parameters_, has_viscosities(), [&]<class Physics> { enqueue_stages<Physics>(a); });
    if (damping_.zones > 0) main_lane().run("damp_velocities", a.n, damp_velocities<Real, dimensions>, damping_, a);
    if (open_) open_->enqueue_end(main_lane(), parameters_, a);
    if (exchange_) return;
    main_lane().template run<scan_threads>("end_step", memory_.tiles() * scan_threads, end_step<Real, dimensions>,
                                           parameters_, a, memory_.plan());
  }

  template <class Id>
  void enqueue_sort(const Arrays& a) {
    main_lane().run("fill_buckets", std::max(a.source_n, a.may_be_fluid_words), fill_buckets<Id, Real, dimensions>, a);
    main_lane().run("move_to_order", std::max(a.source_n, memory_.cells() + 2), move_to_order<Id, Real, dimensions>, a,
                    memory_.cells(), parameters_.energy);
  }

  template <class Physics>
  void enqueue_stages(const Arrays& a) {
    State now = a.base;
    for (int stage = 0; stage < stages_; ++stage) {
      const State next = (stages_ - stage) % 2 ? a.state : a.intermediate;
      const bool is_last = stage + 1 == stages_;
      const Stage arguments{now, next, stage, is_last, is_last && !open_ && !control_.accelerates()};
      if (computes_beside_halo())
        enqueue_beside_halo<Physics>(a, arguments);
      else
        enqueue_after_halo<Physics>(a, arguments);
      if (control_.accelerates()) enqueue_accelerations<Physics>(a, arguments);
      if (open_) open_->enqueue_hold(main_lane(), parameters_, a, stage, next);
      now = next;
    }
  }

  /// Adds the accelerations by a program after a stage.
  template <class Physics>
  void enqueue_accelerations(const Arrays& a, const Stage& stage) {
    using Model = std::conditional_t<Physics::has_properties, GeneralPhysics, Physics>;
    main_lane().run("add_accelerations", a.n, add_accelerations<typename Search::Cells, Model, Real, dimensions>,
                    parameters_, a, stage.next, stage.stage, stage.last, stage.last && !open_,
                    control_.accelerations());
  }

  /// A stage of all particles after its halos.
  template <class Physics>
  void enqueue_after_halo(const Arrays& a, const Stage& stage) {
    exchange_halo(stage.now, HaloValues::particles);
    enqueue_neighbors<Physics>(main_lane(), a, stage);
    enqueue_walls<Physics>(main_lane(), a, stage, memory_.walls());
    if (walls_sum()) exchange_halo(stage.now, HaloValues::wall_pressures);
    enqueue_passes<Physics>(a, stage);
    enqueue_stage<Physics>(main_lane(), a, stage);
  }

  /// Sets what a stage needs besides the particles: apparent viscosities, surface tension, and where rigid bodies are after
  /// it.
  template <class Physics>
  void enqueue_passes(const Arrays& a, const Stage& stage) {
    if constexpr (Physics::has_apparent_viscosity) {
      memory_.viscosities().template set<Search>(main_lane(), parameters_, a, stage);
      exchange_halo(stage.now, HaloValues::viscosities);
    }
    if constexpr (dimensions > 1 && Physics::has_properties)
      if (!memory_.surface_tension().empty())
        memory_.surface_tension().template set<Search>(main_lane(), parameters_, a, stage,
                                                       [&](auto* stresses) { exchange_halo(stresses); });
    if constexpr (dimensions > 1 && Physics::may_move_walls)
      if (!bodies_.empty())
        bodies_.template move<Search, Physics>(main_lane(), parameters_, a, stage, memory_.walls(), memory_.plan(),
                                               exchange_.get());
  }

  /// A stage whose halos are exchanged beside the work for inner layers. The outer layers follow the exchange in its queue.
  template <class Physics>
  void enqueue_beside_halo(const Arrays& a, const Stage& stage) {
    const Queue& beside = exchange_->halo_queue();
    const Lane outer{beside, false, kernels_};
    exchange_->mark_work();
    enqueue_neighbors<Physics>(main_lane(), part(a, exchange_->inner_layers(1)), stage);
    enqueue_walls<Physics>(main_lane(), a, stage, memory_.walls());
    enqueue_wait(beside, queue_);
    enqueue_stage<Physics>(main_lane(), part(a, exchange_->inner_layers(waiting_layers())), stage);
    exchange_->mark_work();
    exchange_->exchange_halo_beside(stage.now,
                                    HaloValues::particles);  // may block the host, so the inner layers go first
    for (const ParticleRange& layer : exchange_->outer_layers(1))
      enqueue_neighbors<Physics>(outer, part(a, layer), stage);
    Arrays outer_walls = a;
    outer_walls.takes_outer_walls = true;
    enqueue_walls<Physics>(outer, outer_walls, stage, std::min(memory_.walls(), exchange_->outer_count(1)));
    if (walls_sum()) exchange_->exchange_halo_beside(stage.now, HaloValues::wall_pressures);
    for (const ParticleRange& layers : exchange_->outer_layers(waiting_layers()))
      enqueue_stage<Physics>(outer, part(a, layers), stage);
    enqueue_wait(queue_, beside);
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
    if (!exchange_) return;
    if (kernels_) kernels_->start("exchange_halo");
    exchange_->exchange_halo(values...);
    if (kernels_) kernels_->stop();
  }

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
        enqueue_walls<Treatment, Physics, Search::few_walls_width>(lane, a, stage, most);
      else
        enqueue_walls<Treatment, Physics, Search::wall_width>(lane, a, stage, most);
    });
  }

  template <class Treatment, class Physics, int width>
  void enqueue_walls(const Lane& lane, const Arrays& a, const Stage& stage, std::int32_t most) {
    lane.run("set_wall_pressures", std::int64_t{most} * width,
             set_wall_pressures<Search, Treatment, Physics, width, Real, dimensions>, parameters_, a, stage.now,
             stage.stage);
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

  /// Returns true if the next step has not begun: more particles enter than there are free places.
  bool lacks_places() const { return open_ && open_->read_counts().needed > 0; }

  /// Makes room for more particles, so that the run goes on.
  void add_places(const Goal& goal) {
    memory_.reserve(std::int64_t{memory_.n()} + open_->read_counts().needed + 1);
    memory_.add_free_places();
    open_->reserve(memory_.room());
    memory_.set_cells(memory_.cells());
    prepare_graphs();
    begin(goal);
  }

  /// Counts the particles in their cells for the first step, and captures the graphs.
  void prepare_graphs() {
    const Arrays a = memory_.arrays();
    launch<block>(queue_, a.n, count_cells<typename Search::Cells, Real, dimensions>, parameters_, a);
    launch<scan_threads>(queue_, memory_.tiles() * scan_threads, scan_cells<Real, dimensions>, a);
    queue_.wait();
    capture_steps();
  }

  void capture_steps() {
    graphs_ = std::make_unique<StepGraphs>(queue_, [this] { enqueue_step(); });
  }

  /// Launches steps up to the goal kernel by kernel.
  /// @return  clock after them
  DeviceClock enqueue_profiled(const Goal& goal) {
    while (true) {
      const Clock now = clock();
      if (!is_reached(goal, now))
        for (std::int64_t left = steps_left(now, goal); left > 0; --left) enqueue_step();
      const DeviceClock device_clock = memory_.read_clock();
      if (device_clock.fault_word != fault::none || !lacks_places()) return device_clock;
      KernelClock* const kernels = std::exchange(kernels_, nullptr);  // graphs have no kernel clock
      add_places(goal);
      kernels_ = kernels;
    }
  }

  static bool is_reached(const Goal& goal, const Clock& clock) {
    return clock.step >= goal.step || clock.time >= goal.time;
  }

  /// @throws Error  the run has failed
  void begin(const Goal& goal) {
    require_no_failure();
    begin_run<<<1, 1, 0, stream_of(queue_)>>>(parameters_, memory_.clock(), goal, memory_.plan());
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
    return std::clamp<std::int64_t>(100'000'000 / (particles_ + 1), 16, 1024);
  }

  Clock clock_of(const DeviceClock& device_clock) const {
    Clock clock;
    clock.time = device_clock.time;
    clock.step = device_clock.step;
    clock.dt = device_clock.last_dt;
    clock.next_dt = device_clock.next_dt;
    clock.lost = exchange_ ? exchange_->lost() : memory_.n() - device_clock.inside;
    clock.particles = particles_ - clock.lost;
    if (open_) {
      const bool is_undone = device_clock.fault_word != fault::none;
      clock.lost = open_->read_counts().lost[(device_clock.step - is_undone) & 1];
      clock.particles = device_clock.inside;
    }
    return clock;
  }

  [[noreturn]] void fail(const DeviceClock& device_clock) {
    const Clock after = clock_of(device_clock);
    before_fault_ = after;
    --before_fault_.step;
    before_fault_.time = after.time - after.dt;
    double displacement_squared = 0;
    std::memcpy(&displacement_squared, &device_clock.displacement_squared, sizeof displacement_squared);
    failure_ = divergence_message(after, device_clock.fault_word, std::sqrt(displacement_squared),
                                  std::sqrt(static_cast<double>(parameters_.support_squared)));
    ranks_.agree([this] { throw Error(failure_); });
    throw Error(failure_);
  }

  Queue queue_;
  Communicator ranks_;
  Parameters<Real, dimensions> parameters_;
  int stages_;
  std::int64_t particles_;       ///< Number of particles of all ranks
  std::int64_t wall_particles_;  ///< Number of particles of all ranks
  DampingParameters<Real, dimensions> damping_;
  ArraysOf<Real, dimensions> arrays_;
  Memory memory_;
  DeviceBodies<Real, dimensions> bodies_;
  DeviceAbsorption<Real, dimensions> absorption_;
  DeviceControl<Real, dimensions> control_;
  std::unique_ptr<Exchange> exchange_;           ///< null on one rank
  std::unique_ptr<Open> open_;                   ///< null without open boundaries
  std::int64_t batch_ = StepGraphs::most_steps;  ///< number of steps before the clock is read
  std::string failure_;                          ///< error that ended the run, or empty
  Clock before_fault_;
  KernelClock* kernels_ = nullptr;      ///< while a profile is taken
  std::unique_ptr<StepGraphs> graphs_;  ///< null on several ranks
};

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
