// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>

#include <shoal/item/host_device.hpp>
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "core/real.hpp"
#include "neighbors/skin/skin_backend.hpp"

namespace shoal::cpu {

namespace {

constexpr std::int64_t chunk = 256;  ///< rows that a thread takes at a time

template <class Real>
SHOAL_CPU_VARIANTS double largest_in(const Skin<Real>& skin, const SkinSet<Real>& set, Range range) {
  double largest = 0;
  for (std::int64_t i = range.begin; i < range.end; ++i)
    largest = max(largest, set.moved(skin.test, i, skin.dimensions));
  return largest;
}

template <class Real>
double largest_motion(const Queue& queue, const Skin<Real>& skin, const SkinSet<Real>& set) {
  double largest = 0;
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts) reduction(max : largest)
  for (int part = 0; part < parts; ++part)
    largest = std::max(largest, largest_in(skin, set, part_range(set.now.count, part, parts)));
  return largest;
}

/// The points in memory of their own, so that a candidate is read from one place.
template <class Real>
const PackedPoint<Real>* packed_points(ScratchFrame& frame, const Queue& queue, const SurveySet<Real>& set,
                                       int dimensions) {
  PackedPoint<Real>* const packed = frame.array<PackedPoint<Real>>(set.count).data;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < set.count; ++i) packed[i] = {set.at(i, dimensions), static_cast<std::int32_t>(i)};
  return packed;
}

/// The bits of up to 32 candidates.
template <bool periodic, class Real>
SHOAL_HD std::uint32_t mark_word(const PairTest<Real>& test, const PackedPoint<Real>* sources, const Position<Real>& at,
                                 const std::int32_t* candidate, std::int64_t length) {
  std::uint32_t bits = 0;
  for (std::int64_t b = 0; b < length; ++b)
    bits |= (test.template near<periodic>(at, sources[candidate[b]].at, test.limit) ? 1U : 0U) << b;
  return bits;
}

template <bool periodic, class Real>
SHOAL_HD std::int32_t mark_row(const CandidateFilter<Real>& filter, const PackedPoint<Real>* sources,
                               std::int64_t row) {
  const Position<Real> at = filter.destinations.at(row, filter.dimensions);
  const std::int64_t end = filter.candidate_offsets[row + 1];
  std::uint32_t* marks = filter.marks_of(row);
  std::int32_t found = 0;
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32) {
    const std::uint32_t bits =
        mark_word<periodic>(filter.test, sources, at, filter.candidates + entry, min<std::int64_t>(32, end - entry));
    *marks++ = bits;
    found += std::popcount(bits);
  }
  return found;
}

/// Rows [begin, end) of the order.
template <bool periodic, class Real>
SHOAL_CPU_VARIANTS void mark_rows(const CandidateFilter<Real>& filter, const PackedPoint<Real>* sources, Range range) {
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::int32_t row = filter.order[k];
    filter.count[row] = mark_row<periodic>(filter, sources, row);
  }
}

template <class Real>
void write_row(const CandidateFilter<Real>& filter, std::int64_t row) {
  if (filter.is_empty(row)) return;
  std::int32_t* to = filter.indices + filter.offsets[row];
  const std::int64_t end = filter.candidate_offsets[row + 1];
  const std::uint32_t* marks = filter.marks_of(row);
  for (std::int64_t entry = filter.candidate_offsets[row]; entry < end; entry += 32)
    for (std::uint32_t left = *marks++; left != 0; left &= left - 1)
      *to++ = filter.candidates[entry + std::countr_zero(left)];
}

}  // namespace

template <class Real>
void check_motion(const Queue& queue, const Skin<Real>& skin) {
  skin.state->moved[0] = largest_motion(queue, skin, skin.destinations);
  if (!skin.one_set) skin.state->moved[1] = largest_motion(queue, skin, skin.sources);
  skin.decide();
}

template <class Real>
void remember(const Queue& queue, const Skin<Real>& skin, View<const std::int32_t> order,
              View<const std::int64_t> offsets, std::int64_t room, const int*) {
  for (const SkinSet<Real>* set : {&skin.destinations, &skin.sources}) {
    if (set == &skin.sources && skin.one_set) continue;
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t i = 0; i < set->now.count; ++i) set->remember(i, skin.dimensions);
  }
  if (order.empty())
    std::iota(skin.order, skin.order + skin.destinations.now.count, 0);
  else
    std::copy_n(order.data, order.count, skin.order);
  skin.accept(offsets.data[offsets.count - 1] <= room);
}

template <class Real>
void mark_candidates(Scratch& scratch, const CandidateFilter<Real>& filter, bool periodic) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const PackedPoint<Real>* const sources = packed_points(frame, queue, filter.sources, filter.dimensions);
  if (!filter.fits()) {
    std::fill_n(filter.count, filter.rows, 0);
    return;
  }
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic)
  for (std::int64_t begin = 0; begin < filter.rows; begin += chunk) {
    const Range range{begin, std::min(filter.rows, begin + chunk)};
    periodic ? mark_rows<true>(filter, sources, range) : mark_rows<false>(filter, sources, range);
  }
}

template <class Real>
void write_candidates(const Queue& queue, const CandidateFilter<Real>& filter) {
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic, chunk)
  for (std::int64_t row = 0; row < filter.rows; ++row) write_row(filter, row);
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

}  // namespace shoal::cpu
