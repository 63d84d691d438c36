// SPDX-License-Identifier: Apache-2.0
// rows: looks through the rows of cells around each point, cut to the ball.
//
// idea           sort the sources by cell, x fastest, so that the cells of a row are one run of memory. Mark: one
// thread
//                a destination tests the runs around it, cut to where its ball can be, and keeps a bit a test. Add up
//                the counts. Write: one thread a destination turns its bits into a row in shared memory, sorts it in
//                registers with a network, and the warp writes 32 rows. Long rows are done by a warp each
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013);
//                Batcher (1968), "Sorting networks and their applications"; marks and cuts: shoal
// memory         16 (float) or 32 (double) bytes a point, 192 for the marks, 32 for binning
// atomics        one a row of more than 72 entries, to list it
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some thousand points
// loses when     most points are within one radius: all pairs are tested, as they must be; rows of more than a
//                thousand are sorted slowly
// differs        exact list in one search instead of a fixed number of neighbours; canonical order
#include "core/launch.cuh"
#include "core/primitives.hpp"
#include "core/sort_network.cuh"
#include "core/warp_peers.cuh"
#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

constexpr int mark_threads = 128;
constexpr int write_threads = 64;
constexpr int medium_threads = 32;
constexpr int long_threads = 128;
constexpr int list_blocks = 132 * 16;  ///< for lists whose length the host does not know
constexpr int most_marks = 24;         ///< that a destination may keep
constexpr int most_marks_of_row = 12;  ///< of a row that is written at once
constexpr int most_in_row = 72;        ///< neighbours of a row that a thread sorts without more ado
constexpr int most_in_medium_row =
    160;  ///< of a row that a thread sorts if there are enough of them to fill the device
constexpr int enough_medium_rows = 1 << 14;
constexpr int most_in_shared = 1024;  ///< of a long row, which is searched again by a warp

/// Rows that are not written at once.
enum RowList { medium_rows, long_rows };

/// Which of 32 sources from `first` on are near: the first one in the highest bit. Marks without any are not kept.
struct alignas(8) Mark {
  std::uint32_t bits;
  std::int32_t first;
};

/// What the kernels share.
template <class Real>
struct RowSearch {
  NeighborPairs<Real> pairs;
  Mark* marks;  ///< [most_marks][destinations], those of a destination in the order of its search; two may be read
                ///< ahead
  std::int32_t* count;       ///< [destinations] neighbours of each, by number
  std::uint8_t* mark_count;  ///< [destinations] of each place
  std::int32_t* listed[2];   ///< [destinations] each: places of medium and long rows, in any order
  unsigned* listed_count;    ///< of each list
  const std::int64_t* offsets;
  std::int64_t room;
  std::int32_t* indices;
  const int* needed;  ///< see NeighborSearch

  __device__ std::int64_t n() const { return pairs.destinations.count; }
  __device__ bool is_needed() const { return shoal::is_needed(needed); }
  __device__ bool fits() const { return offsets[n()] <= room; }
  __device__ bool writes() const { return is_needed() && fits(); }
  __device__ bool has_enough_medium_rows() const { return listed_count[medium_rows] >= enough_medium_rows; }
  /// By how much the marks of a destination hold more than its row: they have the destination itself.
  __device__ int marked_too_many() const { return pairs.excludes_self() && !pairs.half ? 1 : 0; }
};

/// Shifts in the sign of a − b from below: 1 if a < b.
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, float a, float b) {
  return __funnelshift_l(__float_as_uint(a - b), bits, 1);
}
__device__ __forceinline__ std::uint32_t shift_in_sign(std::uint32_t bits, double a, double b) {
  return __funnelshift_l(static_cast<std::uint32_t>(__double2hiint(a - b)), bits, 1);
}

/// Destinations that a thread marks together.
template <int count, class Real>
struct Together {
  Position<Real> at[count];
  Real limit[count];
};

