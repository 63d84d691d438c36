// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace shoal::gas {

/// Layers of cells of one rank: cells of a line, or rows of a plane. The rank stores copies of the layers beside them, its
/// ghosts: the slope of the neighbor beyond a cut needs two.
struct CellSlab {
  static constexpr std::int64_t halo = 2;  ///< Ghost layers at a cut.

  Slabs slabs;             ///< own layers of all ranks
  std::int64_t first = 0;  ///< Number of the first own layer.
  std::int64_t count = 0;  ///< Number of own layers.
  std::array<std::int64_t, 2> ghosts =
      {};  ///< Numbers of ghost layers before the own ones and behind; 0 at boundaries.

  /// @param layers    number of layers of all ranks
  /// @param periodic  the first layer is beside the last one
  /// @throws Error  fewer than two layers for each rank
  CellSlab(std::int64_t layers, bool periodic, const Communicator& ranks) : first(0), count(layers) {
    if (ranks.size() == 1) {
      slabs.cut = {0, layers};
      return;
    }
    slabs = cut_by_weight(std::vector<std::int64_t>(static_cast<std::size_t>(layers), 1), ranks.size(), halo);
    first = slabs.first(ranks.rank());
    count = slabs.count(ranks.rank());
    if (periodic || ranks.rank() > 0) ghosts[0] = halo;
    if (periodic || ranks.rank() + 1 < ranks.size()) ghosts[1] = halo;
  }

  std::int64_t stored() const { return ghosts[0] + count + ghosts[1]; }
  /// Number of a stored layer among those of all ranks.
  std::int64_t number(std::int64_t layer) const {
    return (first - ghosts[0] + layer + slabs.layers()) % slabs.layers();
  }
};

}  // namespace shoal::gas
