// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <string_view>

#include "core/range.hpp"
#include "deposit/ranks/shared_nodes.hpp"

namespace shoal::deposit {

/// Layers of cells that a rank has: a slab, or all of them beside the other ranks.
struct RankLayers {
  Communicator ranks = Communicator::alone();
  Slabs slabs;                    ///< no cuts: every rank has all layers
  bool is_any_partition = false;  ///< true: particles are shared out in any way

  /// One rank, or particles shared out in any way.
  RankLayers() = default;
  explicit RankLayers(const Communicator& of_particles) : ranks(of_particles), is_any_partition(true) {}
  /// @throws Error  the slabs do not fit the grid or the ranks
  RankLayers(const DepositGrid& grid, const Slabs& of_grid, const Communicator& of_particles);

  bool has_slabs() const { return !slabs.cut.empty(); }

  /// The layers of this rank.
  Range range(const DepositGrid& grid) const;

  /// @throws Error  a method whose bits depend on the partition, where it is free
  void require_method(std::string_view method) const;
  /// @throws Error  this rank has a part of the layers
  void require_all_layers(const char* call) const;
  /// @throws Error  on all ranks: slabs differ. All ranks call it.
  void require_same_on_all_ranks() const;

  /// Options in which "auto" is the method for any partition.
  static DepositOptions options_for_all(DepositOptions options);
};

}  // namespace shoal::deposit
