// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/binning/binning.hpp"

namespace shoal::deposit {

/// One axis of the support grid, whose nodes are the centers of the cells of a grid. An axis with ends has a node more
/// before the first center and one after the last; particles between an end and the center next to it have offset 1 or 0,
/// so these nodes get nothing. Cell c of the support grid is below center c; on a periodic axis it is above it.
template <class Real>
struct SupportAxis {
  DepositAxis<Real> grid;

  SHOAL_HD std::int32_t cell_count() const { return grid.cell_count() + (grid.cells.periodic ? 0 : 1); }

  /// Node of the support grid at the center of a cell of the grid.
  SHOAL_HD std::int32_t node_of_cell(std::int32_t cell) const { return grid.cells.periodic ? cell : cell + 1; }

  /// Position in the support grid of a position in the grid. Between the centers of cells of widths v and w the offset is
  /// the distance from the lower center over (v + w)/2.
  SHOAL_HD AxisPosition<Real> position(const AxisPosition<Real>& in_grid) const {
    const bool is_above_center = in_grid.offset >= Real(0.5);
    const std::int32_t below = is_above_center ? in_grid.cell : in_grid.cell - 1;  // cell of the lower center
    const std::int32_t count = grid.cell_count();
    if (!grid.cells.periodic && below < 0) return {0, Real(1)};
    if (!grid.cells.periodic && below + 1 == count) return {count, Real(0)};
    const std::int32_t lower = below < 0 ? count - 1 : below;
    const std::int32_t upper = lower + 1 < count ? lower + 1 : 0;
    const std::int32_t cell = grid.cells.periodic ? lower : lower + 1;
    if (grid.nodes == nullptr) return {cell, is_above_center ? in_grid.offset - Real(0.5) : in_grid.offset + Real(0.5)};
    const Real lower_width = width(lower), upper_width = width(upper);
    const Real twice = is_above_center ? rounded_product(2 * in_grid.offset - 1, lower_width)
                                       : lower_width + rounded_product(2 * in_grid.offset, upper_width);
    const Real offset = twice / (lower_width + upper_width);
    return {cell, offset < 1 ? offset : Real(1)};
  }

 private:
  SHOAL_HD Real width(std::int32_t cell) const { return grid.nodes[cell + 1] - grid.nodes[cell]; }
};

/// A grid and its support grid. On one rank the layers are all of them.
template <class Real>
struct SupportSpace {
  DepositSpace<Real> grid;     ///< the layers of cells of this rank
  DepositSpace<Real> whole;    ///< the support grid; its axes have counts and periods alone, which is what methods read
  DepositSpace<Real> support;  ///< the layers of the support grid of this rank
  SupportAxis<Real> axes[3];   ///< axes of the whole grid
  std::int32_t first_layer = 0;          ///< number of the first layer of `grid` in the whole grid
  std::int32_t first_support_layer = 0;  ///< number of the first layer of `support` in `whole`
  std::int64_t first_support_cell = 0;   ///< number of its first cell

  /// Index in the whole grid of a cell in layers from `first` on.
  SHOAL_HD GridIndex index_in_whole(GridIndex cell, std::int32_t first) const {
    (grid.dimensions > 2 ? cell.z : cell.y) += first;
    return cell;
  }

  /// Index in the support grid of the node at the center of a cell of the whole grid.
  SHOAL_HD GridIndex center_of_cell(const GridIndex& cell) const {
    return {axes[0].node_of_cell(cell.x), axes[1].node_of_cell(cell.y),
            grid.dimensions > 2 ? axes[2].node_of_cell(cell.z) : 0};
  }

  /// Node of this rank's part of the support grid at the center of a cell of this rank.
  SHOAL_HD std::int64_t node_of_cell(std::int64_t cell) const {
    GridIndex node = center_of_cell(index_in_whole(grid.cell_index(cell), first_layer));
    (grid.dimensions > 2 ? node.z : node.y) -= first_support_layer;
    return support.node_number(node);
  }

