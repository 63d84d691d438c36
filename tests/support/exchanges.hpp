// SPDX-License-Identifier: Apache-2.0
// Exchanges that every group of ranks and every transport must do.
#pragma once
#include <gtest/gtest.h>
#include <shoal/array.hpp>
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::testing_support {

/// Each rank sends two pieces up and one down around a ring, and receives them in the same order. With two ranks, and with
/// one, all are between the same ranks.
inline void expect_ring(const Communicator& ranks, const Queue& queue, Transport& transport, int length) {
  const int above = (ranks.rank() + 1) % ranks.size();
  const int below = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const auto numbers_of = [length](int rank) {
    std::vector<int> numbers(3 * static_cast<std::size_t>(length));
    std::iota(numbers.begin(), numbers.end(), 1000 * rank);
    return numbers;
  };
  const Array<int> sent = to_device(queue, numbers_of(ranks.rank()));
  Array<int> received(queue, 3 * length);
  const std::size_t bytes = static_cast<std::size_t>(length) * sizeof(int);
  const std::vector<SentPiece> sends{{sent.data(), bytes, above},
                                     {sent.data(), 0, above},
                                     {sent.data() + length, bytes, above},
                                     {sent.data() + 2 * length, bytes, below}};
  const std::vector<ReceivedPiece> receives{{received.data(), bytes, below},
                                            {received.data() + length, bytes, below},
                                            {received.data() + 2 * length, bytes, above}};
  transport.exchange(sends, receives);
  std::vector<int> expected = numbers_of(below);
  const std::vector<int> from_above = numbers_of(above);
  std::copy(from_above.begin() + 2 * length, from_above.end(), expected.begin() + 2 * length);
  EXPECT_EQ(to_host(queue, received), expected);
}

inline void expect_largest_words(const Communicator& ranks, const Queue& queue, Transport& transport) {
  const auto rank = static_cast<std::uint64_t>(ranks.rank());
  Array<std::uint64_t> words = to_device(queue, std::vector<std::uint64_t>{rank, ~rank});
  transport.all_max(words.data(), 2);
  const auto last = static_cast<std::uint64_t>(ranks.size() - 1);
  EXPECT_EQ(to_host(queue, words), (std::vector<std::uint64_t>{last, ~std::uint64_t{0}}));
}

/// Several exchanges of growing and shrinking pieces, so that memory of a transport is used again.
inline void expect_exchange_between(const Communicator& ranks, const Queue& queue) {
  const std::unique_ptr<Transport> transport = ranks.group().transport(queue);
  for (const int length : {1, 1000, 3, 40'000}) {
    expect_ring(ranks, queue, *transport, length);
    expect_largest_words(ranks, queue, *transport);
  }
}

inline void expect_exchange_on_the_host(const Communicator& ranks) {
  RankGroup& group = ranks.group();
  const std::int64_t rank = ranks.rank();
  const std::int64_t size = ranks.size();
  std::array<std::int64_t, 3> sums{rank, -1, std::int64_t{1} << 40};
  group.all_sum(sums);
  EXPECT_EQ(sums, (std::array{size * (size - 1) / 2, -size, size << 40}));
  std::vector<std::int64_t> part(100, rank);
  std::vector<std::int64_t> gathered(part.size() * static_cast<std::size_t>(size));
  group.all_gather(part.data(), part.size() * sizeof part[0], gathered.data());
  std::vector<std::int64_t> expected(gathered.size());
  for (std::size_t entry = 0; entry < expected.size(); ++entry)
    expected[entry] = static_cast<std::int64_t>(entry / 100);
  EXPECT_EQ(gathered, expected);
  for (int from = 0; from < ranks.size(); ++from) {
    std::vector<std::int64_t> numbers(100, rank);
    group.broadcast(numbers.data(), numbers.size() * sizeof numbers[0], from);
    EXPECT_EQ(numbers, std::vector<std::int64_t>(100, from));
  }
  group.all_gather(nullptr, 0, nullptr);
  group.broadcast(nullptr, 0, 0);
}

}  // namespace shoal::testing_support
