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
      : steps_(backend<BinningBackend<Real>>(queue)),
        sorter_(queue),
        order_(queue, 0),
        cell_start_(queue, 0),
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

  /// Sorts particles by cell.
  /// @param cells  number of cells of the grid
  BinnedParticles<Real> sort(Scratch& scratch, const BinningInput<Real>& input, std::int64_t cells) {
    if (steps_.sort_input == nullptr)
      return sort(scratch, input.count, cells, [&](const PackedPositions<Real>& found) {
        steps_.find_packed_positions(scratch.queue(), input, found);
      });
    BinnedParticles<Real> particles = resize(input.count);
    make_order(input.count, cells);
    steps_.sort_input(scratch, input, cells, positions(), order_, cell_start_);
    return with_order(scratch.queue(), particles, cells);
  }

  /// Sorts particles whose positions are found by find_positions(PackedPositions<Real>), which writes them by number.
  template <class FindPositions>
  BinnedParticles<Real> sort(Scratch& scratch, std::int64_t count, std::int64_t cells, FindPositions find_positions) {
    BinnedParticles<Real> particles = resize(count);
    ScratchFrame frame(scratch);
    const View<ParticlePosition<Real>> packed = frame.array<ParticlePosition<Real>>(count);
    const View<std::uint32_t> cell_of_particle = frame.array<std::uint32_t>(count);
    find_positions(PackedPositions<Real>{cell_of_particle.data, packed.data});
    if (steps_.sort_found != nullptr) {
      make_order(count, cells);
      steps_.sort_found(scratch, packed, cells, positions(), order_, cell_start_);
    } else {
      sorter_.sort(cell_of_particle, cells);
      steps_.order_positions(scratch.queue(), packed, sorter_.order(), positions());
    }
    return with_order(scratch.queue(), particles, cells);
  }

  /// Sets the offsets of the cells of particles, and lists their full cells.
  void set_cell_starts(const Queue& queue, BinnedParticles<Real>& particles, const std::int64_t* cell_start,
                       std::int64_t cells) {
    particles.cell_start = cell_start;
    if (steps_.find_full_cells == nullptr) return;
    full_cell_.resize(FullCells::most_cells(particles.count));
    full_counts_.resize(FullCells::counts);
    particles.full = {full_cell_.data(), full_counts_.data(), full_counts_.data() + 1};
    steps_.find_full_cells(queue, particles, cells);
  }

  View<const std::uint32_t> cells() const { return cell_; }
  /// Number of each particle of the latest sort.
  View<const std::int32_t> order() const { return has_own_order() ? order_.view() : sorter_.order(); }

 private:
  bool has_own_order() const { return steps_.sort_found != nullptr; }

  void make_order(std::int64_t count, std::int64_t cells) {
    order_.resize(count);
    cell_start_.resize(cells + 2);
  }

  BinnedParticles<Real> with_order(const Queue& queue, BinnedParticles<Real> particles, std::int64_t cells) {
    particles.order = order().data;
    set_cell_starts(queue, particles, has_own_order() ? cell_start_.data() : sorter_.cell_start().data, cells);
    return particles;
  }

  const BinningBackend<Real>& steps_;
  cells::CellSorter sorter_;          ///< sorts the numbers of particles, unless `order_` and `cell_start_` are used
  Array<std::int32_t> order_;         ///< [n] number of each particle
  Array<std::int64_t> cell_start_;    ///< [cells + 2]
  Array<std::uint32_t> cell_;         ///< [n] cell of each particle
  Array<Real> offset_[3];             ///< [n + read_past_end] offset in the cell
  Array<std::uint32_t> full_cell_;    ///< FullCells::cell
  Array<std::uint32_t> full_counts_;  ///< [2] FullCells::count and most
  int dimensions_;
};

}  // namespace shoal::deposit
