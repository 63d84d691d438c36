// SPDX-License-Identifier: Apache-2.0
// The host side of the CUDA methods: owns the arrays, captures a step as a CUDA graph and replays it.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/kernel_clock.cuh"
#include "sph/stepping/cuda/stages.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// Plans the step that the clock has prepared; nothing in plain physics.
template <class Real, int dimensions>
__device__ void plan_next(const Parameters<Real, dimensions>& parameters, const DeviceClock& clock,
                          StepPlan<dimensions>* plan) {
  if (parameters.tables && clock.running)
    plan_step(*parameters.tables, parameters.integrator, clock.time, clock.dt, *plan);
}

template <class Real, int dimensions>
__global__ void begin_run(Parameters<Real, dimensions> parameters, DeviceClock* clock, Goal goal,
                          StepPlan<dimensions>* plan) {
  clock->goal_time = goal.time;
  clock->goal_step = goal.step;
  clock->prepare_step(parameters.control.by_cfl);
  plan_next(parameters, *clock, plan);
}

/// Scans the cells for the next step and ends this one. The block of the last tile sets the clock: it has waited for
/// sums of all other blocks, so each of them has read the clock before.
template <class Real, int dimensions>
__global__ void end_step(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                         StepPlan<dimensions>* plan) {
  join_chain(false);
  DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const bool is_stable = clock.fault_word == fault::none;
  if (is_stable) scan_counts(arrays.cell_count, arrays.cell_start, arrays.tile_word);
  if (blockIdx.x + 1 != gridDim.x) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  clock.end_step(parameters.control);
  plan_next(parameters, clock, plan);
}

/// A captured sequence of launches.
class Graph {
 public:
  /// Captures what `enqueue` puts on the queue's stream, without running it.
  template <class Enqueue>
  Graph(const Queue& queue, const Enqueue& enqueue) {
    cudaGraph_t graph = nullptr;
    SHOAL_CUDA_CHECK(cudaStreamBeginCapture(stream_of(queue), cudaStreamCaptureModeThreadLocal));
    try {
      enqueue();
    } catch (...) {
      cudaStreamEndCapture(stream_of(queue), &graph);
      if (graph) cudaGraphDestroy(graph);
      throw;
    }
    SHOAL_CUDA_CHECK(cudaStreamEndCapture(stream_of(queue), &graph));
    const cudaError_t result = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    SHOAL_CUDA_CHECK(result);
  }
  ~Graph() { cudaGraphExecDestroy(executable_); }
  Graph(const Graph&) = delete;

