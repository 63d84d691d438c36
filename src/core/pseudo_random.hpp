// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

namespace shoal {

/// Pseudo-random number in [0, 1) of a counter, the same in every run and on every machine (SplitMix64).
inline double pseudo_random(std::uint64_t counter) {
  std::uint64_t word = (counter + 1) * 0x9e3779b97f4a7c15ull;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
  return std::ldexp(static_cast<double>((word ^ (word >> 31)) >> 11), -53);
}

}  // namespace shoal
