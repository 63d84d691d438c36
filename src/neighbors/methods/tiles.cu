// SPDX-License-Identifier: Apache-2.0
// tiles: tests all pairs, a tile of sources in shared memory at a time.
//
// idea           no grid. Every thread of a block has a destination; the block loads a tile of sources into shared
//                memory, and all test it in ascending order, so rows need no sorting. The sources are cut into parts,
//                one a block, so that few destinations, too, fill the device. Count, add up, test again and fill
// source         Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA", for the tiles
// memory         12 bytes a destination and part: 1.6 MB, and 12 bytes a destination where there are many
// atomics        none
// deterministic  yes
// wins when      there are some thousand points, or most points are within one radius
// loses when     there are more: the cost is the product of the numbers of points, twice
// differs        exact list instead of a sum of forces; parts of the sources
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

namespace shoal {

namespace {

constexpr int tile = 256;                        ///< sources in shared memory, and threads of a block
constexpr std::int64_t wanted_blocks = 4 * 132;  ///< that fill a large device

/// How the pairs are shared out. Entry i · parts + p of an array is destination i and part p of the sources.
struct Parts {
  std::int64_t parts = 1;
  std::int64_t sources_each = 0;  ///< a multiple of `tile`

  Parts(std::int64_t destinations, std::int64_t sources) {
    const std::int64_t tiles = std::max<std::int64_t>(1, (sources + tile - 1) / tile);
    const std::int64_t most = std::min(tiles, std::max<std::int64_t>(1, wanted_blocks / rows_of_blocks(destinations)));
    const std::int64_t tiles_each = (tiles + most - 1) / most;
    parts = (tiles + tiles_each - 1) / tiles_each;
    sources_each = tiles_each * tile;
  }

  static std::int64_t rows_of_blocks(std::int64_t destinations) {
    return std::max<std::int64_t>(1, (destinations + tile - 1) / tile);
  }
  /// Entries that so many destinations, or fewer, can need.
  static std::int64_t most_entries(std::int64_t destinations) { return destinations + wanted_blocks * tile; }
};

/// A source, read in one load of 16 (float) or two of 16 bytes (double).
template <class Real>
struct alignas(16) TileSource {
  Position<Real> at;
  Real limit;  ///< m², 0: has none of its own
};

/// Calls take(j) for the sources [begin, end) that are near destination i and wanted, ascending. All threads of a block
/// must call it with the same sources.
template <bool periodic, class Real, class Take>
__device__ void for_each_source(const UnsortedPairs<Real>& pairs, std::int64_t i, std::int64_t begin, std::int64_t end,
                                Take&& take) {
  __shared__ TileSource<Real> sources[tile];
  const int dimensions = pairs.rule.grid->cells.dimensions;
  const bool is_one = i < pairs.destination_count;
  const Position<Real> at = is_one ? pairs.destination(i, dimensions) : Position<Real>{};
  const Real limit = is_one ? pairs.limit_of(i) : Real(0);
  for (std::int64_t first = begin; first < end; first += tile) {
    __syncthreads();  // the last tile has been read
    const std::int64_t mine = first + threadIdx.x;
    if (mine < end)
      sources[threadIdx.x] = {pairs.source(mine, dimensions),
                              pairs.source_limits != nullptr ? pairs.source_limits[mine] : Real(0)};
    __syncthreads();
    const int length = static_cast<int>(end - first < tile ? end - first : tile);
    if (!is_one) continue;
    for (int k = 0; k < length; ++k) {
      const TileSource<Real> source = sources[k];
      const Real within = max(limit, source.limit);
      if (pairs.rule.test.template near<periodic>(at, source.at, within) && pairs.rule.wants(i, first + k))
        take(first + k);
    }
  }
}

/// What a block works on: destinations in x, parts of the sources in y.
struct Share {
  std::int64_t destination, entry, begin, end;

