// SPDX-License-Identifier: Apache-2.0
// Spatial order of primitives. Ranges larger than a chunk are halved level by level, by sorting all primitives; then a
// block sorts each chunk in shared memory.
#include <bit>

#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "wall_distance/bvh_cuda/device_bvh.cuh"
#include "wall_distance/bvh_cuda/sortable.cuh"

namespace shoal::wall_distance {

namespace {

constexpr std::int32_t chunk = 2048;  ///< number of primitives that a block sorts
constexpr int threads = 512;          ///< threads of the block of a chunk
constexpr int position_bits = 10;     ///< resolution of the position of a middle along the edge of its range

/// Middles of the bounding boxes of primitives, m, relative to the center of their tree.
struct Middles {
  float* along[3];  ///< [axis][primitives]
};

/// Bounding box of middles, enlarged by atomics: [lower x, y, z, upper x, y, z], sortable.
struct GrowingBox {
  std::uint32_t bound[6];

  __device__ void clear() {
    for (int k = 0; k < 6; ++k) bound[k] = k < 3 ? ~0u : 0;
  }
  __device__ float lower(int axis) const { return from_sortable(bound[axis]); }
  __device__ float edge(int axis) const { return from_sortable(bound[3 + axis]) - lower(axis); }
  __device__ int longest() const {
    const int longer = edge(1) > edge(0) ? 1 : 0;
    return edge(2) > edge(longer) ? 2 : longer;
  }
};

/// Enlarges the box of the first of every `width` successive threads by the middles of these threads.
/// @param middle  [3] m, ignored if not `is_any`
__device__ void grow(GrowingBox& box, const float (&middle)[3], bool is_any, int width) {
  for (int axis = 0; axis < 3; ++axis) {
    std::uint32_t lower = is_any ? sortable(middle[axis]) : ~0u, upper = is_any ? sortable(middle[axis]) : 0;
    for (int across = width / 2; across > 0; across /= 2) {
      lower = ::min(lower, __shfl_xor_sync(whole_warp, lower, across));
      upper = ::max(upper, __shfl_xor_sync(whole_warp, upper, across));
    }
    if (static_cast<int>(threadIdx.x) % width != 0) continue;
    atomicMin(&box.bound[axis], lower);
    atomicMax(&box.bound[3 + axis], upper);
  }
}

/// Number of the first range of `span` primitives of a body; there are gaps between bodies.
__device__ std::int32_t first_range(const BodyBvh& tree, std::int32_t body, std::int32_t span) {
  return tree.first_primitive / span + body;
}
/// Upper bound of the number of ranges of all bodies.
std::int64_t most_ranges(std::int64_t primitives, std::int64_t bodies, std::int32_t span) {
  return primitives / span + bodies;
}

__global__ void find_middles(DevicePrimitives primitives, const BodyBvh* trees, Middles middles, std::uint32_t* bodies,
                             std::int32_t* numbers) {
  const std::int64_t k = thread_index();
  if (k >= primitives.count) return;
  const Primitive& primitive = primitives.shape[k];
  const BodyBvh& tree = trees[primitives.body[k]];
  const auto put = [&](int axis, const double(&corner)[3]) {
    const double lower = min(corner[0], min(corner[1], corner[2])), upper = max(corner[0], max(corner[1], corner[2]));
    middles.along[axis][k] = static_cast<float>((lower / 2 + upper / 2) - tree.center[axis]);
  };
  put(0, primitive.x);
  put(1, primitive.y);
  put(2, primitive.z);
  bodies[k] = static_cast<std::uint32_t>(primitives.body[k]);
  numbers[k] = static_cast<std::int32_t>(k);
}

/// Primitives of the order that a block sorts.
struct Chunk {
  std::int32_t body = 0, begin = 0, count = 0;  ///< begin: relative to the first primitive of the body

