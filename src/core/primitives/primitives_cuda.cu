// SPDX-License-Identifier: Apache-2.0
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "core/cuda/cub_call.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/primitives/primitives_backend.hpp"

namespace shoal {

namespace {

/// Input of a scan with a zero after its end, so that the last element of the output is the total.
template <class T>
struct PaddedInput {
  const T* data;
  std::int64_t count;

  __device__ std::int64_t operator()(std::int64_t i) const { return i < count ? data[i] : 0; }
};

template <class Key>
__global__ void count_keys(const Key* keys, std::int64_t n, unsigned long long* counts, std::int64_t bins) {
  const std::int64_t i = thread_index();
  const std::int64_t key = i < n ? static_cast<std::int64_t>(keys[i]) : -1;
  // One addition for all threads of the warp with the same key, so that equal keys do not serialize the atomics.
  const WarpPeers peers(key);
  if (key >= 0 && key < bins && peers.leads()) atomicAdd(counts + key, static_cast<unsigned long long>(peers.count()));
}

template <class T, class Index>
__global__ void gather_items(const T* in, std::int64_t in_stride, const Index* index, T* out, std::int64_t out_stride,
                             std::int64_t n) {
  const std::int64_t i = thread_index();
  if (i < n) out[i * out_stride] = in[index[i] * in_stride];
}

template <class T>
void exclusive_scan_cuda(Scratch& scratch, View<const T> in, View<std::int64_t> out) {
  const auto padded = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}),
                                                      PaddedInput<T>{in.data, in.count});
  call_cub(scratch, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, padded, out.data, out.count, stream_of(scratch.queue()));
  });
}

template <class Index>
void select_cuda(Scratch& scratch, View<const std::uint8_t> flags, View<Index> indices, View<std::int64_t> selected) {
  const auto indices_of_flags = thrust::make_counting_iterator(Index{0});
  call_cub(scratch, [&](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(storage, bytes, indices_of_flags, flags.data, indices.data, selected.data,
                                      flags.count, stream_of(scratch.queue()));
  });
}

template <class Key>
void histogram_cuda(Scratch& scratch, View<const Key> keys, View<std::int64_t> counts) {
  const Queue& queue = scratch.queue();
  fill_bytes(queue, counts.data, 0, static_cast<std::size_t>(counts.count) * sizeof(std::int64_t));
  launch(queue, keys.count, count_keys<Key>, keys.data, keys.count, reinterpret_cast<unsigned long long*>(counts.data),
         counts.count);
}

template <class T, class Index>
void gather_cuda(const Queue& queue, View<const T> in, View<const Index> index, View<T> out) {
  launch(queue, out.count, gather_items<T, Index>, in.data, in.stride, index.data, out.data, out.stride, out.count);
}

}  // namespace

template <class T>
const ScanBackend<T> ScanBackend<T>::cuda = {.exclusive_scan = exclusive_scan_cuda<T>};
template const ScanBackend<std::int32_t> ScanBackend<std::int32_t>::cuda;
template const ScanBackend<std::int64_t> ScanBackend<std::int64_t>::cuda;

template <class Index>
const SelectBackend<Index> SelectBackend<Index>::cuda = {.select = select_cuda<Index>};
template const SelectBackend<std::int32_t> SelectBackend<std::int32_t>::cuda;
template const SelectBackend<std::int64_t> SelectBackend<std::int64_t>::cuda;

template <class Key>
const HistogramBackend<Key> HistogramBackend<Key>::cuda = {.histogram = histogram_cuda<Key>};
template const HistogramBackend<std::int32_t> HistogramBackend<std::int32_t>::cuda;
template const HistogramBackend<std::uint32_t> HistogramBackend<std::uint32_t>::cuda;

template <class T, class Index>
const GatherBackend<T, Index> GatherBackend<T, Index>::cuda = {.gather = gather_cuda<T, Index>};
template const GatherBackend<float, std::int32_t> GatherBackend<float, std::int32_t>::cuda;
template const GatherBackend<float, std::int64_t> GatherBackend<float, std::int64_t>::cuda;
template const GatherBackend<double, std::int32_t> GatherBackend<double, std::int32_t>::cuda;
template const GatherBackend<double, std::int64_t> GatherBackend<double, std::int64_t>::cuda;
template const GatherBackend<std::int32_t, std::int32_t> GatherBackend<std::int32_t, std::int32_t>::cuda;
template const GatherBackend<std::int32_t, std::int64_t> GatherBackend<std::int32_t, std::int64_t>::cuda;
template const GatherBackend<std::int64_t, std::int32_t> GatherBackend<std::int64_t, std::int32_t>::cuda;
template const GatherBackend<std::int64_t, std::int64_t> GatherBackend<std::int64_t, std::int64_t>::cuda;

}  // namespace shoal