/// The mark bits of sources [j, j + length) for each destination; length ≤ 32. Reads up to three sources more.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void mark_bits(const NeighborPairs<Real>& pairs, const Together<count, Real>& near,
                                          std::int32_t j, int length, std::uint32_t (&bits)[count]) {
  constexpr int step = 4;
#pragma unroll
  for (int d = 0; d < count; ++d) bits[d] = 0;
  int tested = 0;
  for (; tested < length; tested += step) {
#pragma unroll
    for (int s = 0; s < step; ++s) {
      const Position<Real> source = pairs.sources.at(j + tested + s);
      Real of_source = 0;
      if constexpr (limits) of_source = pairs.sources.limits[j + tested + s];
#pragma unroll
      for (int d = 0; d < count; ++d) {
        const Real within = limits ? max(near.limit[d], of_source) : near.limit[d];
        const Real squared = PairTest<Real>::squared(pairs.test.template displacement<periodic>(near.at[d], source));
        bits[d] = shift_in_sign(bits[d], squared, within);
      }
    }
  }
#pragma unroll
  for (int d = 0; d < count; ++d) {
    bits[d] <<= 32 - tested;
    if (length < 32) bits[d] &= ~(0xffffffffu >> length);
  }
}

/// Leaves only pairs that are wanted.
template <class Real>
__device__ std::uint32_t wanted_of(const NeighborPairs<Real>& pairs, std::int64_t destination, const Mark& mark) {
  std::uint32_t wanted = mark.bits;
  for (std::uint32_t left = mark.bits; left != 0;) {
    const int bit = __clz(static_cast<int>(left));
    const std::uint32_t mask = 0x80000000u >> bit;
    left ^= mask;
    if (!pairs.wants(destination, pairs.sources.order[mark.first + bit])) wanted ^= mask;
  }
  return wanted;
}

/// Calls use(first source, length) for up to 32 sources at a time of the runs around destinations.
template <int count, class Real, class Use>
__device__ __forceinline__ void for_each_word(const NeighborPairs<Real>& pairs, const Position<Real> (&at)[count],
                                              const Real (&limit)[count], Use&& use) {
  Real bound[count];
#pragma unroll
  for (int d = 0; d < count; ++d) bound[d] = pairs.bound_of(limit[d]);
  for_each_run(*pairs.grid, at, bound, [&](std::int32_t first_cell, std::int32_t end_cell) {
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += 32)
      use(j, min(end - j, 32));
  });
}

/// What a thread keeps of a destination while it is marked.
struct MarkedRow {
  int found = 0;
  int marks = 0;
  Mark* to = nullptr;

  __device__ __forceinline__ void add(const Mark& mark, std::int64_t stride) {
    if (mark.bits == 0) return;
    found += __popc(mark.bits);
    if (marks < most_marks) *to = mark;
    ++marks;
    to += stride;
  }
};

/// The count of row i as the list has it, so that a search that is not needed gives the same offsets.
template <class Real>
__device__ __forceinline__ void keep_count(const RowSearch<Real>& search, std::int64_t i) {
  if (i < search.n()) search.count[i] = static_cast<std::int32_t>(search.offsets[i + 1] - search.offsets[i]);
}

/// Notes how many neighbours place k has, and who writes its row.
template <class Real>
__device__ __forceinline__ void finish_row(const RowSearch<Real>& search, std::int64_t k, std::int32_t destination,
                                           const MarkedRow& row) {
  const int found = row.found > 0 ? row.found - search.marked_too_many() : 0;
  search.count[destination] = found;
  search.mark_count[k] = static_cast<std::uint8_t>(min(row.marks, most_marks));
  if (row.marks <= most_marks_of_row && found <= most_in_row) return;
  const RowList list = row.marks <= most_marks && found <= most_in_medium_row ? medium_rows : long_rows;
  search.listed[list][atomicAdd(search.listed_count + list, 1)] = static_cast<std::int32_t>(k);
  if (list == long_rows) search.mark_count[k] = 0;  // they are searched again
}

