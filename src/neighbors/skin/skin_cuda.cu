// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "neighbors/search/search_backend.hpp"
#include "neighbors/skin/skin_backend.hpp"

namespace shoal::cuda {

namespace {

constexpr int threads = 256;
constexpr std::int64_t most_check_blocks = 132 * 4;  ///< each warp of them ends in an atomic on one word

/// Squares are not negative, so their bits have their order.
__device__ void raise(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

template <class Real>
__global__ void find_motion(Skin<Real> skin, SkinSet<Real> set, int which) {
  double largest = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = thread_index(); i < set.now.count; i += step)
    largest = max(largest, set.moved(skin.test, i, skin.dimensions));
  for (int width = 16; width > 0; width /= 2) largest = max(largest, __shfl_down_sync(whole_warp, largest, width));
  if (threadIdx.x % 32 == 0) raise(&skin.state->moved[which], largest);
}

template <class Real>
__global__ void decide(Skin<Real> skin) {
  skin.decide();
}

template <class Real>
__global__ void remember_each(SkinSet<Real> set, int dimensions, const int* only_if) {
  const std::int64_t i = thread_index();
  if (i < set.now.count && is_needed(only_if)) set.remember(i, dimensions);
}

/// @param from  null: the order of numbers
__global__ void remember_order(const std::int32_t* from, std::int64_t n, std::int32_t* to, const int* only_if) {
  const std::int64_t k = thread_index();
  if (k < n && is_needed(only_if)) to[k] = from == nullptr ? static_cast<std::int32_t>(k) : from[k];
}

template <class Real>
__global__ void accept(Skin<Real> skin, const std::int64_t* total, std::int64_t room, const int* only_if) {
  if (is_needed(only_if)) skin.accept(*total <= room);
}

template <class Real>
__global__ void pack_points(SurveySet<Real> set, int dimensions, PackedPoint<Real>* packed) {
  const std::int64_t i = thread_index();
  if (i < set.count) packed[i] = {set.at(i, dimensions), static_cast<std::int32_t>(i)};
}

/// The points in memory of one load each, in their own order: candidates are read at random.
template <class Real>
SortedPoints<Real> packed_points(ScratchFrame& frame, const Queue& queue, const SurveySet<Real>& set, int dimensions) {
  const View<PackedPoint<Real>> packed = frame.array<PackedPoint<Real>>(set.count);
  launch(queue, set.count, pack_points<Real>, set, dimensions, packed.data);
  SortedPoints<Real> points;
  points.packed = packed.data;
  points.count = set.count;
  return points;
}

/// A warp a row.
template <bool periodic, class Real>
__global__ void __launch_bounds__(threads)
    mark_rows(CandidateFilter<Real> filter, SortedPoints<Real> destinations, SortedPoints<Real> sources) {
  const std::int64_t k = thread_index() / 32;
  if (k >= filter.rows) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool fits = filter.fits();
  const std::int64_t row = filter.order[k];
  const Position<Real> at = destinations.at(row);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  std::uint32_t* marks = filter.marks_of(row);
  int found = 0;
  for (std::int64_t entry = filter.candidate_offsets[row]; fits && entry < end; entry += 32) {
    bool near = false;
    if (entry + lane < end)
      near = filter.test.template near<periodic>(at, sources.at(filter.candidates[entry + lane]), filter.test.limit);
    const unsigned bits = __ballot_sync(whole_warp, near);
    if (lane == 0) *marks = bits;
    ++marks;
    found += __popc(bits);
  }
  if (lane == 0) filter.count[row] = found;
}

/// A warp a row.
template <class Real>
__global__ void __launch_bounds__(threads) write_rows(CandidateFilter<Real> filter) {
  const std::int64_t row = thread_index() / 32;
  if (row >= filter.rows || filter.is_empty(row)) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  const std::uint32_t* marks = filter.marks_of(row);
  std::int32_t* to = filter.indices + filter.offsets[row];
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32) {
    const unsigned bits = *marks++;
    if ((bits >> lane & 1) != 0) to[__popc(bits & ((1u << lane) - 1))] = filter.candidates[entry + lane];
    to += __popc(bits);
  }
}

}  // namespace

template <class Real>
void check_motion(const Queue& queue, const Skin<Real>& skin) {
  const auto find = [&](const SkinSet<Real>& set, int which) {
    if (set.now.count == 0) return;
    const std::int64_t blocks = std::min<std::int64_t>(most_check_blocks, blocks_for(set.now.count, threads));
    launch<threads>(queue, blocks * threads, find_motion<Real>, skin, set, which);
  };
  find(skin.destinations, 0);
  if (!skin.one_set) find(skin.sources, 1);
  launch<1>(queue, 1, decide<Real>, skin);
}

template <class Real>
void remember(const Queue& queue, const Skin<Real>& skin, View<const std::int32_t> order,
              View<const std::int64_t> offsets, std::int64_t room, const int* only_if) {
  const std::int64_t n = skin.destinations.now.count;
  launch(queue, n, remember_each<Real>, skin.destinations, skin.dimensions, only_if);
  if (!skin.one_set) launch(queue, skin.sources.now.count, remember_each<Real>, skin.sources, skin.dimensions, only_if);
  launch(queue, n, remember_order, order.data, n, skin.order, only_if);
  launch<1>(queue, 1, accept<Real>, skin, offsets.data + offsets.count - 1, room, only_if);
}

template <class Real>
void mark_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const SortedPoints<Real> sources = packed_points(frame, queue, filter.sources, filter.dimensions);
  const SortedPoints<Real> destinations =
      filter.one_set ? sources : packed_points(frame, queue, filter.destinations, filter.dimensions);
  launch<threads>(queue, filter.rows * 32, periodic ? mark_rows<true, Real> : mark_rows<false, Real>, filter,
                  destinations, sources);
}

template <class Real>
void write_candidates(const Queue& queue, const CandidateFilter<Real>& filter) {
  launch<threads>(queue, filter.rows * 32, write_rows<Real>, filter);
}

template void check_motion(const Queue&, const Skin<float>&);
template void check_motion(const Queue&, const Skin<double>&);
template void remember(const Queue&, const Skin<float>&, View<const std::int32_t>, View<const std::int64_t>,
                       std::int64_t, const int*);
template void remember(const Queue&, const Skin<double>&, View<const std::int32_t>, View<const std::int64_t>,
                       std::int64_t, const int*);
template void mark_candidates(Scratch&, const CandidateFilter<float>&, bool);
template void mark_candidates(Scratch&, const CandidateFilter<double>&, bool);
template void write_candidates(const Queue&, const CandidateFilter<float>&);
template void write_candidates(const Queue&, const CandidateFilter<double>&);

}  // namespace shoal::cuda
