// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/primitives/primitives_backend.hpp"
#include "core/range.hpp"

// Least-significant-digit radix sort. In each pass, every thread counts the digits of its own run of pairs; the start
// of (digit, thread) follows from all counts, so pairs move stably whatever the number of threads.
namespace shoal {

namespace {

constexpr int digit_bits = 8;
constexpr int digits = 1 << digit_bits;
using DigitCounts = std::array<std::int64_t, digits>;

template <class Key>
int digit_of(Key key, int shift) {
  return static_cast<int>(key >> shift) & (digits - 1);
}

/// Replaces counts[part][digit] by the first position of the pairs of this digit and part.
void counts_to_starts(View<DigitCounts> counts) {
  std::int64_t start = 0;
  for (int digit = 0; digit < digits; ++digit)
    for (std::int64_t part = 0; part < counts.count; ++part) start += std::exchange(counts.data[part][digit], start);
}

template <class Key, class Value>
void sort_by_digit(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int shift) {
  const int parts = threads_for(in.keys.count, scratch.queue().threads());
  ScratchFrame frame(scratch);
  const View<DigitCounts> counts = frame.array<DigitCounts>(parts);
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(in.keys.count, part, parts);
    DigitCounts count{};
    for (std::int64_t i = range.begin; i < range.end; ++i) ++count[digit_of(in.keys.data[i], shift)];
    counts.data[part] = count;
  }
  counts_to_starts(counts);
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(in.keys.count, part, parts);
    DigitCounts next = counts.data[part];
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      const std::int64_t position = next[digit_of(in.keys.data[i], shift)]++;
      out.keys.data[position] = in.keys.data[i];
      out.values.data[position] = in.values.data[i];
    }
  }
}

template <class Key, class Value>
void sort_pairs_cpu(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits) {
  const std::int64_t n = in.keys.count;
  const int passes = std::max(1, (key_bits + digit_bits - 1) / digit_bits);
  ScratchFrame frame(scratch);
  const std::int64_t spare_count = passes > 1 ? n : 0;
  const Pairs<Key, Value> spare{frame.array<Key>(spare_count), frame.array<Value>(spare_count)};
  Pairs<const Key, const Value> source = in;
  for (int pass = 0; pass < passes; ++pass) {
    const bool to_out = (passes - pass) % 2 == 1;  // the last pass writes to `out`
    const Pairs<Key, Value>& target = to_out ? out : spare;
    sort_by_digit(scratch, source, target, pass * digit_bits);
    source = {target.keys, target.values};
  }
}

}  // namespace

template <class Key, class Value>
const SortBackend<Key, Value> SortBackend<Key, Value>::cpu = {.sort_pairs = sort_pairs_cpu<Key, Value>};
template const SortBackend<std::uint32_t, std::int32_t> SortBackend<std::uint32_t, std::int32_t>::cpu;
template const SortBackend<std::uint32_t, std::int64_t> SortBackend<std::uint32_t, std::int64_t>::cpu;
template const SortBackend<std::uint64_t, std::int32_t> SortBackend<std::uint64_t, std::int32_t>::cpu;
template const SortBackend<std::uint64_t, std::int64_t> SortBackend<std::uint64_t, std::int64_t>::cpu;

}  // namespace shoal