  /// Position in the whole support grid of the k-th particle; whole.cell_count() if it was skipped.
  /// @param first  number of the first layer that the particles' cells are counted from
  SHOAL_HD ParticlePosition<Real> position(const BinnedParticles<Real>& particles, std::int64_t k,
                                           std::int32_t first) const {
    const std::int64_t cell = particles.cell[k];
    if (cell == grid.cell_count()) return {static_cast<std::uint32_t>(whole.cell_count()), {}};
    const GridIndex index = index_in_whole(grid.cell_index(cell), first);
    const AxisPosition<Real> x = axes[0].position({index.x, particles.offset[0][k]});
    const AxisPosition<Real> y = axes[1].position({index.y, particles.offset[1][k]});
    const AxisPosition<Real> z =
        grid.dimensions > 2 ? axes[2].position({index.z, particles.offset[2][k]}) : AxisPosition<Real>{0, 0};
    return {static_cast<std::uint32_t>(whole.cell_number({x.cell, y.cell, z.cell})), {x.offset, y.offset, z.offset}};
  }

  /// Position in this rank's part of the support grid; cell_count() if it is elsewhere.
  SHOAL_HD ParticlePosition<Real> in_support(const ParticlePosition<Real>& in_whole) const {
    ParticlePosition<Real> particle = in_whole;
    const std::int64_t cell = static_cast<std::int64_t>(particle.cell) - first_support_cell;
    const bool is_here = cell >= 0 && cell < support.cell_count();
    particle.cell = static_cast<std::uint32_t>(is_here ? cell : support.cell_count());
    return particle;
  }

  /// Returns true if no cell around a particle is open, so that its value cannot be redistributed.
  /// @param cell  cell of the whole support grid
  SHOAL_HD bool is_closed(std::int64_t cell) const {
    return whole.redistribute && cell < whole.cell_count() && (whole.open(cell) & ((1u << whole.corners()) - 1)) == 0;
  }
};

/// Writes the position of the k-th particle in the support grid. Records a fault if no cell around it is open.
/// @param status  null: another rank records the faults of these particles
template <class Real>
SHOAL_HD void find_support_position(const SupportSpace<Real>& space, const BinnedParticles<Real>& particles,
                                    std::int64_t k, std::int32_t first_layer, const PackedPositions<Real>& positions,
                                    Status* status) {
  const ParticlePosition<Real> position = space.position(particles, k, first_layer);
  if (status != nullptr && space.is_closed(position.cell))
    record(status, particles.number(k), DepositFault::no_open_cell);
  positions.write(k, space.in_support(position));
}

/// Copies the values of the k-th particle to element k.
template <class Real>
SHOAL_HD void copy_values(const BinnedParticles<Real>& particles, const Fields<const Real>& values,
                          const Fields<Real>& copies, std::int64_t k) {
  const std::int64_t number = particles.number(k);
  for (int field = 0; field < values.count; ++field) copies.at(field, k) = values.at(field, number);
}

template <class Real>
SHOAL_HD void copy_to_cell(const SupportSpace<Real>& space, const Fields<Real>& nodes, const Fields<Real>& cells,
                           std::int64_t cell) {
  const std::int64_t node = space.node_of_cell(cell);
  for (int k = 0; k < nodes.count; ++k) cells.at(k, cell) = nodes.at(k, node);
}

/// Device-dependent steps of the support grid.
template <class Real>
struct SupportBackend {
  /// Writes the positions of the particles in the support grid, in the order of the grid's cells. A particle without an
  /// open cell around it is a fault. See find_support_position().
  void (*find_positions)(const Queue& queue, const SupportSpace<Real>& space, const BinnedParticles<Real>& particles,
                         std::int32_t first_layer, const PackedPositions<Real>& positions, Status* status);

  /// Copies values by number into the order of the grid's cells.
  void (*copy_values)(const Queue& queue, const BinnedParticles<Real>& particles, const Fields<const Real>& values,
                      const Fields<Real>& copies);

  /// Copies the values of the nodes at the centers of cells.
  /// @param cells  [grid.cell_count()] each, as many as nodes
  void (*copy_to_cells)(const Queue& queue, const SupportSpace<Real>& space, const Fields<Real>& nodes,
                        const Fields<Real>& cells);

  static const SupportBackend cpu, cuda;
};

}  // namespace shoal::deposit
