// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/arithmetic_item.hpp>
#include <shoal/item/cells_item.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace shoal::deposit {

/// Position of a coordinate on one axis: its cell and its offset within the cell.
template <class Real>
struct AxisPosition {
  std::int32_t cell;
  Real offset;  ///< 0 at the lower node, 1 at the upper one
};

/// One axis of the grid of `Deposit`.
template <class Real>
struct DepositAxis {
  CellAxis<Real> cells;                  ///< number of cells, bounds and allowed coordinates; uniform axes: formula
  const Real* nodes = nullptr;           ///< [cells + 1] m; null: uniform
  const Real* inverse_widths = nullptr;  ///< [cells] 1/m; null: uniform
  Real period = 0;                       ///< m, length of a stretched axis
  Real inverse_period = 0;               ///< 1/m

  SHOAL_HD std::int32_t cell_count() const { return cells.cells; }
  SHOAL_HD std::int32_t node_count() const { return cells.cells + (cells.periodic ? 0 : 1); }

  /// 1 / edge of a cell, 1/m.
  SHOAL_HD Real inverse_width(std::int32_t cell) const {
    return inverse_widths != nullptr ? inverse_widths[cell] : cells.inverse_spacing;
  }

  /// Position of an allowed coordinate. On a uniform axis t = (x − lower) · (1/spacing): the cell is the integer part (at
  /// most cells − 1), the offset the fraction. On a stretched axis the cell begins at the last node that is not above x,
  /// and the offset is (x − node) · (1/width); a periodic axis first subtracts whole periods from x. Each step is rounded
  /// to `Real`; the offset is clamped to [0, 1].
  SHOAL_HD AxisPosition<Real> position(Real x) const {
    if (nodes != nullptr) return stretched_position(x);
    const Real t = rounded_product(x - cells.lower, cells.inverse_spacing);
    if (cells.periodic && !(t >= 0 && t < static_cast<Real>(cells.cells))) {
      const Real integer = std::floor(t);
      return {cells.wrapped(integer), clamp_to_unit(t - integer)};
    }
    const std::int32_t cell = cells.nearest(t);
    return {cell, clamp_to_unit(t - static_cast<Real>(cell))};
  }

  /// Upper (1) or lower (0) node of a cell.
  SHOAL_HD std::int32_t node(std::int32_t cell, int upper) const {
    const std::int32_t node = cell + upper;
    return node < node_count() ? node : 0;
  }

  /// Cell above (1) or below (0) a node; −1 if there is none.
  SHOAL_HD std::int32_t cell_beside(std::int32_t node, int above) const {
    const std::int32_t cell = node - 1 + above;
    if (cell >= 0 && cell < cells.cells) return cell;
    return cells.periodic ? cells.cells - 1 : -1;
  }

 private:
  SHOAL_HD static Real clamp_to_unit(Real offset) { return offset < 0 ? Real(0) : offset > 1 ? Real(1) : offset; }

  SHOAL_HD AxisPosition<Real> stretched_position(Real x) const {
    if (cells.periodic && !(x >= nodes[0] && x < nodes[cells.cells])) {
      const Real periods = std::floor(rounded_product(x - nodes[0], inverse_period));
      x = x - rounded_product(periods, period);
    }
    std::int32_t low = 0;
    std::int32_t high = cells.cells - 1;  // the cell is in [low, high]
    while (low < high) {
      const std::int32_t middle = low + (high - low + 1) / 2;
      if (nodes[middle] <= x)
        low = middle;
      else
        high = middle - 1;
    }
    return {low, clamp_to_unit(rounded_product(x - nodes[low], inverse_widths[low]))};
  }
};

/// Indices of a cell or of a node along the axes.
struct GridIndex {
  std::int32_t x = 0, y = 0, z = 0;
};

/// Position of a particle: its cell and its offset, on which its weights depend. One load of 16 bytes (float) or two
/// (double).
template <class Real>
struct alignas(4 * sizeof(Real)) ParticlePosition {
  std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::int64_t> cell = 0;
  Real offset[3] = {};  ///< within the cell, each in [0, 1]; 0 along z in 2-D
};

