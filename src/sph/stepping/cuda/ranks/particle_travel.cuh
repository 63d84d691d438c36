// SPDX-License-Identifier: Apache-2.0
// Particles of a CUDA run on their way from one rank to the next.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "sph/ranks/next_ranks.hpp"
#include "sph/stepping/cuda/passes/free_places.cuh"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"

namespace shoal::sph {

/// Memory for particles on their way, and the kernels that take them out of the state and put them into it.
///
/// In most steps they travel before the host knows their number, with places for twice as many as in the step before. Where
/// these do not suffice on some rank, nothing is packed on any, and they travel when the host knows. So do many, as where a
/// plane of a lattice crosses a layer at once: for these the host's wait is short beside an exchange of unused places.
template <class Memory, class Cells, class Real, int dimensions>
class ParticleTravel {
 public:
  using Travelers = Array<Traveler<Real, dimensions>>;

  ParticleTravel(const Queue& queue, const NextRanks& next, Memory& memory)
      : queue_(queue), next_(next), memory_(memory), outgoing_(queue, 0), incoming_(queue, 0) {}

  /// Places for the travelers of each side in the next step; 0 where they wait for the host. Equal on all ranks.
  std::int32_t places_ahead() const { return ahead_; }

  /// Copies listed particles to the outgoing ones and marks them: no sort takes them.
  /// @param ahead  the host does not know their numbers: `places` are for so many that may be
  void pack(const RankReport* report, const TravelPlaces& places, bool ahead) {
    launch(queue_, places.total(), pack_travelers<Real, dimensions>, memory_.arrays(), memory_.leaver_lists(), report,
           places, ahead, outgoing_.data());
  }

  /// Adds the travelers to an exchange.
  void add_to(Pieces& pieces, const TravelPlaces& sent, const TravelPlaces& received) {
    next_.send_both(pieces, outgoing_.data(), sent.below, outgoing_.data() + sent.below, sent.above);
    next_.receive_both(pieces, incoming_.data(), received.below, incoming_.data() + received.below, received.above);
  }

  /// Puts arrivals behind the particles of `source`, and counts them in their cells.
  void unpack(const Parameters<Real, dimensions>& parameters, const RankReport* report, const TravelPlaces& places,
              bool ahead) {
    launch(queue_, places.total(), unpack_travelers<Cells, Real, dimensions>, parameters, memory_.arrays(), report,
           places, ahead, incoming_.data());
  }

  /// Takes listed particles that left the domain out of the state. Waits for the queue.
  void take_lost(std::int32_t count) {
    if (count == 0) return;
    launch(queue_, count, pack_lost<Real, dimensions>, memory_.arrays(), memory_.leaver_lists().group[leaver::lost],
           count, outgoing_.data());
    const View<const Traveler<Real, dimensions>> packed(outgoing_.data(), count, outgoing_.device());
    const std::vector<Traveler<Real, dimensions>> left = to_host(queue_, packed);
    lost_.insert(lost_.end(), left.begin(), left.end());
  }
  /// Makes a copy of the state complete: without particles that changed their rank, with those that left the domain.
  void complete(const ArraysOf<Real, dimensions>& arrays, HostState<Real, dimensions>& host) const {
    leave_out_free_places(arrays, host);
    std::size_t end = host.count();
    arrays.resize(host, end + lost_.size());
    for (const Traveler<Real, dimensions>& left : lost_) {
      host.position[end] = left.particle.position;
      host.velocity[end] = left.particle.velocity;
      host.energy[end] = left.energy;
      host.id[end] = id_of_label(left.label);
      host.tag[end] = tag_of_label(left.label);
      if (arrays.properties) host.properties[end] = left.properties;
      if (arrays.previous) host.previous[end] = left.previous;
      if (arrays.viscosity) host.viscosity[end] = left.viscosity;
      ++end;
    }
  }
  /// Particles that left the domain from this rank.
  const std::vector<Traveler<Real, dimensions>>& lost() const { return lost_; }

  /// @name Memory
  /// @{
  /// Number of travelers, sent or received, that a step after one with these values may need. Equal on all ranks.
  static std::int64_t room_after(const StepWords& words) {
    return std::max({2 * places_after(words), 2 * words.leavers(), words.lost()});
  }
  bool has_room(std::int64_t travelers) const { return travelers <= room_; }

  /// Makes room for so many travelers sent or received.
  void reserve(std::int64_t travelers) {
    make_room(outgoing_, travelers);
    make_room(incoming_, travelers);
  }
  /// Chooses whether the next step lets particles travel ahead of the host, on all ranks alike: where memory is certain to
  /// suffice.
  /// @param entries  places for particles that enter in that step
  void prepare_next(const StepWords& words, std::int64_t entries) {
    const std::int64_t places = places_after(words);
    // Particles come from two sides in this step and in the next one, and ghosts below move those of the rank up.
    const std::int64_t needed = 3 * words.leavers() + words.boundary() + 2 * places + entries;
    ahead_ = needed <= words.room() ? static_cast<std::int32_t>(places) : 0;
    room_ = std::max(room_, room_after(words));
  }
  /// The next step lets particles wait for the host.
  void wait_in_next() { ahead_ = 0; }
  /// @}

 private:
  /// Places of a side for the travelers of the step after one with these values; 0: too many to travel ahead.
  static std::int64_t places_after(const StepWords& words) {
    constexpr std::int64_t least = 256, most = 4096;
    const std::int64_t places = std::max(2 * words.leavers(), least);
    return places <= most ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(places))) : 0;
  }

  static void make_room(Travelers& array, std::int64_t count) {
    if (array.count() < count) array.resize(count + count / 2);
  }

  Queue queue_;
  const NextRanks& next_;
  Memory& memory_;
  Travelers outgoing_;
  Travelers incoming_;
  std::int64_t room_ = 0;  ///< travelers that fit into each of these on all ranks
  std::int32_t ahead_ = 0;
  std::vector<Traveler<Real, dimensions>> lost_;
};

}  // namespace shoal::sph
