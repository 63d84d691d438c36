// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/binning/sorted_particles.hpp"
#include "deposit/support/support_item.hpp"

namespace shoal::deposit {

/// The support grid of a grid, and particles in the order of its cells: what a transfer to cells needs beside one to
/// nodes (figure 2 of Larson, Carver and Zhao). A cell of the grid is a node of the support grid, so it gets values from
/// particles within one cell width of its center.
template <class Real>
class SupportGrid {
 public:
  /// @throws Error  the support grid has more cells than 32-bit keys
  SupportGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
              const DepositSpace<Real>& space);

  /// Sorts particles that are binned on the grid. Faults are recorded in `status`.
  void bin(Scratch& scratch, const BinnedParticles<Real>& in_grid, Status* status);

  const SupportSpace<Real>& space() const { return space_; }
  const BinnedParticles<Real>& particles() const { return particles_; }

 private:
  void block(const Queue& queue, const std::vector<std::uint8_t>& blocked);

  SupportSpace<Real> space_;
  Array<std::uint8_t> open_corners_;
  SortedParticles<Real> sorted_;
  Array<std::int32_t> order_;  ///< [n] number of each particle; unused if values are in the order of the grid's cells
  BinnedParticles<Real> particles_;
};

}  // namespace shoal::deposit
