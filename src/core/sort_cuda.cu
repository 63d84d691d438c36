// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_radix_sort.cuh>

#include <limits>

#include "core/cub_call.cuh"
#include "core/primitives_backends.hpp"

namespace shoal::cuda {

namespace {

template <class Key, class Value, class Count>
void sort_with(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits, Count count) {
  call_cub(scratch, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.keys.data, out.keys.data, in.values.data, out.values.data,
                                           count, 0, key_bits, stream_of(scratch.queue()));
  });
}

}  // namespace

template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits) {
  const std::int64_t n = in.keys.count;
  if constexpr (sizeof(Key) == 4 && sizeof(Value) == 4) {
    // Pairs of 8 bytes: counted in 32 bits, CUB takes 23 of them a thread, in 64 bits 17.
    if (n <= std::numeric_limits<std::int32_t>::max())
      return sort_with(scratch, in, out, key_bits, static_cast<std::int32_t>(n));
  }
  sort_with(scratch, in, out, key_bits, n);
}

#define SHOAL_SORT_PAIRS(Key, Value) \
  template void sort_pairs(Scratch&, Pairs<const Key, const Value>, Pairs<Key, Value>, int);
SHOAL_SORT_PAIRS(std::uint32_t, std::int32_t)
SHOAL_SORT_PAIRS(std::uint32_t, std::int64_t)
SHOAL_SORT_PAIRS(std::uint64_t, std::int32_t)
SHOAL_SORT_PAIRS(std::uint64_t, std::int64_t)

}  // namespace shoal::cuda