/// Marks the neighbours of places k, k + 1, ..., which are searched together.
template <bool periodic, bool limits, int count, class Real>
__device__ __forceinline__ void mark_together(const RowSearch<Real>& search, std::int64_t k) {
  const NeighborPairs<Real>& pairs = search.pairs;
  Together<count, Real> near;
  std::int32_t destination[count];
  MarkedRow row[count];
#pragma unroll
  for (int d = 0; d < count; ++d) {
    const PackedPoint<Real> point = pairs.destinations.point(k + d);
    near.at[d] = point.at;
    near.limit[d] = pairs.limit_of(k + d);
    destination[d] = static_cast<std::int32_t>(point.number);
    row[d].to = search.marks + k + d;
  }
  if (pairs.has_cell(near.at[0]))
    for_each_word(pairs, near.at, near.limit, [&](std::int32_t j, int length) {
      std::uint32_t bits[count];
      mark_bits<periodic, limits>(pairs, near, j, length, bits);
#pragma unroll
      for (int d = 0; d < count; ++d) {
        Mark mark{bits[d], j};
        if (pairs.half) mark.bits = wanted_of(pairs, destination[d], mark);
        row[d].add(mark, search.n());
      }
    });
#pragma unroll
  for (int d = 0; d < count; ++d) finish_row(search, k + d, destination[d], row[d]);
}

/// Whether two places that follow each other look through the same rows of cells.
template <class Real>
__device__ __forceinline__ bool share_rows(const NeighborPairs<Real>& pairs, std::int64_t k) {
  const Position<Real> a = pairs.destinations.at(k);
  const Position<Real> b = pairs.destinations.at(k + 1);
  const CellFormula<Real>& cells = pairs.grid->cells;
  return pairs.has_cell(b) && cells.axes[1].cell(a.y) == cells.axes[1].cell(b.y) &&
         cells.axes[2].cell(a.z) == cells.axes[2].cell(b.z);
}

/// One destination a thread, or two that share the reading of sources where they share rows of cells.
template <bool periodic, bool limits, int count, class Real>
__global__ void __launch_bounds__(mark_threads, 6) mark_neighbors(RowSearch<Real> search) {
  const std::int64_t k = count * thread_index();
  if (!search.is_needed()) {
    for (int d = 0; d < count; ++d) keep_count(search, k + d);
    return;
  }
  if constexpr (count == 2) {
    if (k + 1 < search.n() && share_rows(search.pairs, k)) return mark_together<periodic, limits, 2>(search, k);
    if (k + 1 < search.n()) mark_together<periodic, limits, 1>(search, k + 1);
  }
  if (k < search.n()) mark_together<periodic, limits, 1>(search, k);
}

/// Two destinations a thread where that leaves enough threads.
template <bool periodic, bool limits, class Real>
void mark(const Queue& queue, const RowSearch<Real>& search, std::int64_t n) {
  constexpr std::int64_t enough_points = 1 << 18;
  if constexpr (!periodic)
    if (n >= enough_points)
      return launch<mark_threads>(queue, (n + 1) / 2, mark_neighbors<periodic, limits, 2, Real>, search);
  launch<mark_threads>(queue, n, mark_neighbors<periodic, limits, 1, Real>, search);
}

/// A row that a thread collects in shared memory, and whether its numbers came in ascending order.
struct CollectedRow {
  std::int32_t* row;
  int count = 0;
  bool ascends = true;
  std::int32_t last = -1;

  __device__ __forceinline__ void add(std::int32_t source) {
    row[count++] = source;
    ascends = ascends && source > last;
    last = source;
  }
};

/// A thread's part of shared memory: its row, and behind it the marks that are left. Each of these has a neighbour for
/// the row to come, so that the row cannot reach them if there is room for one element a mark more than the row has.
template <int most>
constexpr int marks_of_row = most == most_in_row ? most_marks_of_row : most_marks;
template <int most>
constexpr int row_room = (most + marks_of_row<most>) | 1;  // odd: equal places of rows are in different banks

