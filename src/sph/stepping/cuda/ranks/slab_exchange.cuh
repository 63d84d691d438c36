// SPDX-License-Identifier: Apache-2.0
// Exchange of a CUDA run between ranks that share the domain: ghosts, particles that change their rank, and the clock.
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "core/cuda/prior_queue.cuh"
#include "core/device/queue_order.hpp"
#include "core/memory/pinned_array.hpp"
#include "sph/ranks/agree_on_memory.hpp"
#include "sph/ranks/halo.hpp"
#include "sph/ranks/next_ranks.hpp"
#include "sph/ranks/particle_exchange.hpp"
#include "sph/stepping/cuda/ranks/layer_weights.cuh"
#include "sph/stepping/cuda/ranks/particle_travel.cuh"
#include "sph/stepping/cuda/ranks/slab_balance.cuh"
#include "sph/stepping/cuda/run_memory.cuh"

namespace shoal::sph {

/// The slab of one rank, its neighbors and what goes between them.
///
/// Particles are sorted by cell, so the first and the last own layer are contiguous, as are the ghosts: they travel
/// without packing. A particle crosses at most one layer in a step, so all exchange is between next ranks. The host waits
/// once a step, for the numbers of particles that change their rank.
template <class Memory, class Cells, class Real, int dimensions>
class SlabExchange {
 public:
  SlabExchange(const Queue& queue, const Setup<Real, dimensions>& setup, Memory& memory)
      : queue_(queue),
        ranks_(setup.ranks),
        transport_(setup.ranks.group().transport(queue)),
        halo_queue_(prior_queue(queue)),
        halo_transport_(setup.ranks.group().transport(halo_queue_)),
        least_beside_halo_(setup.least_beside_halo),
        slabs_(setup.slabs),
        together_(setup.together),
        arrays_(setup),
        memory_(memory),
        weights_(queue, setup, memory),
        next_(setup.ranks, setup.parameters.period[dimensions - 1] != 0),
        travel_(queue, next_, memory),
        balance_(setup.ranks, stream_of(queue), setup.rebalance_every),
        report_(queue, 1),
        pinned_(queue),
        ghost_counts_(queue, 2 * Cells::cells_of_layer(setup.parameters)) {
    pinned_.resize(1);
    fill_bytes(queue, report_.data(), 0, sizeof(RankReport));
  }

  /// Lets particles enter through open boundaries, before the first step.
  /// @param dt             s, at most of that step
  /// @param most_entering  number of particles that may enter in a step of a length, s, at most: equal on all ranks
  void let_enter(double dt, std::function<std::int64_t(double)> most_entering) {
    most_entering_ = std::move(most_entering);
    entry_places_ = most_entering_(dt);
  }
  /// Places behind the own particles for those that enter in this step.
  std::int32_t entry_places() const { return static_cast<std::int32_t>(entry_places_); }
  /// Particles that entered on this rank in the step less that of those that left, in device memory.
  std::int32_t* entry_change() { return &report_.data()->change; }

  /// Parameters of a case with the cells of this rank.
  static Parameters<Real, dimensions> slab_parameters(Parameters<Real, dimensions> parameters, const Slabs& slabs,
                                                      int rank) {
    set_slab(parameters, slabs.first(rank) + cells_of_support(parameters, dimensions - 1), slabs.count(rank));
    return Cells::number(parameters);
  }

  std::int64_t lost() const { return total_lost_; }  ///< particles of all ranks that left the domain
  std::int64_t total() const { return total_; }      ///< particles of all ranks, and those that left the domain
  /// Counts what has entered and left through open boundaries on all ranks since the last call. Collective.
  void count_changes() { total_ += sum_of_ranks(std::exchange(change_, 0)); }
  SlabCounts counts() const { return {particles_, ghosts_[below] + ghosts_[above], weight_}; }

  /// Makes a copy of the state complete: without particles that changed their rank, with those that left the domain.
  void complete(HostState<Real, dimensions>& host) const { travel_.complete(arrays_, host); }

  /// Prepares the first step. The particles of the state are in the slab of this rank or outside the domain.
  void start(const Parameters<Real, dimensions>& parameters) {
    total_ = sum_of_ranks(particles_);
    recount(parameters);
    total_lost_ = sum_of_ranks(static_cast<std::int64_t>(travel_.lost().size()));
  }

