// SPDX-License-Identifier: Apache-2.0
// tiles: tests all pairs, a tile of sources in shared memory at a time.
//
// idea           no grid. Each thread of a block has a destination; the block loads tiles of sources into shared
//                memory, and all threads test them in ascending order, so rows need no sort. The sources are split into
//                parts for different blocks, so that few destinations fill the device too. Count, scan, test again,
//                write
// source         Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA", for the tiles
// memory         12 bytes for each destination and part of the sources
// atomics        none
// deterministic  yes
// wins when      there are some thousand points, or most points are within one radius
// loses when     there are more: the cost is twice the product of the numbers of points
// deviations     exact list instead of a sum of forces; parts of the sources
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

constexpr int tile = 256;  ///< Sources in shared memory, and threads of a block.

/// Distribution of the pairs over blocks. Entry i · parts + p of an array is destination i with part p of the sources.
struct Parts {
  std::int64_t parts = 1;         ///< Number of parts of the sources.
  std::int64_t sources_each = 0;  ///< Number of sources of a part, a multiple of `tile`.

  /// @param max_blocks  number of blocks that fill the device
  Parts(std::int64_t destinations, std::int64_t sources, std::int64_t max_blocks) {
    const std::int64_t tiles = std::max<std::int64_t>(1, (sources + tile - 1) / tile);
    const std::int64_t max_parts =
        std::min(tiles, std::max<std::int64_t>(1, max_blocks / destination_blocks(destinations)));
    const std::int64_t tiles_each = (tiles + max_parts - 1) / max_parts;
    parts = (tiles + tiles_each - 1) / tiles_each;
    sources_each = tiles_each * tile;
  }

  static std::int64_t destination_blocks(std::int64_t destinations) {
    return std::max<std::int64_t>(1, (destinations + tile - 1) / tile);
  }
  /// Upper bound of the number of entries for at most this number of destinations.
  static std::int64_t max_entries(std::int64_t destinations, std::int64_t max_blocks) {
    return destinations + max_blocks * tile;
  }
};

/// Source in shared memory: one load of 16 bytes (float) or two of 16 bytes (double).
template <class Real>
struct alignas(16) TileSource {
  Position<Real> position;
  Real limit;  ///< m²; 0: the source has no own limit
};

/// Calls use(j) for the sources [begin, end) that are near destination i and wanted, in ascending order. All threads of
/// a block must call it with the same sources.
template <bool periodic, class Real, class Use>
__device__ void for_each_source(const UnsortedPairs<Real>& pairs, std::int64_t i, std::int64_t begin, std::int64_t end,
                                Use&& use) {
  __shared__ TileSource<Real> sources[tile];
  const int dimensions = pairs.grid->cells.dimensions;
  const bool has_destination = i < pairs.destination_count;
  const Position<Real> position = has_destination ? pairs.destination(i, dimensions) : Position<Real>{};
  const Real limit = has_destination ? pairs.limit_of(i) : Real(0);
  for (std::int64_t first = begin; first < end; first += tile) {
    __syncthreads();  // all threads have read the previous tile
    const std::int64_t j = first + threadIdx.x;
    if (j < end)
      sources[threadIdx.x] = {pairs.source(j, dimensions),
                              pairs.source_limits != nullptr ? pairs.source_limits[j] : Real(0)};
    __syncthreads();
    const int length = static_cast<int>(end - first < tile ? end - first : tile);
    if (!has_destination) continue;
    for (int k = 0; k < length; ++k) {
      const TileSource<Real> source = sources[k];
      const Real within = max(limit, source.limit);
      if (pairs.test.template near<periodic>(position, source.position, within) && pairs.rule.wants(i, first + k))
        use(first + k);
    }
  }
}

/// Destination and sources of a thread.
struct Work {
  std::int64_t destination, entry, begin, end;

  __device__ Work(const Parts& parts, std::int64_t sources) {
    const std::int64_t part = blockIdx.x % parts.parts;
    destination = blockIdx.x / parts.parts * tile + threadIdx.x;
    entry = destination * parts.parts + part;
    begin = part * parts.sources_each;
    end = begin + parts.sources_each < sources ? begin + parts.sources_each : sources;
  }
};

