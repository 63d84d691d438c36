// SPDX-License-Identifier: Apache-2.0
#include "core/primitives/primitives.hpp"

#include "core/backends.hpp"
#include "core/primitives/primitives_backend.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// @param expected  required count; negative: any count
template <class T>
void require_array(const Queue& queue, const char* operation, const char* name, View<T> view, std::int64_t expected) {
  require(view.empty() || view.device == queue.device(), operation, ": ", name, " is on ", to_string(view.device),
          ", expected on ", to_string(queue.device()), ".");
  require(expected < 0 || view.count == expected, operation, ": ", name, " has ", view.count, " elements, expected ",
          expected, ".");
}

template <class T>
void require_contiguous(const char* operation, const char* name, View<T> view) {
  require(view.contiguous(), operation, ": ", name, " has stride ", view.stride, ", expected 1.");
}

}  // namespace

template <class T>
void exclusive_scan(Scratch& scratch, View<const T> in, View<std::int64_t> out) {
  constexpr const char* operation = "exclusive_scan";
  require_array(scratch.queue(), operation, "in", in, -1);
  require_array(scratch.queue(), operation, "out", out, out.count == in.count + 1 ? in.count + 1 : in.count);
  require_contiguous(operation, "in", in);
  require_contiguous(operation, "out", out);
  if (!out.empty()) backend<ScanBackend<T>>(scratch.queue()).exclusive_scan(scratch, in, out);
}

template <class Key, class Value>
void sort_pairs(Scratch& scratch, Pairs<const Key, const Value> in, Pairs<Key, Value> out, int key_bits) {
  constexpr const char* operation = "sort_pairs";
  const std::int64_t n = in.keys.count;
  require_array(scratch.queue(), operation, "in.keys", in.keys, n);
  require_array(scratch.queue(), operation, "in.values", in.values, n);
  require_array(scratch.queue(), operation, "out.keys", out.keys, n);
  require_array(scratch.queue(), operation, "out.values", out.values, n);
  require_contiguous(operation, "in.keys", in.keys);
  require_contiguous(operation, "in.values", in.values);
  require_contiguous(operation, "out.keys", out.keys);
  require_contiguous(operation, "out.values", out.values);
  constexpr int all_bits = 8 * sizeof(Key);
  require(key_bits >= 0 && key_bits <= all_bits, operation, ": key_bits = ", key_bits, ", expected 0 to ", all_bits,
          ".");
  if (n > 0) backend<SortBackend<Key, Value>>(scratch.queue()).sort_pairs(scratch, in, out, key_bits);
}

template <class T>
void reduce(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out) {
  require_array(scratch.queue(), "reduce", "in", in, -1);
  require_array(scratch.queue(), "reduce", "out", out, 1);
  backend<ReduceBackend<T>>(scratch.queue()).reduce(scratch, reduction, in, out);
}

template <class Index>
void select(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected) {
  require_array(scratch.queue(), "select", "flags", flags, -1);
  require_array(scratch.queue(), "select", "indices", indices, flags.count);
  require_array(scratch.queue(), "select", "selected", selected, 1);
  require_contiguous("select", "flags", flags);
  require_contiguous("select", "indices", indices);
  backend<SelectBackend<Index>>(scratch.queue()).select(scratch, flags, indices, selected);
}

template <class Key>
void histogram(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts) {
  require_array(scratch.queue(), "histogram", "keys", keys, -1);
  require_array(scratch.queue(), "histogram", "counts", counts, -1);
  require_contiguous("histogram", "keys", keys);
  require_contiguous("histogram", "counts", counts);
  if (!counts.empty()) backend<HistogramBackend<Key>>(scratch.queue()).histogram(scratch, keys, counts);
}

template <class T, class Index>
void gather(const Queue& queue, View<const T> in, View<const Index> index, View<T> out) {
  require_array(queue, "gather", "in", in, -1);
  require_array(queue, "gather", "index", index, -1);
  require_array(queue, "gather", "out", out, index.count);
  require_contiguous("gather", "index", index);
  if (!out.empty()) backend<GatherBackend<T, Index>>(queue).gather(queue, in, index, out);
}

template void exclusive_scan(Scratch&, View<const std::int32_t>, View<std::int64_t>);
template void exclusive_scan(Scratch&, View<const std::int64_t>, View<std::int64_t>);
template void reduce(Scratch&, Reduction, View<const float>, View<float>);
template void reduce(Scratch&, Reduction, View<const double>, View<double>);
template void reduce(Scratch&, Reduction, View<const std::int64_t>, View<std::int64_t>);
template void select(Scratch&, View<const std::uint8_t>, View<std::int32_t>, View<std::int64_t>);
template void select(Scratch&, View<const std::uint8_t>, View<std::int64_t>, View<std::int64_t>);
template void histogram(Scratch&, View<const std::int32_t>, View<std::int64_t>);
template void histogram(Scratch&, View<const std::uint32_t>, View<std::int64_t>);
template void sort_pairs(Scratch&, Pairs<const std::uint32_t, const std::int32_t>, Pairs<std::uint32_t, std::int32_t>,
                         int);
template void sort_pairs(Scratch&, Pairs<const std::uint32_t, const std::int64_t>, Pairs<std::uint32_t, std::int64_t>,
                         int);
template void sort_pairs(Scratch&, Pairs<const std::uint64_t, const std::int32_t>, Pairs<std::uint64_t, std::int32_t>,
                         int);
template void sort_pairs(Scratch&, Pairs<const std::uint64_t, const std::int64_t>, Pairs<std::uint64_t, std::int64_t>,
                         int);
template void gather(const Queue&, View<const float>, View<const std::int32_t>, View<float>);
template void gather(const Queue&, View<const float>, View<const std::int64_t>, View<float>);
template void gather(const Queue&, View<const double>, View<const std::int32_t>, View<double>);
template void gather(const Queue&, View<const double>, View<const std::int64_t>, View<double>);
template void gather(const Queue&, View<const std::int32_t>, View<const std::int32_t>, View<std::int32_t>);
template void gather(const Queue&, View<const std::int32_t>, View<const std::int64_t>, View<std::int32_t>);
template void gather(const Queue&, View<const std::int64_t>, View<const std::int32_t>, View<std::int64_t>);
template void gather(const Queue&, View<const std::int64_t>, View<const std::int64_t>, View<std::int64_t>);

}  // namespace shoal
