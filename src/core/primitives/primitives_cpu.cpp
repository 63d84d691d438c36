// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>

#include "core/primitives/primitives_backend.hpp"
#include "core/range.hpp"

namespace shoal {

namespace {

template <class T>
void exclusive_scan_cpu(Scratch& scratch, View<const T> in, View<std::int64_t> out) {
  const int parts = threads_for(in.count, scratch.queue().threads());
  ScratchFrame frame(scratch);
  const View<std::int64_t> part_sum = frame.array<std::int64_t>(parts + 1);
  part_sum.data[0] = 0;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(in.count, part, parts);
    std::int64_t sum = 0;
    for (std::int64_t i = range.begin; i < range.end; ++i) sum += in.data[i];
    part_sum.data[part + 1] = sum;
  }
  for (int part = 0; part < parts; ++part) part_sum.data[part + 1] += part_sum.data[part];
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(in.count, part, parts);
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
void select_cpu(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected) {
  const int parts = threads_for(flags.count, scratch.queue().threads());
  ScratchFrame frame(scratch);
  const View<std::int64_t> part_start = frame.array<std::int64_t>(parts + 1);
  part_start.data[0] = 0;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(flags.count, part, parts);
    std::int64_t set = 0;
    for (std::int64_t i = range.begin; i < range.end; ++i) set += flags.data[i] != 0;
    part_start.data[part + 1] = set;
  }
  for (int part = 0; part < parts; ++part) part_start.data[part + 1] += part_start.data[part];
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(flags.count, part, parts);
    std::int64_t next = part_start.data[part];
    for (std::int64_t i = range.begin; i < range.end; ++i)
      if (flags.data[i] != 0) indices.data[next++] = static_cast<Index>(i);
  }
  selected.data[0] = part_start.data[parts];
}

template <class Key>
void histogram_cpu(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts) {
  // Each thread counts the keys of its own bins, so memory does not grow with the number of threads.
  const int parts = threads_for(keys.count, scratch.queue().threads());
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range bins = part_range(counts.count, part, parts);
    std::fill(counts.data + bins.begin, counts.data + bins.end, 0);
    for (std::int64_t i = 0; i < keys.count; ++i) {
      const std::int64_t key = keys.data[i];
      if (key >= bins.begin && key < bins.end) ++counts.data[key];
    }
  }
}

template <class T, class Index>
void gather_cpu(const Queue& queue, View<const T> in, View<const Index> index, View<T> out) {
#pragma omp parallel for num_threads(threads_for(out.count, queue.threads()))
  for (std::int64_t i = 0; i < out.count; ++i) out.data[i * out.stride] = in.data[index.data[i] * in.stride];
}

}  // namespace

template <class T>
const ScanBackend<T> ScanBackend<T>::cpu = {.exclusive_scan = exclusive_scan_cpu<T>};
template const ScanBackend<std::int32_t> ScanBackend<std::int32_t>::cpu;
template const ScanBackend<std::int64_t> ScanBackend<std::int64_t>::cpu;

template <class Index>
const SelectBackend<Index> SelectBackend<Index>::cpu = {.select = select_cpu<Index>};
template const SelectBackend<std::int32_t> SelectBackend<std::int32_t>::cpu;
template const SelectBackend<std::int64_t> SelectBackend<std::int64_t>::cpu;

template <class Key>
const HistogramBackend<Key> HistogramBackend<Key>::cpu = {.histogram = histogram_cpu<Key>};
template const HistogramBackend<std::int32_t> HistogramBackend<std::int32_t>::cpu;
template const HistogramBackend<std::uint32_t> HistogramBackend<std::uint32_t>::cpu;

template <class T, class Index>
const GatherBackend<T, Index> GatherBackend<T, Index>::cpu = {.gather = gather_cpu<T, Index>};
template const GatherBackend<float, std::int32_t> GatherBackend<float, std::int32_t>::cpu;
template const GatherBackend<float, std::int64_t> GatherBackend<float, std::int64_t>::cpu;
template const GatherBackend<double, std::int32_t> GatherBackend<double, std::int32_t>::cpu;
template const GatherBackend<double, std::int64_t> GatherBackend<double, std::int64_t>::cpu;
template const GatherBackend<std::int32_t, std::int32_t> GatherBackend<std::int32_t, std::int32_t>::cpu;
template const GatherBackend<std::int32_t, std::int64_t> GatherBackend<std::int32_t, std::int64_t>::cpu;
template const GatherBackend<std::int64_t, std::int32_t> GatherBackend<std::int64_t, std::int32_t>::cpu;
template const GatherBackend<std::int64_t, std::int64_t> GatherBackend<std::int64_t, std::int64_t>::cpu;

}  // namespace shoal
