// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/arithmetic_item.hpp>
#include <shoal/item/cells_item.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace shoal {

/// Where a coordinate is on one axis: in which cell, and how far into it.
template <class Real>
struct AxisPlace {
  std::int32_t cell;
  Real offset;  ///< 0 at the lower node, 1 at the upper one
};

/// One axis of the grid of `Deposit`.
template <class Real>
struct DepositAxis {
  CellAxis<Real> cells;                  ///< of a stretched axis, number, ends and allowed coordinates count
  const Real* nodes = nullptr;           ///< [cells + 1] m; null: uniform
  const Real* inverse_widths = nullptr;  ///< [cells] 1/m; null: uniform
  Real period = 0;                       ///< m, of a stretched axis
  Real inverse_period = 0;               ///< 1/m

  SHOAL_HD std::int32_t cell_count() const { return cells.cells; }
  SHOAL_HD std::int32_t node_count() const { return cells.cells + (cells.periodic ? 0 : 1); }

  /// 1 / edge of a cell, 1/m.
  SHOAL_HD Real inverse_width(std::int32_t cell) const {
    return inverse_widths != nullptr ? inverse_widths[cell] : cells.inverse_spacing;
  }

  /// The place of an allowed coordinate. Uniform axes: t = (x − lower) · (1/spacing), its whole part (at most cells −
  /// 1) and the rest. Stretched axes: the last node that is not above x, and (x − node) · (1/width); periodic ones
  /// first take whole periods off x. All in the arithmetic of `Real`, each step rounded, and the offset moved into [0,
  /// 1].
  SHOAL_HD AxisPlace<Real> place(Real x) const {
    if (nodes != nullptr) return stretched_place(x);
    const Real t = rounded_product(x - cells.lower, cells.inverse_spacing);
    if (cells.periodic && !(t >= 0 && t < static_cast<Real>(cells.cells))) {
      const Real whole = std::floor(t);
      return {cells.wrapped(whole), into_unit(t - whole)};
    }
    const std::int32_t cell = cells.nearest(t);
    return {cell, into_unit(t - static_cast<Real>(cell))};
  }

  /// The upper (1) or lower (0) node of a cell.
  SHOAL_HD std::int32_t node(std::int32_t cell, int upper) const {
    const std::int32_t node = cell + upper;
    return node < node_count() ? node : 0;
  }

  /// The cell above (1) or below (0) a node; −1 if there is none.
  SHOAL_HD std::int32_t cell_beside(std::int32_t node, int above) const {
    const std::int32_t cell = node - 1 + above;
    if (cell >= 0 && cell < cells.cells) return cell;
    return cells.periodic ? cells.cells - 1 : -1;
  }

 private:
  SHOAL_HD static Real into_unit(Real offset) { return offset < 0 ? Real(0) : offset > 1 ? Real(1) : offset; }

  SHOAL_HD AxisPlace<Real> stretched_place(Real x) const {
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
    return {low, into_unit(rounded_product(x - nodes[low], inverse_widths[low]))};
  }
};

/// A cell of three axes, or a node.
struct GridPlace {
  std::int32_t x = 0, y = 0, z = 0;
};

/// Where a particle is, all that its weights depend on: one load of 16 (float) or two of 16 bytes (double).
template <class Real>
struct alignas(4 * sizeof(Real)) ParticlePlace {
  std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::int64_t> cell = 0;
  Real offset[3] = {};  ///< in its cell, each in [0, 1]; 0 along z in 2-D
};

/// The weights of a cell's nodes for one particle. Corner c of a cell: bit 0 upper in x, bit 1 in y, bit 2 in z.
template <class Real>
struct CornerWeights {
  Real weight[8];

  SHOAL_HD Real operator[](int corner) const { return weight[corner]; }
};

