// SPDX-License-Identifier: Apache-2.0
// rows: visits the cells around each point, three consecutive cells of a row at a time.
//
// idea           sort the sources by cell, x fastest, so that three cells of a row are one run of memory. Vector
//                instructions test the nine runs (three in 2-D) around a destination. Ranking sorts a row of the list:
//                the position of an entry is the number of smaller entries
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013)
// memory         16 (float) or 28 (double) bytes for each source; one row of the list for each thread
// atomics        none
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some hundred points
// loses when     most points are within one radius: all pairs are tested
// deviations     exact list instead of a fixed number of neighbors; canonical order
#include <algorithm>
#include <utility>
#include <vector>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/inlined.hpp"
#include "core/primitives/append_marked.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/methods/row_ranks.hpp"

namespace shoal::neighbors {

namespace {

constexpr std::int64_t chunk = 512;  ///< Destinations that a thread processes at a time.

/// Returns true if source j is near a destination.
/// @tparam limits  false only if no source has its own limit
template <bool periodic, bool limits, class Real>
SHOAL_HD bool is_near(const NeighborPairs<Real>& pairs, const Position<Real>& destination, Real limit, std::int64_t j) {
  Real within = limit;
  if constexpr (limits) within = std::max(limit, pairs.sources.limits[j]);
  return pairs.test.template near<periodic>(destination, pairs.sources.position(j), within);
}

/// Range of the numbers of sources that a rule does not want for a destination.
struct Unwanted {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;

  SHOAL_HD Unwanted(const PairRule& rule, std::int32_t destination) {
    if (!rule.one_set) return;
    const auto self = static_cast<std::uint32_t>(destination + rule.first_destination);
    begin = rule.half ? 0 : self;
    count = self - begin + (rule.include_self ? 0 : 1);
  }
  SHOAL_HD bool has(std::int32_t source) const { return static_cast<std::uint32_t>(source) - begin < count; }
};

/// Appends the numbers of the wanted sources [begin, end) near a destination. Returns the new end of the row. Sources are
/// tested in groups, the last of which reads past the end.
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int32_t* append_near(const NeighborPairs<Real>& pairs, const Position<Real>& destination, Real limit,
                                   Unwanted unwanted, std::int64_t begin, std::int64_t end, std::int32_t* row_end) {
  constexpr std::int64_t max_block = 256;
  static_assert(append_group <= SortedPoints<Real>::read_past_end && max_block % append_group == 0);
  std::int32_t near[max_block + append_group];
  for (std::int64_t block = begin; block < end; block += max_block) {
    const std::int64_t length = std::min(max_block, end - block);
    for (std::int64_t group = 0; group < length; group += append_group)
      for (std::int64_t j = group; j < group + append_group; ++j)
        near[j] = (is_near<periodic, limits>(pairs, destination, limit, block + j) ? 1 : 0) &
                  (unwanted.has(pairs.sources.order[block + j]) ? 0 : 1);
    for (std::int64_t j = 0; j < append_group; ++j) near[length + j] = 0;
    row_end = append_marked(pairs.sources.order + block, near, length, row_end);
  }
  return row_end;
}

/// Finds the wanted sources near the destination with sorted index k, in any order. Returns their number.
/// @param row  grows to fit
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int64_t find_row(const NeighborPairs<Real>& pairs, std::int64_t k, std::vector<std::int32_t>& row) {
  const Position<Real> position = pairs.destinations.position(k);
  if (!pairs.has_cell(position)) return 0;
  const Real limit = pairs.limit_of(k);
  const Unwanted unwanted(pairs.rule, pairs.destinations.order[k]);
  std::int64_t count = 0;
  for_each_run(
      *pairs.grid, position, pairs.bound_of(limit), [&](std::int32_t first_cell, std::int32_t end_cell) SHOAL_INLINED {
        const std::int64_t begin = pairs.sources.start(first_cell);
        const std::int64_t end = pairs.sources.start(end_cell);
        if (count + end - begin + RankBlock::count > static_cast<std::int64_t>(row.size()))
          row.resize(static_cast<std::size_t>(2 * (count + end - begin) + RankBlock::count));
        count = append_near<periodic, limits>(pairs, position, limit, unwanted, begin, end, row.data() + count) -
                row.data();
      });
  return count;
}

/// Finds the rows of a range of destinations in sorted order, one after the other.
/// @param ascending  sorts the rows; else they keep the order of visits
/// @param length  [destinations] out, by number
/// @param row     scratch memory
/// @param rows    out
template <bool periodic, bool limits, class Real>
SHOAL_CPU_VARIANTS void find_rows(const NeighborPairs<Real>& pairs, Range range, bool ascending, std::int64_t* length,
                                  std::vector<std::int32_t>& row, std::vector<std::int32_t>& rows,
                                  FirstException& failed) {
  try {
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const std::int64_t count = find_row<periodic, limits>(pairs, k, row);
      length[pairs.destinations.order[k]] = count;
      rows.resize(rows.size() + static_cast<std::size_t>(count));
      std::int32_t* const copy = rows.data() + rows.size() - count;
      if (ascending)
        copy_sorted(row.data(), count, copy);
      else
        std::copy_n(row.data(), count, copy);
    }
  } catch (...) {
    failed.keep_current();
  }
}

/// Copies the rows of a range of destinations into the list. The calling thread then frees their memory: one thread would
/// take long to free that of all.
template <class Real>
void copy_to_list(const NeighborPairs<Real>& pairs, Range range, std::vector<std::int32_t> rows,
                  const std::int64_t* offsets, std::int32_t* indices) {
  const std::int32_t* row = rows.data();
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::int32_t i = pairs.destinations.order[k];
    const std::int64_t count = offsets[i + 1] - offsets[i];
    std::copy_n(row, count, indices + offsets[i]);
    row += count;
  }
}

