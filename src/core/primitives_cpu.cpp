// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>

#include "core/host_device.hpp"
#include "core/primitives_backends.hpp"
#include "core/range.hpp"

namespace shoal::cpu {

template <class T>
void exclusive_scan(Scratch& scratch, View<const T> in, View<std::int64_t> out) {
  const int parts = scratch.queue().threads();
  ScratchFrame frame(scratch);
  const View<std::int64_t> part_sum = frame.array<std::int64_t>(parts + 1);
  part_sum.data[0] = 0;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_of(in.count, part, parts);
    std::int64_t sum = 0;
    for (std::int64_t i = range.begin; i < range.end; ++i) sum += in.data[i];
    part_sum.data[part + 1] = sum;
  }
  for (int part = 0; part < parts; ++part) part_sum.data[part + 1] += part_sum.data[part];
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_of(in.count, part, parts);
    std::int64_t sum = part_sum.data[part];
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      const std::int64_t value = in.data[i];  // before out[i], which may be the same memory
      out.data[i] = sum;
      sum += value;
    }
  }
  if (out.count > in.count) out.data[in.count] = part_sum.data[parts];
}

template <class Index>
void select(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected) {
  const int parts = scratch.queue().threads();
  ScratchFrame frame(scratch);
  const View<std::int64_t> part_start = frame.array<std::int64_t>(parts + 1);
  part_start.data[0] = 0;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_of(flags.count, part, parts);
    std::int64_t set = 0;
    for (std::int64_t i = range.begin; i < range.end; ++i) set += flags.data[i] != 0;
    part_start.data[part + 1] = set;
  }
  for (int part = 0; part < parts; ++part) part_start.data[part + 1] += part_start.data[part];
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_of(flags.count, part, parts);
    std::int64_t next = part_start.data[part];
    for (std::int64_t i = range.begin; i < range.end; ++i)
      if (flags.data[i] != 0) indices.data[next++] = static_cast<Index>(i);
  }
  selected.data[0] = part_start.data[parts];
}

template <class Key>
void histogram(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts) {
  // Each thread counts the keys of its own bins, so memory does not grow with the number of threads.
  const int parts = scratch.queue().threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range bins = part_of(counts.count, part, parts);
    std::fill(counts.data + bins.begin, counts.data + bins.end, 0);
    for (std::int64_t i = 0; i < keys.count; ++i) {
      const std::int64_t key = keys.data[i];
      if (key >= bins.begin && key < bins.end) ++counts.data[key];
    }
  }
}

template <class T, class Index>
void gather(const Queue& queue, View<const T> in, View<const Index> index, View<T> out) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < out.count; ++i) out.data[i * out.stride] = in.data[index.data[i] * in.stride];
}

template void exclusive_scan(Scratch&, View<const std::int32_t>, View<std::int64_t>);
template void exclusive_scan(Scratch&, View<const std::int64_t>, View<std::int64_t>);
template void select(Scratch&, View<const std::uint8_t>, View<std::int32_t>, View<std::int64_t>);
template void select(Scratch&, View<const std::uint8_t>, View<std::int64_t>, View<std::int64_t>);
template void histogram(Scratch&, View<const std::int32_t>, View<std::int64_t>);
template void histogram(Scratch&, View<const std::uint32_t>, View<std::int64_t>);

#define SHOAL_GATHER(T)                                                                 \
  template void gather(const Queue&, View<const T>, View<const std::int32_t>, View<T>); \
  template void gather(const Queue&, View<const T>, View<const std::int64_t>, View<T>);
SHOAL_GATHER(float)
SHOAL_GATHER(double)
SHOAL_GATHER(std::int32_t)
SHOAL_GATHER(std::int64_t)

}  // namespace shoal::cpu