/// Counts the neighbors of each entry.
template <bool periodic, class Real>
__global__ void __launch_bounds__(tile)
    count_near(UnsortedPairs<Real> pairs, Parts parts, const int* needed, std::int32_t* count) {
  if (!is_needed(needed)) return;
  const Work work(parts, pairs.source_count);
  std::int32_t neighbors = 0;
  for_each_source<periodic>(pairs, work.destination, work.begin, work.end, [&](std::int64_t) { ++neighbors; });
  if (work.destination < pairs.destination_count) count[work.entry] = neighbors;
}

/// Writes the neighbors of each entry from start[entry] on, if the whole list fits.
template <bool periodic, class Real>
__global__ void __launch_bounds__(tile) fill_near(UnsortedPairs<Real> pairs, Parts parts, const std::int64_t* start,
                                                  std::int64_t room, const int* needed, std::int32_t* indices) {
  if (!is_needed(needed) || start[pairs.destination_count * parts.parts] > room) return;
  const Work work(parts, pairs.source_count);
  std::int64_t index = work.destination < pairs.destination_count ? start[work.entry] : 0;
  for_each_source<periodic>(pairs, work.destination, work.begin, work.end,
                            [&](std::int64_t j) { indices[index++] = static_cast<std::int32_t>(j); });
}

/// Writes the n + 1 offsets. With a status, records a list that does not fit.
__global__ void write_offsets(const std::int64_t* start, Parts parts, std::int64_t n, std::int64_t* offsets,
                              std::int64_t room, const int* needed, Status* status) {
  const std::int64_t i = thread_index();
  if (i > n || !is_needed(needed)) return;
  offsets[i] = start[i * parts.parts];
  if (i == n && status != nullptr && offsets[n] > room) record_overflow(status, offsets[n], room);
}

template <bool periodic, class Real>
void search_tiles(const NeighborSearch<Real>& search) {
  const Queue& queue = search.queue();
  Scratch& scratch = search.plan.scratch();
  const int* const needed = search.plan.needed();
  const UnsortedPairs<Real> pairs = search.plan.unsorted_pairs(search.sets);
  const std::int64_t n = pairs.destination_count;
  const std::int64_t max_blocks = std::int64_t{tuning::tile_blocks} * multiprocessors(queue);
  const Parts parts(n, pairs.source_count, max_blocks);
  const std::int64_t threads = Parts::destination_blocks(n) * parts.parts * tile;
  ScratchFrame frame(scratch);
  // The number of entries does not depend on the parts, so that fewer points than before need no more memory.
  const View<std::int32_t> count = frame.array<std::int32_t>(Parts::max_entries(n, max_blocks));
  const View<std::int64_t> start = frame.array<std::int64_t>(count.count + 1);
  fill_bytes(queue, count.data, 0, static_cast<std::size_t>(count.count) * sizeof(std::int32_t));
  launch<tile>(queue, threads, count_near<periodic, Real>, pairs, parts, needed, count.data);
  exclusive_scan<std::int32_t>(scratch, count, start);
  std::int64_t* offsets = search.list.offsets.data();
  Status* status = search.may_wait ? nullptr : search.list_status;
  launch(queue, n + 1, write_offsets, start.data, parts, n, offsets, search.list.indices.count(), needed, status);
  if (search.may_wait) {
    std::int64_t total = 0;
    copy_bytes(queue, &total, {}, offsets + n, queue.device(), sizeof total);
    search.list.indices.resize(search.room_for(total));
  }
  launch<tile>(queue, threads, fill_near<periodic, Real>, pairs, parts, start.data, search.list.indices.count(), needed,
               search.list.indices.data());
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  search.plan.periodic() ? search_tiles<true>(search) : search_tiles<false>(search);
}

}  // namespace

const NeighborsMethod tiles_cuda{
    {"tiles", DeviceKind::cuda, true, "the definition"}, true, false, run<float>, run<double>};

}  // namespace shoal::neighbors