/// ((wx · wy) · wz), each w = offset at the upper node, 1 − offset at the lower one.
template <class Real>
SHOAL_HD Real corner_weight(const Real (&offset)[3], int corner) {
  const Real x = (corner & 1) != 0 ? offset[0] : 1 - offset[0];
  const Real y = (corner & 2) != 0 ? offset[1] : 1 - offset[1];
  const Real z = (corner & 4) != 0 ? offset[2] : 1 - offset[2];
  return rounded_product(rounded_product(x, y), z);
}

/// The weights of all corners; they add up to 1 to rounding.
template <class Real>
SHOAL_HD CornerWeights<Real> corner_weights(const Real (&offset)[3]) {
  CornerWeights<Real> weights;
  for (int c = 0; c < 8; ++c) weights.weight[c] = corner_weight(offset, c);
  return weights;
}

/// The grid as items see it; plain data, with pointers to memory of the device that it is for.
template <class Real>
struct DepositSpace {
  DepositAxis<Real> axes[3];
  int dimensions = 3;
  bool redistribute = false;                   ///< else the shares of blocked nodes are dropped
  const std::uint8_t* blocked = nullptr;       ///< [cells], null: none is
  const std::uint8_t* open_corners = nullptr;  ///< [cells] bit c: the node at corner c is open; null: all are
  const std::uint8_t* cells_around = nullptr;  ///< [nodes] open cells around a node; null: all are open

  static constexpr unsigned all_open = 0xff;

  SHOAL_HD int corners() const { return 1 << dimensions; }
  SHOAL_HD std::int64_t cell_count() const {
    return static_cast<std::int64_t>(axes[0].cell_count()) * axes[1].cell_count() * axes[2].cell_count();
  }
  SHOAL_HD std::int64_t node_count() const {
    return static_cast<std::int64_t>(axes[0].node_count()) * axes[1].node_count() * z_nodes();
  }
  SHOAL_HD std::int32_t z_nodes() const { return dimensions > 2 ? axes[2].node_count() : 1; }

  SHOAL_HD GridPlace cell_place(std::int64_t cell) const {
    const auto number = static_cast<std::uint32_t>(cell);  // 64-bit division takes several times as long
    const auto cells_x = static_cast<std::uint32_t>(axes[0].cell_count());
    const auto cells_y = static_cast<std::uint32_t>(axes[1].cell_count());
    const std::uint32_t row = number / cells_x;
    return {static_cast<std::int32_t>(number % cells_x), static_cast<std::int32_t>(row % cells_y),
            static_cast<std::int32_t>(row / cells_y)};
  }
  SHOAL_HD GridPlace node_place(std::int64_t node) const {
    const auto nodes_x = static_cast<std::uint32_t>(axes[0].node_count());
    const auto nodes_y = static_cast<std::uint32_t>(axes[1].node_count());
    const bool is_short = node <= std::int64_t{0xffffffff};
    const auto number = static_cast<std::uint32_t>(node);
    const auto row = static_cast<std::uint32_t>(is_short ? number / nodes_x : node / nodes_x);
    const auto x = static_cast<std::uint32_t>(node - static_cast<std::int64_t>(row) * nodes_x);
    return {static_cast<std::int32_t>(x), static_cast<std::int32_t>(row % nodes_y),
            static_cast<std::int32_t>(row / nodes_y)};
  }
  SHOAL_HD std::int64_t cell_number(const GridPlace& at) const {
    return (static_cast<std::int64_t>(at.z) * axes[1].cell_count() + at.y) * axes[0].cell_count() + at.x;
  }
  SHOAL_HD std::int64_t node_number(const GridPlace& at) const {
    return (static_cast<std::int64_t>(at.z) * axes[1].node_count() + at.y) * axes[0].node_count() + at.x;
  }
  /// The node at a corner of a cell.
  SHOAL_HD std::int64_t corner_node(const GridPlace& cell, int corner) const {
    return node_number({axes[0].node(cell.x, corner & 1), axes[1].node(cell.y, (corner >> 1) & 1),
                        dimensions > 2 ? axes[2].node(cell.z, corner >> 2) : 0});
  }

