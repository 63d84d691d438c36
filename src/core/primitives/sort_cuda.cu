// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_radix_sort.cuh>

#include <limits>

#include "core/cuda/cub_call.cuh"
#include "core/primitives/primitives_backend.hpp"

namespace shoal {

namespace {

template <class Key, class Value, class Count>
void sort_with(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits, Count count) {
  call_cub(scratch, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.keys.data, out.keys.data, in.values.data, out.values.data,
                                           count, 0, key_bits, stream_of(scratch.queue()));
  });
}

template <class Key, class Value>
void sort_pairs_cuda(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits) {
  const std::int64_t n = in.keys.count;
  if constexpr (sizeof(Key) == 4 && sizeof(Value) == 4) {
    // CUB sorts 23 pairs of 8 bytes per thread with 32-bit counts, only 17 with 64-bit counts.
    if (n <= std::numeric_limits<std::int32_t>::max())
      return sort_with(scratch, in, out, key_bits, static_cast<std::int32_t>(n));
  }
  sort_with(scratch, in, out, key_bits, n);
}

}  // namespace

template <class Key, class Value>
const SortBackend<Key, Value> SortBackend<Key, Value>::cuda = {.sort_pairs = sort_pairs_cuda<Key, Value>};
template const SortBackend<std::uint32_t, std::int32_t> SortBackend<std::uint32_t, std::int32_t>::cuda;
template const SortBackend<std::uint32_t, std::int64_t> SortBackend<std::uint32_t, std::int64_t>::cuda;
template const SortBackend<std::uint64_t, std::int32_t> SortBackend<std::uint64_t, std::int32_t>::cuda;
template const SortBackend<std::uint64_t, std::int64_t> SortBackend<std::uint64_t, std::int64_t>::cuda;

}  // namespace shoal
