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
// memory         16 (float) or 32 (double) bytes a point, 128 for the marks, 32 for binning
// atomics        one a row of more than 80 entries, to list it
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
constexpr int long_threads = 128;
constexpr int long_blocks = 132 * 16;
constexpr int most_marks = 12;        ///< that a destination may keep
constexpr int most_in_row = 80;       ///< neighbours of a row that is written from its marks
constexpr int most_in_shared = 1024;  ///< of a long row, which is searched again by a warp

/// Which of 32 sources from `first` on are near: the first one in the highest bit. Marks without any are not kept.
struct alignas(8) Mark {
  std::uint32_t bits;
  std::int32_t first;
};

/// What the kernels share.
template <class Real>
struct RowSearch {
  NeighborPairs<Real> pairs;
  Mark* marks;  ///< [most_marks + 4][destinations], those of a destination in the order of its search; two may be read
                ///< ahead
  std::int32_t* count;      ///< [destinations] neighbours of each, by number
  std::int32_t* long_rows;  ///< [destinations] places of those with long rows, in any order
  unsigned* long_row_count;
  const std::int64_t* offsets;
  std::int64_t room;
  std::int32_t* indices;
  const int* needed;

  __device__ std::int64_t n() const { return pairs.destinations.count; }
  __device__ bool is_needed() const { return shoal::is_needed(needed); }
  __device__ bool fits() const { return offsets[n()] <= room; }
  __device__ bool writes() const { return is_needed() && fits(); }
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

/// The mark bits of sources [j, j + length); length ≤ 32. Reads up to three sources more.
template <bool periodic, bool limits, class Real>
__device__ __forceinline__ std::uint32_t mark_bits(const NeighborPairs<Real>& pairs, const Position<Real>& at,
                                                   Real limit, std::int32_t j, int length) {
  constexpr int step = 4;
  std::uint32_t bits = 0;
  int tested = 0;
  for (; tested < length; tested += step) {
#pragma unroll
    for (int s = 0; s < step; ++s) {
      Real within = limit;
      if constexpr (limits) within = max(limit, pairs.sources.limits[j + tested + s]);
      const Position<Real> source = pairs.sources.at(j + tested + s);
      const Real squared = PairTest<Real>::squared(pairs.test.template displacement<periodic>(at, source));
      bits = shift_in_sign(bits, squared, within);
    }
  }
  bits <<= 32 - tested;
  return length < 32 ? bits & ~(0xffffffffu >> length) : bits;
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

/// Calls use(first source, length) for up to 32 sources at a time of the runs around a destination.
template <class Real, class Use>
__device__ __forceinline__ void for_each_word(const NeighborPairs<Real>& pairs, const Position<Real>& at, Real limit,
                                              Use&& use) {
  for_each_run(*pairs.grid, at, pairs.bound_of(limit), [&](std::int32_t first_cell, std::int32_t end_cell) {
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += 32)
      use(j, min(end - j, 32));
  });
}

template <bool periodic, bool limits, class Real>
__global__ void __launch_bounds__(mark_threads) mark_neighbors(RowSearch<Real> search) {
  const NeighborPairs<Real>& pairs = search.pairs;
  const std::int64_t k = thread_index();
  if (k >= search.n()) return;
  if (!search.is_needed()) {  // the scan that follows then gives the offsets that the list has
    search.count[k] = static_cast<std::int32_t>(search.offsets[k + 1] - search.offsets[k]);
    return;
  }
  const PackedPoint<Real> destination = pairs.destinations.point(k);
  int found = 0;
  int marks = 0;
  if (pairs.has_cell(destination.at)) {
    const Real limit = pairs.limit_of(k);
    Mark* to = search.marks + k;
    for_each_word(pairs, destination.at, limit, [&](std::int32_t j, int length) {
      Mark mark{mark_bits<periodic, limits>(pairs, destination.at, limit, j, length), j};
      if (pairs.half) mark.bits = wanted_of(pairs, destination.number, mark);
      if (mark.bits == 0) return;
      found += __popc(mark.bits);
      if (marks < most_marks) *to = mark;
      ++marks;
      to += search.n();
    });
    found -= search.marked_too_many();
  }
  search.count[destination.number] = found;
  if (marks <= most_marks && found <= most_in_row) return;
  search.long_rows[atomicAdd(search.long_row_count, 1)] = static_cast<std::int32_t>(k);
  search.marks[k].bits = 0;  // for write_rows() to leave it alone
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

/// The places of marked sources, one after the other. Marks are read ahead.
class MarkReader {
 public:
  static constexpr int depth = 3;

  __device__ MarkReader(const Mark* marks, std::int64_t stride) : next_(marks), stride_(stride), mark_(take()) {
#pragma unroll
    for (Mark& mark : ahead_) mark = take();
  }

  __device__ __forceinline__ std::int32_t place() {
    if (mark_.bits == 0) {
      mark_ = ahead_[0];
#pragma unroll
      for (int i = 1; i < depth; ++i) ahead_[i - 1] = ahead_[i];
      ahead_[depth - 1] = take();
    }
    const int bit = __clz(static_cast<int>(mark_.bits));
    mark_.bits ^= 0x80000000u >> bit;
    return mark_.first + bit;
  }

 private:
  __device__ __forceinline__ Mark take() {
    const Mark mark = *next_;
    next_ += stride_;
    return mark;
  }

  const Mark* next_;
  std::int64_t stride_;
  Mark mark_;
  Mark ahead_[depth];
};

/// Collects `count` marked sources, or none of a row that others write.
template <class Real>
__device__ __forceinline__ void collect_marked(const RowSearch<Real>& search, std::int64_t k, std::int32_t destination,
                                               int count, CollectedRow& row) {
  constexpr int step = 4;  // reads that are under way at the same time
  const NeighborPairs<Real>& pairs = search.pairs;
  const auto skipped = static_cast<std::int32_t>(search.marked_too_many() != 0 ? destination + pairs.first_destination
                                                                               : std::int64_t{-1});
  if (search.marks[k].bits == 0) return;
  MarkReader reader(search.marks + k, search.n());
  const int marked = count + search.marked_too_many();
  for (int i = 0; i < marked; i += step) {
    std::int32_t source[step];
#pragma unroll
    for (int s = 0; s < step; ++s) source[s] = i + s < marked ? pairs.sources.order[reader.place()] : -1;
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

template <class Real>
__global__ void __launch_bounds__(write_threads, 10) write_rows(RowSearch<Real> search) {
  constexpr int stride = most_in_row + 1;  // odd: equal places of different rows are in different banks
  __shared__ std::int32_t rows[write_threads * stride];
  if (!search.writes()) return;
  const std::int64_t k = thread_index();
  std::int64_t begin = 0;
  CollectedRow row{rows + threadIdx.x * stride};
  if (k < search.n()) {
    const std::int32_t destination = search.pairs.destinations.order[k];
    begin = search.offsets[destination];
    const std::int64_t count = search.offsets[destination + 1] - begin;
    if (count > 0 && count <= most_in_row) collect_marked(search, k, destination, static_cast<int>(count), row);
  }
  write_warp<most_in_row, stride, 32, 48, 64, most_in_row>(row, begin, search.indices);
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
  const Position<Real> at = pairs.destinations.at(k);
  const Real limit = pairs.limit_of(k);
  const std::int32_t destination = pairs.destinations.order[k];
  std::int32_t* const to = search.indices + search.offsets[destination];
  const std::int64_t count = search.offsets[destination + 1] - search.offsets[destination];
  std::int32_t* const row = count <= most_in_shared ? shared_row : to;
  std::int64_t found = 0;
  for_each_word(pairs, at, limit, [&](std::int32_t j, int length) {
    bool near = false;
    std::int32_t source = 0;
    if (lane < length) {
      Real within = limit;
      if constexpr (limits) within = max(limit, pairs.sources.limits[j + lane]);
      source = pairs.sources.order[j + lane];
      near = pairs.test.template near<periodic>(at, pairs.sources.at(j + lane), within) &&
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
  for (std::int64_t r = thread_index() / 32; r < *search.long_row_count; r += warps)
    write_long_row<periodic, limits>(search, search.long_rows[r], rows[threadIdx.x / 32]);
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
  rows.marks = frame.array<Mark>((most_marks + MarkReader::depth + 1) * n).data;
  const View<std::int32_t> count = frame.array<std::int32_t>(n);
  rows.count = count.data;
  rows.long_rows = frame.array<std::int32_t>(n).data;
  rows.long_row_count = frame.array<unsigned>(1).data;
  rows.offsets = search.list.offsets.data();
  rows.needed = search.needed;
  fill_bytes(queue, rows.long_row_count, 0, sizeof(unsigned));
  launch<mark_threads>(queue, n, mark_neighbors<periodic, limits, Real>, rows);
  exclusive_scan<std::int32_t>(search.scratch, count, search.list.offsets);
  if (search.may_wait) make_room(search);
  rows.indices = search.list.indices.data();
  rows.room = search.list.indices.count();
  if (!search.may_wait) launch<1>(queue, 1, check_room<Real>, rows, search.list_status);
  launch<write_threads>(queue, n, write_rows<Real>, rows);
  if (n > 0)
    launch<long_threads>(queue, std::int64_t{long_blocks} * long_threads, write_long_rows<periodic, limits, Real>,
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
