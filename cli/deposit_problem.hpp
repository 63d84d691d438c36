// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/grid.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// What the comparison of Larson, Carver and Zhao (2015) deposits: particles of a fluidized bed over a box of 330,000
// cells, 60 x 50 x 110, with an area, a mass and a volume each. The paper does not say where its particles were; there
// is a distribution for each case that it speaks of.
namespace shoal::cli {

struct DepositProblem {
  Grid grid;
  std::vector<double> x, y, z;              ///< [count] m, in no order
  std::vector<std::vector<double>> values;  ///< [3][count]

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
};

struct DepositDistribution {
  std::string_view name;
  std::string_view meaning;
  /// @param cells  about so many, where the distribution does not say how many itself
  DepositProblem (*make)(std::int64_t particles, double cells);
};

std::span<const DepositDistribution> deposit_distributions();

}  // namespace shoal::cli
