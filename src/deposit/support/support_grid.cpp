// SPDX-License-Identifier: Apache-2.0
#include "deposit/support/support_grid.hpp"

#include "core/most_cells.hpp"
#include "core/primitives/primitives.hpp"
#include "core/text.hpp"

namespace shoal::deposit {

template <class Real>
SupportGrid<Real>::SupportGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
                               const DepositSpace<Real>& space)
    : sorted_(queue, space.dimensions), order_(queue, 0) {
  space_.grid = space;
  space_.support.dimensions = space.dimensions;
  space_.support.redistribute = options.blocked != DepositBlocked::drop;
  double cells = 1;
  for (int axis = 0; axis < space.dimensions; ++axis) {
    space_.axes[axis].grid = space.axes[axis];
    space_.support.axes[axis].cells.cells = space_.axes[axis].cell_count();
    space_.support.axes[axis].cells.periodic = space.axes[axis].cells.periodic;
    cells *= space_.axes[axis].cell_count();
  }
  require(cells <= static_cast<double>(most_cells), "deposit: to_cells() needs a grid of ", cells,
          " cells between the centers of cells, expected at most ", most_cells, ". Use a coarser grid.");
  if (!grid.blocked.empty()) block(queue, grid.blocked);
}

template <class Real>
void SupportGrid<Real>::block(const Queue& queue, const std::vector<std::uint8_t>& blocked) {
  DepositSpace<Real>& support = space_.support;
  std::vector<bool> is_blocked(static_cast<std::size_t>(support.node_count()), false);
  std::vector<bool> is_center(is_blocked.size(), false);
  for (std::size_t cell = 0; cell < blocked.size(); ++cell) {
    const auto node = static_cast<std::size_t>(space_.node_of_cell(static_cast<std::int64_t>(cell)));
    is_center[node] = true;
    is_blocked[node] = blocked[cell] != 0;
  }
  std::vector<std::uint8_t> open(static_cast<std::size_t>(support.cell_count()),
                                 std::uint8_t{DepositSpace<Real>::all_open});
  for (std::int64_t cell = 0; cell < support.cell_count(); ++cell) {
    unsigned closed = 0, no_center = 0;
    for (int c = 0; c < support.corners(); ++c) {
      const auto node = static_cast<std::size_t>(support.corner_node(support.cell_index(cell), c));
      closed |= (is_blocked[node] ? 1u : 0u) << c;
      no_center |= (is_center[node] ? 0u : 1u) << c;
    }
    // The nodes beyond the ends count as open where every center is open: their weights are 0.
    if (closed != 0) open[static_cast<std::size_t>(cell)] &= static_cast<std::uint8_t>(~(closed | no_center));
  }
  open_corners_ = to_device(queue, open);
  support.open_corners = open_corners_.data();
}

template <class Real>
void SupportGrid<Real>::bin(Scratch& scratch, const BinnedParticles<Real>& in_grid, Status* status) {
  const Queue& queue = scratch.queue();
  const auto find_positions = [&](const PackedPositions<Real>& positions) {
    backend<SupportBackend<Real>>(queue).find_positions(queue, space_, in_grid, positions, status);
  };
  particles_ = sorted_.sort(scratch, in_grid.count, space_.support.cell_count(), find_positions);
  if (in_grid.order == nullptr) return;
  order_.resize(in_grid.count);
  gather(queue, View<const std::int32_t>{in_grid.order, in_grid.count, queue.device()}, sorted_.order(), order_.view());
  particles_.order = order_.data();
}

template class SupportGrid<float>;
template class SupportGrid<double>;

}  // namespace shoal::deposit
