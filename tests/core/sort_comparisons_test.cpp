// SPDX-License-Identifier: Apache-2.0
#include "core/sort_comparisons.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

// A network sorts all keys if it sorts all keys that are 0 or 1 (Knuth, The Art of Computer Programming, 5.3.4).
namespace shoal::sort_network {

namespace {

template <int n>
using Keys = std::array<int, n>;

template <int n>
bool sorts(const Comparisons<n>& network, Keys<n> keys) {
  for (int i = 0; i < network.count; ++i)
    if (keys[network.low[i]] > keys[network.high[i]]) std::swap(keys[network.low[i]], keys[network.high[i]]);
  return std::is_sorted(keys.begin(), keys.end());
}

template <int n>
int unsorted_sequences() {
  int unsorted = 0;
  for (unsigned bits = 0; bits < 1u << n; ++bits) {
    Keys<n> keys;
    for (int i = 0; i < n; ++i) keys[i] = static_cast<int>(bits >> i & 1);
    unsorted += sorts<n>(sort_comparisons<n>, keys) ? 0 : 1;
  }
  return unsorted;
}

/// Keys that are 0 or 1 and change at most twice around the circle.
template <int n>
int unsorted_bitonic_sequences() {
  int unsorted = 0;
  for (int begin = 0; begin < n; ++begin)
    for (int ones = 0; ones <= n; ++ones) {
      Keys<n> keys{};
      for (int i = 0; i < ones; ++i) keys[(begin + i) % n] = 1;
      unsorted += sorts<n>(bitonic_comparisons<n>, keys) ? 0 : 1;
    }
  return unsorted;
}

template <int n>
int unsorted_random_sequences() {
  std::mt19937 random(n);
  int unsorted = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Keys<n> keys;
    const auto ones = random() % n;
    for (int& key : keys) key = random() % n < ones ? 1 : 0;
    unsorted += sorts<n>(sort_comparisons<n>, keys) ? 0 : 1;
  }
  return unsorted;
}

TEST(SortComparisons, SortAllKeys) {
  EXPECT_EQ(unsorted_sequences<1>(), 0);
  EXPECT_EQ(unsorted_sequences<2>(), 0);
  EXPECT_EQ(unsorted_sequences<5>(), 0);
  EXPECT_EQ(unsorted_sequences<8>(), 0);
  EXPECT_EQ(unsorted_sequences<10>(), 0);
  EXPECT_EQ(unsorted_sequences<16>(), 0);
  EXPECT_EQ(unsorted_random_sequences<24>(), 0);
  EXPECT_EQ(unsorted_random_sequences<40>(), 0);
  EXPECT_EQ(unsorted_random_sequences<64>(), 0);
  EXPECT_EQ(unsorted_random_sequences<80>(), 0);
}

TEST(SortComparisons, SortBitonicKeys) {
  EXPECT_EQ(unsorted_bitonic_sequences<3>(), 0);
  EXPECT_EQ(unsorted_bitonic_sequences<5>(), 0);
  EXPECT_EQ(unsorted_bitonic_sequences<24>(), 0);
  EXPECT_EQ(unsorted_bitonic_sequences<40>(), 0);
  EXPECT_EQ(unsorted_bitonic_sequences<64>(), 0);
  EXPECT_EQ(unsorted_bitonic_sequences<80>(), 0);
}

TEST(SortComparisons, AreFew) {
  EXPECT_EQ(sort_comparisons<10>.count, 29);   // the fewest
  EXPECT_EQ(sort_comparisons<16>.count, 63);   // as Batcher's
  EXPECT_EQ(sort_comparisons<40>.count, 275);  // 2 · (2 · 29 + 35) + 89
  EXPECT_EQ(bitonic_comparisons<64>.count, 192);
  EXPECT_EQ(bitonic_comparisons<40>.count, 124);
}

}  // namespace

}  // namespace shoal::sort_network