  /// @name Particles that a program adds and removes between two steps
  /// @{
  /// Returns true for a place of this rank.
  bool owns(const Parameters<Real, dimensions>& parameters, const PositionDensity<Real, dimensions>& position) const {
    return owner_of(parameters, slabs_, position) == ranks_.rank();
  }
  /// Makes room for particles behind those of the state. Collective.
  void make_places(std::int64_t count) {
    const ParticleRange source = memory_.source();
    agree_on_memory(ranks_, [&] { memory_.reserve(source.first + source.count + count); });
  }
  /// Takes particles that are behind those of the state now, or are marked in it: no sort takes them. Collective.
  /// @param change  of the number of particles of this rank
  void take_change(const Parameters<Real, dimensions>& parameters, std::int64_t change) {
    ParticleRange source = memory_.source();
    source.count += static_cast<std::int32_t>(std::max<std::int64_t>(change, 0));
    memory_.set_source(source);
    particles_ += change;
    total_ += sum_of_ranks(change);
    memory_.set_cells(memory_.cells());
    recount(parameters);
    travel_.wait_in_next();  // this rank may have more particles than after the last step
  }
  /// @}

  /// Gets the ghosts of a state from the next ranks, and gives them those of this rank.
  void exchange_halo(const StateView<Real, dimensions>& state, HaloValues values) {
    exchange_halo(*transport_, state, values);
  }
  /// The same of one array with the layout of a step.
  template <class T>
  void exchange_halo(T* array) {
    Pieces pieces;
    add_halo(array, pieces);
    transport_->exchange(pieces.sends, pieces.receives);
  }

  /// The largest of each word over all ranks, in place.
  void all_max(std::uint64_t* words, int count) { transport_->all_max(words, count); }

  /// @name An exchange of halos in a queue of its own, beside work on particles that have no ghosts as neighbors
  /// @{
  void exchange_halo_beside(const StateView<Real, dimensions>& state, HaloValues values) {
    exchange_halo(*halo_transport_, state, values);
  }
  const Queue& halo_queue() const { return halo_queue_; }

  /// Returns true if this rank has enough particles for it. Ranks need not agree: each exchanges the same pieces in the same
  /// order.
  /// @param outer  number of layers beside each next rank that wait for the exchange, 1 or 2
  bool is_beside_work(int outer) const { return inner_layers(outer).count >= least_beside_halo_; }

  /// Own particles without the `outer` layers beside each next rank. With 1 they have no ghosts as neighbors.
  ParticleRange inner_layers(int outer) const {
    const ParticleRange sorted = memory_.sorted();
    const std::int32_t lower = outer_count(below, outer);
    return {sorted.first + lower, sorted.count - lower - outer_count(above, outer)};
  }
  /// Number of the other own particles.
  std::int32_t outer_count(int outer) const { return memory_.n() - inner_layers(outer).count; }
  /// These: below and above.
  std::array<ParticleRange, 2> outer_layers(int outer) const {
    const ParticleRange sorted = memory_.sorted();
    const std::int32_t upper = outer_count(above, outer);
    return {{{sorted.first, outer_count(below, outer)}, {sorted.first + sorted.count - upper, upper}}};
  }
  /// @}

  /// Ends a step on all ranks and, unless it failed, prepares the next one. Waits for the exchange: the scan follows it.
  DeviceClock end_step(const Parameters<Real, dimensions>& parameters, StepPlan<dimensions>* plan) {
    const ParticleRange& sorted = memory_.sorted();
    memory_.set_source({sorted.first, sorted.count + entry_places()});
    list(parameters, true);
    RankReport* const report = report_.data();
    launch<1>(queue_, 1, collect_words, memory_.clock(), memory_.free_room() - entry_places(), report);
    transport_->all_max(reinterpret_cast<std::uint64_t*>(report->word), step_word::count);
    const std::int32_t ahead = travel_.places_ahead();
    exchange_after_step(parameters, ahead);
    launch<1>(queue_, 1, end_step_of_ranks<Real, dimensions>, parameters, memory_.clock(), report, plan);
    enqueue_wait(halo_queue_, queue_);
    if (ahead > 0) enqueue_scan();
    const RankReport result = read(halo_queue_);
    if (result.clock.fault_word != fault::none) return result.clock;
    balance_.end_step(static_cast<double>(inner_layers(1).count) / std::max(memory_.n(), 1));
    const bool has_traveled = ahead > 0 && result.words().leavers() <= ahead;
    count_weights(result);
    count_entries(result);
    settle(parameters, result, may_allocate(result), travel_.room_after(result.words()), has_traveled);
    travel_.prepare_next(result.words(), entry_places_);
    if (has_traveled) return result.clock;
    if (ahead > 0) memory_.clear_scan();
    enqueue_scan();
    return result.clock;
  }

