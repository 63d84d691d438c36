// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include <algorithm>
#include <cstdint>

namespace shoal::neighbors {

/// Order in which for_each_run() visits the sources around a destination, for methods that do not sort points.
template <class Real>
class VisitOrder {
 public:
  VisitOrder(const SearchGrid<Real>& grid, const Position<Real>& destination)
      : axes_(grid.cells.axes), reach_y_(grid, 1, destination.y), reach_z_(grid, 2, destination.z) {}

  /// Returns the place of the cell of a neighbor in this order. Neighbors in one cell follow by number.
  std::int64_t place(const Position<Real>& neighbor) const {
    const std::int64_t row =
        3 * place(reach_z_, axes_[2].cell(neighbor.z)) + place(reach_y_, axes_[1].cell(neighbor.y));
    return row * axes_[0].cells + axes_[0].cell(neighbor.x);
  }

  /// Brings an ascending row of numbers into this order.
  /// @param position_of  position_of(number) is the position of a source
  template <class PositionOf>
  void sort(std::int32_t* begin, std::int32_t* end, PositionOf position_of) const {
    std::stable_sort(begin, end,
                     [&](std::int32_t a, std::int32_t b) { return place(position_of(a)) < place(position_of(b)); });
  }

 private:
  static std::int64_t place(const AxisReach<Real>& reach, std::int32_t cell) {
    int k = 0;
    while (k < reach.count() && reach.cell(k) != cell) ++k;
    return k;
  }

  const CellAxis<Real>* axes_;
  AxisReach<Real> reach_y_, reach_z_;
};

}  // namespace shoal::neighbors
