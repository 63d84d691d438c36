// SPDX-License-Identifier: Apache-2.0
// Cells of fixed-point positions, and the rows of cells that hold a particle's neighbors. Along y and z a cell is as
// wide as the support. Along x it may be a slice of that: a row then reaches less far beyond the support.
#pragma once
#include "sph/physics/physics.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

/// Number of rows of cells that hold a particle's neighbors, each row contiguous in the order of the cells.
template <int dimensions>
constexpr int neighbor_rows = dimensions == 1   ? 1
                              : dimensions == 2 ? 3
                                                : 9;

/// Number of cells in a support along an axis; as many at both ends of the domain are its ring, which stays empty.
template <class Real, int dimensions>
SHOAL_HD int cells_of_support(const Parameters<Real, dimensions>& parameters, int axis) {
  return axis == 0 ? 1 << parameters.slice_bits : 1;
}

/// Index of the last cell along an axis that is not in the ring.
template <class Real, int dimensions>
SHOAL_HD int last_inside_ring(const Parameters<Real, dimensions>& parameters, int axis) {
  return parameters.cells[axis] - cells_of_support(parameters, axis) - 1;
}

/// Index of the cell of a position along an axis.
template <class Real, int dimensions>
SHOAL_HD std::int64_t cell_along(const Parameters<Real, dimensions>& parameters,
                                 const PositionDensity<Real, dimensions>& position, int axis) {
  const int ring = cells_of_support(parameters, axis), last = last_inside_ring(parameters, axis);
  const auto along =
      static_cast<std::int64_t>(position.x[axis] >> (parameters.bits - (axis == 0 ? parameters.slice_bits : 0)));
  const bool is_remainder = parameters.period[axis] && along > last && along <= last + ring;
  return is_remainder ? last : along;  // the last cell of a periodic axis is wider
}

/// Returns true for an index of a cell inside the domain.
template <class Real, int dimensions>
SHOAL_HD bool is_inside_ring(const Parameters<Real, dimensions>& parameters, std::int64_t along, int axis) {
  return along >= cells_of_support(parameters, axis) && along <= last_inside_ring(parameters, axis);
}

/// Number of a layer of the domain among the local layers; the nearest one for a layer that this rank does not have.
template <class Real, int dimensions>
SHOAL_HD std::int64_t local_layer(const Parameters<Real, dimensions>& parameters, std::int64_t layer) {
  const SlabLayers& slab = parameters.slab;
  if (!slab.is_part) return layer;
  std::int64_t local = layer - slab.first;
  if (slab.period > 0 && local < 0) local += slab.period;
  if (slab.period > 0 && local >= slab.count) local -= slab.period;
  const std::int64_t last = slab.count - 1;
  return local < 0 ? 0 : local > last ? last : local;
}

/// Restricts the cells to `count` layers from `first` on and a ghost layer at each end; numbers are those of the domain.
template <class Real, int dimensions>
void set_slab(Parameters<Real, dimensions>& parameters, std::int64_t first, std::int64_t count) {
  constexpr int axis = dimensions - 1;
  const int layers = last_inside_ring(parameters, axis) + 1 - cells_of_support(parameters, axis);
  parameters.slab = {.first = static_cast<int>(first) - 1,
                     .count = static_cast<int>(count) + 2,
                     .period = parameters.period[axis] ? layers : 0,
                     .is_part = true};
  parameters.cell_count = static_cast<std::uint32_t>(parameters.slab.count);
  for (int across = 0; across < axis; ++across)
    parameters.cell_count *= static_cast<std::uint32_t>(parameters.cells[across]);
}

/// Returns true for a periodic axis along which neighbors beyond one end are at the other end of the cells. Where several
/// ranks share the domain, ghost layers hold those along the last axis.
template <class Real, int dimensions>
SHOAL_HD bool is_wrapped(const Parameters<Real, dimensions>& parameters, int axis) {
  return parameters.period[axis] && !(parameters.slab.is_part && axis == dimensions - 1);
}

/// Returns true for fluid whose density is too far from that of its material: it counts as outside the domain.
template <class Real, int dimensions>
SHOAL_HD bool has_lost_density(const Parameters<Real, dimensions>& parameters,
                               const PositionDensity<Real, dimensions>& position) {
  const Real most = parameters.most_density_deviation;
  return !is_wall(position) && (position.density > most || position.density < -most);
}

/// Cell of a position, x fastest; cell_count for a position in the outermost ring or beyond: outside the domain.
template <class Real, int dimensions>
SHOAL_HD std::uint32_t cell_of(const Parameters<Real, dimensions>& parameters,
                               const PositionDensity<Real, dimensions>& position) {
  std::uint32_t cell = 0;
  bool inside = !has_lost_density(parameters, position);
  for (int axis = dimensions - 1; axis >= 0; --axis) {
    std::int64_t along = cell_along(parameters, position, axis);
    inside = inside && is_inside_ring(parameters, along, axis);
    if (axis == dimensions - 1) along = local_layer(parameters, along);
    cell = cell * static_cast<std::uint32_t>(parameters.cells[axis]) + static_cast<std::uint32_t>(along);
  }
  return inside ? cell : parameters.cell_count;
}