  __device__ Chunk(const BodyBvh* trees, std::int32_t bodies) {
    const auto number = static_cast<std::int32_t>(blockIdx.x);
    std::int32_t high = bodies - 1;
    while (body < high) {  // the last body whose first chunk is not after this one
      const std::int32_t half = (body + high + 1) / 2;
      if (first_range(trees[half], half, chunk) <= number)
        body = half;
      else
        high = half - 1;
    }
    begin = (number - first_range(trees[body], body, chunk)) * chunk;
    count = ::max(0, ::min(chunk, trees[body].primitives - begin));
  }
};

__global__ void clear_boxes(GrowingBox* boxes, std::int64_t count) {
  const std::int64_t i = thread_index();
  if (i < count) boxes[i].clear();
}

/// Bounding boxes of the ranges of `span` primitives, each of which consists of whole chunks.
__global__ void __launch_bounds__(threads)
    bound_ranges(const BodyBvh* trees, std::int32_t bodies, Middles middles, const std::int32_t* order,
                 std::int32_t span, GrowingBox* boxes) {
  const Chunk block_chunk(trees, bodies);
  if (block_chunk.count == 0) return;
  __shared__ GrowingBox box;
  if (threadIdx.x == 0) box.clear();
  __syncthreads();
  const BodyBvh& tree = trees[block_chunk.body];
  for (std::int32_t k = 0; k < chunk; k += threads) {
    const auto i = k + static_cast<std::int32_t>(threadIdx.x);
    const bool is_any = i < block_chunk.count;
    const std::int32_t primitive = is_any ? order[tree.first_primitive + block_chunk.begin + i] : 0;
    grow(box, {middles.along[0][primitive], middles.along[1][primitive], middles.along[2][primitive]}, is_any, 32);
  }
  __syncthreads();
  GrowingBox& whole = boxes[first_range(tree, block_chunk.body, span) + block_chunk.begin / span];
  if (threadIdx.x < 3) atomicMin(&whole.bound[threadIdx.x], box.bound[threadIdx.x]);
  if (threadIdx.x >= 3 && threadIdx.x < 6) atomicMax(&whole.bound[threadIdx.x], box.bound[threadIdx.x]);
}

/// Sort keys of the primitives: the range, then the position along the longest edge of the range.
__global__ void write_keys(DevicePrimitives primitives, const BodyBvh* trees, Middles middles,
                           const std::int32_t* order, std::int32_t span, const GrowingBox* boxes, std::uint32_t* keys) {
  const std::int64_t i = thread_index();
  if (i >= primitives.count) return;
  const std::int32_t primitive = order[i], body = primitives.body[primitive];
  const BodyBvh& tree = trees[body];
  const std::int32_t range =
      first_range(tree, body, span) + (static_cast<std::int32_t>(i) - tree.first_primitive) / span;
  const GrowingBox box = boxes[range];
  const int axis = box.longest();
  constexpr float positions = 1 << position_bits;
  const float share = (middles.along[axis][primitive] - box.lower(axis)) / box.edge(axis);
  keys[i] = static_cast<std::uint32_t>(range) << position_bits |
            static_cast<std::uint32_t>(max(0.0f, min(share * positions, positions - 1)));
}

/// Shared memory of a block that sorts a chunk.
struct ChunkMemory {
  float middle[3][chunk];         ///< m
  unsigned long long key[chunk];  ///< sort key; the low half is the number of the primitive in the chunk
  GrowingBox boxes[chunk / 8];

  __device__ std::uint32_t number(int i) const { return static_cast<std::uint32_t>(key[i]); }

