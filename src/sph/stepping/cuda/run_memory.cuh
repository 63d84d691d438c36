// SPDX-License-Identifier: Apache-2.0
// Device memory of a run of a CUDA method.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/memory/lengthen.hpp"
#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/device_tables.cuh"
#include "sph/stepping/cuda/passes/surface_tension_pass.cuh"
#include "sph/stepping/cuda/passes/viscosity_pass.cuh"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"
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

  /// Allocates the arrays that a run has, for `count` particles.
  DeviceState(const Queue& queue, std::int64_t count, const Setup<Real, dimensions>& setup)
      : position(queue, count),
        velocity(queue, count),
        energy(queue, setup.parameters.energy ? count : 0),
        properties(queue, setup.is_general ? count : 0),
        previous(queue, setup.parameters.integrator == Integrator::verlet ? count : 0) {}

  void lengthen(const Queue& queue, std::int64_t count) {
    for_each([&](auto& array) { shoal::lengthen(queue, array, count); });
  }
  /// Makes the arrays longer and loses their elements.
  void replace(std::int64_t count) {
    for_each([&](auto& array) {
      if (array.count() > 0) array.resize(count);
    });
  }

  /// Fills the arrays with zeros from particle `first` on.
  void clear_from(const Queue& queue, std::int64_t first) {
    for_each([&]<class T>(Array<T>& array) {
      if (array.count() > first)
        fill_bytes(queue, array.data() + first, 0, static_cast<std::size_t>(array.count() - first) * sizeof(T));
    });
  }

  /// @param mirrored_velocity  shared by all states; null where fluid slips
  StateView<Real, dimensions> view(PackedVelocity<Real, dimensions>* mirrored_velocity) {
    return {position.data(),     velocity.data(),   pointer(energy),
            pointer(properties), pointer(previous), mirrored_velocity};
  }

 private:
  template <class Visit>
  void for_each(const Visit& visit) {
    visit(position);
    visit(velocity);
    visit(energy);
    visit(properties);
    visit(previous);
  }
  template <class T>
  static T* pointer(Array<T>& array) {
    return array.count() > 0 ? array.data() : nullptr;
  }
};

/// Consecutive particles of a state.
struct ParticleRange {
  std::int32_t first = 0;
  std::int32_t count = 0;
};

/// All arrays of a run: three states of the particles, their order, neighbors and walls, and the clock; in general
/// physics also the tables of the model.
/// @param fused  sums and update are one kernel, so that no sums are stored
template <class Search, bool fused, class Real, int dimensions>
class RunMemory {
 public:
  /// Allocates the arrays and copies the initial state.
  /// @param room  number of particles for which there is memory, ghosts included
  RunMemory(const Queue& queue, Setup<Real, dimensions>& setup, std::int64_t room)
      : queue_(queue),
        energy_(setup.parameters.energy),
        walls_sum_(setup.wall_particles > 0 && sums_over_fluid(setup.parameters.walls)),
        is_small_(setup.particles < team_particles(dimensions)),
        has_wide_ids_(setup.has_wide_ids || setup.particles > first_wide_id || !setup.open_boundaries.empty()),
        room_(checked_count(room)),
        sorted_{0, checked_count(static_cast<std::int64_t>(setup.state.count()))},
        source_(sorted_),
        state_(queue, room_, setup),
        base_(queue, room_, setup),
        intermediate_(queue, room_, setup),
        label_(queue, room_),
        base_label_(queue, room_),
        cell_(queue, room_),
        base_cell_(queue, room_),
        slot_(queue, room_),
        bucket_(queue, room_ * id_bytes()),
        mask_runs_(Search::has_masks ? run_count<GeneralPhysics>(setup.parameters) : 0),
        list_rows_(Search::has_list ? (max_listed(setup) + 7) / 8 * 2 : 0),
        rates_bytes_(fused              ? 0
                     : setup.is_general ? sizeof(ShiftingRates<Real, dimensions>)
                                        : sizeof(Rates<Real, dimensions>)),
        cell_count_(queue, 0),
        cell_start_(queue, 0),
        tile_word_(queue, 0),
        mask_(queue, 0),
        list_(queue, 0),
        list_count_(queue, 0),
        list_rest_(queue, 0),
        rates_(queue, 0),
        wall_(queue, room_),
        open_(queue, setup.open_boundaries.empty() ? 0 : room_),
        may_be_fluid_(queue, 0),
        viscosities_(queue, room_, setup.flow_curves, stages_of(setup.parameters.integrator)),
        surface_tension_(queue, room_, setup.interfaces),
        clock_(queue, 1),
        tables_(queue) {
    set_cells(setup.parameters.cell_count);
    allocate_neighbors();
    upload(setup.state);
    if (!setup.is_general) return;
    if (mirrors_velocity(setup.parameters)) mirrored_velocity_ = Array<PackedVelocity<Real, dimensions>>(queue, room_);
    tables_.upload(setup, surface_tension_.accelerations());
  }

