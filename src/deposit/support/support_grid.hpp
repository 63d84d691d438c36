// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/binning/sorted_particles.hpp"
#include "deposit/ranks/support_ranks.hpp"
#include "deposit/support/support_item.hpp"

namespace shoal::deposit {

/// The support grid of a grid, and particles in the order of its cells: what a transfer to cells needs beside one to
/// nodes (figure 2 of Larson, Carver and Zhao). A cell of the grid is a node of the support grid, so it gets values from
/// particles within one cell width of its center.
template <class Real>
class SupportGrid {
 public:
  /// @param space  the whole grid
  /// @throws Error  the support grid has more cells than 32-bit keys
  SupportGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
              const DepositSpace<Real>& space, const RankLayers& layers);

  /// Sorts particles that are binned on the grid. Faults are recorded in `status`. All ranks call it.
  void bin(Scratch& scratch, const BinnedParticles<Real>& in_grid, Status* status);

  const SupportSpace<Real>& space() const { return space_; }
  const BinnedParticles<Real>& particles() const { return particles_; }
  /// Parts on other ranks, after bin(); null without cuts.
  SupportRanks<Real>* ranks() const { return ranks_.get(); }

 private:
  void block(const Queue& queue, const std::vector<std::uint8_t>& blocked);
  void cut(Range layers, const Slabs& support_slabs, int rank);
  void sort(Scratch& scratch, const BinnedParticles<Real>& in_grid, Status* status);

  RankLayers layers_;
  SupportSpace<Real> space_;
  Array<std::uint8_t> open_corners_;
  SortedParticles<Real> sorted_;
  Array<std::int32_t> order_;  ///< [n] number of each particle; unused if values are in the order of the grid's cells,
                               ///< as they are on several ranks
  BinnedParticles<Real> particles_;
  std::unique_ptr<SupportRanks<Real>> ranks_;
};

}  // namespace shoal::deposit