/// Weights of a cell's nodes for one particle. Bits 0, 1 and 2 of a corner's number say: upper in x, y and z.
template <class Real>
struct CornerWeights {
  Real weight[8];

  SHOAL_HD Real operator[](int corner) const { return weight[corner]; }
};

/// Weight (wx · wy) · wz of a corner; w = offset at the upper node, 1 − offset at the lower node.
template <class Real>
SHOAL_HD Real corner_weight(const Real (&offset)[3], int corner) {
  const Real x = (corner & 1) != 0 ? offset[0] : 1 - offset[0];
  const Real y = (corner & 2) != 0 ? offset[1] : 1 - offset[1];
  const Real z = (corner & 4) != 0 ? offset[2] : 1 - offset[2];
  return rounded_product(rounded_product(x, y), z);
}

/// Weights of all corners; their sum is 1 to rounding.
template <class Real>
SHOAL_HD CornerWeights<Real> corner_weights(const Real (&offset)[3]) {
  CornerWeights<Real> weights;
  for (int c = 0; c < 8; ++c) weights.weight[c] = corner_weight(offset, c);
  return weights;
}

/// The grid of `Deposit` on a device: plain data with pointers to memory of that device.
template <class Real>
struct DepositSpace {
  DepositAxis<Real> axes[3];
  int dimensions = 3;
  bool redistribute = false;                   ///< false: shares of blocked nodes are dropped
  const std::uint8_t* blocked = nullptr;       ///< [cells] not 0: blocked; null: no cell is
  const std::uint8_t* open_corners = nullptr;  ///< [cells] bit c: the node at corner c is open; null: all are

  static constexpr unsigned all_open = 0xff;

  SHOAL_HD int corners() const { return 1 << dimensions; }
  SHOAL_HD std::int64_t cell_count() const {
    return static_cast<std::int64_t>(axes[0].cell_count()) * axes[1].cell_count() * axes[2].cell_count();
  }
  SHOAL_HD std::int64_t node_count() const {
    return static_cast<std::int64_t>(axes[0].node_count()) * axes[1].node_count() * z_nodes();
  }
  SHOAL_HD std::int32_t z_nodes() const { return dimensions > 2 ? axes[2].node_count() : 1; }