template <bool periodic, bool limits, class Real>
void search_rows(const NeighborSearch<Real>& search) {
  const NeighborPairs<Real> pairs = search.plan.sorted_pairs(search.sets);
  const std::int64_t n = pairs.destinations.count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  const int threads = static_cast<int>(std::clamp<std::int64_t>(chunks, 1, search.queue().threads()));
  const auto range_of = [&](std::int64_t c) { return Range{c * chunk, std::min(n, (c + 1) * chunk)}; };
  std::int64_t* offsets = search.list.offsets.data();
  std::vector<std::vector<std::int32_t>> chunk_rows(static_cast<std::size_t>(chunks));
  FirstException failed;
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::int32_t> row;
    std::size_t longest = 0;  // rows of a chunk so far: the next chunk reserves its memory in one step
#pragma omp for schedule(dynamic)
    for (std::int64_t c = 0; c < chunks; ++c) {
      std::vector<std::int32_t>& rows = chunk_rows[static_cast<std::size_t>(c)];
      failed.guard([&] { rows.reserve(longest); });
      find_rows<periodic, limits>(pairs, range_of(c), search.plan.is_ascending(), offsets, row, rows, failed);
      longest = std::max(longest, rows.size());
    }
  }
  failed.rethrow();
  exclusive_scan<std::int64_t>(search.plan.scratch(), View<const std::int64_t>(offsets, n), search.list.offsets);
  if (!search.make_room(offsets[n])) return;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c)
    copy_to_list(pairs, range_of(c), std::move(chunk_rows[static_cast<std::size_t>(c)]), offsets,
                 search.list.indices.data());
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.plan.periodic() ? search_rows<true, limits>(search) : search_rows<false, limits>(search);
  };
  search.plan.uses_source_limits() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod rows_cpu{
    {"rows", DeviceKind::cpu, true, "Green (2010); Dominguez et al. (2013)"}, true, true, run<float>, run<double>};

}  // namespace shoal::neighbors