/// Copies the marks of place k to the end of a thread's part of shared memory. Returns where they begin.
template <int most, class Real>
__device__ __forceinline__ const std::int32_t* fetch_marks(const RowSearch<Real>& search, std::int64_t k, int marks,
                                                           std::int32_t* shared_row) {
  std::int32_t* const unread = shared_row + row_room<most> - 2 * marks;
#pragma unroll 4
  for (int m = 0; m < marks; ++m) {
    const Mark mark = search.marks[m * search.n() + k];
    unread[2 * m] = static_cast<std::int32_t>(mark.bits);
    unread[2 * m + 1] = mark.first;
  }
  return unread;
}

/// Collects `count` marked sources.
template <class Real>
__device__ __forceinline__ void collect_marked(const RowSearch<Real>& search, const std::int32_t* unread,
                                               std::int32_t destination, int count, CollectedRow& row) {
  constexpr int step = 4;  // reads that are under way at the same time
  const NeighborPairs<Real>& pairs = search.pairs;
  const auto skipped = static_cast<std::int32_t>(search.marked_too_many() != 0 ? destination + pairs.first_destination
                                                                               : std::int64_t{-1});
  Mark mark{0, 0};
  const auto next_place = [&] {
    if (mark.bits == 0) {
      mark = {static_cast<std::uint32_t>(unread[0]), unread[1]};
      unread += 2;
    }
    const int bit = __clz(static_cast<int>(mark.bits));
    mark.bits ^= 0x80000000u >> bit;
    return mark.first + bit;
  };
  const int marked = count + search.marked_too_many();
  for (int i = 0; i < marked; i += step) {
    std::int32_t source[step];
#pragma unroll
    for (int s = 0; s < step; ++s) source[s] = i + s < marked ? __ldg(pairs.sources.order + next_place()) : skipped;
#pragma unroll
    for (int s = 0; s < step; ++s)
      if (i + s < marked && source[s] != skipped) row.add(source[s]);
  }
}

template <int n>
__device__ __forceinline__ void sort_row(std::int32_t* row, int count) {
  std::int32_t key[n];
#pragma unroll
  for (int i = 0; i < n; ++i) key[i] = i < count ? row[i] : 0x7fffffff;
  sort_network::sort_registers(key);
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (i < count) row[i] = key[i];
}

/// Sorts the row of each thread of a warp by a network of the first of `sizes` that is wide enough for the longest.
template <int size, int... sizes>
__device__ __forceinline__ void sort_rows(std::int32_t* row, int count, int longest) {
  if constexpr (sizeof...(sizes) > 0)
    if (longest > size) return sort_rows<sizes...>(row, count, longest);
  sort_row<size>(row, count);
}

/// Sorts and writes the rows of a warp, each collected by one thread at `stride`, of at most `most` elements.
/// @param sizes  of sorting networks, ascending; the last is enough for all
template <int most, int stride, int... sizes>
__device__ __forceinline__ void write_warp(const CollectedRow& collected, std::int64_t begin, std::int32_t* indices) {
  constexpr int reads = (most + 31) / 32;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (!__all_sync(whole_warp, collected.ascends))
    sort_rows<sizes...>(collected.row, collected.count, __reduce_max_sync(whole_warp, collected.count));
  __syncwarp();
  const std::int32_t* const of_warp = collected.row - lane * stride;
#pragma unroll 4
  for (int r = 0; r < 32; ++r) {
    const int length = __shfl_sync(whole_warp, collected.count, r);
    std::int32_t* const to = indices + __shfl_sync(whole_warp, begin, r) + lane;
    std::int32_t part[reads];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) part[i] = of_warp[r * stride + lane + 32 * i];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      if (lane + 32 * i < length) to[32 * i] = part[i];
  }
  __syncwarp();
}

