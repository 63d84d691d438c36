// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/auxiliary_grid/cell_faces.hpp"

namespace shoal::wall_distance {

/// Cells of the auxiliary grid with their faces, in memory of a queue's device.
template <class Faces>
class CellList {
 public:
  /// @param cells_each_axis  see AuxiliaryGrid
  CellList(const Queue& queue, std::int64_t cells_each_axis)
      : queue_(queue), cells_each_axis_(cells_each_axis), cells_(queue, 0), memory_(queue) {}

  /// Makes the cells, unless they are those of the present poses and of this body.
  /// @param origin  [3] m, origin of the bounding spheres
  /// @param body    number of the only body to include; −1: all bodies
  /// @param use_grid  is called with the grid of new cells
  template <class UseGrid>
  void prepare(const WallPrimitives& primitives, const double* origin, std::int32_t body, const UseGrid& use_grid) {
    const AuxiliaryUse use{primitives.pose, body};
    if (use_ == use) return;
    const AuxiliaryGrid grid(primitives, origin, body, Faces::most, cells_each_axis_);
    make(primitives, grid);
    use_grid(grid);
    use_ = use;
  }
  void prepare(const WallPrimitives& primitives, const double* origin, std::int32_t body) {
    prepare(primitives, origin, body, [](const AuxiliaryGrid&) {});
  }

  /// Has the next prepare() make the cells again.
  void clear() { use_ = {}; }

  const Cell<Faces>* cells() const { return cells_.data(); }
  std::int32_t count() const { return static_cast<std::int32_t>(cells_.count()); }
  AllFaces all_faces() const { return {memory_.numbers.data(), static_cast<std::int32_t>(memory_.primitives.count())}; }
  std::int64_t bytes() const { return cells_.bytes() + memory_.bytes(); }

 private:
  void make(const WallPrimitives& primitives, const AuxiliaryGrid& grid) {
    Faces::resize(memory_, primitives.count());
    std::vector<Cell<Faces>> cells(grid.cells.size());
    std::int64_t before = 0;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const AuxiliaryCell& cell = grid.cells[c];
      cells[c].sphere = cell.sphere;
      cells[c].count = static_cast<std::int32_t>(cell.primitives.size());
      cells[c].faces.put({cell.primitives, before, grid.spheres}, memory_);
      before += cells[c].count;
    }
    memory_.upload(queue_);
    cells_.resize(static_cast<std::int64_t>(cells.size()));
    copy<Cell<Faces>>(queue_, cells, cells_.view());
  }

  Queue queue_;
  std::int64_t cells_each_axis_;  ///< 0: the default
  Array<Cell<Faces>> cells_;
  FaceMemory memory_;
  AuxiliaryUse use_;  ///< poses and body for which the cells were made
};

}  // namespace shoal::wall_distance