  std::int32_t n() const { return sorted_.count; }  ///< Number of own particles in the order of the step
  std::int32_t cells() const { return cells_; }
  std::int64_t tiles() const { return tiles_; }
  bool has_wide_ids() const { return has_wide_ids_; }  ///< Returns true if the sort needs ids of 64 bits.
  std::int32_t walls() const { return walls_; }        ///< wall particles, or a bound of their number
  void set_walls(std::int32_t bound) { walls_ = bound; }
  DeviceClock* clock() { return clock_.data(); }
  StepPlan<dimensions>* plan() { return tables_.plan(); }                        ///< null in plain physics
  const ModelTables<Real, dimensions>* tables() const { return tables_.get(); }  ///< null in plain physics
  const DeviceViscosities<Real>& viscosities() const { return viscosities_; }
  Array<std::int32_t>& open_list() { return open_; }  ///< memory for the particles in open boundaries
  DeviceSurfaceTension<Real, dimensions>& surface_tension() { return surface_tension_; }
  const DeviceSurfaceTension<Real, dimensions>& surface_tension() const { return surface_tension_; }

  /// @name Where own particles are: in base and after the stages of a step, and in the state that the next sort reads
  /// @{
  const ParticleRange& sorted() const { return sorted_; }
  const ParticleRange& source() const { return source_; }
  void set_sorted(const ParticleRange& range) { sorted_ = range; }
  void set_source(const ParticleRange& range) { source_ = range; }
  /// @}

  /// Number of particles for which there is memory.
  std::int32_t room() const { return room_; }
  /// Number of particles for which there is room behind the own ones.
  std::int32_t free_room() const { return room_ - sorted_.first - sorted_.count; }

  /// Memory for the particles that leave after a step, where nothing else is needed until the next sort.
  LeaverLists leaver_lists() {
    return {{reinterpret_cast<std::int32_t*>(bucket_.data()), reinterpret_cast<std::int32_t*>(base_cell_.data()),
             wall_.data()}};
  }

  /// Makes room for `count` particles, between steps only: the state and the lists of leavers stay, all else is lost.
  void reserve(std::int64_t count) {
    if (count <= room_) return;
    room_ = checked_count(count + count / particles_per_spare);
    state_.lengthen(queue_, room_);
    base_.replace(room_);
    intermediate_.replace(room_);
    lengthen(queue_, label_, room_);
    lengthen(queue_, cell_, room_);
    lengthen(queue_, slot_, room_);
    base_label_.resize(room_);
    lengthen(queue_, base_cell_, room_);
    lengthen(queue_, bucket_, room_ * id_bytes());
    lengthen(queue_, wall_, room_);
    if (open_.count() > 0) open_.resize(room_);
    if (mirrored_velocity_.count() > 0) mirrored_velocity_.resize(room_);
    viscosities_.reserve(room_);
    surface_tension_.reserve(room_);
    if (!surface_tension_.empty()) tables_.upload_accelerations(surface_tension_.accelerations());
    allocate_neighbors();
  }

  /// Makes all memory behind the own particles free places, which lie outside the domain and belong to the own ones.
  void add_free_places() {
    const std::int64_t first = sorted_.count, count = room_ - first;
    state_.clear_from(queue_, first);
    fill_bytes(queue_, label_.data() + first, 0xff, static_cast<std::size_t>(count) * sizeof(std::int64_t));
    fill_bytes(queue_, cell_.data() + first, 0, static_cast<std::size_t>(count) * sizeof(std::uint32_t));
    sorted_ = source_ = {0, room_};
  }

  /// Allocates the counts of `cells` cells, 0.
  void set_cells(std::int64_t cells) {
    cells_ = static_cast<std::int32_t>(cells);
    tiles_ = scan_tiles(cells + 2);
    cell_count_.resize(tiles_ * scan_tile);
    cell_start_.resize(tiles_ * scan_tile);
    tile_word_.resize(tiles_);
    clear(cell_count_);
    clear(tile_word_);
  }

  /// Lets the cells be scanned again before the sort, which does this for the next step.
  void clear_scan() { clear(tile_word_); }

  StepArrays<Real, dimensions> arrays() {
    return {.first = sorted_.first,
            .n = sorted_.count,
            .source_first = source_.first,
            .source_n = source_.count,
            .mask_stride = room_,
            .is_small = is_small_,
            .state = view(state_, viscosities_.latest()),
            .base = view(base_, viscosities_.first()),
            .intermediate = view(intermediate_, viscosities_.latest()),
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
            .wall_room = room_,
            .inner_first = 0,
            .inner_end = std::numeric_limits<std::int32_t>::max(),
            .takes_outer_walls = false,
            .may_be_fluid = may_be_fluid_.data(),
            .may_be_fluid_words = static_cast<std::int32_t>(may_be_fluid_.count()),
            .clock = clock_.data()};
  }

  /// The state between steps, or that before the step that failed.
  const DeviceState<Real, dimensions>& state(bool before_step) const { return before_step ? base_ : state_; }

  const ParticleRange& range(bool before_step) const { return before_step ? sorted_ : source_; }