  /// The first axis on which a particle is outside; `dimensions` if on none.
  SHOAL_HD int fault(Real x, Real y, Real z) const {
    if (!axes[0].cells.allows(x)) return 0;
    if (!axes[1].cells.allows(y)) return 1;
    if (dimensions > 2 && !axes[2].cells.allows(z)) return 2;
    return dimensions;
  }

  /// The place of a particle without fault.
  SHOAL_HD ParticlePlace<Real> place(Real x, Real y, Real z) const {
    const AxisPlace<Real> on_x = axes[0].place(x);
    const AxisPlace<Real> on_y = axes[1].place(y);
    const AxisPlace<Real> on_z = dimensions > 2 ? axes[2].place(z) : AxisPlace<Real>{0, 0};
    return {static_cast<std::uint32_t>(cell_number({on_x.cell, on_y.cell, on_z.cell})),
            {on_x.offset, on_y.offset, on_z.offset}};
  }

  SHOAL_HD bool is_blocked(std::int64_t cell) const { return blocked != nullptr && blocked[cell] != 0; }

  /// Bit c: the node at corner c of the cell is open.
  SHOAL_HD unsigned open(std::int64_t cell) const { return open_corners != nullptr ? open_corners[cell] : all_open; }

  /// Whether no blocked node touches the cell.
  SHOAL_HD bool is_all_open(std::int64_t cell) const { return open(cell) == all_open; }

  /// The weights of a particle in a cell, of which those of blocked nodes are 0.
  SHOAL_HD CornerWeights<Real> weights(std::int64_t cell, const Real (&offset)[3]) const {
    CornerWeights<Real> all = corner_weights(offset);
    mask(all, cell);
    return all;
  }

  /// The weight of one corner among those.
  SHOAL_HD Real weight(std::int64_t cell, const Real (&offset)[3], int corner) const {
    if (is_all_open(cell)) return corner_weight(offset, corner);
    const CornerWeights<Real> all = weights(cell, offset);
    Real own = 0;  // not all[corner]: an index that is not known would put the array into memory
    for (int c = 0; c < 8; ++c) own = c == corner ? all[c] : own;
    return own;
  }

  /// Makes the weights in a cell those that blocked nodes leave: theirs are 0. Redistributed: each open weight divided
  /// by the sum of all open ones, added up in ascending order of corners; a particle whose open weights are all 0 (it
  /// sits on a blocked node) gives its open nodes equal shares.
  SHOAL_HD void mask(CornerWeights<Real>& all, std::int64_t cell) const {
    const unsigned is_open = open(cell);
    if (is_open == all_open) return;
    Real sum = 0;
    int count = 0;
    for (int c = 0; c < 8; ++c) {  // a constant, so that weights stay in registers
      const bool counts = c < corners() && (is_open >> c & 1) != 0;
      if (!counts) all.weight[c] = 0;
      sum = sum + all.weight[c];
      count += counts ? 1 : 0;
    }
    if (!redistribute) return;
    for (int c = 0; c < 8; ++c)
      if (c < corners() && (is_open >> c & 1) != 0)
        all.weight[c] = sum > 0 ? all.weight[c] / sum : Real(1) / static_cast<Real>(count);
  }

  /// Open cells around a node; a cell that has the node at two corners counts twice.
  SHOAL_HD int open_cells_around(const GridPlace& node) const {
    if (cells_around != nullptr) return cells_around[node_number(node)];
    int count = 1;
    const std::int32_t at[3] = {node.x, node.y, node.z};
    for (int axis = 0; axis < dimensions; ++axis)
      count *= (axes[axis].cell_beside(at[axis], 0) >= 0 ? 1 : 0) + (axes[axis].cell_beside(at[axis], 1) >= 0 ? 1 : 0);
    return count;
  }
};

}  // namespace shoal
