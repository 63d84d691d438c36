// SPDX-License-Identifier: Apache-2.0
// Device memory of a run of a CUDA method.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>

#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/searches.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

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

/// All arrays of a run: three states of the particles, their order, neighbors and walls, and the clock; in general
/// physics also the tables of the model.
/// @param fused  sums and update are one kernel, so that no sums are stored
template <class Search, bool fused, class Real, int dimensions>
class RunMemory {
 public:
  /// Allocates the arrays and copies the initial state.
  RunMemory(const Queue& queue, Setup<Real, dimensions>& setup)
      : queue_(queue),
        energy_(setup.parameters.energy),
        n_(checked_count(setup.state.count())),
        cells_(static_cast<std::int32_t>(setup.parameters.cell_count)),
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
  }

  std::int32_t n() const { return n_; }
  std::int32_t cells() const { return cells_; }
  std::int64_t tiles() const { return tiles_; }
  std::int32_t walls() const { return walls_; }  ///< wall particles
  DeviceClock* clock() { return clock_.data(); }
  StepPlan<dimensions>* plan() { return plan_.data(); }                           ///< null in plain physics
  const ModelTables<Real, dimensions>* tables() const { return tables_.data(); }  ///< null in plain physics

  /// Returns true if a team of threads shares each particle.
  bool is_small() const { return n_ < team_particles(dimensions); }

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

  /// The state between steps, or that before the step that failed.
  const DeviceState<Real, dimensions>& state(bool before_step) const { return before_step ? base_ : state_; }

  /// Copy of a state on the host, without its clock.
  HostState<Real, dimensions> download(bool before_step) const {
    HostState<Real, dimensions> host(static_cast<std::size_t>(n_));
    const DeviceState<Real, dimensions>& from = state(before_step);
    const std::vector<std::int64_t> labels = to_host(queue_, before_step ? base_label_ : label_);
    host.position = to_host(queue_, from.position);
    host.velocity = to_host(queue_, from.velocity);
    if (energy_) host.energy = to_host(queue_, from.energy);
    host.properties = to_host(queue_, from.properties);
    host.previous = to_host(queue_, from.previous);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      host.id[i] = id_of_label(labels[i]);
      host.tag[i] = tag_of_label(labels[i]);
    }
    return host;
  }

  DeviceClock read_clock() const {
    DeviceClock device_clock;
    copy_bytes(queue_, &device_clock, {}, clock_.data(), queue_.device(), sizeof device_clock);
    return device_clock;
  }

 private:
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
    if (energy_) upload_array(state_.energy, initial.energy);
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
    if (mirrors_velocity(setup.parameters)) mirrored_velocity_ = Array<PackedVelocity<Real, dimensions>>(queue_, n_);
    setup.tables.plan = plan_.data();
    setup.tables.initial = setup.initial.empty() ? nullptr : initial_.data();
    copy_bytes(queue_, tables_.data(), queue_.device(), &setup.tables, {}, sizeof setup.tables);
    queue_.wait();
  }

  StateView<Real, dimensions> view(DeviceState<Real, dimensions>& state) {
    return state.view(mirrored_velocity_.count() > 0 ? mirrored_velocity_.data() : nullptr);
  }

  Queue queue_;
  bool energy_;
  std::int32_t n_;
  std::int32_t cells_;
  std::int32_t walls_ = 0;
  DeviceState<Real, dimensions> state_;
  DeviceState<Real, dimensions> base_;
  DeviceState<Real, dimensions> intermediate_;
  Array<std::int64_t> label_;
  Array<std::int64_t> base_label_;
  Array<std::uint32_t> cell_;
  Array<std::uint32_t> base_cell_;
  Array<std::int32_t> slot_;
  Array<std::int64_t> bucket_;
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
};

}  // namespace shoal::sph
