// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>

#include "core/memory/scratch.hpp"

/// Scan, sort, reduce, select, histogram and gather on the device of a queue.
///
/// All give the same bits on every run, for every number of threads, on CPU and CUDA. Views are contiguous unless
/// documented otherwise, and on the queue's device. No call waits; a second call with the same sizes allocates nothing.
namespace shoal {

/// out[i] = in[0] + ... + in[i - 1]. In place when `in` is `out`.
/// @param in   [n] std::int32_t or std::int64_t
/// @param out  [n], or [n + 1] to have the total as last element
template <class T>
void exclusive_scan(Scratch& scratch, View<const T> in, View<std::int64_t> out);

/// Keys with their values.
template <class Key, class Value>
struct Pairs {
  View<Key> keys;
  View<Value> values;
};

/// Stable sort by the lowest `key_bits` bits of the keys; higher bits must be zero. `in` is unchanged.
/// Key: std::uint32_t or std::uint64_t. Value: std::int32_t or std::int64_t.
template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits);

enum class Reduction { sum, min, max };

/// out[0] = sum, smallest or largest element of `in`, in the fixed tree of core/reduction.hpp; a NaN in, a NaN out. The
/// empty sum is 0, the empty minimum the largest value of T (infinity), the empty maximum the lowest.
/// @param in   [n] float, double or std::int64_t, any stride
/// @param out  [1]
template <class T>
void reduce(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out);

/// Writes the indices of the set flags in ascending order.
/// @param flags     [n] 0 or 1
/// @param indices   [n] std::int32_t or std::int64_t; the first selected[0] are written
/// @param selected  [1]
template <class Index>
void select(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected);

/// counts[k] = number of keys that equal k; keys that are not in [0, counts.count) are not counted.
/// Key: std::int32_t or std::uint32_t.
template <class Key>
void histogram(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts);

/// out[i] = in[index[i]].
/// @param in     float, double, std::int32_t or std::int64_t, any stride
/// @param index  [n] std::int32_t or std::int64_t
/// @param out    [n], any stride; not the memory of `in`
template <class T, class Index>
void gather(const Queue& queue, View<const T> in, View<const Index> index, View<T> out);

}  // namespace shoal
