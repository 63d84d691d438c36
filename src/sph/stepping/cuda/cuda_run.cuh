// SPDX-License-Identifier: Apache-2.0
// A run of a CUDA method: its particles, and the parts of the case that act on them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "sph/control/device_control.cuh"
#include "sph/sph_method.hpp"
#include "sph/stepping/cuda/passes/absorption.cuh"
#include "sph/stepping/cuda/passes/device_bodies.cuh"
#include "sph/stepping/cuda/passes/free_places.cuh"
#include "sph/stepping/cuda/passes/levels.cuh"
#include "sph/stepping/cuda/passes/open_boundaries.cuh"
#include "sph/stepping/cuda/ranks/slab_exchange.cuh"
#include "sph/stepping/cuda/run_memory.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// State of a run on one GPU, and the parts of the case that act on it.
/// @param fused  sums and update are one kernel; else sums of mass and momentum, sums of energy, and update are three
template <class Search, bool fused, class Real, int dimensions>
struct CudaRun {
  using Memory = RunMemory<Search, fused, Real, dimensions>;
  using Exchange = SlabExchange<Memory, typename Search::Cells, Real, dimensions>;
  using Open = CudaOpenBoundaries<typename Search::Cells, Real, dimensions>;
  using Level = CudaLevel<typename Search::Cells, Real, dimensions>;

  CudaRun(const Queue& run_queue, Setup<Real, dimensions>& setup, ControlHooks<Real, dimensions> hooks)
      : queue(run_queue),
        ranks(setup.ranks),
        parameters(number_cells(setup)),
        stages(stages_of(setup.parameters.integrator)),
        particles(setup.present),
        wall_particles(setup.wall_particles),
        damping(setup.damping),
        memory(queue, setup, room_for(setup)),
        bodies(queue, setup),
        absorption(queue, setup),
        control(queue, ranks, parameters, memory.clock(), std::move(hooks)) {
    parameters.tables = memory.tables();
    if (has_viscosities())  // the viscosities of each step limit the next one
      parameters.control.max_dt = std::numeric_limits<double>::infinity();
    const bool has_open_boundaries = !setup.open_boundaries.empty();
    const std::int64_t present = memory.n();
    if (has_open_boundaries && ranks.size() == 1) memory.add_free_places();
    if (has_open_boundaries)
      open = std::make_unique<Open>(queue, setup.open_boundaries, memory.open_list(), setup.state.clock,
                                    present - setup.state.clock.particles);
    if (setup.level && setup.level->box.exists) memory.add_free_places();
    if (setup.level)
      level = std::make_unique<Level>(queue, setup, memory.room(), present - setup.state.clock.particles);
    if (ranks.size() == 1) return;
    exchange = std::make_unique<Exchange>(queue, setup, memory);
    if (open) exchange->let_enter(setup.state.clock.next_dt, [this](double dt) { return open->most_entering(dt); });
    exchange->start(parameters);
  }

  /// Returns true if a pass sets apparent viscosities before each stage.
  bool has_viscosities() const { return !memory.viscosities().empty(); }

  /// Places of this rank for particles that enter in a step; none on one rank.
  EntriesOfRank entries() const {
    if (!exchange) return {};
    const auto all_max = [this](unsigned long long* words, std::int64_t count) {
      exchange->all_max(reinterpret_cast<std::uint64_t*>(words), static_cast<int>(count));
    };
    return {exchange->entry_places(), exchange->entry_change(), all_max};
  }

  /// Returns true if the next step has not begun: more particles enter than there are free places.
  bool lacks_places() const { return open && !exchange && open->read_counts().needed > 0; }

  /// Makes room for more particles.
  void add_places() {
    memory.reserve(std::int64_t{memory.n()} + open->read_counts().needed + 1);
    memory.add_free_places();
    open->renew_places();
    memory.set_cells(memory.cells());
  }

