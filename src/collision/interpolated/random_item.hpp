// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of a counter and a key, so that every thread and every device makes the same ones.
// Source: Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3": Philox4x32-10.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cstdint>

namespace shoal::collision {

/// Four words of 32 bits: a counter, or the random words that belong to it.
struct RandomWords {
  std::uint32_t word[4];

  /// Number in [0, 1) of 53 of the bits of words 2 i and 2 i + 1.
  SHOAL_HD double uniform(int i) const {
    const std::uint64_t bits = static_cast<std::uint64_t>(word[2 * i]) << 32 | word[2 * i + 1];
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }
};

SHOAL_HD RandomWords philox(RandomWords counter, std::uint64_t key) {
  auto low_key = static_cast<std::uint32_t>(key), high_key = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter.word[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter.word[2];
    counter = {
        {static_cast<std::uint32_t>(second >> 32) ^ counter.word[1] ^ low_key, static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ counter.word[3] ^ high_key, static_cast<std::uint32_t>(first)}};
    low_key += 0x9E3779B9;
    high_key += 0xBB67AE85;
  }
  return counter;
}

}  // namespace shoal::collision
