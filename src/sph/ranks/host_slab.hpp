// SPDX-License-Identifier: Apache-2.0
// Slab of a rank on the host: ghosts of the next ranks in every stage, particles that change their rank between steps, and
// cuts that move. Memory during a step is [ghosts below | own | ghosts above], so that halos are contiguous.
#pragma once
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "sph/physics/cells/host_cells.hpp"
#include "sph/ranks/agree_on_memory.hpp"
#include "sph/ranks/halo.hpp"
#include "sph/ranks/next_ranks.hpp"
#include "sph/ranks/particle_exchange.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/ranks/slab_work.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostSlab {
 public:
  /// Restricts the cells of the setup to those of the slab.
  HostSlab(Setup<Real, dimensions>& setup, const HostCells& cells)
      : ranks_(setup.ranks),
        cells_(cells),
        arrays_(setup),
        total_(static_cast<std::int64_t>(setup.state.count())),
        rebalance_every_(setup.rebalance_every),
        domain_(setup.parameters),
        slabs_(setup.slabs),
        together_(setup.together),
        next_(setup.ranks, domain_.period[dimensions - 1] != 0) {
    setup.parameters = parameters();
    total_ = sum_of_ranks(total_);
    lost_ = arrays_.make(0);
  }

  /// Parameters with the cells of this rank.
  Parameters<Real, dimensions> parameters() const {
    Parameters<Real, dimensions> local = domain_;
    set_slab(local, slabs_.first(ranks_.rank()) + cells_of_support(local, dimensions - 1), slabs_.count(ranks_.rank()));
    return cells_.number(local);
  }

  std::int64_t lost() const { return total_lost_; }             ///< number on all ranks
  std::int64_t inside() const { return total_ - total_lost_; }  ///< number on all ranks
  std::int64_t first() const { return ghosts_[below]; }         ///< index of the first own particle in a step
  std::int64_t owned() const { return owned_; }                 ///< number of own particles
  /// Returns true for a place in the layers of this rank.
  bool owns(const PositionDensity<Real, dimensions>& position) const {
    return owner_of(domain_, slabs_, position) == ranks_.rank();
  }
  /// Counts particles that entered less those that left on this rank. Collective.
  void add_to_total(std::int64_t change) { total_ += sum_of_ranks(change); }
  /// Takes particles that were added, less those removed, on this rank between two steps. Collective.
  void take_change(std::int64_t change) {
    owned_ += change;
    add_to_total(change);
  }
  /// Counts of this rank between two steps. @param weight  that of its particles
  SlabCounts counts(std::int64_t weight) const { return {owned_, ghosts_of_step_, weight}; }
  std::int64_t room() const { return ghosts_[below] + owned_ + ghosts_[above]; }
  const std::int64_t* cell_start() const { return cell_start_.data(); }

  /// Counts the own particles of each cell for begin_step().
  /// @param start  [cells + 1] of own particles
  void count_particles(const Parameters<Real, dimensions>& parameters, const std::int64_t* start, std::int64_t owned) {
    owned_ = owned;
    const std::int64_t cells = cells_.cells_of_layer(parameters), layers = parameters.slab.count;
    counts_.assign(static_cast<std::size_t>(layers * cells), 0);
    for (std::int64_t cell = cells; cell < (layers - 1) * cells; ++cell)
      counts_[static_cast<std::size_t>(cell)] = start[cell + 1] - start[cell];
    cell_start_.resize(counts_.size() + 2);
  }

  /// Begins a step: exchanges the numbers of particles in the outer cells.
  void begin_step(const Parameters<Real, dimensions>& parameters) {
    const std::int64_t cells = cells_.cells_of_layer(parameters), layers = parameters.slab.count;
    Pieces pieces;
    next_.send_both(pieces, counts_.data() + cells, cells, counts_.data() + (layers - 2) * cells, cells);
    next_.receive_both(pieces, counts_.data(), cells, counts_.data() + (layers - 1) * cells, cells);
    exchange(pieces);
    cell_start_[0] = 0;
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) cell_start_[cell + 1] = cell_start_[cell] + counts_[cell];
    cell_start_.back() = cell_start_[counts_.size()];
    const auto at_layer = [&](std::int64_t layer) { return cell_start_[static_cast<std::size_t>(layer * cells)]; };
    ghosts_[below] = at_layer(1);
    ghosts_[above] = at_layer(layers) - at_layer(layers - 1);
    ghosts_of_step_ = ghosts_[below] + ghosts_[above];
    boundary_[below] = at_layer(2) - at_layer(1);
    boundary_[above] = at_layer(layers - 1) - at_layer(layers - 2);
  }

  /// Gets the ghosts of a state from the next ranks, and gives them those of this rank.
  void exchange_halo(const StateView<Real, dimensions>& state, HaloValues values) const {
    Pieces pieces;
    for_each_halo_array(state, values, [&](auto* array) { add_halo(pieces, array); });
    exchange(pieces);
  }

  /// The same of one array with the layout of a step.
  template <class T>
  void exchange_halo(T* array) const {
    Pieces pieces;
    add_halo(pieces, array);
    exchange(pieces);
  }

  /// Moves particles that changed their layer to the rank that has it, and those that left the domain out of the state.
  /// @param parameters  cells of this rank, which may be new
  /// @param state       on entry [ghosts | own | ghosts], on return own particles only
  void migrate(const Parameters<Real, dimensions>& parameters, HostState<Real, dimensions>& state, std::int64_t first,
               std::int64_t owned) {
    HostState<Real, dimensions> leaving[2] = {arrays_.make(0), arrays_.make(0)};
    const std::size_t lost_before = lost_.count();
    agree_on_memory(ranks_, [&] { take_leavers(parameters, state, first, owned, leaving); });
    travel(leaving, state);
    owned_ = static_cast<std::int64_t>(state.count());
    ghosts_[below] = ghosts_[above] = 0;
    total_lost_ += sum_of_ranks(static_cast<std::int64_t>(lost_.count() - lost_before));
  }

  /// Moves the cuts between ranks if it is time. Returns true if they moved: the cells of this rank are then new.
  bool rebalance(const Parameters<Real, dimensions>& parameters, std::int64_t step,
                 HostState<Real, dimensions>& state) {
    if (rebalance_every_ > 0 ? step % rebalance_every_ != 0 : !compares_weights(step)) return false;
    std::vector<std::int64_t> weight(static_cast<std::size_t>(slabs_.layers()));
    for (const PositionDensity<Real, dimensions>& position : state.position)
      weight[static_cast<std::size_t>(slab_layer(parameters, position))] += slab_weight(parameters, position);
    ranks_.group().all_sum(weight);
    if (rebalance_every_ == 0 && !is_uneven(work_of_ranks(weight))) return false;
    const Slabs wanted = move_together(slabs_, cut_together(weight, ranks_.size(), least_layers, together_), together_);
    if (wanted == slabs_) return false;
    slabs_ = wanted;
    Parameters<Real, dimensions> moved = this->parameters();
    moved.slab.period = 0;  // whole layers move, and none across the ends of the period
    migrate(moved, state, 0, static_cast<std::int64_t>(state.count()));
    return true;
  }

  /// Removes the ghosts of a state with the layout of a step.
  void remove_ghosts(HostState<Real, dimensions>& state) const {
    const auto first = static_cast<std::size_t>(ghosts_[below]), owned = static_cast<std::size_t>(owned_);
    for (std::size_t i = 0; first > 0 && i < owned; ++i) copy_particle(state, first + i, state, i);
    arrays_.resize(state, owned);
  }

  /// Adds particles that left the domain.
  void complete(HostState<Real, dimensions>& state) const {
    for (std::size_t i = 0; i < lost_.count(); ++i) append(lost_, static_cast<std::int64_t>(i), state);
  }

 private:
  std::int64_t sum_of_ranks(std::int64_t value) const {
    std::array<std::int64_t, 1> sum{value};
    ranks_.group().all_sum(sum);
    return sum[0];
  }

  void exchange(const Pieces& pieces) const { ranks_.group().exchange(pieces.sends, pieces.receives); }

  template <class T>
  void add_halo(Pieces& pieces, T* array) const {
    if (!array) return;
    T* const begin = array + ghosts_[below];
    T* const end = begin + owned_;
    next_.send_both(pieces, begin, boundary_[below], end - boundary_[above], boundary_[above]);
    next_.receive_both(pieces, array, ghosts_[below], end, ghosts_[above]);
  }

  void append(const HostState<Real, dimensions>& source, std::int64_t i, HostState<Real, dimensions>& target) const {
    const std::size_t n = target.count();
    arrays_.resize(target, n + 1);
    copy_particle(source, static_cast<std::size_t>(i), target, n);
  }

  /// Moves particles for the next ranks from a state to `leaving`, and those outside the domain to lost_.
  void take_leavers(const Parameters<Real, dimensions>& parameters, HostState<Real, dimensions>& state,
                    std::int64_t first, std::int64_t owned, HostState<Real, dimensions> (&leaving)[2]) {
    const std::int64_t cells = cells_.cells_of_layer(parameters), last = parameters.slab.count - 1;
    std::int64_t kept = 0;
    for (std::int64_t i = first; i < first + owned; ++i) {
      const std::uint32_t cell = cells_.cell_of(parameters, state.position[static_cast<std::size_t>(i)]);
      const std::int64_t layer = cell / cells;
      if (cell == parameters.cell_count) {
        append(state, i, lost_);
      } else if (layer == 0 || layer == last) {
        append(state, i, leaving[layer == 0 ? below : above]);
      } else {
        if (kept != i) copy_particle(state, static_cast<std::size_t>(i), state, static_cast<std::size_t>(kept));
        ++kept;
      }
    }
    arrays_.resize(state, static_cast<std::size_t>(kept));
  }

  /// Sends leavers to the next ranks and appends arrivals to the state.
  void travel(const HostState<Real, dimensions> (&leaving)[2], HostState<Real, dimensions>& state) const {
    const std::int64_t sent[2] = {static_cast<std::int64_t>(leaving[below].count()),
                                  static_cast<std::int64_t>(leaving[above].count())};
    std::int64_t arriving[2] = {};
    Pieces counts;
    next_.send_both(counts, sent + below, 1, sent + above, 1);
    next_.receive_both(counts, arriving + below, 1, arriving + above, 1);
    exchange(counts);
    const std::size_t kept = state.count();
    agree_on_memory(ranks_,
                    [&] { arrays_.resize(state, kept + static_cast<std::size_t>(arriving[below] + arriving[above])); });
    Pieces pieces;
    const auto add_array = [&](const auto& down, const auto& up, auto& array) {
      auto* const arrivals = array.data() + kept;
      if (array.empty() && down.empty() && up.empty()) return;
      next_.send_both(pieces, down.data(), static_cast<std::int64_t>(down.size()), up.data(),
                      static_cast<std::int64_t>(up.size()));
      next_.receive_both(pieces, arrivals, arriving[below], arrivals + arriving[below], arriving[above]);
    };
    add_array(leaving[below].position, leaving[above].position, state.position);
    add_array(leaving[below].velocity, leaving[above].velocity, state.velocity);
    add_array(leaving[below].energy, leaving[above].energy, state.energy);
    add_array(leaving[below].tag, leaving[above].tag, state.tag);
    add_array(leaving[below].id, leaving[above].id, state.id);
    add_array(leaving[below].properties, leaving[above].properties, state.properties);
    add_array(leaving[below].previous, leaving[above].previous, state.previous);
    add_array(leaving[below].viscosity, leaving[above].viscosity, state.viscosity);
    exchange(pieces);
  }

  /// Weights of the ranks. @param weight  [layers]
  std::vector<SlabWork> work_of_ranks(const std::vector<std::int64_t>& weight) const {
    std::vector<SlabWork> work(static_cast<std::size_t>(ranks_.size()));
    for (int rank = 0; rank < ranks_.size(); ++rank)
      work[static_cast<std::size_t>(rank)].weight =
          std::accumulate(weight.begin() + slabs_.first(rank), weight.begin() + slabs_.end(rank), std::int64_t{0});
    return work;
  }

  Communicator ranks_;
  HostCells cells_;
  ArraysOf<Real, dimensions> arrays_;
  std::int64_t total_;  ///< number of particles on all ranks
  std::int64_t rebalance_every_;
  Parameters<Real, dimensions> domain_;  ///< parameters with the cells of the domain
  Slabs slabs_;
  std::vector<Share> together_;  ///< layers that one rank has
  NextRanks next_;
  std::int64_t owned_ = 0;
  std::int64_t ghosts_[2] = {};      ///< numbers of ghosts below and above
  std::int64_t ghosts_of_step_ = 0;  ///< number in the last step; between steps a state has none
  std::int64_t boundary_[2] = {};    ///< own particles in the first and in the last own layer
  std::int64_t total_lost_ = 0;
  HostState<Real, dimensions> lost_{0};   ///< particles of this rank that left the domain
  std::vector<std::int64_t> counts_;      ///< [cells] numbers of particles in a step
  std::vector<std::int64_t> cell_start_;  ///< [cells + 2] first particle of each cell, with the ghosts
};

}  // namespace shoal::sph
