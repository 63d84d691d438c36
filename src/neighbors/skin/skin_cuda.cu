// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/search/search_backend.hpp"
#include "neighbors/skin/skin_backend.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

constexpr int threads = 256;

/// Atomic maximum of squares. Squares are not negative, so their bits have the order of the numbers.
__device__ void atomic_max(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(value)));
}

template <class Real>
__global__ void find_max_displacement(Skin<Real> skin, SkinSet<Real> set, int which) {
  double largest = 0;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = thread_index(); i < set.points.count; i += step)
    largest = max(largest, set.squared_displacement(skin.test, i, skin.dimensions));
  largest = warp_largest(largest);
  if (threadIdx.x % 32 == 0) atomic_max(&skin.state->squared_displacement[which], largest);
}

template <class Real>
__global__ void decide(Skin<Real> skin) {
  skin.decide();
}

template <class Real>
__global__ void store_each(SkinSet<Real> set, int dimensions, const int* needed) {
  const std::int64_t i = thread_index();
  if (i < set.points.count && is_needed(needed)) set.store_reference(i, dimensions);
}

/// Stores the sorted order of the destinations.
/// @param sorted  null: the order of numbers
__global__ void store_order(const std::int32_t* sorted, std::int64_t n, std::int32_t* order, const int* needed) {
  const std::int64_t k = thread_index();
  if (k < n && is_needed(needed)) order[k] = sorted == nullptr ? static_cast<std::int32_t>(k) : sorted[k];
}

template <class Real>
__global__ void accept(Skin<Real> skin, const std::int64_t* total, std::int64_t room, const int* needed) {
  if (is_needed(needed)) skin.accept(*total <= room);
}

template <class Real>
__global__ void pack_points(SurveySet<Real> set, int dimensions, PackedPoint<Real>* packed) {
  const std::int64_t i = thread_index();
  if (i < set.count) packed[i] = {set.position(i, dimensions), static_cast<std::int32_t>(i)};
}

/// Packs the points in their own order, so that the random read of a candidate is one load.
template <class Real>
SortedPoints<Real> packed_points(ScratchFrame& frame, const Queue& queue, const SurveySet<Real>& set, int dimensions) {
  const View<PackedPoint<Real>> packed = frame.array<PackedPoint<Real>>(set.count);
  launch(queue, set.count, pack_points<Real>, set, dimensions, packed.data);
  SortedPoints<Real> points;
  points.packed = packed.data;
  points.count = set.count;
  return points;
}

/// Computes the masks, one warp for each row.
template <bool periodic, class Real>
__global__ void __launch_bounds__(threads)
    mask_rows(CandidateFilter<Real> filter, SortedPoints<Real> destinations, SortedPoints<Real> sources) {
  const std::int64_t k = thread_index() / 32;
  if (k >= filter.rows) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool fits = filter.fits();
  const std::int64_t row = filter.order[k];
  const Position<Real> position = destinations.position(row);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  std::uint32_t* masks = filter.masks_of(row);
  int neighbors = 0;
  for (std::int64_t entry = filter.candidate_offsets[row]; fits && entry < end; entry += 32) {
    bool near = false;
    if (entry + lane < end)
      near = filter.test.template near<periodic>(position, sources.position(filter.candidates[entry + lane]),
                                                 filter.test.limit);
    const unsigned mask = __ballot_sync(whole_warp, near);
    if (lane == 0) *masks = mask;
    ++masks;
    neighbors += __popc(mask);
  }
  if (lane == 0) filter.count[row] = neighbors;
}

/// Writes the list, one warp for each row.
template <class Real>
__global__ void __launch_bounds__(threads) write_rows(CandidateFilter<Real> filter) {
  const std::int64_t row = thread_index() / 32;
  if (row >= filter.rows || filter.is_empty(row)) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  const std::uint32_t* masks = filter.masks_of(row);
  std::int32_t* index = filter.indices + filter.offsets[row];
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32) {
    const unsigned mask = *masks++;
    if ((mask >> lane & 1) != 0) index[__popc(mask & ((1u << lane) - 1))] = filter.candidates[entry + lane];
    index += __popc(mask);
  }
}

template <class Real>
void check_displacements(const Queue& queue, const Skin<Real>& skin) {
  const auto find = [&](const SkinSet<Real>& set, int which) {
    if (set.points.count == 0) return;
    const std::int64_t max_blocks = std::int64_t{tuning::displacement_blocks} * multiprocessors(queue);
    const std::int64_t blocks = std::min<std::int64_t>(max_blocks, blocks_for(set.points.count, threads));
    launch<threads>(queue, blocks * threads, find_max_displacement<Real>, skin, set, which);
  };
  find(skin.destinations, 0);
  if (!skin.one_set) find(skin.sources, 1);
  launch<1>(queue, 1, decide<Real>, skin);
}

template <class Real>
void store_references(const Queue& queue, const Skin<Real>& skin, const CandidateSearch& search) {
  const std::int64_t n = skin.destinations.points.count;
  const int* const needed = search.needed;
  launch(queue, n, store_each<Real>, skin.destinations, skin.dimensions, needed);
  if (!skin.one_set) launch(queue, skin.sources.points.count, store_each<Real>, skin.sources, skin.dimensions, needed);
  launch(queue, n, store_order, search.order.data, n, skin.order, needed);
  launch<1>(queue, 1, accept<Real>, skin, search.offsets.data + search.offsets.count - 1, search.room, needed);
}

template <class Real>
void mask_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const SortedPoints<Real> sources = packed_points(frame, queue, filter.sources, filter.dimensions);
  const SortedPoints<Real> destinations =
      filter.one_set ? sources : packed_points(frame, queue, filter.destinations, filter.dimensions);
  launch<threads>(queue, filter.rows * 32, periodic ? mask_rows<true, Real> : mask_rows<false, Real>, filter,
                  destinations, sources);
}

template <class Real>
void write_list(const Queue& queue, const CandidateFilter<Real>& filter) {
  launch<threads>(queue, filter.rows * 32, write_rows<Real>, filter);
}

}  // namespace

template <class Real>
const SkinBackend<Real> SkinBackend<Real>::cuda = {.check_displacements = neighbors::check_displacements<Real>,
                                                   .store_references = neighbors::store_references<Real>,
                                                   .mask_candidates = neighbors::mask_candidates<Real>,
                                                   .write_list = neighbors::write_list<Real>};
template const SkinBackend<float> SkinBackend<float>::cuda;
template const SkinBackend<double> SkinBackend<double>::cuda;

}  // namespace shoal::neighbors
