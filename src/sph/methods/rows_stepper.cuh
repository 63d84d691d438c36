// SPDX-License-Identifier: Apache-2.0
// The host side of the method rows: owns the arrays, captures a step as a CUDA graph and replays it.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <cub/device/device_scan.cuh>

#include "sph/methods/rows.cuh"

namespace shoal::sph {

template <int dimensions>
__global__ void begin_run(DeviceClock* clock, Goal goal, bool by_cfl) {
  clock->goal_time = goal.time;
  clock->goal_step = goal.step;
  clock->prepare_step(by_cfl);
}

template <int dimensions>
__global__ void end_step(DeviceClock* clock, bool by_cfl, double cfl, double smoothing_length, double sound_speed) {
  if (clock->running) clock->end_step(by_cfl, cfl, smoothing_length, sound_speed);
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
  Array<Place<Real, dimensions>> place;
  Array<Motion<Real, dimensions>> motion;
  Array<Real> energy;

  DeviceState(const Queue& queue, std::int64_t n, bool with_energy)
      : place(queue, n), motion(queue, n), energy(queue, with_energy ? n : 0) {}
  StateView<Real, dimensions> view() { return {place.data(), motion.data(), energy.data()}; }
};

template <class Real, int dimensions>
class RowsStepper final : public Stepper<Real, dimensions> {
 public:
  RowsStepper(const Queue& queue, const Parameters<Real, dimensions>& parameters, HostState<Real, dimensions> initial)
      : queue_(queue),
        parameters_(parameters),
        n_(checked_count(initial.count())),
        cells_(static_cast<std::int32_t>(parameters.cell_count)),
        state_(queue, n_, parameters.energy),
        base_(queue, n_, parameters.energy),
        other_(queue, n_, parameters.energy),
        label_(queue, n_),
        base_label_(queue, n_),
        cell_(queue, n_),
        base_cell_(queue, n_),
        slot_(queue, n_),
        bucket_(queue, n_),
        cell_count_(queue, std::int64_t{cells_} + 2),
        cell_start_(queue, std::int64_t{cells_} + 2),
        mask_(queue, std::int64_t{n_} * neighbor_rows<dimensions>),
        wall_(queue, n_),
        clock_(queue, 1) {
    upload(initial);
    std::size_t bytes = 0;
    SHOAL_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, bytes, cell_count_.data(), cell_start_.data(), cells_ + 2,
                                                   stream_of(queue_)));
    scan_scratch_ = Array<std::byte>(queue_, static_cast<std::int64_t>(bytes));
    queue_.wait();
    step_ = std::make_unique<Graph>(queue_, [this] { enqueue_step(); });
    steps_ = std::make_unique<Graph>(queue_, [this] {
      for (int step = 0; step < steps_in_graph; ++step) enqueue_step();
    });
  }

  void advance(const Goal& goal, const Solver::Observer& observer) override {
    begin_run<dimensions><<<1, 1, 0, stream_of(queue_)>>>(clock_.data(), goal, parameters_.by_cfl);
    SHOAL_CUDA_CHECK(cudaGetLastError());
    Clock clock = this->clock();
    std::int64_t batch = steps_in_graph;
    while (clock.step < goal.step && clock.time < goal.time) {
      const std::int64_t left = steps_left(clock, goal);
      launch_steps(std::min(left, batch));
      const DeviceClock found = read_clock();
      clock = clock_of(found);
      if (found.fault_word != fault::none) fail(found);
      if (observer && !observer(clock)) return;
      batch = std::min<std::int64_t>(2 * batch, most_steps_unwatched());
    }
  }

  Clock clock() const override { return clock_of(read_clock()); }

  HostState<Real, dimensions> download() const override {
    HostState<Real, dimensions> host(static_cast<std::size_t>(n_));
    const DeviceState<Real, dimensions>& from = current();
    const std::vector<std::int64_t> labels = to_host(queue_, failed_ ? base_label_ : label_);
    host.place = to_host(queue_, from.place);
    host.motion = to_host(queue_, from.motion);
    if (parameters_.energy) host.energy = to_host(queue_, from.energy);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      host.id[i] = id_of_label(labels[i]);
      host.tag[i] = tag_of_label(labels[i]);
    }
    host.clock = failed_ ? before_fault_ : clock();
    return host;
  }

  std::vector<ProbeSums> measure(const std::vector<ProbePlace<Real, dimensions>>& probes) const override {
    const auto count = static_cast<std::int64_t>(probes.size());
    if (count == 0) return {};
    const Array<ProbePlace<Real, dimensions>> places = to_device(queue_, probes);
    Array<ProbeSums> parts(queue_, count * measure_blocks);
    const dim3 grid(measure_blocks, static_cast<unsigned>(count));
    measure_probes<<<grid, measure_threads, 0, stream_of(queue_)>>>(
        parameters_, current().place.data(), current().motion.data(), n_, places.data(), parts.data());
    SHOAL_CUDA_CHECK(cudaGetLastError());
    const std::vector<ProbeSums> found = to_host(queue_, parts);
    std::vector<ProbeSums> sums(probes.size(), ProbeSums::none());
    for (std::size_t i = 0; i < found.size(); ++i) sums[i / measure_blocks].add(found[i]);
    return sums;
  }

 private:
  static constexpr int steps_in_graph = 16;
  static constexpr int block = 128;

  /// The last good state.
  const DeviceState<Real, dimensions>& current() const { return failed_ ? base_ : state_; }

  static std::int32_t checked_count(std::size_t n) {
    require(n < 2147483647, "sph: ", n, " particles are more than the method rows can number (2147483647).");
    return static_cast<std::int32_t>(n);
  }

  void upload(HostState<Real, dimensions>& initial) {
    const auto to = [&]<class T>(Array<T>& array, const std::vector<T>& host) {
      copy(queue_, View<const T>(host), array.view());
    };
    std::vector<std::int64_t> labels(initial.count());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = make_label(initial.id[i], initial.tag[i]);
      walls_ += is_wall(initial.place[i]);
    }
    to(state_.place, initial.place);
    to(state_.motion, initial.motion);
    if (parameters_.energy) to(state_.energy, initial.energy);
    to(label_, labels);
    fill_bytes(queue_, cell_count_.data(), 0, static_cast<std::size_t>(cell_count_.count()) * sizeof(std::int32_t));
    const auto inside = static_cast<std::int32_t>(initial.clock.particles);
    copy_bytes(queue_, cell_start_.data() + cells_, queue_.device(), &inside, {}, sizeof inside);
    DeviceClock clock{};
    clock.time = initial.clock.time;
    clock.step = initial.clock.step;
    clock.last_dt = initial.clock.dt;
    clock.next_dt = initial.clock.next_dt;
    clock.fault_word = fault::none;
    copy_bytes(queue_, clock_.data(), queue_.device(), &clock, {}, sizeof clock);
  }

  RowsArrays<Real, dimensions> arrays() {
    return {n_,           state_.view(),     base_.view(), other_.view(),  label_.data(),      base_label_.data(),
            cell_.data(), base_cell_.data(), slot_.data(), bucket_.data(), cell_count_.data(), cell_start_.data(),
            mask_.data(), wall_.data(),      clock_.data()};
  }

  void enqueue_step() {
    const RowsArrays<Real, dimensions> a = arrays();
    launch<block>(queue_, n_, count_cells<Real, dimensions>, parameters_, a);
    std::size_t bytes = static_cast<std::size_t>(scan_scratch_.count());
    SHOAL_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(scan_scratch_.data(), bytes, a.cell_count, a.cell_start, cells_ + 2,
                                                   stream_of(queue_)));
    launch<block>(queue_, n_, fill_buckets<Real, dimensions>, a);
    launch<block>(queue_, std::max(n_, cells_ + 2), move_to_order<Real, dimensions>, a, cells_, parameters_.energy);
    if (parameters_.kernel == Kernel::wendland_c2)
      enqueue_stages<Kernel::wendland_c2>(a);
    else
      enqueue_stages<Kernel::cubic_spline>(a);
    end_step<dimensions><<<1, 1, 0, stream_of(queue_)>>>(a.clock, parameters_.by_cfl, parameters_.cfl,
                                                         parameters_.smoothing_length, parameters_.sound_speed);
    SHOAL_CUDA_CHECK(cudaGetLastError());
  }

  template <Kernel kernel>
  void enqueue_stages(const RowsArrays<Real, dimensions>& a) {
    // Few particles leave most of the device idle: give each a team of threads.
    constexpr std::int32_t many = 60'000;
    const StageArguments<Real, dimensions> arguments[stages] = {
        {a.base, a.state, 0}, {a.state, a.other, 1}, {a.other, a.state, 2}};
    for (const StageArguments<Real, dimensions>& stage : arguments) {
      if (parameters_.walls == Walls::adami) enqueue_walls<kernel, 16>(a, stage);
      if (n_ < many)
        enqueue_stage<kernel, 4>(a, stage);
      else
        enqueue_stage<kernel, 1>(a, stage);
    }
  }

  template <Kernel kernel, int width>
  void enqueue_walls(const RowsArrays<Real, dimensions>& a, const StageArguments<Real, dimensions>& stage) {
    launch<block>(queue_, std::int64_t{walls_} * width, set_wall_pressures<kernel, width, Real, dimensions>,
                  parameters_, a, stage.now, stage.stage == 0);
  }

  template <Kernel kernel, int width>
  void enqueue_stage(const RowsArrays<Real, dimensions>& a, const StageArguments<Real, dimensions>& stage) {
    launch<block>(queue_, std::int64_t{n_} * width, advance_stage<kernel, width, Real, dimensions>, parameters_, a,
                  stage);
  }

  std::int64_t steps_left(const Clock& clock, const Goal& goal) const {
    const double by_time = std::ceil((goal.time - clock.time) / clock.next_dt);
    const std::int64_t by_step = goal.step - clock.step;
    return by_time < static_cast<double>(by_step) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(by_time))
                                                  : by_step;
  }

  /// Steps between two looks of the host at the clock: about 1e8 particle-steps, some tens of milliseconds.
  std::int64_t most_steps_unwatched() const { return std::clamp<std::int64_t>(100'000'000 / (n_ + 1), 16, 1024); }

  void launch_steps(std::int64_t count) {
    for (; count >= steps_in_graph; count -= steps_in_graph) steps_->launch(queue_);
    for (; count > 0; --count) step_->launch(queue_);
  }

  Clock clock_of(const DeviceClock& found) const {
    std::int32_t inside = 0;
    copy_bytes(queue_, &inside, {}, cell_start_.data() + cells_, queue_.device(), sizeof inside);
    Clock clock;
    clock.time = found.time;
    clock.step = found.step;
    clock.dt = found.last_dt;
    clock.next_dt = found.next_dt;
    clock.particles = inside;
    clock.lost = n_ - inside;
    return clock;
  }

  DeviceClock read_clock() const {
    DeviceClock found;
    copy_bytes(queue_, &found, {}, clock_.data(), queue_.device(), sizeof found);
    return found;
  }

  [[noreturn]] void fail(const DeviceClock& found) {
    failed_ = true;
    const Clock after = clock_of(found);
    before_fault_ = after;
    --before_fault_.step;
    before_fault_.time = after.time - after.dt;
    double moved_squared = 0;
    std::memcpy(&moved_squared, &found.moved_squared, sizeof moved_squared);
    throw Error(blow_up_message(after, found.fault_word, std::sqrt(moved_squared), 2.0 * parameters_.smoothing_length));
  }

  Queue queue_;
  Parameters<Real, dimensions> parameters_;
  std::int32_t n_;
  std::int32_t cells_;
  std::int32_t walls_ = 0;
  bool failed_ = false;
  Clock before_fault_;
  DeviceState<Real, dimensions> state_;
  DeviceState<Real, dimensions> base_;
  DeviceState<Real, dimensions> other_;
  Array<std::int64_t> label_;
  Array<std::int64_t> base_label_;
  Array<std::uint32_t> cell_;
  Array<std::uint32_t> base_cell_;
  Array<std::int32_t> slot_;
  Array<std::int32_t> bucket_;
  Array<std::int32_t> cell_count_;
  Array<std::int32_t> cell_start_;
  Array<RowMask<dimensions>> mask_;
  Array<std::int32_t> wall_;
  Array<DeviceClock> clock_;
  Array<std::byte> scan_scratch_;
  std::unique_ptr<Graph> step_;
  std::unique_ptr<Graph> steps_;
};

template <class Real, int dimensions>
std::unique_ptr<Stepper<Real, dimensions>> make_rows(const Queue& queue, const Parameters<Real, dimensions>& parameters,
                                                     HostState<Real, dimensions> state) {
  return std::make_unique<RowsStepper<Real, dimensions>>(queue, parameters, std::move(state));
}

}  // namespace shoal::sph
