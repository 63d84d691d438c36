// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>

#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "core/real.hpp"
#include "neighbors/skin/skin_backend.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
SHOAL_CPU_VARIANTS double max_squared_displacement(const Skin<Real>& skin, const SkinSet<Real>& set, Range range) {
  double largest = 0;
  for (std::int64_t i = range.begin; i < range.end; ++i)
    largest = max(largest, set.squared_displacement(skin.test, i, skin.dimensions));
  return largest;
}

template <class Real>
double max_squared_displacement(const Queue& queue, const Skin<Real>& skin, const SkinSet<Real>& set) {
  double largest = 0;
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts) reduction(max : largest)
  for (int part = 0; part < parts; ++part)
    largest = std::max(largest, max_squared_displacement(skin, set, part_range(set.points.count, part, parts)));
  return largest;
}

/// Packs the points, so that a candidate is read from one cache line.
template <class Real>
const PackedPoint<Real>* packed_points(ScratchFrame& frame, const Queue& queue, const SurveySet<Real>& set,
                                       int dimensions) {
  PackedPoint<Real>* const packed = frame.array<PackedPoint<Real>>(set.count).data;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < set.count; ++i) packed[i] = {set.position(i, dimensions), static_cast<std::int32_t>(i)};
  return packed;
}

/// Returns the mask of up to 32 candidates.
template <bool periodic, class Real>
SHOAL_HD std::uint32_t candidate_mask(const PairTest<Real>& test, const PackedPoint<Real>* sources,
                                      const Position<Real>& position, const std::int32_t* candidate,
                                      std::int64_t length) {
  std::uint32_t mask = 0;
  for (std::int64_t b = 0; b < length; ++b)
    mask |= (test.template near<periodic>(position, sources[candidate[b]].position, test.limit) ? 1U : 0U) << b;
  return mask;
}

template <bool periodic, class Real>
SHOAL_HD std::int32_t mask_row(const CandidateFilter<Real>& filter, const PackedPoint<Real>* sources,
                               std::int64_t row) {
  const Position<Real> position = filter.destinations.position(row, filter.dimensions);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  std::uint32_t* masks = filter.masks_of(row);
  std::int32_t neighbors = 0;
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32) {
    const std::uint32_t mask = candidate_mask<periodic>(filter.test, sources, position, filter.candidates + entry,
                                                        min<std::int64_t>(32, end - entry));
    *masks++ = mask;
    neighbors += std::popcount(mask);
  }
  return neighbors;
}

/// Computes the masks of a range of rows in the processing order.
template <bool periodic, class Real>
SHOAL_CPU_VARIANTS void mask_rows(const CandidateFilter<Real>& filter, const PackedPoint<Real>* sources, Range range) {
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::int32_t row = filter.order[k];
    filter.count[row] = mask_row<periodic>(filter, sources, row);
  }
}

template <class Real>
void write_row(const CandidateFilter<Real>& filter, std::int64_t row) {
  if (filter.is_empty(row)) return;
  std::int32_t* index = filter.indices + filter.offsets[row];
  const std::int64_t end = filter.candidate_offsets[row + 1];
  const std::uint32_t* masks = filter.masks_of(row);
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32)
    for (std::uint32_t mask = *masks++; mask != 0; mask &= mask - 1)
      *index++ = filter.candidates[entry + std::countr_zero(mask)];
}

template <class Real>
void check_displacements(const Queue& queue, const Skin<Real>& skin) {
  skin.state->squared_displacement[0] = max_squared_displacement(queue, skin, skin.destinations);
  if (!skin.one_set) skin.state->squared_displacement[1] = max_squared_displacement(queue, skin, skin.sources);
  skin.decide();
}

template <class Real>
void store_references(const Queue& queue, const Skin<Real>& skin, const CandidateSearch& search) {
  for (const SkinSet<Real>* set : {&skin.destinations, &skin.sources}) {
    if (set == &skin.sources && skin.one_set) continue;
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t i = 0; i < set->points.count; ++i) set->store_reference(i, skin.dimensions);
  }
  if (search.order.empty())
    std::iota(skin.order, skin.order + skin.destinations.points.count, 0);
  else
    std::copy_n(search.order.data, search.order.count, skin.order);
  skin.accept(search.offsets.data[search.offsets.count - 1] <= search.room);
}

template <class Real>
void mask_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const PackedPoint<Real>* const sources = packed_points(frame, queue, filter.sources, filter.dimensions);
  if (!filter.fits()) {
    std::fill_n(filter.count, filter.rows, 0);
    return;
  }
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
  for (std::int64_t begin = 0; begin < filter.rows; begin += tuning::cpu_candidate_rows) {
    const Range range{begin, std::min(filter.rows, begin + tuning::cpu_candidate_rows)};
    periodic ? mask_rows<true>(filter, sources, range) : mask_rows<false>(filter, sources, range);
  }
}

template <class Real>
void write_list(const Queue& queue, const CandidateFilter<Real>& filter) {
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic, tuning::cpu_candidate_rows)
  for (std::int64_t row = 0; row < filter.rows; ++row) write_row(filter, row);
}

}  // namespace

template <class Real>
const SkinBackend<Real> SkinBackend<Real>::cpu = {.check_displacements = neighbors::check_displacements<Real>,
                                                  .store_references = neighbors::store_references<Real>,
                                                  .mask_candidates = neighbors::mask_candidates<Real>,
                                                  .write_list = neighbors::write_list<Real>};
template const SkinBackend<float> SkinBackend<float>::cpu;
template const SkinBackend<double> SkinBackend<double>::cpu;

}  // namespace shoal::neighbors
