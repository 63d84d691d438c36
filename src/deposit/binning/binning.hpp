// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "cells/assign_cells.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Input of binning, as kernels take it.
template <class Real>
struct BinningInput {
  DepositSpace<Real> grid;      ///< gives positions
  DepositSpace<Real> space;     ///< the layers of this rank; on one rank the grid
  std::int64_t first_cell = 0;  ///< number of the first cell of `space` in the grid
  cells::PointReader<Real> points;
  std::int64_t count = 0;
  bool skip = false;            ///< true: a particle outside is no fault; its cell is the one after the last
  bool report_blocked = false;  ///< true: a particle in a blocked cell is a fault
  Status* status = nullptr;

  /// Position of particle i in `space`; cell_count() and no offset if it is outside.
  SHOAL_HD ParticlePosition<Real> position(std::int64_t i) const {
    const Real x = points.at_x(i);
    const Real y = points.at_y(i, space.dimensions);
    const Real z = points.at_z(i, space.dimensions);
    if (grid.fault(x, y, z) == grid.dimensions) return in_space(grid.position(x, y, z));
    return {static_cast<std::uint32_t>(space.cell_count()), {}};
  }

  /// Fault of particle i at its position; negative if it has none.
  SHOAL_HD int fault(std::int64_t i, const ParticlePosition<Real>& particle) const {
    if (particle.cell == space.cell_count()) {
      const int axis = axis_outside(i);
      return axis == grid.dimensions ? DepositFault::outside_slab : skip ? -1 : axis;
    }
    if (!space.is_blocked(particle.cell)) return -1;
    if (report_blocked) return DepositFault::blocked_cell;
    return space.redistribute && space.open(particle.cell) == closed() ? DepositFault::no_open_node : -1;
  }

  /// Position of particle i. Records its fault, if any.
  SHOAL_HD ParticlePosition<Real> position_or_fault(std::int64_t i) const {
    const ParticlePosition<Real> particle = position(i);
    const int kind = fault(i, particle);
    if (kind >= 0) record(status, i, kind);
    return particle;
  }

  /// Adds the position of the recorded particle to a status; one thread calls it after all particles have positions. A
  /// particle that an earlier call recorded keeps its position, because that call's arrays may be gone.
  SHOAL_HD void describe_fault() const {
    const auto i = static_cast<std::int64_t>(status->first >> 8);
    const auto kind = static_cast<int>(status->first & 0xff);
    if (status->first == Status::none || kind >= DepositFault::not_finite || i >= count) return;
    const ParticlePosition<Real> particle = position(i);
    if (kind == DepositFault::out_of_order) {
      const auto before = i > 0 ? position(i - 1).cell : 0;
      if (particle.cell >= before) return;
      status->value[0] = static_cast<double>(first_cell + particle.cell);
      status->value[1] = static_cast<double>(first_cell + before);
      return;
    }
    if (fault(i, particle) != kind) return;
    const bool has_cell = kind >= 3 && kind != DepositFault::outside_slab;
    status->value[0] = has_cell ? static_cast<double>(first_cell + particle.cell) : static_cast<double>(points.at_x(i));
    status->value[1] = static_cast<double>(points.at_y(i, space.dimensions));
    status->value[2] = static_cast<double>(points.at_z(i, space.dimensions));
  }

 private:
  /// Position in `space` of a position in the grid.
  SHOAL_HD ParticlePosition<Real> in_space(ParticlePosition<Real> particle) const {
    const std::int64_t cell = static_cast<std::int64_t>(particle.cell) - first_cell;
    if (cell < 0 || cell >= space.cell_count()) return {static_cast<std::uint32_t>(space.cell_count()), {}};
    particle.cell = static_cast<std::uint32_t>(cell);
    return particle;
  }

  /// First axis on which particle i is outside the grid; `dimensions` if it is inside.
  SHOAL_HD int axis_outside(std::int64_t i) const {
    return grid.fault(points.at_x(i), points.at_y(i, space.dimensions), points.at_z(i, space.dimensions));
  }

  /// Open corners of a cell without an open node.
  SHOAL_HD unsigned closed() const { return space.dimensions > 2 ? 0u : 0xf0u; }
};

/// Output of binning: positions in the order of cells.
template <class Real>
struct SortedPositions {
  std::uint32_t* cell = nullptr;
  Real* offset[3] = {};  ///< null along z in 2-D

  SHOAL_HD void write(std::int64_t k, const ParticlePosition<Real>& particle) const {
    cell[k] = static_cast<std::uint32_t>(particle.cell);
    for (int axis = 0; axis < 3; ++axis)
      if (offset[axis] != nullptr) offset[axis][k] = particle.offset[axis];
  }
};

/// Positions before the sort: the keys, and each position in one struct, so that reordering costs one random read per
/// particle.
template <class Real>
struct PackedPositions {
  std::uint32_t* cell = nullptr;
  ParticlePosition<Real>* position = nullptr;

  /// Positions from the i-th particle on.
  PackedPositions from(std::int64_t i) const { return {cell + i, position + i}; }

  SHOAL_HD void write(std::int64_t i, const ParticlePosition<Real>& particle) const {
    cell[i] = static_cast<std::uint32_t>(particle.cell);
    position[i] = particle;
  }
};

/// Device-dependent steps of binning.
template <class Real>
struct BinningBackend {
  /// Writes the position of every particle, by number, and records faults.
  void (*find_positions)(const Queue& queue, const BinningInput<Real>& input, const SortedPositions<Real>& positions);
  void (*find_packed_positions)(const Queue& queue, const BinningInput<Real>& input,
                                const PackedPositions<Real>& positions);

  /// Writes the positions in the order of cells, after the sort.
  void (*order_positions)(const Queue& queue, View<const ParticlePosition<Real>> by_number,
                          View<const std::int32_t> order, const SortedPositions<Real>& positions);

  /// Writes the offsets of the cells for particles that come in the order of cells. A particle out of order is a fault.
  /// @param cell_start  [cells + 2]
  void (*find_cell_starts)(const Queue& queue, const BinningInput<Real>& input,
                           View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start);

  /// Lists the full cells of particles that are in the order of cells; null on the CPU, where no method needs them.
  void (*find_full_cells)(const Queue& queue, const BinnedParticles<Real>& particles, std::int64_t cells);

  static const BinningBackend cpu, cuda;
};

}  // namespace shoal::deposit