/// Collects, sorts and writes the rows of a warp: that of place k by each thread, or none if `skips` or if it is longer
/// than `most`.
template <int most, int... sizes, class Real>
__device__ __forceinline__ void write_rows_of_warp(const RowSearch<Real>& search, std::int64_t k, bool skips,
                                                   std::int32_t* shared_row) {
  std::int64_t begin = 0;
  CollectedRow row{shared_row};
  const int marks = skips ? 0 : search.mark_count[k];
  if (marks > 0 && marks <= marks_of_row<most>) {
    const std::int32_t destination = search.pairs.destinations.order[k];
    const std::int32_t* const unread = fetch_marks<most>(search, k, marks, shared_row);
    begin = search.offsets[destination];
    const std::int64_t count = search.offsets[destination + 1] - begin;
    if (count <= most) collect_marked(search, unread, destination, static_cast<int>(count), row);
  }
  write_warp<most, row_room<most>, sizes...>(row, begin, search.indices);
}

template <class Real>
__global__ void __launch_bounds__(write_threads, 10) write_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[write_threads * row_room<most_in_row>];
  if (!search.writes()) return;
  const std::int64_t k = thread_index();
  write_rows_of_warp<most_in_row, 32, 48, 64, most_in_row>(search, k, k >= search.n(),
                                                           rows + threadIdx.x * row_room<most_in_row>);
}

template <class Real>
__global__ void __launch_bounds__(medium_threads) write_medium_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[medium_threads * row_room<most_in_medium_row>];
  if (!search.writes() || !search.has_enough_medium_rows()) return;
  const std::int64_t listed = search.listed_count[medium_rows];
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * medium_threads;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * medium_threads; first < listed; first += step) {
    const std::int64_t mine = first + threadIdx.x;
    const bool skips = mine >= listed;
    write_rows_of_warp<most_in_medium_row, 80, 96, 128, most_in_medium_row>(
        search, skips ? 0 : search.listed[medium_rows][mine], skips, rows + threadIdx.x * row_room<most_in_medium_row>);
  }
}

/// Sorts a row in memory by the whole warp, in 32 n registers.
template <int n>
__device__ __forceinline__ void sort_in_registers(std::int32_t* row, int count) {
  std::int32_t key[n];
  const int first = static_cast<int>(threadIdx.x % 32) * n;
#pragma unroll
  for (int i = 0; i < n; ++i) key[i] = first + i < count ? row[first + i] : 0x7fffffff;
  sort_network::sort_across_warp(key);
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (first + i < count) row[first + i] = key[i];
  __syncwarp();
}

__device__ __forceinline__ void sort_long_row(std::int32_t* row, std::int64_t count) {
  __syncwarp();
  if (count <= 128) return sort_in_registers<4>(row, static_cast<int>(count));
  if (count <= 256) return sort_in_registers<8>(row, static_cast<int>(count));
  if (count <= 512) return sort_in_registers<16>(row, static_cast<int>(count));
  sort_network::sort_by_warp(row, count);
}

/// Writes the row of destination k by the whole warp: sorted in shared memory if it fits there, else in its place.
template <bool periodic, bool limits, class Real>
__device__ void write_long_row(const RowSearch<Real>& search, std::int64_t k, std::int32_t* shared_row) {
  const NeighborPairs<Real>& pairs = search.pairs;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Position<Real> at[1] = {pairs.destinations.at(k)};
  const Real limit[1] = {pairs.limit_of(k)};
  const std::int32_t destination = pairs.destinations.order[k];
  std::int32_t* const to = search.indices + search.offsets[destination];
  const std::int64_t count = search.offsets[destination + 1] - search.offsets[destination];
  std::int32_t* const row = count <= most_in_shared ? shared_row : to;
  std::int64_t found = 0;
  for_each_word(pairs, at, limit, [&](std::int32_t j, int length) {
    bool near = false;
    std::int32_t source = 0;
    if (lane < length) {
      Real within = limit[0];
      if constexpr (limits) within = max(within, pairs.sources.limits[j + lane]);
      source = pairs.sources.order[j + lane];
      near = pairs.test.template near<periodic>(at[0], pairs.sources.at(j + lane), within) &&
             pairs.wants(destination, source);
    }
    const unsigned nearby = __ballot_sync(whole_warp, near);
    if (near) row[found + __popc(nearby & ((1u << lane) - 1))] = source;
    found += __popc(nearby);
  });
  sort_long_row(row, count);
  if (row == to) return;
  for (std::int64_t i = lane; i < count; i += 32) to[i] = row[i];
  __syncwarp();
}