  /// Marks the begin or, in turn, the end of the work for inner layers in a stage.
  void mark_work() { balance_.mark(); }

  /// Returns true where the cuts should be moved. All ranks have the same answer.
  bool should_rebalance(std::int64_t step) { return balance_.should_move(step, weight_); }

  /// Moves the cuts between ranks toward equal work, between two steps.
  /// @return  parameters of the new slab
  Parameters<Real, dimensions> rebalance(const Parameters<Real, dimensions>& parameters) {
    const std::vector<std::int64_t> weight = weights_.of_layers(parameters, slabs_);
    const Slabs wanted = move_together(
        slabs_, cut_together(balance_.costs(weight, slabs_), ranks_.size(), least_layers, together_), together_);
    if (wanted == slabs_) return parameters;
    slabs_ = wanted;
    weight_ = std::accumulate(weight.begin() + slabs_.first(ranks_.rank()), weight.begin() + slabs_.end(ranks_.rank()),
                              std::int64_t{0});
    const Parameters<Real, dimensions> moved = slab_parameters(parameters, slabs_, ranks_.rank());
    agree_on_memory(ranks_, [&] { memory_.set_cells(moved.cell_count); });
    Parameters<Real, dimensions> without_period = moved;  // whole layers move, and none across the ends of the period
    without_period.slab.period = 0;
    const StepArrays<Real, dimensions> a = memory_.arrays();
    launch(queue_, a.source_n, count_cells<Cells, Real, dimensions>, without_period, a);
    travel(moved);  // moves the layers
    travel(moved);  // counts the particles of the new outer layers
    count_ghosts_after_travel(moved);
    enqueue_scan();
    travel_.wait_in_next();  // this rank may have more particles than after the last step
    return moved;
  }

 private:
  /// Own particles in the `outer` layers beside a next rank; 0 at an end of the domain.
  std::int32_t outer_count(SlabSide side, int outer) const {
    return next_.has(side) ? static_cast<std::int32_t>(boundary_[side] + (outer == 2 ? second_[side] : 0)) : 0;
  }

  void exchange_halo(Transport& transport, const StateView<Real, dimensions>& state, HaloValues values) const {
    Pieces pieces;
    for_each_halo_array(state, values, [&](auto* array) { add_halo(array, pieces); });
    transport.exchange(pieces.sends, pieces.receives);
  }

  template <class T>
  void add_halo(T* array, Pieces& pieces) const {
    if (!array) return;
    const ParticleRange sorted = memory_.sorted();
    T* const end = array + sorted.first + sorted.count;
    next_.send_both(pieces, array + sorted.first, boundary_[below], end - boundary_[above], boundary_[above]);
    next_.receive_both(pieces, array, ghosts_[below], end, ghosts_[above]);
  }

  /// Lists the particles that leave the slab.
  /// @param after_step  the particles have the places of the last sort, and crossed at most one layer since
  void list(const Parameters<Real, dimensions>& parameters, bool after_step) {
    const StepArrays<Real, dimensions> a = memory_.arrays();
    RankReport* const report = report_.data();
    fill_bytes(queue_, report, 0, offsetof(RankReport, walls));
    launch<leaver_threads>(queue_, a.source_n, list_leavers<Real, dimensions>, a, parameters.cell_count,
                           static_cast<std::uint32_t>(Cells::cells_of_layer(parameters)),
                           static_cast<std::uint32_t>(parameters.slab.count), after_step, memory_.leaver_lists(),
                           report);
  }

  /// Adds the numbers of particles that travel and of those that stay beside the next ranks.
  void add_notices(Pieces& pieces) {
    RankReport* const report = report_.data();
    next_.send_both(pieces, report->sent + below, 1, report->sent + above, 1);
    next_.receive_both(pieces, report->received + below, 1, report->received + above, 1);
  }

