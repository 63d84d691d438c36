// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision/directions.hpp>

#include <cstdint>

namespace shoal::collision {

/// Directions of a family on the half sphere.
/// @param degree  1 to 19; the result has at least this degree
Directions design_directions(int degree);
Directions octahedral_directions(int degree);

/// Returns one of each two opposite points of a rule on the full sphere, with twice the weight.
Directions upper_half(const Directions& full);

/// Pseudorandom numbers in [0, 1) for starting points of searches; the same sequence on every run.
class StartingNumbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace shoal::collision
