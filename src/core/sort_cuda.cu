// SPDX-License-Identifier: Apache-2.0
#include <cub/device/device_radix_sort.cuh>

#include "core/cub_call.cuh"
#include "core/primitives_backends.hpp"

namespace shoal::cuda {

template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits) {
  call_cub(scratch, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, in.keys.data, out.keys.data, in.values.data, out.values.data,
                                           in.keys.count, 0, key_bits, stream_of(scratch.queue()));
  });
}

#define SHOAL_SORT_PAIRS(Key, Value) \
  template void sort_pairs(Scratch&, Pairs<const Key, const Value>, Pairs<Key, Value>, int);
SHOAL_SORT_PAIRS(std::uint32_t, std::int32_t)
SHOAL_SORT_PAIRS(std::uint32_t, std::int64_t)
SHOAL_SORT_PAIRS(std::uint64_t, std::int32_t)
SHOAL_SORT_PAIRS(std::uint64_t, std::int64_t)

}  // namespace shoal::cuda
