// SPDX-License-Identifier: Apache-2.0
#include "deposit/support/support_grid.hpp"

#include "core/most_cells.hpp"
#include "core/primitives/primitives.hpp"
#include "core/text.hpp"
#include "deposit/ranks/slab_space.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::deposit {

template <class Real>
SupportGrid<Real>::SupportGrid(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
                               const DepositSpace<Real>& space, const RankLayers& layers)
    : layers_(layers), sorted_(queue, space.dimensions), order_(queue, 0) {
  space_.grid = space;
  space_.whole.dimensions = space.dimensions;
  space_.whole.redistribute = options.blocked != DepositBlocked::drop;
  double cells = 1;
  for (int axis = 0; axis < space.dimensions; ++axis) {
    space_.axes[axis].grid = space.axes[axis];
    space_.whole.axes[axis].cells.cells = space_.axes[axis].cell_count();
    space_.whole.axes[axis].cells.periodic = space.axes[axis].cells.periodic;
    cells *= space_.axes[axis].cell_count();
  }
  require(cells <= static_cast<double>(most_cells), "deposit: to_cells() needs a grid of ", cells,
          " cells between the centers of cells, expected at most ", most_cells, ". Use a coarser grid.");
  if (!grid.blocked.empty()) block(queue, grid.blocked);
  space_.support = space_.whole;
  if (layers.has_cuts())
    cut(layers.range(grid), layers.support_slabs(RankLayers::is_periodic(grid)), layers.ranks.rank());
}

/// Restricts the grid and its support grid to the layers of a rank.
template <class Real>
void SupportGrid<Real>::cut(Range layers, const Slabs& support_slabs, int rank) {
  const Range support_layers{support_slabs.first(rank), support_slabs.end(rank)};
  space_.grid = slab_space(space_.grid, layers);
  space_.support = slab_space(space_.whole, support_layers);
  space_.first_layer = static_cast<std::int32_t>(layers.begin);
  space_.first_support_layer = static_cast<std::int32_t>(support_layers.begin);
  space_.first_support_cell = support_layers.begin * cells_of_layer(space_.whole);
}

template <class Real>
void SupportGrid<Real>::block(const Queue& queue, const std::vector<std::uint8_t>& blocked) {
  DepositSpace<Real>& support = space_.whole;
  std::vector<bool> is_blocked(static_cast<std::size_t>(support.node_count()), false);
  std::vector<bool> is_center(is_blocked.size(), false);
  for (std::size_t cell = 0; cell < blocked.size(); ++cell) {
    const auto node = static_cast<std::size_t>(
        support.node_number(space_.center_of_cell(space_.grid.cell_index(static_cast<std::int64_t>(cell)))));
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
  if (layers_.has_cuts()) {
    if (!ranks_)
      ranks_ = std::make_unique<SupportRanks<Real>>(queue, layers_, cells_of_layer(space_.grid),
                                                    nodes_of_plane(space_.support),
                                                    space_.whole.axes[slab_axis(space_.whole)].cells.periodic);
    ranks_->receive(in_grid);
  }
  agree_naming_rank(layers_.ranks, [&] {
    sort(scratch, in_grid, status);
    if (ranks_) queue.wait();
  });
}

template <class Real>
void SupportGrid<Real>::sort(Scratch& scratch, const BinnedParticles<Real>& in_grid, Status* status) {
  const Queue& queue = scratch.queue();
  const SupportBackend<Real>& steps = backend<SupportBackend<Real>>(queue);
  const auto find_positions = [&](const PackedPositions<Real>& positions) {
    const std::int64_t first = ranks_ ? ranks_->own_range().begin : 0;
    steps.find_positions(queue, space_, in_grid, space_.first_layer, positions.from(first), status);
    if (!ranks_) return;
    steps.find_positions(queue, space_, ranks_->received(), ranks_->first_layer(),
                         positions.from(ranks_->first_received()), nullptr);
  };
  const std::int64_t count = ranks_ ? ranks_->count() : in_grid.count;
  particles_ = sorted_.sort(scratch, count, space_.support.cell_count(), find_positions);
  if (ranks_ || in_grid.order == nullptr) return;
  order_.resize(in_grid.count);
  gather(queue, View<const std::int32_t>{in_grid.order, in_grid.count, queue.device()}, sorted_.order(), order_.view());
  particles_.order = order_.data();
}

template class SupportGrid<float>;
template class SupportGrid<double>;

}  // namespace shoal::deposit