  SHOAL_HD GridIndex cell_index(std::int64_t cell) const {
    const auto number =
        static_cast<std::uint32_t>(cell);  // 32-bit division is several times faster than 64-bit division
    const auto cells_x = static_cast<std::uint32_t>(axes[0].cell_count());
    const auto cells_y = static_cast<std::uint32_t>(axes[1].cell_count());
    const std::uint32_t row = number / cells_x;
    return {static_cast<std::int32_t>(number % cells_x), static_cast<std::int32_t>(row % cells_y),
            static_cast<std::int32_t>(row / cells_y)};
  }
  SHOAL_HD GridIndex node_index(std::int64_t node) const {
    const auto nodes_x = static_cast<std::uint32_t>(axes[0].node_count());
    const auto nodes_y = static_cast<std::uint32_t>(axes[1].node_count());
    const bool is_short = node <= std::int64_t{0xffffffff};
    const auto number = static_cast<std::uint32_t>(node);
    const auto row = static_cast<std::uint32_t>(is_short ? number / nodes_x : node / nodes_x);
    const auto x = static_cast<std::uint32_t>(node - static_cast<std::int64_t>(row) * nodes_x);
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(row % nodes_y),
            static_cast<std::int32_t>(row / nodes_y)};
  }
  SHOAL_HD std::int64_t cell_number(const GridIndex& cell) const {
    return (static_cast<std::int64_t>(cell.z) * axes[1].cell_count() + cell.y) * axes[0].cell_count() + cell.x;
  }
  SHOAL_HD std::int64_t node_number(const GridIndex& node) const {
    return (static_cast<std::int64_t>(node.z) * axes[1].node_count() + node.y) * axes[0].node_count() + node.x;
  }
  /// Node at a corner of a cell.
  SHOAL_HD std::int64_t corner_node(const GridIndex& cell, int corner) const {
    return node_number({axes[0].node(cell.x, corner & 1), axes[1].node(cell.y, (corner >> 1) & 1),
                        dimensions > 2 ? axes[2].node(cell.z, corner >> 2) : 0});
  }

  /// First axis on which a particle is outside; `dimensions` if it is inside.
  SHOAL_HD int fault(Real x, Real y, Real z) const {
    if (!axes[0].cells.allows(x)) return 0;
    if (!axes[1].cells.allows(y)) return 1;
    if (dimensions > 2 && !axes[2].cells.allows(z)) return 2;
    return dimensions;
  }

  /// Position of a particle inside the grid.
  SHOAL_HD ParticlePosition<Real> position(Real x, Real y, Real z) const {
    const AxisPosition<Real> on_x = axes[0].position(x);
    const AxisPosition<Real> on_y = axes[1].position(y);
    const AxisPosition<Real> on_z = dimensions > 2 ? axes[2].position(z) : AxisPosition<Real>{0, 0};
    return {static_cast<std::uint32_t>(cell_number({on_x.cell, on_y.cell, on_z.cell})),
            {on_x.offset, on_y.offset, on_z.offset}};
  }

  SHOAL_HD bool is_blocked(std::int64_t cell) const { return blocked != nullptr && blocked[cell] != 0; }

  /// Mask of open corners of a cell: bit c is set if the node at corner c is open.
  SHOAL_HD unsigned open(std::int64_t cell) const { return open_corners != nullptr ? open_corners[cell] : all_open; }

  /// Returns true if no blocked node touches the cell.
  SHOAL_HD bool is_all_open(std::int64_t cell) const { return open(cell) == all_open; }

  /// Weights of a particle in a cell; see mask().
  SHOAL_HD CornerWeights<Real> weights(std::int64_t cell, const Real (&offset)[3]) const {
    CornerWeights<Real> result = corner_weights(offset);
    mask(result, cell);
    return result;
  }

  /// Weight of one corner; see mask().
  SHOAL_HD Real weight(std::int64_t cell, const Real (&offset)[3], int corner) const {
    if (is_all_open(cell)) return corner_weight(offset, corner);
    const CornerWeights<Real> masked = weights(cell, offset);
    Real result = 0;  // not masked[corner]: an index unknown to the compiler would put the array into memory
    for (int c = 0; c < 8; ++c) result = c == corner ? masked[c] : result;
    return result;
  }

  /// Sets the weights of blocked nodes to 0. With `redistribute`, each open weight is divided by the sum of the open
  /// weights, added in ascending order of corners. If all open weights are 0, because the particle is on a blocked node,
  /// the open nodes get equal weights.
  SHOAL_HD void mask(CornerWeights<Real>& weights, std::int64_t cell) const {
    const unsigned is_open = open(cell);
    if (is_open == all_open) return;
    Real sum = 0;
    int count = 0;
    for (int c = 0; c < 8; ++c) {  // a constant bound keeps the weights in registers
      const bool counts = c < corners() && (is_open >> c & 1) != 0;
      if (!counts) weights.weight[c] = 0;
      sum = sum + weights.weight[c];
      count += counts ? 1 : 0;
    }
    if (!redistribute) return;
    for (int c = 0; c < 8; ++c)
      if (c < corners() && (is_open >> c & 1) != 0)
        weights.weight[c] = sum > 0 ? weights.weight[c] / sum : Real(1) / static_cast<Real>(count);
  }
};

}  // namespace shoal::deposit

namespace shoal {
using deposit::corner_weight;
using deposit::corner_weights;
using deposit::CornerWeights;
using deposit::DepositAxis;
using deposit::DepositSpace;
}  // namespace shoal