/// Returns true for a particle outside the domain.
template <class Real, int dimensions>
SHOAL_HD bool is_outside(const Parameters<Real, dimensions>& parameters,
                         const PositionDensity<Real, dimensions>& position) {
  if (has_lost_density(parameters, position)) return true;
  for (int axis = 0; axis < dimensions; ++axis)
    if (!is_inside_ring(parameters, cell_along(parameters, position, axis), axis)) return true;
  return false;
}

/// Offset of row `row` from a particle's own row, in cells along y (axis 1) or z: −1, 0 or 1. Its own row comes first,
/// then rows on opposite sides of it in turn. Two particles of a cell then have about as many neighbors after the same
/// rows, and threads that read lists side by side stay close to each other in memory.
template <int dimensions>
SHOAL_HD int row_offset(int row, int axis) {
  constexpr std::uint32_t along_y = dimensions == 3 ? 0xa161 : 0x21, along_z = 0x22215;  // offset + 1, two bits a row
  return static_cast<int>((axis == 1 ? along_y : along_z) >> (2 * row) & 3) - 1;
}

/// First of the cells of row `row` around a cell inside the domain.
template <class Real, int dimensions>
SHOAL_HD std::uint32_t row_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int row) {
  const std::int64_t along_x = parameters.cells[0];
  std::int64_t first = static_cast<std::int64_t>(cell) - cells_of_support(parameters, 0);
  first += row_offset<dimensions>(row, 1) * along_x;
  if constexpr (dimensions == 3) first += row_offset<dimensions>(row, 2) * along_x * parameters.cells[1];
  return static_cast<std::uint32_t>(first);
}

/// Neighboring cells along x: [first, end).
struct CellRun {
  std::uint32_t first;
  std::uint32_t end;
};

/// Number of runs of cells that hold a particle's neighbors: a row across the end of a domain that is periodic along x
/// is two of them.
template <class Physics, class Real, int dimensions>
SHOAL_HD int run_count(const Parameters<Real, dimensions>& parameters) {
  if constexpr (Physics::may_be_periodic)
    return parameters.period[0] ? 2 * neighbor_rows<dimensions> : neighbor_rows<dimensions>;
  else
    return neighbor_rows<dimensions>;
}

/// Run `run` around a cell of a domain that may be periodic. Runs from neighbor_rows on are the parts of rows beyond
/// the end.
template <class Real, int dimensions>
SHOAL_HD CellRun wrapped_run(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int run) {
  const int* const cells = parameters.cells;
  const int row = run % neighbor_rows<dimensions>;
  const int x = static_cast<int>(dimensions == 1 ? cell : cell % static_cast<std::uint32_t>(cells[0]));
  std::uint32_t rest = cell / static_cast<std::uint32_t>(cells[0]);
  std::uint32_t begin = 0;  // the cell of the row with x = 0
  std::uint32_t stride = static_cast<std::uint32_t>(cells[0]);
  for (int axis = 1; axis < dimensions; ++axis) {
    const int size = cells[axis];
    const bool is_last = axis == dimensions - 1;
    int along = static_cast<int>(is_last ? rest : rest % static_cast<std::uint32_t>(size));
    along += row_offset<dimensions>(row, axis);
    if (is_wrapped(parameters, axis)) along = along == 0 ? size - 2 : along == size - 1 ? 1 : along;
    begin += static_cast<std::uint32_t>(along) * stride;
    stride *= static_cast<std::uint32_t>(size);
    rest /= static_cast<std::uint32_t>(size);
  }
  const int reach = cells_of_support(parameters, 0);
  int first = x - reach, end = x + reach + 1;
  if (parameters.period[0]) {
    const int shift = dimensions == 1 ? parameters.slab.first : 0;  // of the local cells
    const int domain = reach - shift, domain_end = cells[0] - reach - shift;
    const int below = first < domain ? domain - first : 0, above = end > domain_end ? end - domain_end : 0;
    const int period = is_wrapped(parameters, 0) ? domain_end - domain : 0;  // 0: ghost cells hold the other end
    if (run < neighbor_rows<dimensions>) {
      first += below;
      end -= above;
    } else {
      first = below > 0 ? domain - below + period : above > 0 ? domain_end - period : x;
      end = first + below + above;
    }
  }
  return {begin + static_cast<std::uint32_t>(first), begin + static_cast<std::uint32_t>(end)};
}

/// Run `run` of the cells around one inside the domain.
template <class Physics, class Real, int dimensions>
SHOAL_HD CellRun run_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int run) {
  if constexpr (Physics::may_be_periodic) {
    return wrapped_run(parameters, cell, run);
  } else {
    const std::uint32_t first = row_of(parameters, cell, run);
    return {first, first + 2 * static_cast<std::uint32_t>(cells_of_support(parameters, 0)) + 1};
  }
}

/// Moves a position that left a periodic domain during a step back into it.
template <class Real, int dimensions>
SHOAL_HD void wrap(const Parameters<Real, dimensions>& parameters, PositionDensity<Real, dimensions>& position) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const Coordinate<Real> period = parameters.period[axis];
    if (period == 0) continue;
    const Coordinate<Real> begin = Coordinate<Real>{1} << parameters.bits;
    if (position.x[axis] < begin)
      position.x[axis] += period;
    else if (position.x[axis] >= begin + period)
      position.x[axis] -= period;
  }
}

}  // namespace shoal::sph