  /// Makes free places for particles that a program adds on this rank. Collective.
  /// @param end_of_ids  a number above all ids
  /// @return            true if the memory has moved
  bool make_places(std::int64_t count, std::int64_t end_of_ids) {
    require(memory.has_wide_ids() || end_of_ids <= std::int64_t{1} << 32, "sph: new particles have ids up to ",
            end_of_ids - 1, ", and this run on CUDA sorts ids of 32 bits. Write a restart, and resume on the CPU.");
    if (exchange) exchange->make_places(count);
    if (exchange || spare_places >= count) return false;
    const std::int64_t before = memory.n();
    memory.reserve(before + count - spare_places);
    memory.add_free_places();
    spare_places += memory.n() - before;
    return true;
  }

  LevelArrays<Real, dimensions> level_arrays() { return level->arrays(parameters, memory.arrays()); }

  /// Makes room for more particles of a level that lacks places for the next step. Each time it has a quarter more places,
  /// so that steps are captured seldom. Returns true if it did.
  bool add_places_of_level() {
    const int needed = level->has_parent() ? level->read_counts().needed : 0;
    if (needed == 0) return false;
    memory.reserve(memory.n() + std::max<std::int64_t>(needed + level->most_entering(), memory.n() / 4));
    memory.add_free_places();
    level->reserve(memory.room());
    memory.set_cells(memory.cells());
    return true;
  }

  /// Clock of the case from that of the device.
  Clock clock_of(const DeviceClock& device_clock) const {
    Clock clock;
    clock.time = device_clock.time;
    clock.step = device_clock.step;
    clock.dt = device_clock.last_dt;
    clock.next_dt = device_clock.next_dt;
    clock.lost = exchange ? exchange->lost() : memory.n() - spare_places - device_clock.inside;
    clock.particles = exchange ? exchange->total() - clock.lost : device_clock.inside;
    if ((open && !exchange) || level) {
      const bool is_undone = device_clock.fault_word != fault::none;
      const auto lost_of = [&](const auto& counts) { return counts.lost[(device_clock.step - is_undone) & 1]; };
      clock.lost = open ? lost_of(open->read_counts()) : lost_of(level->read_counts());
      clock.particles = device_clock.inside;
    }
    return clock;
  }

  Queue queue;
  Communicator ranks;
  Parameters<Real, dimensions> parameters;
  int stages;
  std::int64_t particles;         ///< Number of particles of all ranks
  std::int64_t wall_particles;    ///< Number of particles of all ranks
  std::int64_t spare_places = 0;  ///< places of removed particles and for new ones; not those of open boundaries
  DampingParameters<Real, dimensions> damping;
  Memory memory;
  DeviceBodies<Real, dimensions> bodies;
  DeviceAbsorption<Real, dimensions> absorption;
  DeviceControl<Real, dimensions> control;
  std::unique_ptr<Exchange> exchange;  ///< null on one rank
  std::unique_ptr<Open> open;          ///< null without open boundaries
  std::unique_ptr<Level> level;        ///< null if the case has one spacing

 private:
  static Parameters<Real, dimensions> number_cells(Setup<Real, dimensions>& setup) {
    if (setup.ranks.size() > 1)
      setup.parameters = Exchange::slab_parameters(setup.parameters, setup.slabs, setup.ranks.rank());
    return Search::Cells::number(setup.parameters);
  }

  /// Particles for which memory is allocated at first. A rank needs room for ghosts and for those that arrive, and open
  /// boundaries and levels for those that enter.
  static std::int64_t room_for(const Setup<Real, dimensions>& setup) {
    const auto count = static_cast<std::int64_t>(setup.state.count());
    if (!setup.open_boundaries.empty()) return count + free_places(setup);
    if (setup.level) return count + 2 * Level::most_entering(setup);
    return setup.ranks.size() > 1 ? count + count / particles_per_spare + 1024 : count;
  }
};

}  // namespace shoal::sph
