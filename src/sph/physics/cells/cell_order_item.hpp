// SPDX-License-Identifier: Apache-2.0
// Orders of cells: the number of the cell of a position, by which particles are sorted, and the runs of numbers around it.
#pragma once
#include "core/text.hpp"
#include "sph/physics/cells/cell_item.hpp"

namespace shoal::sph {

/// Cells in rows, x fastest: the cells of a row around a particle are one run, and the cells of a layer are consecutive.
struct LinearCells {
  /// Number of consecutive cells that a layer takes.
  template <class Real, int dimensions>
  static std::int64_t cells_of_layer(const Parameters<Real, dimensions>& parameters) {
    return parameters.cell_count / static_cast<std::uint32_t>(parameters.slab.count);
  }
  /// Parameters come with linear numbers.
  template <class Real, int dimensions>
  static const Parameters<Real, dimensions>& number(const Parameters<Real, dimensions>& parameters) {
    return parameters;
  }
  template <class Real, int dimensions>
  SHOAL_HD static std::uint32_t cell_of(const Parameters<Real, dimensions>& parameters,
                                        const PositionDensity<Real, dimensions>& position) {
    return sph::cell_of(parameters, position);
  }
  template <class Physics, class Real, int dimensions>
  SHOAL_HD static int run_count(const Parameters<Real, dimensions>& parameters) {
    return sph::run_count<Physics>(parameters);
  }
  template <class Physics, class Real, int dimensions>
  SHOAL_HD static CellRun run_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int run) {
    return sph::run_of<Physics>(parameters, cell, run);
  }
};

/// Cells along the curve of Morton (1966): the bits of the indices along all axes take turns in the number of a cell.
/// Cells that are close in space are mostly close in memory, but no two of them are one run. Each of the nine (27)
/// cells around a particle is therefore a run of its own, and cells are as wide as the support along x, too.
/// Where several ranks share the domain, the curve runs through one layer after the other. Sums over neighbors stay the
/// same: they take runs in the order of their places around the particle.
struct ZOrderCells {
  /// Number of consecutive cells that a layer takes, where several ranks share the domain.
  template <class Real, int dimensions>
  static std::int64_t cells_of_layer(const Parameters<Real, dimensions>& parameters) {
    const std::uint32_t mask = parameters.z_mask[dimensions - 1];
    return mask & (0 - mask);
  }

  /// Assigns bits of the numbers to the axes. An axis has as many bits as its indices need, so numbers have gaps where
  /// the cells along it are no power of two.
  /// @throws Error  the numbers do not fit into 31 bits
  template <class Real, int dimensions>
  static const Parameters<Real, dimensions>& number(Parameters<Real, dimensions>& parameters) {
    parameters.cells[0] >>= parameters.slice_bits;
    parameters.slice_bits = 0;
    int cells[dimensions];
    for (int axis = 0; axis < dimensions; ++axis) cells[axis] = parameters.cells[axis];
    cells[dimensions - 1] = parameters.slab.is_part ? parameters.slab.count : cells[dimensions - 1];
    std::uint64_t mask[dimensions] = {};
    int bits = 0;
    const auto assign = [&](int first, int end) {
      for (int bit = 0; bit < 32; ++bit)
        for (int axis = first; axis < end; ++axis)
          if ((cells[axis] - 1) >> bit > 0) mask[axis] |= std::uint64_t{1} << bits++;
    };
    if (parameters.slab.is_part) {
      assign(0, dimensions - 1);
      assign(dimensions - 1, dimensions);
    } else {
      assign(0, dimensions);
    }
    require(bits < 32, "sph: the numbers of the domain's cells in Z-order have ", bits,
            " bits, expected at most 31. Choose a method with cells in rows, enlarge particles.spacing or shrink the "
            "domain.");
    std::uint32_t largest = 0;
    for (int axis = 0; axis < dimensions; ++axis) {
      parameters.z_mask[axis] = static_cast<std::uint32_t>(mask[axis]);
      parameters.z_last[axis] = spread(static_cast<std::uint32_t>(cells[axis] - 1), parameters.z_mask[axis]);
      largest |= parameters.z_last[axis];
    }
    parameters.cell_count = largest + 1;
    return parameters;
  }

  template <class Real, int dimensions>
  SHOAL_HD static std::uint32_t cell_of(const Parameters<Real, dimensions>& parameters,
                                        const PositionDensity<Real, dimensions>& position) {
    std::uint32_t cell = 0;
    bool inside = !has_lost_density(parameters, position);
    for (int axis = 0; axis < dimensions; ++axis) {
      std::int64_t along = cell_along(parameters, position, axis);
      inside = inside && is_inside_ring(parameters, along, axis);
      if (axis == dimensions - 1) along = local_layer(parameters, along);
      cell |= spread(static_cast<std::uint32_t>(along), parameters.z_mask[axis]);
    }
    return inside ? cell : parameters.cell_count;
  }

  template <class Physics, class Real, int dimensions>
  SHOAL_HD static int run_count(const Parameters<Real, dimensions>&) {
    return cells_of_row * neighbor_rows<dimensions>;
  }

  /// The cells of one row come after each other, in the order of rows of LinearCells. An index along an axis counts up
  /// or down where it is, in the bits of its axis: carries pass over the bits between them.
  template <class Physics, class Real, int dimensions>
  SHOAL_HD static CellRun run_of(const Parameters<Real, dimensions>& parameters, std::uint32_t cell, int run) {
    std::uint32_t number = 0;
    for (int axis = 0; axis < dimensions; ++axis) {
      const std::uint32_t mask = parameters.z_mask[axis];
      const int offset = axis == 0 ? run % cells_of_row - 1 : row_offset<dimensions>(run / cells_of_row, axis);
      std::uint32_t along = cell & mask;
      if (offset > 0) along = ((along | ~mask) + 1) & mask;
      if (offset < 0) along = (along - 1) & mask;
      if constexpr (Physics::may_be_periodic)
        if (is_wrapped(parameters, axis)) along = wrapped(along, mask, parameters.z_last[axis]);
      number |= along;
    }
    return {number, number + 1};
  }

 private:
  static constexpr int cells_of_row = 3;

  /// The bits of `index` moved to the bits of `mask`, the lowest to the lowest.
  SHOAL_HD static std::uint32_t spread(std::uint32_t index, std::uint32_t mask) {
    std::uint32_t bits = 0;
    for (; mask; mask &= mask - 1, index >>= 1)
      if (index & 1) bits |= mask & (0 - mask);
    return bits;
  }

  /// Index along a periodic axis: the first cell of the ring is the last cell of the domain, and the other way around.
  SHOAL_HD static std::uint32_t wrapped(std::uint32_t along, std::uint32_t mask, std::uint32_t last) {
    return along == 0 ? (last - 1) & mask : along == last ? mask & (0 - mask) : along;
  }
};

}  // namespace shoal::sph