  /// Exchanges what ranks need of each other after a step, and counts the ghosts in their cells: those that stay in an outer
  /// layer of a next rank, which are known by now, and those that travel to it, which come from this rank only, as each rank
  /// has two layers.
  /// @param ahead  places for travelers of each side; 0: they travel when the host knows their numbers
  void exchange_after_step(const Parameters<Real, dimensions>& parameters, std::int32_t ahead) {
    const StepArrays<Real, dimensions> a = memory_.arrays();
    const std::int64_t cells = Cells::cells_of_layer(parameters);
    const TravelPlaces places{ahead, ahead};
    Pieces pieces;
    add_notices(pieces);
    add_counts(parameters, ghost_counts_.data(), ghost_counts_.data() + cells, pieces);
    if (ahead > 0) {
      travel_.pack(report_.data(), places, true);
      travel_.add_to(pieces, places, places);
    }
    transport_->exchange(pieces.sends, pieces.receives);
    launch(queue_, cells, count_ghosts<Real, dimensions>, parameters, a.cell_count, static_cast<std::uint32_t>(cells),
           next_.has(below) ? ghost_counts_.data() : nullptr,
           next_.has(above) ? ghost_counts_.data() + cells : nullptr);
    if (ahead > 0) travel_.unpack(parameters, report_.data(), places, true);
  }

  /// Adds the exchange of the counts of own outer cells.
  void add_counts(const Parameters<Real, dimensions>& parameters, std::int32_t* from_below, std::int32_t* from_above,
                  Pieces& pieces) {
    const std::int64_t cells = Cells::cells_of_layer(parameters), last = parameters.slab.count - 2;
    const std::int32_t* const counts = memory_.arrays().cell_count;
    next_.send_both(pieces, counts + cells, cells, counts + last * cells, cells);
    next_.receive_both(pieces, from_below, cells, from_above, cells);
  }

  /// Counts the particles of the state in their cells, where the counts are 0, and lets those travel that are elsewhere.
  void recount(const Parameters<Real, dimensions>& parameters) {
    const StepArrays<Real, dimensions> a = memory_.arrays();
    launch(queue_, a.source_n, count_cells<Cells, Real, dimensions>, parameters, a);
    travel(parameters);
    count_ghosts_after_travel(parameters);
    enqueue_scan();
  }

  /// Copies the report in the order of a queue and waits for it.
  RankReport read(const Queue& queue) {
    copy_to_pinned(queue, pinned_.data(), report_.data(), sizeof(RankReport));
    queue.wait();
    return *pinned_.data();
  }

  void travel(const Parameters<Real, dimensions>& parameters) {
    list(parameters, false);
    Pieces pieces;
    add_notices(pieces);
    transport_->exchange(pieces.sends, pieces.receives);
    settle(parameters, read(queue_), true, 0, false);
  }

  /// Takes the weight of this rank and the number of particles that left the domain.
  void count_weights(const RankReport& report) {
    weight_ = weights_.of_particles(memory_.n(), report.walls);
    memory_.set_walls(report.walls);
    if (report.words().lost() > 0) total_lost_ += sum_of_ranks(report.lost);
  }

  /// Takes the number of particles that entered, and makes places for those of the next step.
  void count_entries(const RankReport& report) {
    if (!most_entering_) return;
    particles_ += report.change;
    change_ += report.change;
    entry_places_ = most_entering_(report.clock.next_dt);
  }

  std::int64_t sum_of_ranks(std::int64_t value) const {
    std::array<std::int64_t, 1> sum{value};
    ranks_.group().all_sum(sum);
    return sum[0];
  }

  /// Returns true if a rank may need more memory after a step. All ranks have the same answer, by bounds from the largest
  /// values of all ranks: most steps then need no agreement, for which the hosts would wait.
  bool may_allocate(const RankReport& report) const {
    const StepWords words = report.words();
    return 2 * words.leavers() + 2 * words.boundary() + entry_places_ > words.room() || words.lost() > 0 ||
           !travel_.has_room(travel_.room_after(words));
  }

