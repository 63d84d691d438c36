// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/primitives/primitives.hpp"

/// The functions of core/primitives/primitives.hpp on each device, without checks of the arguments.
namespace shoal {

template <class T>
struct ScanBackend {
  void (*exclusive_scan)(Scratch& scratch, View<const T> in, View<std::int64_t> out);
  static const ScanBackend cpu, cuda;
};

template <class Key, class Value>
struct SortBackend {
  void (*sort_pairs)(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits);
  static const SortBackend cpu, cuda;
};

template <class T>
struct ReduceBackend {
  void (*reduce)(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out);
  static const ReduceBackend cpu, cuda;
};

template <class Index>
struct SelectBackend {
  void (*select)(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected);
  static const SelectBackend cpu, cuda;
};

template <class Key>
struct HistogramBackend {
  void (*histogram)(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts);
  static const HistogramBackend cpu, cuda;
};

template <class T, class Index>
struct GatherBackend {
  void (*gather)(const Queue& queue, View<const T> in, View<const Index> index, View<T> out);
  static const GatherBackend cpu, cuda;
};

}  // namespace shoal
