// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <algorithm>

#include "core/primitives/primitives_backend.hpp"
#include "core/primitives/reduction.hpp"

namespace shoal {

namespace {

template <Reduction reduction, class T>
T reduce_chunk(View<const T> in, std::int64_t chunk) {
  T lanes[reduction_lanes];
  std::fill(lanes, lanes + reduction_lanes, reduction_identity<reduction, T>);
  const std::int64_t end = std::min<std::int64_t>((chunk + 1) * reduction_chunk, in.count);
  for (std::int64_t row = chunk * reduction_chunk; row < end; row += reduction_lanes) {
    const T* element = in.data + row * in.stride;
    const int width = static_cast<int>(std::min<std::int64_t>(reduction_lanes, end - row));
    for (int lane = 0; lane < width; ++lane) lanes[lane] = combine<reduction>(lanes[lane], element[lane * in.stride]);
  }
  for (int width = reduction_lanes / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane) lanes[lane] = combine<reduction>(lanes[lane], lanes[lane + width]);
  return lanes[0];
}

template <Reduction reduction, class T>
void reduce_rounds(Scratch& scratch, View<const T> in, View<T> out) {
  const std::int64_t chunks = reduction_chunks(in.count);
  if (chunks <= 1) {
    out.data[0] = reduce_chunk<reduction>(in, 0);
    return;
  }
  ScratchFrame frame(scratch);
  const View<T> partial = frame.array<T>(chunks);
#pragma omp parallel for num_threads(scratch.queue().threads())
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) partial.data[chunk] = reduce_chunk<reduction>(in, chunk);
  reduce_rounds<reduction, T>(scratch, partial, out);
}

template <class T>
void reduce_cpu(Scratch& scratch, Reduction reduction, View<const T> in, View<T> out) {
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
const ReduceBackend<T> ReduceBackend<T>::cpu = {.reduce = reduce_cpu<T>};
template const ReduceBackend<float> ReduceBackend<float>::cpu;
template const ReduceBackend<double> ReduceBackend<double>::cpu;
template const ReduceBackend<std::int64_t> ReduceBackend<std::int64_t>::cpu;

}  // namespace shoal
