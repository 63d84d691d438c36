// SPDX-License-Identifier: Apache-2.0
// Ranges of more than a chunk are halved one level after the other by a sort of all pieces; chunks by a block each,
// which has theirs in shared memory.
#include "wall_distance/bvh_cuda/primitive_order.cuh"

#include <bit>

#include "core/cuda/warp_peers.cuh"
#include "core/primitives/primitives.hpp"
#include "wall_distance/bvh_cuda/sortable.cuh"

namespace shoal {

namespace {

constexpr std::int32_t chunk = 2048;
constexpr int threads = 512;    ///< of a chunk's block
constexpr int place_bits = 10;  ///< of a middle's place along the edge of its range

/// The middles of pieces, m from the center of their tree.
struct Middles {
  float* along[3];  ///< [pieces]
};

/// A box of middles that grows by atomics: [lower x, y, z, upper x, y, z], sortable.
struct GrowingBox {
  std::uint32_t bound[6];

  __device__ void clear() {
    for (int k = 0; k < 6; ++k) bound[k] = k < 3 ? ~0u : 0;
  }
  __device__ float lower(int axis) const { return from_sortable(bound[axis]); }
  __device__ float edge(int axis) const { return from_sortable(bound[3 + axis]) - lower(axis); }
  __device__ int longest() const {
    const int of_first_two = edge(1) > edge(0) ? 1 : 0;
    return edge(2) > edge(of_first_two) ? 2 : of_first_two;
  }
};

/// Puts a middle of each thread into a box: that of the leader of `width` threads side by side, for all of them.
/// @param at  [3] m, of no importance if not `is_any`
__device__ void grow(GrowingBox& box, const float (&at)[3], bool is_any, int width) {
  for (int axis = 0; axis < 3; ++axis) {
    std::uint32_t lower = is_any ? sortable(at[axis]) : ~0u, upper = is_any ? sortable(at[axis]) : 0;
    for (int across = width / 2; across > 0; across /= 2) {
      lower = ::min(lower, __shfl_xor_sync(whole_warp, lower, across));
      upper = ::max(upper, __shfl_xor_sync(whole_warp, upper, across));
    }
    if (static_cast<int>(threadIdx.x) % width != 0) continue;
    atomicMin(&box.bound[axis], lower);
    atomicMax(&box.bound[3 + axis], upper);
  }
}

/// Ranges of `span` pieces of all bodies, numbered: those of each body from this number on, with gaps.
__device__ std::int32_t first_range(const BodyTree& tree, std::int32_t body, std::int32_t span) {
  return tree.first_piece / span + body;
}
std::int64_t most_ranges(std::int64_t pieces, std::int64_t bodies, std::int32_t span) { return pieces / span + bodies; }

__global__ void find_middles(DevicePieces pieces, const BodyTree* trees, Middles middles, std::uint32_t* bodies,
                             std::int32_t* numbers) {
  const std::int64_t k = thread_index();
  if (k >= pieces.count) return;
  const FacePiece& piece = pieces.shape[k];
  const BodyTree& tree = trees[pieces.body[k]];
  const auto put = [&](int axis, const double(&at)[3]) {
    const double lower = min(at[0], min(at[1], at[2])), upper = max(at[0], max(at[1], at[2]));
    middles.along[axis][k] = static_cast<float>((lower / 2 + upper / 2) - tree.center[axis]);
  };
  put(0, piece.x);
  put(1, piece.y);
  put(2, piece.z);
  bodies[k] = static_cast<std::uint32_t>(pieces.body[k]);
  numbers[k] = static_cast<std::int32_t>(k);
}

/// The chunk of a block.
struct Chunk {
  std::int32_t body = 0, begin = 0, count = 0;  ///< begin: in the body

  __device__ Chunk(const BodyTree* trees, std::int32_t bodies) {
    const auto number = static_cast<std::int32_t>(blockIdx.x);
    std::int32_t high = bodies - 1;
    while (body < high) {  // the last one whose first chunk is not behind it
      const std::int32_t half = (body + high + 1) / 2;
      if (first_range(trees[half], half, chunk) <= number)
        body = half;
      else
        high = half - 1;
    }
    begin = (number - first_range(trees[body], body, chunk)) * chunk;
    count = ::max(0, ::min(chunk, trees[body].pieces - begin));
  }
};

__global__ void clear_boxes(GrowingBox* boxes, std::int64_t count) {
  const std::int64_t i = thread_index();
  if (i < count) boxes[i].clear();
}

/// The boxes of ranges of `span`, each of which has whole chunks.
__global__ void __launch_bounds__(threads)
    bound_ranges(const BodyTree* trees, std::int32_t bodies, Middles middles, const std::int32_t* order,
                 std::int32_t span, GrowingBox* boxes) {
  const Chunk here(trees, bodies);
  if (here.count == 0) return;
  __shared__ GrowingBox box;
  if (threadIdx.x == 0) box.clear();
  __syncthreads();
  const BodyTree& tree = trees[here.body];
  for (std::int32_t k = 0; k < chunk; k += threads) {
    const auto i = k + static_cast<std::int32_t>(threadIdx.x);
    const bool is_any = i < here.count;
    const std::int32_t piece = is_any ? order[tree.first_piece + here.begin + i] : 0;
    grow(box, {middles.along[0][piece], middles.along[1][piece], middles.along[2][piece]}, is_any, 32);
  }
  __syncthreads();
  GrowingBox& whole = boxes[first_range(tree, here.body, span) + here.begin / span];
  if (threadIdx.x < 3) atomicMin(&whole.bound[threadIdx.x], box.bound[threadIdx.x]);
  if (threadIdx.x >= 3 && threadIdx.x < 6) atomicMax(&whole.bound[threadIdx.x], box.bound[threadIdx.x]);
}

/// What sorts pieces within their ranges along the longest edge.
__global__ void place_in_ranges(DevicePieces pieces, const BodyTree* trees, Middles middles, const std::int32_t* order,
                                std::int32_t span, const GrowingBox* boxes, std::uint32_t* keys) {
  const std::int64_t i = thread_index();
  if (i >= pieces.count) return;
  const std::int32_t piece = order[i], body = pieces.body[piece];
  const BodyTree& tree = trees[body];
  const std::int32_t range = first_range(tree, body, span) + (static_cast<std::int32_t>(i) - tree.first_piece) / span;
  const GrowingBox box = boxes[range];
  const int axis = box.longest();
  constexpr float places = 1 << place_bits;
  const float part = (middles.along[axis][piece] - box.lower(axis)) / box.edge(axis);
  keys[i] = static_cast<std::uint32_t>(range) << place_bits |
            static_cast<std::uint32_t>(max(0.0f, min(part * places, places - 1)));
}

/// The pieces of a chunk: the key of each has its number in the chunk in its low half.
struct ChunkMemory {
  float middle[3][chunk];
  unsigned long long key[chunk];
  GrowingBox boxes[chunk / 8];

