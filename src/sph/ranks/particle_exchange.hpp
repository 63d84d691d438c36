// SPDX-License-Identifier: Apache-2.0
// Particles of the host that travel between ranks.
#pragma once
#include <vector>

#include "core/communication/rank_group.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Calls visit(array) for the arrays of a state that have particles. Arrays that a run does not have stay empty.
template <class State, class Visit>
void for_each_array(State& state, const Visit& visit) {
  visit(state.position);
  visit(state.velocity);
  visit(state.energy);
  visit(state.tag);
  visit(state.id);
  visit(state.properties);
  visit(state.previous);
  visit(state.viscosity);
}

/// Arrays that the states of a run have.
template <class Real, int dimensions>
struct ArraysOf {
  bool properties = false;
  bool previous = false;
  bool viscosity = false;

  ArraysOf() = default;
  explicit ArraysOf(const Setup<Real, dimensions>& setup)
      : properties(setup.is_general),
        previous(setup.parameters.integrator == Integrator::verlet),
        viscosity(!setup.flow_curves.empty()) {}

  HostState<Real, dimensions> make(std::size_t n) const {
    HostState<Real, dimensions> state(n);
    resize(state, n);
    return state;
  }
  void resize(HostState<Real, dimensions>& state, std::size_t n) const {
    state.position.resize(n);
    state.velocity.resize(n);
    state.energy.resize(n);
    state.tag.resize(n);
    state.id.resize(n);
    state.properties.resize(properties ? n : 0);
    state.previous.resize(previous ? n : 0);
    state.viscosity.resize(viscosity ? n : 0);
  }
};

/// Ranges of sorted particles for each rank, or of arrivals from each rank.
struct RankRanges {
  std::vector<std::int64_t> first;  ///< [ranks + 1]

  explicit RankRanges(const std::vector<std::int64_t>& counts) : first(counts.size() + 1) {
    for (std::size_t rank = 0; rank < counts.size(); ++rank) first[rank + 1] = first[rank] + counts[rank];
  }
  std::int64_t count(std::size_t rank) const { return first[rank + 1] - first[rank]; }
  std::int64_t total() const { return first.back(); }
};

/// Numbers of particles that come from each rank. Collective.
/// @param sent  [ranks] numbers that go to each rank
inline std::vector<std::int64_t> received_counts(const Communicator& ranks, const std::vector<std::int64_t>& sent) {
  const std::size_t size = sent.size();
  std::vector<std::int64_t> table(size * size);
  ranks.group().all_gather(sent.data(), size * sizeof(std::int64_t), table.data());
  std::vector<std::int64_t> received(size);
  for (std::size_t from = 0; from < size; ++from)
    received[from] = table[from * size + static_cast<std::size_t>(ranks.rank())];
  return received;
}

inline void exchange_pieces(const Communicator& ranks, std::vector<SentPiece>& sends,
                            std::vector<ReceivedPiece>& receives) {
  std::erase_if(sends, [](const SentPiece& piece) { return piece.bytes == 0; });
  std::erase_if(receives, [](const ReceivedPiece& piece) { return piece.bytes == 0; });
  ranks.group().exchange(sends, receives);
}

/// Ids of each rank in reports: rank r has those from r n / ranks on, up to those of the next one.
struct IdBlocks {
  std::int64_t count = 0;
  std::int64_t ranks = 1;

  std::int64_t first(std::int64_t rank) const { return rank * count / ranks; }
  int owner(std::int64_t id) const {
    std::int64_t rank = id * ranks / count;
    while (first(rank + 1) <= id) ++rank;
    return static_cast<int>(rank);
  }
};

/// Appends the pieces that a rank sends into its range of the arrays of a state.
template <class Real, int dimensions>
void receive_from(std::size_t rank, const RankRanges& ranges, HostState<Real, dimensions>& state,
                  std::vector<ReceivedPiece>& receives) {
  for_each_array(state, [&](auto& array) {
    if (!array.empty())
      receives.push_back({array.data() + ranges.first[rank],
                          static_cast<std::size_t>(ranges.count(rank)) * sizeof(array[0]), static_cast<int>(rank)});
  });
}

/// Particles of all ranks, each on the rank that owner(i) names for particle i of this rank. Collective.
/// Cost: one exchange of each array, and memory for two copies of the particles.
template <class Real, int dimensions, class Owner>
HostState<Real, dimensions> redistribute(const Communicator& ranks, const ArraysOf<Real, dimensions>& arrays,
                                         const HostState<Real, dimensions>& state, const Owner& owner) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::vector<std::int64_t> counts(size);
  std::vector<int> owners(state.count());
  for (std::size_t i = 0; i < state.count(); ++i) {
    owners[i] = owner(i);
    ++counts[static_cast<std::size_t>(owners[i])];
  }
  const RankRanges sent(counts), received(received_counts(ranks, counts));
  HostState<Real, dimensions> leaving = arrays.make(state.count());
  std::vector<std::int64_t> next(sent.first.begin(), sent.first.end() - 1);
  for (std::size_t i = 0; i < state.count(); ++i)
    copy_particle(state, i, leaving, static_cast<std::size_t>(next[static_cast<std::size_t>(owners[i])]++));

  HostState<Real, dimensions> arrived = arrays.make(static_cast<std::size_t>(received.total()));
  arrived.clock = state.clock;
  arrived.rigid_bodies = state.rigid_bodies;
  arrived.absorption = state.absorption;
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (std::size_t rank = 0; rank < size; ++rank) {
    for_each_array(leaving, [&](const auto& array) {
      if (!array.empty())
        sends.push_back({array.data() + sent.first[rank], static_cast<std::size_t>(sent.count(rank)) * sizeof(array[0]),
                         static_cast<int>(rank)});
    });
    receive_from(rank, received, arrived, receives);
  }
  exchange_pieces(ranks, sends, receives);
  return arrived;
}

/// Particles of all ranks on every rank, in the order of ranks. Collective; for few particles.
template <class Real, int dimensions>
HostState<Real, dimensions> gather(const Communicator& ranks, const ArraysOf<Real, dimensions>& arrays,
                                   const HostState<Real, dimensions>& state) {
  const RankRanges received(received_counts(
      ranks,
      std::vector<std::int64_t>(static_cast<std::size_t>(ranks.size()), static_cast<std::int64_t>(state.count()))));
  HostState<Real, dimensions> gathered = arrays.make(static_cast<std::size_t>(received.total()));
  gathered.clock = state.clock;
  gathered.absorption = state.absorption;
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks.size()); ++rank) {
    for_each_array(state, [&](const auto& array) {
      if (!array.empty()) sends.push_back({array.data(), array.size() * sizeof(array[0]), static_cast<int>(rank)});
    });
    receive_from(rank, received, gathered, receives);
  }
  exchange_pieces(ranks, sends, receives);
  return gathered;
}

}  // namespace shoal::sph
