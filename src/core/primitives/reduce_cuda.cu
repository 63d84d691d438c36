// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "core/primitives/primitives_backend.hpp"
#include "core/primitives/reduction.hpp"

namespace shoal {

namespace {

/// One block a chunk, one thread a lane.
template <Reduction reduction, class T>
__global__ void __launch_bounds__(reduction_lanes)
    reduce_chunk(const T* in, std::int64_t stride, std::int64_t n, T* partial) {
  __shared__ T lanes[reduction_lanes];
  const int lane = static_cast<int>(threadIdx.x);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * reduction_chunk;
  const std::int64_t end = begin + reduction_chunk < n ? begin + reduction_chunk : n;
  T value = reduction_identity<reduction, T>;
  for (std::int64_t i = begin + lane; i < end; i += reduction_lanes) value = combine<reduction>(value, in[i * stride]);
  lanes[lane] = value;
  for (int width = reduction_lanes / 2; width > 0; width /= 2) {
    __syncthreads();
    if (lane < width) lanes[lane] = combine<reduction>(lanes[lane], lanes[lane + width]);
  }
  if (lane == 0) partial[blockIdx.x] = lanes[0];
}

template <Reduction reduction, class T>
void reduce_rounds(Scratch& scratch, View<const T> in, View<T> out) {
  const std::int64_t chunks = reduction_chunks(in.count);
  const std::int64_t blocks = chunks > 1 ? chunks : 1;
  ScratchFrame frame(scratch);
  const View<T> partial = blocks > 1 ? frame.array<T>(blocks) : out;
  launch<reduction_lanes>(scratch.queue(), blocks * reduction_lanes, reduce_chunk<reduction, T>, in.data, in.stride,
                          in.count, partial.data);
  if (blocks > 1) reduce_rounds<reduction, T>(scratch, partial, out);
}

template <class T>
void reduce_cuda(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out) {
  switch (reduction) {
    case Reduction::sum:
      return reduce_rounds<Reduction::sum>(scratch, in, out);
    case Reduction::min:
      return reduce_rounds<Reduction::min>(scratch, in, out);
    case Reduction::max:
      return reduce_rounds<Reduction::max>(scratch, in, out);
  }
}

}  // namespace

template <class T>
const ReduceBackend<T> ReduceBackend<T>::cuda = {.reduce = reduce_cuda<T>};
template const ReduceBackend<float> ReduceBackend<float>::cuda;
template const ReduceBackend<double> ReduceBackend<double>::cuda;
template const ReduceBackend<std::int64_t> ReduceBackend<std::int64_t>::cuda;

}  // namespace shoal