  __device__ std::uint32_t number(int i) const { return static_cast<std::uint32_t>(key[i]); }

  /// Sorts ranges of `span`, side by side.
  __device__ void sort(int span) {
    for (int run = 2; run <= span; run *= 2)
      for (int step = run / 2; step > 0; step /= 2) {
        if (step > 16 || step == run / 2)
          __syncthreads();
        else
          __syncwarp();  // 32 pairs are 64 keys that follow each other
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

__global__ void __launch_bounds__(threads)
    order_chunks(const BodyTree* trees, std::int32_t bodies, Middles middles, std::int32_t* order) {
  __shared__ ChunkMemory memory;
  const Chunk here(trees, bodies);
  if (here.count == 0) return;
  std::int32_t* const mine = order + trees[here.body].first_piece + here.begin;
  const auto first = static_cast<int>(threadIdx.x);
  std::int32_t pieces[chunk / threads];
  for (int i = first, k = 0; i < chunk; i += threads, ++k) {
    pieces[k] = i < here.count ? mine[i] : 0;
    for (int axis = 0; axis < 3; ++axis) memory.middle[axis][i] = middles.along[axis][pieces[k]];
    memory.key[i] = static_cast<unsigned>(i);
  }
  for (int span = chunk; span > TreeLeaf::width; span /= 2) {
    if (span / 2 >= here.count) continue;
    for (int i = first; i < chunk / span; i += threads) memory.boxes[i].clear();
    __syncthreads();
    for (int i = first; i < chunk; i += threads) {
      const std::uint32_t k = memory.number(i);
      grow(memory.boxes[i / span], {memory.middle[0][k], memory.middle[1][k], memory.middle[2][k]},
           static_cast<std::int32_t>(k) < here.count, ::min(span, 32));
    }
    __syncthreads();
    for (int i = first; i < chunk; i += threads) {
      const std::uint32_t k = memory.number(i);
      const bool is_any = static_cast<std::int32_t>(k) < here.count;  // what is none stays behind all pieces
      const std::uint32_t place = is_any ? sortable(memory.middle[memory.boxes[i / span].longest()][k]) : ~0u;
      memory.key[i] = static_cast<unsigned long long>(place) << 32 | k;
    }
    memory.sort(span);
  }
  __syncthreads();
  std::int32_t* const numbers = reinterpret_cast<std::int32_t*>(memory.middle[0]);
  for (int i = first, k = 0; i < chunk; i += threads, ++k) numbers[i] = pieces[k];
  __syncthreads();
  for (int i = first; i < here.count; i += threads) mine[i] = numbers[memory.number(i)];
}

}  // namespace

void order_pieces(Scratch& scratch, const DevicePieces& pieces, View<const BodyTree> trees, std::int32_t largest,
                  View<std::int32_t> order) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = pieces.count;
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
  launch(queue, n, find_middles, pieces, trees.data, middles, keys.data, numbers.data);
  sort(numbers, order, bodies, 0);  // bodies one after the other
  const std::int64_t chunks = most_ranges(n, bodies, chunk);
  std::int64_t span = std::bit_ceil(static_cast<std::uint64_t>(largest));
  for (; span > chunk; span /= 2) {
    const auto width = static_cast<std::int32_t>(span);
    const std::int64_t ranges = most_ranges(n, bodies, width);
    launch(queue, ranges, clear_boxes, boxes.data, ranges);
    launch<threads>(queue, chunks * threads, bound_ranges, trees.data, bodies, middles, order.data, width, boxes.data);
    launch(queue, n, place_in_ranges, pieces, trees.data, middles, order.data, width, boxes.data, keys.data);
    copy<std::int32_t>(queue, order, numbers);
    sort(numbers, order, ranges, place_bits);
  }
  launch<threads>(queue, chunks * threads, order_chunks, trees.data, bodies, middles, order.data);
}

}  // namespace shoal
