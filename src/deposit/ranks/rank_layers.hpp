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
  /// Returns true if there are cuts between ranks.
  bool has_cuts() const { return has_slabs() && ranks.size() > 1; }
  /// Returns true if the layers repeat.
  static bool is_periodic(const DepositGrid& grid);

  /// Slabs of the layers of the support grid, which with ends has one more. A layer that a cut of the grid halves belongs
  /// to the rank below.
  Slabs support_slabs(bool is_periodic) const;

  /// The layers of this rank.
  Range range(const DepositGrid& grid) const;

  /// Returns true for the method whose bits do not depend on the partition.
  static bool is_of_any_partition(std::string_view method);
  /// @throws Error  a method whose bits depend on the partition, where it is free
  void require_method(std::string_view method) const;
  /// Returns true if a condition is true on all ranks. All ranks call it.
  bool is_true_on_all(bool condition) const;
  /// @throws Error  on all ranks: slabs differ. All ranks call it.
  void require_same_on_all_ranks() const;

  /// Options in which "auto" is the method for any partition.
  static DepositOptions options_for_all(DepositOptions options);
};

}  // namespace shoal::deposit