  void launch(const Queue& queue) const { SHOAL_CUDA_CHECK(cudaGraphLaunch(executable_, stream_of(queue))); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

/// A state of all particles on the device.
template <class Real, int dimensions>
struct DeviceState {
  Array<PositionDensity<Real, dimensions>> position;
  Array<PackedVelocity<Real, dimensions>> velocity;
  Array<Real> energy;
  Array<Properties<Real>> properties;
  Array<Previous<Real, dimensions>> previous;

  /// Allocates arrays for the particles of `like`.
  DeviceState(const Queue& queue, const HostState<Real, dimensions>& like, bool with_energy)
      : position(queue, count_of(like.position)),
        velocity(queue, count_of(like.velocity)),
        energy(queue, with_energy ? count_of(like.energy) : 0),
        properties(queue, count_of(like.properties)),
        previous(queue, count_of(like.previous)) {}

  /// @param mirrored_velocity  shared by all states; null where fluid slips
  StateView<Real, dimensions> view(PackedVelocity<Real, dimensions>* mirrored_velocity) {
    return {position.data(),     velocity.data(),   pointer(energy),
            pointer(properties), pointer(previous), mirrored_velocity};
  }

 private:
  template <class T>
  static std::int64_t count_of(const std::vector<T>& vector) {
    return static_cast<std::int64_t>(vector.size());
  }
  template <class T>
  static T* pointer(Array<T>& array) {
    return array.count() > 0 ? array.data() : nullptr;
  }
};

/// @param fused  sums and update are one kernel; else sums of mass and momentum, sums of energy, and update are three
template <class Search, bool fused, class Real, int dimensions>
class CudaStepper final : public Stepper<Real, dimensions> {
 public:
  CudaStepper(const Queue& queue, Setup<Real, dimensions>&& setup)
      : queue_(queue),
        parameters_(setup.parameters),
        n_(checked_count(setup.state.count())),
        cells_(static_cast<std::int32_t>(setup.parameters.cell_count)),
        stages_(stages_of(setup.parameters.integrator)),
        state_(queue, setup.state, setup.parameters.energy),
        base_(queue, setup.state, setup.parameters.energy),
        intermediate_(queue, setup.state, setup.parameters.energy),
        label_(queue, n_),
        base_label_(queue, n_),
        cell_(queue, n_),
        base_cell_(queue, n_),
        slot_(queue, n_),
        bucket_(queue, n_),
        tiles_(scan_tiles(std::int64_t{cells_} + 2)),
        cell_count_(queue, tiles_ * scan_tile),
        cell_start_(queue, tiles_ * scan_tile),
        tile_word_(queue, tiles_),
        mask_(queue, Search::has_masks ? std::int64_t{n_} * run_count<GeneralPhysics>(setup.parameters) : 0),
        list_rows_(Search::has_list ? (max_listed(setup) + 7) / 8 * 2 : 0),
        list_(queue, (std::int64_t{n_} + list_width - 1) / list_width * list_width * list_rows_),
        list_count_(queue, Search::has_list ? n_ : 0),
        list_rest_(queue, Search::has_list ? n_ : 0),
        rates_(queue, fused ? 0
                            : std::int64_t{n_} * static_cast<std::int64_t>(setup.is_general
                                                                               ? sizeof(ShiftingRates<Real, dimensions>)
                                                                               : sizeof(Rates<Real, dimensions>))),
        wall_(queue, n_),
        clock_(queue, 1) {
    upload(setup.state);
    if (setup.is_general) upload_tables(setup);
    launch<block>(queue_, n_, count_cells<Real, dimensions>, parameters_, arrays());
    launch<scan_threads>(queue_, tiles_ * scan_threads, scan_cells<Real, dimensions>, arrays());
    queue_.wait();
    step_ = std::make_unique<Graph>(queue_, [this] { enqueue_step(); });
    steps_ = std::make_unique<Graph>(queue_, [this] {
      for (int step = 0; step < steps_in_graph; ++step) enqueue_step();
    });
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    Clock clock = this->clock();
    if (is_reached(goal, clock)) return;
    begin(goal);
    std::int64_t batch = steps_in_graph;
    while (!is_reached(goal, clock)) {
      const std::int64_t left = steps_left(clock, goal);
      launch_steps(std::min(left, batch));
      const DeviceClock device_clock = read_clock();
      clock = clock_of(device_clock);
      if (device_clock.fault_word != fault::none) fail(device_clock);
      if (observer && !observer(clock)) return;
      batch = std::min<std::int64_t>(2 * batch, max_steps_between_reads());
    }
  }

  std::vector<KernelProfile> profile(const Goal& goal, const Solver::Observer& observer) override {
    const Clock before = clock();
    if (is_reached(goal, before)) return {};
    begin(goal);
    KernelClock kernels(stream_of(queue_));
    kernels_ = &kernels;
    for (std::int64_t left = steps_left(before, goal); left > 0; --left) enqueue_step();
    kernels_ = nullptr;
    std::vector<KernelProfile> profiles = kernels.read();
    const DeviceClock device_clock = read_clock();
    if (device_clock.fault_word != fault::none) fail(device_clock);
    if (observer) observer(clock_of(device_clock));
    return profiles;
  }

  Clock clock() const override { return has_failed() ? before_fault_ : clock_of(read_clock()); }

  HostState<Real, dimensions> download() const override {
    HostState<Real, dimensions> host(static_cast<std::size_t>(n_));
    const DeviceState<Real, dimensions>& from = current();
    const std::vector<std::int64_t> labels = to_host(queue_, has_failed() ? base_label_ : label_);
    host.position = to_host(queue_, from.position);
    host.velocity = to_host(queue_, from.velocity);
    if (parameters_.energy) host.energy = to_host(queue_, from.energy);
    host.properties = to_host(queue_, from.properties);
    host.previous = to_host(queue_, from.previous);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      host.id[i] = id_of_label(labels[i]);
      host.tag[i] = tag_of_label(labels[i]);
    }
    host.clock = clock();
    // The sort leaves the particles outside the domain in any order.
    host.order_by_id(static_cast<std::size_t>(host.clock.particles));
    return host;
  }

  std::vector<ProbeSums> measure(const std::vector<ProbePoint<Real, dimensions>>& probes) const override {
    const auto count = static_cast<std::int64_t>(probes.size());
    if (count == 0) return {};
    const Array<ProbePoint<Real, dimensions>> points = to_device(queue_, probes);
    Array<ProbeSums> parts(queue_, count * measure_blocks);
    const dim3 grid(measure_blocks, static_cast<unsigned>(count));
    measure_probes<<<grid, measure_threads, 0, stream_of(queue_)>>>(
        parameters_, current().position.data(), current().velocity.data(),
        parameters_.tables ? current().properties.data() : nullptr, n_, points.data(), parts.data());
    SHOAL_CUDA_CHECK(cudaGetLastError());
    const std::vector<ProbeSums> part_sums = to_host(queue_, parts);
    std::vector<ProbeSums> sums(probes.size(), ProbeSums::none());
    for (std::size_t i = 0; i < part_sums.size(); ++i) sums[i / measure_blocks].add(part_sums[i]);
    return sums;
  }

 private:
  static constexpr int steps_in_graph = 16;
  static constexpr int block = search_threads;

  bool has_failed() const { return !failure_.empty(); }

  /// The last good state.
  const DeviceState<Real, dimensions>& current() const { return has_failed() ? base_ : state_; }

  static std::int32_t checked_count(std::size_t n) {
    require(n < 2147483647, "sph: ", n, " particles are more than one device can number (2147483647).");
    return static_cast<std::int32_t>(n);
  }

  /// Capacity of a column of the list, in neighbors.
  static std::int32_t max_listed(const Setup<Real, dimensions>& setup) {
    const double reach = std::sqrt(static_cast<double>(setup.parameters.support_squared)) / setup.spacing;
    const double volume[] = {2 * reach, 3.15 * reach * reach, 4.19 * reach * reach * reach};
    return static_cast<std::int32_t>(std::min(list_room * volume[dimensions - 1] + 8, 1024.0));
  }

  void upload(HostState<Real, dimensions>& initial) {
    const auto upload_array = [&]<class T>(Array<T>& array, const std::vector<T>& host) {
      copy(queue_, View<const T>(host), array.view());
    };
    std::vector<std::int64_t> labels(initial.count());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = make_label(initial.id[i], initial.tag[i]);
      walls_ += is_wall(initial.position[i]);
    }
    upload_array(state_.position, initial.position);
    upload_array(state_.velocity, initial.velocity);
    if (parameters_.energy) upload_array(state_.energy, initial.energy);
    upload_array(state_.properties, initial.properties);
    upload_array(state_.previous, initial.previous);
    upload_array(label_, labels);
    clear(cell_count_);
    clear(tile_word_);
    DeviceClock clock{};
    clock.inside = static_cast<int>(initial.clock.particles);
    clock.time = initial.clock.time;
    clock.step = initial.clock.step;
    clock.last_dt = initial.clock.dt;
    clock.next_dt = initial.clock.next_dt;
    clock.fault_word = fault::none;
    copy_bytes(queue_, clock_.data(), queue_.device(), &clock, {}, sizeof clock);
  }

