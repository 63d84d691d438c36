// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/cell_sorter.hpp"
#include "core/backends.hpp"
#include "deposit/binning/binning.hpp"

namespace shoal::deposit {

/// Arrays of particles in the order of cells, and the sort that fills them.
template <class Real>
class SortedParticles {
 public:
  SortedParticles(const Queue& queue, int dimensions)
      : sorter_(queue),
        cell_(queue, 0),
        offset_{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)},
        full_cell_(queue, 0),
        full_counts_(queue, 0),
        dimensions_(dimensions) {}

  /// Makes room for particles, whose cells and offsets are then undefined. There are no offsets of cells and no order.
  BinnedParticles<Real> resize(std::int64_t count) {
    BinnedParticles<Real> particles{.count = count, .full = {}};
    cell_.resize(count);
    particles.cell = cell_.data();
    for (int axis = 0; axis < dimensions_; ++axis) {
      offset_[axis].resize(count + BinnedParticles<Real>::read_past_end);
      particles.offset[axis] = offset_[axis].data();
    }
    return particles;
  }

  /// Arrays to write the cells and offsets of the particles to.
  SortedPositions<Real> positions() {
    SortedPositions<Real> positions{.cell = cell_.data()};
    for (int axis = 0; axis < dimensions_; ++axis) positions.offset[axis] = offset_[axis].data();
    return positions;
  }

  /// Sorts particles.
  /// @param cells           number of cells of the grid
  /// @param find_positions  find_positions(PackedPositions<Real>) writes the positions by number
  template <class FindPositions>
  BinnedParticles<Real> sort(Scratch& scratch, std::int64_t count, std::int64_t cells, FindPositions find_positions) {
    BinnedParticles<Real> particles = resize(count);
    ScratchFrame frame(scratch);
    const View<ParticlePosition<Real>> packed = frame.array<ParticlePosition<Real>>(count);
    const View<std::uint32_t> cell_of_particle = frame.array<std::uint32_t>(count);
    find_positions(PackedPositions<Real>{cell_of_particle.data, packed.data});
    sorter_.sort(cell_of_particle, cells);
    const Queue& queue = scratch.queue();
    backend<BinningBackend<Real>>(queue).order_positions(queue, packed, sorter_.order(), positions());
    particles.order = sorter_.order().data;
    set_cell_starts(queue, particles, sorter_.cell_start().data, cells);
    return particles;
  }

  /// Sets the offsets of the cells of particles, and lists their full cells.
  void set_cell_starts(const Queue& queue, BinnedParticles<Real>& particles, const std::int64_t* cell_start,
                       std::int64_t cells) {
    particles.cell_start = cell_start;
    const BinningBackend<Real>& steps = backend<BinningBackend<Real>>(queue);
    if (steps.find_full_cells == nullptr) return;
    full_cell_.resize(FullCells::most_cells(particles.count));
    full_counts_.resize(FullCells::counts);
    particles.full = {full_cell_.data(), full_counts_.data(), full_counts_.data() + 1};
    steps.find_full_cells(queue, particles, cells);
  }

  View<const std::uint32_t> cells() const { return cell_; }
  /// Number of each particle of the latest sort.
  View<const std::int32_t> order() const { return sorter_.order(); }

 private:
  cells::CellSorter sorter_;
  Array<std::uint32_t> cell_;         ///< [n] cell of each particle
  Array<Real> offset_[3];             ///< [n + read_past_end] offset in the cell
  Array<std::uint32_t> full_cell_;    ///< FullCells::cell
  Array<std::uint32_t> full_counts_;  ///< [2] FullCells::count and most
  int dimensions_;
};

}  // namespace shoal::deposit