  __device__ Share(const Parts& parts, std::int64_t sources) {
    const std::int64_t part = blockIdx.x % parts.parts;
    destination = blockIdx.x / parts.parts * tile + threadIdx.x;
    entry = destination * parts.parts + part;
    begin = part * parts.sources_each;
    end = begin + parts.sources_each < sources ? begin + parts.sources_each : sources;
  }
};

template <bool periodic, class Real>
__global__ void __launch_bounds__(tile)
    count_near(UnsortedPairs<Real> pairs, Parts parts, const int* needed, std::int32_t* count) {
  if (!is_needed(needed)) return;
  const Share share(parts, pairs.source_count);
  std::int32_t found = 0;
  for_each_source<periodic>(pairs, share.destination, share.begin, share.end, [&](std::int64_t) { ++found; });
  if (share.destination < pairs.destination_count) count[share.entry] = found;
}

/// Writes the sources of each entry from start[entry] on, if there is room for all.
template <bool periodic, class Real>
__global__ void __launch_bounds__(tile) fill_near(UnsortedPairs<Real> pairs, Parts parts, const std::int64_t* start,
                                                  std::int64_t room, const int* needed, std::int32_t* indices) {
  if (!is_needed(needed) || start[pairs.destination_count * parts.parts] > room) return;
  const Share share(parts, pairs.source_count);
  std::int64_t at = share.destination < pairs.destination_count ? start[share.entry] : 0;
  for_each_source<periodic>(pairs, share.destination, share.begin, share.end,
                            [&](std::int64_t j) { indices[at++] = static_cast<std::int32_t>(j); });
}

/// Writes the n + 1 offsets. With a status, records a list that needs more than `room`.
__global__ void take_offsets(const std::int64_t* start, Parts parts, std::int64_t n, std::int64_t* offsets,
                             std::int64_t room, const int* needed, Status* status) {
  const std::int64_t i = thread_index();
  if (i > n || !is_needed(needed)) return;
  offsets[i] = start[i * parts.parts];
  if (i == n && status != nullptr && offsets[n] > room) record_overflow(status, offsets[n], room);
}

template <bool periodic, class Real>
void search_tiles(const NeighborSearch<Real>& search) {
  const Queue& queue = search.queue();
  const UnsortedPairs<Real> pairs = unsorted_pairs(search);
  const std::int64_t n = pairs.destination_count;
  const Parts parts(n, pairs.source_count);
  const std::int64_t threads = Parts::rows_of_blocks(n) * parts.parts * tile;
  ScratchFrame frame(search.scratch);
  // As many entries whatever the parts, so that fewer points than before need no more memory.
  const View<std::int32_t> count = frame.array<std::int32_t>(Parts::most_entries(n));
  const View<std::int64_t> start = frame.array<std::int64_t>(count.count + 1);
  fill_bytes(queue, count.data, 0, static_cast<std::size_t>(count.count) * sizeof(std::int32_t));
  launch<tile>(queue, threads, count_near<periodic, Real>, pairs, parts, search.needed, count.data);
  exclusive_scan<std::int32_t>(search.scratch, count, start);
  std::int64_t* offsets = search.list.offsets.data();
  Status* status = search.may_wait ? nullptr : search.list_status;
  launch(queue, n + 1, take_offsets, start.data, parts, n, offsets, search.list.indices.count(), search.needed, status);
  if (search.may_wait) {
    std::int64_t total = 0;
    copy_bytes(queue, &total, {}, offsets + n, queue.device(), sizeof total);
    search.list.indices.resize(search.room_for(total));
  }
  launch<tile>(queue, threads, fill_near<periodic, Real>, pairs, parts, start.data, search.list.indices.count(),
               search.needed, search.list.indices.data());
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  search.periodic ? search_tiles<true>(search) : search_tiles<false>(search);
}

}  // namespace

const NeighborsMethod neighbors_tiles_cuda{
    {"tiles", DeviceKind::cuda, true, "the definition"}, true, run<float>, run<double>};

}  // namespace shoal