  /// Copy of a state on the host, without its clock; with particles that have left, whose labels are negative.
  HostState<Real, dimensions> download(bool before_step) const {
    const ParticleRange present = range(before_step);
    const auto part = [&]<class T>(const Array<T>& array) {
      if (array.count() == 0) return std::vector<T>();
      return to_host(queue_, View<const T>(array.data() + present.first, present.count, array.device()));
    };
    HostState<Real, dimensions> host;
    const DeviceState<Real, dimensions>& from = state(before_step);
    const std::vector<std::int64_t> labels = part(before_step ? base_label_ : label_);
    host.id.resize(labels.size());
    host.tag.resize(labels.size());
    host.position = part(from.position);
    host.velocity = part(from.velocity);
    host.energy = energy_ ? part(from.energy) : std::vector<Real>(labels.size());
    host.properties = part(from.properties);
    host.previous = part(from.previous);
    host.viscosity = part(viscosities_.of_state(before_step));
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
  static std::int32_t checked_count(std::int64_t n) {
    require(n < 2147483647, "sph: ", n,
            " particles, with ghosts and room for more, are more than one device can number (2147483647). Share them "
            "out over more ranks.");
    return static_cast<std::int32_t>(n);
  }

  static constexpr std::int64_t first_wide_id = std::int64_t{1} << 32;
  std::int64_t id_bytes() const { return has_wide_ids_ ? sizeof(std::int64_t) : sizeof(std::uint32_t); }

  /// Capacity of a column of the list, in neighbors.
  static std::int32_t max_listed(const Setup<Real, dimensions>& setup) {
    const double reach = std::sqrt(static_cast<double>(setup.parameters.support_squared)) / setup.spacing;
    const double volume[] = {2 * reach, 3.15 * reach * reach, 4.19 * reach * reach * reach};
    return static_cast<std::int32_t>(std::min(list_room * volume[dimensions - 1] + 8, 1024.0));
  }

  void allocate_neighbors() {
    mask_.resize(std::int64_t{room_} * mask_runs_);
    list_.resize((std::int64_t{room_} + list_width - 1) / list_width * list_width * list_rows_);
    list_count_.resize(Search::has_list ? room_ : 0);
    list_rest_.resize(Search::has_list ? room_ : 0);
    may_be_fluid_.resize(walls_sum_ ? room_ / 32 + 2 : 0);
    rates_.resize(std::int64_t{room_} * rates_bytes_);
  }

  void upload(HostState<Real, dimensions>& initial) {
    const auto upload_array = [&]<class T>(Array<T>& array, const std::vector<T>& host) {
      if (!host.empty()) copy(queue_, View<const T>(host), View<T>(array.data(), sorted_.count, array.device()));
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
    viscosities_.upload(initial.viscosity);
    upload_array(label_, labels);
    clear(cell_);
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

  StateView<Real, dimensions> view(DeviceState<Real, dimensions>& state, Real* viscosity) {
    StateView<Real, dimensions> view = state.view(mirrored_velocity_.count() > 0 ? mirrored_velocity_.data() : nullptr);
    view.viscosity = viscosity;
    return view;
  }

  Queue queue_;
  bool energy_;
  bool walls_sum_;  ///< walls sum over fluid before each stage
  bool is_small_;   ///< a team of threads shares each particle
  bool has_wide_ids_;
  std::int32_t room_;  ///< particles for which there is memory
  ParticleRange sorted_;
  ParticleRange source_;
  std::int32_t cells_ = 0;
  std::int32_t walls_ = 0;
  DeviceState<Real, dimensions> state_;
  DeviceState<Real, dimensions> base_;
  DeviceState<Real, dimensions> intermediate_;
  Array<std::int64_t> label_;
  Array<std::int64_t> base_label_;
  Array<std::uint32_t> cell_;
  Array<std::uint32_t> base_cell_;
  Array<std::int32_t> slot_;
  Array<std::byte> bucket_;  ///< [room][id_bytes()]
  int mask_runs_;
  std::int32_t list_rows_;
  std::int64_t rates_bytes_;  ///< Bytes of the sums of a particle
  std::int64_t tiles_ = 0;
  Array<std::int32_t> cell_count_;
  Array<std::int32_t> cell_start_;
  Array<unsigned long long> tile_word_;
  Array<RowMask<dimensions>> mask_;
  Array<int4> list_;
  Array<std::int32_t> list_count_;
  Array<std::int32_t> list_rest_;
  Array<std::byte> rates_;
  Array<std::int32_t> wall_;
  Array<std::int32_t> open_;  ///< [room], or empty without open boundaries
  Array<std::uint32_t> may_be_fluid_;
  DeviceViscosities<Real> viscosities_;
  DeviceSurfaceTension<Real, dimensions> surface_tension_;
  Array<DeviceClock> clock_;
  DeviceTables<Real, dimensions> tables_;
  Array<PackedVelocity<Real, dimensions>> mirrored_velocity_;  ///< [n], or empty
};

}  // namespace shoal::sph
