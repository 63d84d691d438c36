// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/directions.hpp>

#include <cstdint>

namespace shoal {

/// On the half sphere, of at least this degree, which is in range.
Directions design_directions(int degree);
Directions octahedral_directions(int degree);

/// One of each two opposite points, with twice the weight; weights then add up to 4π.
void keep_upper_half(Directions& all);

/// Numbers in [0, 1) to start searches from; the same ones on every run.
class StartingNumbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace shoal