  /// Sorts each range of `span` keys by a bitonic network.
  __device__ void sort(int span) {
    for (int run = 2; run <= span; run *= 2)
      for (int step = run / 2; step > 0; step /= 2) {
        if (step > 16 || step == run / 2)
          __syncthreads();
        else
          __syncwarp();  // 32 pairs are 64 successive keys
        for (int pair = static_cast<int>(threadIdx.x); pair < chunk / 2; pair += threads) {
          const int low = 2 * (pair & ~(step - 1)) | (pair & (step - 1)), high = low + step;
          const bool descends = run < span && (low & run) != 0;
          const unsigned long long first = key[low], second = key[high];
          if ((first > second) == descends) continue;
          key[low] = second;
          key[high] = first;
        }
      }
    __syncthreads();
  }
};

/// Halves the ranges within each chunk.
__global__ void __launch_bounds__(threads)
    order_chunks(const BodyBvh* trees, std::int32_t bodies, Middles middles, std::int32_t* order) {
  __shared__ ChunkMemory memory;
  const Chunk block_chunk(trees, bodies);
  if (block_chunk.count == 0) return;
  std::int32_t* const chunk_order = order + trees[block_chunk.body].first_primitive + block_chunk.begin;
  const auto first = static_cast<int>(threadIdx.x);
  std::int32_t primitives[chunk / threads];
  for (int i = first, k = 0; i < chunk; i += threads, ++k) {
    primitives[k] = i < block_chunk.count ? chunk_order[i] : 0;
    for (int axis = 0; axis < 3; ++axis) memory.middle[axis][i] = middles.along[axis][primitives[k]];
    memory.key[i] = static_cast<unsigned>(i);
  }
  for (int span = chunk; span > BvhLeaf::width; span /= 2) {
    if (span / 2 >= block_chunk.count) continue;
    for (int i = first; i < chunk / span; i += threads) memory.boxes[i].clear();
    __syncthreads();
    for (int i = first; i < chunk; i += threads) {
      const std::uint32_t k = memory.number(i);
      grow(memory.boxes[i / span], {memory.middle[0][k], memory.middle[1][k], memory.middle[2][k]},
           static_cast<std::int32_t>(k) < block_chunk.count, ::min(span, 32));
    }
    __syncthreads();
    for (int i = first; i < chunk; i += threads) {
      const std::uint32_t k = memory.number(i);
      const bool is_any = static_cast<std::int32_t>(k) < block_chunk.count;  // empty slots stay after all primitives
      const std::uint32_t position = is_any ? sortable(memory.middle[memory.boxes[i / span].longest()][k]) : ~0u;
      memory.key[i] = static_cast<unsigned long long>(position) << 32 | k;
    }
    memory.sort(span);
  }
  __syncthreads();
  std::int32_t* const numbers = reinterpret_cast<std::int32_t*>(memory.middle[0]);
  for (int i = first, k = 0; i < chunk; i += threads, ++k) numbers[i] = primitives[k];
  __syncthreads();
  for (int i = first; i < block_chunk.count; i += threads) chunk_order[i] = numbers[memory.number(i)];
}

}  // namespace

void order_primitives(Scratch& scratch, const DevicePrimitives& primitives, View<const BodyBvh> trees,
                      std::int32_t largest, View<std::int32_t> order) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = primitives.count;
  const auto bodies = static_cast<std::int32_t>(trees.count);
  ScratchFrame frame(scratch);
  const Middles middles{{frame.array<float>(n).data, frame.array<float>(n).data, frame.array<float>(n).data}};
  const auto keys = frame.array<std::uint32_t>(n), sorted_keys = frame.array<std::uint32_t>(n);
  const auto numbers = frame.array<std::int32_t>(n);
  const auto boxes = frame.array<GrowingBox>(most_ranges(n, bodies, chunk));
  const auto sort = [&](View<std::int32_t> in, View<std::int32_t> out, std::int64_t ranges, int more_bits) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(ranges - 1)) + more_bits;
    sort_pairs<std::uint32_t, std::int32_t>(scratch, {keys, in}, {sorted_keys, out}, bits);
  };
  launch(queue, n, find_middles, primitives, trees.data, middles, keys.data, numbers.data);
  sort(numbers, order, bodies, 0);  // body after body
  const std::int64_t chunks = most_ranges(n, bodies, chunk);
  std::int64_t span = std::bit_ceil(static_cast<std::uint64_t>(largest));
  for (; span > chunk; span /= 2) {
    const auto width = static_cast<std::int32_t>(span);
    const std::int64_t ranges = most_ranges(n, bodies, width);
    launch(queue, ranges, clear_boxes, boxes.data, ranges);
    launch<threads>(queue, chunks * threads, bound_ranges, trees.data, bodies, middles, order.data, width, boxes.data);
    launch(queue, n, write_keys, primitives, trees.data, middles, order.data, width, boxes.data, keys.data);
    copy<std::int32_t>(queue, order, numbers);
    sort(numbers, order, ranges, position_bits);
  }
  launch<threads>(queue, chunks * threads, order_chunks, trees.data, bodies, middles, order.data);
}

}  // namespace shoal::wall_distance