  template <class T>
  void clear(Array<T>& array) {
    fill_bytes(queue_, array.data(), 0, static_cast<std::size_t>(array.count()) * sizeof(T));
  }

  void upload_tables(Setup<Real, dimensions>& setup) {
    tables_ = Array<ModelTables<Real, dimensions>>(queue_, 1);
    plan_ = Array<StepPlan<dimensions>>(queue_, 1);
    if (!setup.initial.empty()) initial_ = to_device(queue_, setup.initial);
    if (mirrors_velocity(parameters_)) mirrored_velocity_ = Array<PackedVelocity<Real, dimensions>>(queue_, n_);
    setup.tables.plan = plan_.data();
    setup.tables.initial = setup.initial.empty() ? nullptr : initial_.data();
    copy_bytes(queue_, tables_.data(), queue_.device(), &setup.tables, {}, sizeof setup.tables);
    parameters_.tables = tables_.data();
    queue_.wait();
  }

  StateView<Real, dimensions> view(DeviceState<Real, dimensions>& state) {
    return state.view(mirrored_velocity_.count() > 0 ? mirrored_velocity_.data() : nullptr);
  }

  StepArrays<Real, dimensions> arrays() {
    return {.n = n_,
            .is_small = is_small(),
            .state = view(state_),
            .base = view(base_),
            .intermediate = view(intermediate_),
            .label = label_.data(),
            .base_label = base_label_.data(),
            .cell = cell_.data(),
            .base_cell = base_cell_.data(),
            .slot = slot_.data(),
            .bucket = bucket_.data(),
            .cell_count = cell_count_.data(),
            .cell_start = cell_start_.data(),
            .tile_word = tile_word_.data(),
            .mask = mask_.data(),
            .list_rows = list_rows_,
            .list = list_.data(),
            .list_count = list_count_.data(),
            .list_rest = list_rest_.data(),
            .rates = rates_.data(),
            .wall = wall_.data(),
            .clock = clock_.data()};
  }