template <bool periodic, bool limits, class Real>
__global__ void __launch_bounds__(long_threads) write_long_rows(RowSearch<Real> search) {
  __shared__ std::int32_t rows[long_threads / 32][most_in_shared];
  if (!search.writes()) return;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * long_threads / 32;
  const auto write_list = [&](RowList list) {
    for (std::int64_t r = thread_index() / 32; r < search.listed_count[list]; r += warps)
      write_long_row<periodic, limits>(search, search.listed[list][r], rows[threadIdx.x / 32]);
  };
  write_list(long_rows);
  if (!search.has_enough_medium_rows()) write_list(medium_rows);
}

template <class Real>
__global__ void check_room(RowSearch<Real> search, Status* status) {
  if (search.is_needed() && !search.fits()) record_overflow(status, search.offsets[search.n()], search.room);
}

/// Room for as many entries as the offsets say. Waits for the queue.
template <class Real>
void make_room(const NeighborSearch<Real>& search) {
  const View<const std::int64_t> offsets = search.list.offsets;
  std::int64_t total = 0;
  copy_bytes(search.queue(), &total, {}, offsets.data + offsets.count - 1, offsets.device, sizeof total);
  search.list.indices.resize(search.room_for(total));
}

template <bool periodic, bool limits, class Real>
void search_rows(const NeighborSearch<Real>& search) {
  const Queue& queue = search.queue();
  const NeighborPairs<Real> pairs = search.sorted_pairs();
  const std::int64_t n = pairs.destinations.count;
  ScratchFrame frame(search.scratch);
  RowSearch<Real> rows{};
  rows.pairs = pairs;
  rows.marks = frame.array<Mark>(most_marks * n).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(n);
  rows.count = count.data;
  rows.mark_count = frame.array<std::uint8_t>(n).data;
  for (std::int32_t*& list : rows.listed) list = frame.array<std::int32_t>(n).data;
  rows.listed_count = frame.array<unsigned>(2).data;
  rows.offsets = search.list.offsets.data();
  rows.needed = search.needed;
  fill_bytes(queue, rows.listed_count, 0, 2 * sizeof(unsigned));
  mark<periodic, limits>(queue, rows, n);
  exclusive_scan<std::int32_t>(search.scratch, count, search.list.offsets);
  if (search.may_wait) make_room(search);
  rows.indices = search.list.indices.data();
  rows.room = search.list.indices.count();
  if (!search.may_wait) launch<1>(queue, 1, check_room<Real>, rows, search.list_status);
  launch<write_threads>(queue, n, write_rows<Real>, rows);
  if (n > enough_medium_rows)
    launch<medium_threads>(queue, std::int64_t{list_blocks} * medium_threads, write_medium_rows<Real>, rows);
  if (n > 0)
    launch<long_threads>(queue, std::int64_t{list_blocks} * long_threads, write_long_rows<periodic, limits, Real>,
                         rows);
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.periodic ? search_rows<true, limits>(search) : search_rows<false, limits>(search);
  };
  search.sources_decide() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod neighbors_rows_cuda{
    {"rows", DeviceKind::cuda, true, "Green (2010); Dominguez et al. (2013)"}, true, run<float>, run<double>};

}  // namespace shoal
