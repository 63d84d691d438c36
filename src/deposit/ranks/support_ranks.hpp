// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "deposit/ranks/rank_layers.hpp"
#include "deposit/support/support_item.hpp"

namespace shoal::deposit {

/// Parts of a support grid on several ranks with slabs. A cut halves a layer of support cells, which belongs to the rank
/// below the cut. So each rank sends the particles of its first layer of cells down, and receives those of the layer above
/// its slab. Every rank makes the same calls.
template <class Real>
class SupportRanks {
 public:
  /// @param cells_of_layer  number of cells of a layer of the grid
  /// @param plane_nodes     number of nodes of a plane of the support grid
  SupportRanks(const Queue& queue, const RankLayers& layers, std::int64_t cells_of_layer, std::int64_t plane_nodes,
               bool is_periodic);

  /// Receives the positions of particles.
  /// @param particles  those of this rank, in the order of its cells
  void receive(const BinnedParticles<Real>& particles);

  /// Particles of the layer above, whose cells count from first_layer() on.
  const BinnedParticles<Real>& received() const { return received_; }
  /// Layer of the whole grid above the slab.
  std::int32_t first_layer() const { return first_layer_; }

  /// Indices of this rank's particles among them and those received, in the order of the whole grid's cells. Received ones
  /// come first above the end of a period, else last.
  Range own_range() const;
  std::int64_t first_received() const { return own_range().begin > 0 ? 0 : own_range().end; }
  std::int64_t count() const { return own_count_ + received_.count; }

  /// Values of these particles, in the order of own_range() and received().
  /// @param particles  those of this rank
  Fields<const Real> exchange(ScratchFrame& frame, const BinnedParticles<Real>& particles,
                              const Fields<const Real>& values) const;

  /// Planes of nodes that this rank shares with the next ones.
  SharedNodes& shared_nodes() { return shared_nodes_; }

 private:
  struct Pieces {
    std::vector<SentPiece> sends;
    std::vector<ReceivedPiece> receives;
  };

  template <class T>
  void add_piece(Pieces& pieces, const T* sent, T* received) const;
  void exchange_counts(const BinnedParticles<Real>& particles);
  void make_room();

  Queue queue_;
  RankLayers layers_;
  std::unique_ptr<Transport> transport_;
  SharedNodes shared_nodes_;
  std::int64_t cells_of_layer_;
  int below_;        ///< rank that gets this rank's first layer; -1: none
  int above_;        ///< rank that sends its first layer; -1: none
  bool is_wrapped_;  ///< true: the layer above is the first one of the whole grid
  std::int32_t first_layer_ = 0;
  std::int64_t own_count_ = 0;   ///< number of this rank's particles
  std::int64_t sent_count_ = 0;  ///< number of those in its first layer, which go down
  Array<std::uint32_t> cell_;
  Array<Real> offset_[3];
  BinnedParticles<Real> received_;
};

}  // namespace shoal::deposit
