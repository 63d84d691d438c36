// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "deposit/shapes/shape_stencil.hpp"

/// Rows of nodes shared out over threads. A thread adds to the nodes of its own rows alone, and visits the cells around
/// them in their order, so each node adds in the same order for any number of threads.
namespace shoal::deposit {

/// Calls visit(y, z, stencil) for each row of cells along x, in the order of cells.
template <class Real, class Visit>
void for_each_cell_row(const DepositSpace<Real>& space, Visit&& visit) {
  const std::int32_t count_z = space.dimensions > 2 ? space.axes[2].cell_count() : 1;
  for (std::int32_t z = 0; z < count_z; ++z)
    for (std::int32_t y = 0; y < space.axes[1].cell_count(); ++y) visit(y, z, CellStencil<Real>::of_row(space, y, z));
}

/// Calls visit(row) for each row of nodes around a row of cells; several times if a short periodic axis repeats it.
template <class Real, class Visit>
void for_each_row_around(const DepositSpace<Real>& space, const CellStencil<Real>& stencil, Visit&& visit) {
  for (int k = 0; k < (space.dimensions > 2 ? 4 : 1); ++k)
    for (int j = 0; j < 4; ++j) visit(stencil.row[k][j]);
}

/// Cursor over the cells of a row along x that have particles. A lambda in its place would not be compiled for the
/// instruction set of the calling loop.
template <class Real>
class FilledCells {
 public:
  /// @param row         stencil of the row, without nodes along x
  /// @param first_cell  first cell of the row
  SHOAL_HD FilledCells(const DepositCall<Real>& call, const CellStencil<Real>& row, std::int64_t first_cell)
      : stencil(row), call_(call), first_cell_(first_cell) {}

  /// Moves to the next cell. Returns false if there is none.
  SHOAL_HD bool next() {
    for (; x_ < call_.space.axes[0].cell_count(); ++x_) {
      particles = call_.particles.of_cell(first_cell_ + x_);
      if (particles.count() == 0) continue;
      stencil.along[0] = nodes_around(call_.space.axes[0], x_++);
      return true;
    }
    return false;
  }

  CellStencil<Real> stencil;  ///< stencil of the cell
  Range particles;            ///< particles of the cell

 private:
  const DepositCall<Real>& call_;
  std::int64_t first_cell_;
  std::int32_t x_ = 0;
};

/// Particles in a row of cells along x.
template <class Real>
Range particles_of_row(const DepositCall<Real>& call, std::int32_t y, std::int32_t z) {
  const std::int64_t first = call.space.cell_number({0, y, z});
  return {call.particles.cell_start[first], call.particles.cell_start[first + call.space.axes[0].cell_count()]};
}

/// Ranges of rows of nodes, one for each thread, to which about equally many particles add.
template <class Real>
std::vector<Range> row_blocks(const DepositCall<Real>& call) {
  const std::int64_t rows = static_cast<std::int64_t>(call.space.axes[1].node_count()) * call.space.z_nodes();
  std::vector<std::int64_t> work_before(static_cast<std::size_t>(rows) + 1, 0);
  for (std::int64_t row = 0; row < rows; ++row) work_before[row + 1] = 1;
  for_each_cell_row(call.space, [&](std::int32_t y, std::int32_t z, const CellStencil<Real>& stencil) {
    const std::int64_t particles = particles_of_row(call, y, z).count();
    for_each_row_around(call.space, stencil, [&](std::int64_t row) { work_before[row + 1] += particles; });
  });
  for (std::int64_t row = 0; row < rows; ++row) work_before[row + 1] += work_before[row];
  const int blocks = call.queue().threads();
  const auto begin_of = [&](int block) {
    const std::int64_t work = work_before.back() * block / blocks;
    return std::lower_bound(work_before.begin(), work_before.end(), work) - work_before.begin();
  };
  std::vector<Range> ranges;
  for (int block = 0; block < blocks; ++block) ranges.push_back({begin_of(block), begin_of(block + 1)});
  return ranges;
}

/// Sets the sums of each block to 0 and visits the rows of cells around it; one thread computes a block.
/// @param sums  [values][nodes]
/// @param add   add(stencil, first cell of the row, number of the block) adds to the nodes of the block
template <class Real, class T, class Add>
void compute_blocks(const DepositCall<Real>& call, const std::vector<Range>& blocks, T* sums, Add&& add) {
  const std::int64_t row_nodes = call.space.axes[0].node_count();
  const std::int64_t nodes = call.space.node_count();
  const auto count = static_cast<std::int64_t>(blocks.size());
#pragma omp parallel for num_threads(call.queue().threads())
  for (std::int64_t block = 0; block < count; ++block) {
    const Range rows = blocks[static_cast<std::size_t>(block)];
    for (int k = 0; k < call.value_count(); ++k)
      std::fill_n(sums + k * nodes + rows.begin * row_nodes, rows.count() * row_nodes, T(0));
    for_each_cell_row(call.space, [&](std::int32_t y, std::int32_t z, const CellStencil<Real>& stencil) {
      bool is_near = false;
      for_each_row_around(call.space, stencil,
                          [&](std::int64_t row) { is_near = is_near || (row >= rows.begin && row < rows.end); });
      if (is_near) add(stencil, call.space.cell_number({0, y, z}), block);
    });
  }
}

}  // namespace shoal::deposit