  /// Returns true if a team of threads shares each particle.
  bool is_small() const { return n_ < team_particles(dimensions); }

  /// Launches a kernel over n items; a profile measures its time.
  template <int threads = block, class... Parameters_, class... Arguments>
  void run(const char* name, std::int64_t n, void (*kernel)(Parameters_...), const Arguments&... arguments) {
    if (kernels_) kernels_->start(name);
    launch_chained<threads>(queue_, n, kernel, arguments...);
    if (kernels_) kernels_->stop(kernel, threads);
  }

  void enqueue_step() {
    const StepArrays<Real, dimensions> a = arrays();
    run("fill_buckets", n_, fill_buckets<Real, dimensions>, a);
    run("move_to_order", std::max(n_, cells_ + 2), move_to_order<Real, dimensions>, a, cells_, parameters_.energy);
    with_physics(parameters_, [&]<class Physics> { enqueue_stages<Physics>(a); });
    run<scan_threads>("end_step", tiles_ * scan_threads, end_step<Real, dimensions>, parameters_, a, plan_.data());
  }

  template <class Physics>
  void enqueue_stages(const StepArrays<Real, dimensions>& a) {
    StateView<Real, dimensions> now = a.base;
    if constexpr (Search::has_list)
      run("find_neighbors", n_, find_neighbors<Search, Physics, Real, dimensions>, parameters_, a);
    for (int stage = 0; stage < stages_; ++stage) {
      const StateView<Real, dimensions> next = (stages_ - stage) % 2 ? a.state : a.intermediate;
      with_summing_walls(parameters_.walls, [&]<class Treatment> { enqueue_walls<Treatment, Physics>(a, now, stage); });
      const StageArguments<Real, dimensions> arguments{now, next, stage, stage + 1 == stages_};
      if constexpr (!fused)
        enqueue_kernels<Physics>(a, arguments);
      else if (is_small())
        enqueue_stage<Physics, Search::few_width>(a, arguments);
      else
        enqueue_stage<Physics, 1>(a, arguments);
      now = next;
    }
  }

  template <class Treatment, class Physics>
  void enqueue_walls(const StepArrays<Real, dimensions>& a, const StateView<Real, dimensions>& now, int stage) {
    if (walls_ < large_team_walls)
      enqueue_walls_of<Treatment, Physics, Search::few_walls_width>(a, now, stage);
    else
      enqueue_walls_of<Treatment, Physics, Search::wall_width>(a, now, stage);
  }

  template <class Treatment, class Physics, int width>
  void enqueue_walls_of(const StepArrays<Real, dimensions>& a, const StateView<Real, dimensions>& now, int stage) {
    run("set_wall_pressures", std::int64_t{walls_} * width,
        set_wall_pressures<Search, Treatment, Physics, width, Real, dimensions>, parameters_, a, now, stage);
  }

  template <class Physics, int width>
  void enqueue_stage(const StepArrays<Real, dimensions>& a, const StageArguments<Real, dimensions>& stage) {
    run("advance_stage", std::int64_t{n_} * width, advance_stage<Search, Physics, width, Real, dimensions>, parameters_,
        a, stage);
  }