  /// Gives every particle its rank: knows the numbers of particles, and lets them travel unless they have.
  /// @param allocates  a rank may need more memory
  /// @param travelers  number for which there should be room in the next step
  void settle(const Parameters<Real, dimensions>& parameters, const RankReport& report, bool allocates,
              std::int64_t travelers, bool has_traveled) {
    const Notice* const sent = report.sent;
    const Notice* const received = report.received;
    ParticleRange source = memory_.source();
    particles_ += report.arrivals() - report.leavers();
    for (const SlabSide side : {below, above}) {
      ghosts_[side] = received[side].boundary + (next_.has(side) ? sent[side].travelers : 0);
      boundary_[side] = sent[side].boundary + received[side].travelers;
      second_[side] = report.second[side];
    }
    const auto prepare = [&] {
      memory_.reserve(std::max(source.first + source.count + report.arrivals(),
                               ghosts_[below] + particles_ + ghosts_[above] + entry_places_));
      travel_.reserve(std::max({report.leavers(), report.arrivals(), travelers}));
    };
    if (allocates)
      agree_on_memory(ranks_, prepare);
    else
      prepare();
    if (!has_traveled) exchange_travelers(parameters, report);
    travel_.take_lost(report.lost);
    source.count += static_cast<std::int32_t>(report.arrivals());
    memory_.set_source(source);
    memory_.set_sorted({static_cast<std::int32_t>(ghosts_[below]), static_cast<std::int32_t>(particles_)});
    memory_.set_walls(static_cast<std::int32_t>(memory_.walls() + report.arrivals()));
  }

  /// Lets listed particles travel, of which the host knows the numbers.
  void exchange_travelers(const Parameters<Real, dimensions>& parameters, const RankReport& report) {
    const TravelPlaces sent{report.sent[below].travelers, report.sent[above].travelers};
    const TravelPlaces received{report.received[below].travelers, report.received[above].travelers};
    Pieces pieces;
    travel_.pack(report_.data(), sent, false);
    travel_.add_to(pieces, sent, received);
    transport_->exchange(pieces.sends, pieces.receives);
    travel_.unpack(parameters, report_.data(), received, false);
  }

  /// Counts the ghosts in their cells when all particles are where they belong.
  void count_ghosts_after_travel(const Parameters<Real, dimensions>& parameters) {
    std::int32_t* const counts = memory_.arrays().cell_count;
    const std::int64_t last = parameters.slab.count - 1;
    fill_bytes(queue_, counts + parameters.cell_count, 0, sizeof(std::int32_t));
    Pieces pieces;
    add_counts(parameters, counts, counts + last * Cells::cells_of_layer(parameters), pieces);
    transport_->exchange(pieces.sends, pieces.receives);
  }

  /// Makes the places of all particles from the counts of the cells.
  void enqueue_scan() {
    launch<scan_threads>(queue_, memory_.tiles() * scan_threads, scan_cells<Real, dimensions>, memory_.arrays());
  }

  Queue queue_;
  Communicator ranks_;
  std::unique_ptr<Transport> transport_;  ///< exchange in the order of queue_
  Queue halo_queue_;
  std::unique_ptr<Transport> halo_transport_;  ///< exchange in the order of halo_queue_
  std::int64_t least_beside_halo_;             ///< particles in inner layers from which a halo is beside them
  Slabs slabs_;
  std::vector<Share> together_;  ///< layers that one rank has
  ArraysOf<Real, dimensions> arrays_;
  std::int64_t total_ = 0;
  std::int64_t total_lost_ = 0;
  Memory& memory_;
  LayerWeights<Memory, Cells, Real, dimensions> weights_;
  NextRanks next_;
  std::function<std::int64_t(double)> most_entering_;  ///< empty without open boundaries
  std::int64_t entry_places_ = 0;                      ///< number of places in this step
  std::int64_t change_ = 0;  ///< particles of this rank that entered less that of those that left, not in total_ yet
  std::int64_t particles_ = memory_.source().count;  ///< Number of particles of this rank, without those that left
  std::int64_t weight_ = weights_.of_particles(memory_.n(), memory_.walls());  ///< Weight of these
  std::int64_t ghosts_[2] = {};    ///< Numbers of ghosts in the layers below and above the own ones
  std::int64_t boundary_[2] = {};  ///< own particles in the first and in the last own layer
  std::int64_t second_[2] = {};    ///< own particles in the layers next to these
  ParticleTravel<Memory, Cells, Real, dimensions> travel_;
  SlabBalance balance_;
  Array<RankReport> report_;
  PinnedArray<RankReport> pinned_;
  /// [2][cells of a layer] particles that stay in the outer cells of the next ranks
  Array<std::int32_t> ghost_counts_;
};

}  // namespace shoal::sph
