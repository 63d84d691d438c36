// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/grid.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Particles of the comparison of Larson, Carver and Zhao (2015): a fluidized bed over a box of 330,000 cells,
// 60 x 50 x 110. Each particle has an area, a mass and a volume. The paper does not say where its particles were, so
// there is one distribution for each case that the paper discusses.
namespace shoal::benchmarks {

struct DepositParticles {
  Grid grid;
  std::vector<double> x, y, z;              ///< [count] m, in random order
  std::vector<std::vector<double>> values;  ///< [3][count]

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
};

struct DepositDistribution {
  std::string_view name;
  std::string_view meaning;
  /// @param cells  approximate number of cells, for a distribution that does not set it
  DepositParticles (*make)(std::int64_t particles, double cells);
};

std::span<const DepositDistribution> deposit_distributions();

}  // namespace shoal::benchmarks