  template <class Physics>
  void enqueue_kernels(const StepArrays<Real, dimensions>& a, const StageArguments<Real, dimensions>& stage) {
    run("sum_mass_and_momentum", n_, sum_rates<Search, Sums::mass_and_momentum, Physics, Real, dimensions>, parameters_,
        a, stage);
    if (parameters_.energy)
      run("sum_energy", n_, sum_rates<Search, Sums::energy, Physics, Real, dimensions>, parameters_, a, stage);
    run("update_particles", n_, update_particles<Physics, Real, dimensions>, parameters_, a, stage);
  }

  static bool is_reached(const Goal& goal, const Clock& clock) {
    return clock.step >= goal.step || clock.time >= goal.time;
  }

  /// @throws Error  the fault of the run: the next step would be that one again
  void begin(const Goal& goal) {
    if (has_failed()) throw Error(failure_);
    begin_run<<<1, 1, 0, stream_of(queue_)>>>(parameters_, clock_.data(), goal, plan_.data());
    SHOAL_CUDA_CHECK(cudaGetLastError());
  }

  std::int64_t steps_left(const Clock& clock, const Goal& goal) const {
    const double by_time = std::ceil((goal.time - clock.time) / clock.next_dt);
    const std::int64_t by_step = goal.step - clock.step;
    return by_time < static_cast<double>(by_step) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(by_time))
                                                  : by_step;
  }

  /// Steps after which the host reads the clock: about 1e8 particle-steps, some tens of milliseconds.
  std::int64_t max_steps_between_reads() const { return std::clamp<std::int64_t>(100'000'000 / (n_ + 1), 16, 1024); }

  void launch_steps(std::int64_t count) {
    for (; count >= steps_in_graph; count -= steps_in_graph) steps_->launch(queue_);
    for (; count > 0; --count) step_->launch(queue_);
  }

  Clock clock_of(const DeviceClock& device_clock) const {
    Clock clock;
    clock.time = device_clock.time;
    clock.step = device_clock.step;
    clock.dt = device_clock.last_dt;
    clock.next_dt = device_clock.next_dt;
    clock.particles = device_clock.inside;
    clock.lost = n_ - device_clock.inside;
    return clock;
  }

  DeviceClock read_clock() const {
    DeviceClock device_clock;
    copy_bytes(queue_, &device_clock, {}, clock_.data(), queue_.device(), sizeof device_clock);
    return device_clock;
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
    throw Error(failure_);
  }

  Queue queue_;
  Parameters<Real, dimensions> parameters_;
  std::int32_t n_;
  std::int32_t cells_;
  int stages_;
  std::int32_t walls_ = 0;
  std::string failure_;  ///< error that ended the run, or empty
  Clock before_fault_;
  DeviceState<Real, dimensions> state_;
  DeviceState<Real, dimensions> base_;
  DeviceState<Real, dimensions> intermediate_;
  Array<std::int64_t> label_;
  Array<std::int64_t> base_label_;
  Array<std::uint32_t> cell_;
  Array<std::uint32_t> base_cell_;
  Array<std::int32_t> slot_;
  Array<std::int32_t> bucket_;
  std::int64_t tiles_;
  Array<std::int32_t> cell_count_;
  Array<std::int32_t> cell_start_;
  Array<unsigned long long> tile_word_;
  Array<RowMask<dimensions>> mask_;
  std::int32_t list_rows_;
  Array<int4> list_;
  Array<std::int32_t> list_count_;
  Array<std::int32_t> list_rest_;
  Array<std::byte> rates_;
  Array<std::int32_t> wall_;
  Array<DeviceClock> clock_;
  Array<ModelTables<Real, dimensions>> tables_;  ///< [1] in general physics, else empty, as the next three
  Array<StepPlan<dimensions>> plan_;             ///< [1]
  Array<Coordinate<Real>> initial_;              ///< [n][D]
  Array<PackedVelocity<Real, dimensions>> mirrored_velocity_;  ///< [n]
  KernelClock* kernels_ = nullptr;                             ///< while a profile is taken
  std::unique_ptr<Graph> step_;
  std::unique_ptr<Graph> steps_;
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
