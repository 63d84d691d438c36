// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/primitives.hpp"

/// The two sides of core/primitives.hpp, called by core/primitives.cpp after it has checked the arguments.
namespace shoal {

namespace cpu {
template <class T>
void exclusive_scan(Scratch& scratch, View<const T> in, View<std::int64_t> out);
template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits);
template <class T>
void reduce(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out);
template <class Index>
void select(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected);
template <class Key>
void histogram(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts);
template <class T, class Index>
void gather(const Queue& queue, View<const T> in, View<const Index> index, View<T> out);
}  // namespace cpu

namespace cuda {
template <class T>
void exclusive_scan(Scratch& scratch, View<const T> in, View<std::int64_t> out);
template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits);
template <class T>
void reduce(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out);
template <class Index>
void select(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected);
template <class Key>
void histogram(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts);
template <class T, class Index>
void gather(const Queue& queue, View<const T> in, View<const Index> index, View<T> out);
}  // namespace cuda

}  // namespace shoal
