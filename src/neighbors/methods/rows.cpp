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
#include <vector>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"

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

/// Appends the numbers of the sources [begin, end) near a destination. Returns the new end of the row.
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int32_t* append_near(const NeighborPairs<Real>& pairs, const Position<Real>& destination, Real limit,
                                   std::int64_t begin, std::int64_t end, std::int32_t* row_end) {
  constexpr std::int64_t max_block = 256;
  std::int32_t near[max_block];
  for (std::int64_t block = begin; block < end; block += max_block) {
    const std::int64_t length = std::min(max_block, end - block);
    for (std::int64_t j = 0; j < length; ++j)
      near[j] = is_near<periodic, limits>(pairs, destination, limit, block + j) ? 1 : 0;
    for (std::int64_t j = 0; j < length; ++j) {
      *row_end = pairs.sources.order[block + j];  // the next source overwrites it if this one is not near
      row_end += near[j];
    }
  }
  return row_end;
}

/// Copies distinct numbers in ascending order.
SHOAL_HD void copy_sorted(const std::int32_t* numbers, std::int64_t count, std::int32_t* sorted) {
  constexpr std::int64_t max_ranked = 256;
  if (count > max_ranked) {
    std::copy_n(numbers, count, sorted);
    std::sort(sorted, sorted + count);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int32_t rank = 0;
    for (std::int64_t j = 0; j < count; ++j) rank += numbers[j] < numbers[i] ? 1 : 0;
    sorted[rank] = numbers[i];
  }
}

/// Finds the wanted sources near the destination with sorted index k, in any order. Returns their number.
/// @param row  grows to fit
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int64_t find_row(const NeighborPairs<Real>& pairs, std::int64_t k, std::vector<std::int32_t>& row) {
  const Position<Real> position = pairs.destinations.position(k);
  if (!pairs.has_cell(position)) return 0;
  const Real limit = pairs.limit_of(k);
  const std::int32_t destination = pairs.destinations.order[k];
  std::int64_t count = 0;
  for_each_run(*pairs.grid, position, pairs.bound_of(limit), [&](std::int32_t first_cell, std::int32_t end_cell) {
    const std::int64_t begin = pairs.sources.start(first_cell);
    const std::int64_t end = pairs.sources.start(end_cell);
    if (count + end - begin >= static_cast<std::int64_t>(row.size()))
      row.resize(static_cast<std::size_t>(2 * (count + end - begin) + 1));
    count = append_near<periodic, limits>(pairs, position, limit, begin, end, row.data() + count) - row.data();
  });
  if (!pairs.rule.one_set) return count;
  const auto end = std::remove_if(row.begin(), row.begin() + count,
                                  [&](std::int32_t source) { return !pairs.rule.wants(destination, source); });
  return end - row.begin();
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

/// Copies the rows of a range of destinations into the list.
template <class Real>
void copy_to_list(const NeighborPairs<Real>& pairs, Range range, const std::vector<std::int32_t>& rows,
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
  const int threads = search.queue().threads();
  const std::int64_t n = pairs.destinations.count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  const auto range_of = [&](std::int64_t c) { return Range{c * chunk, std::min(n, (c + 1) * chunk)}; };
  std::int64_t* offsets = search.list.offsets.data();
  std::vector<std::vector<std::int32_t>> chunk_rows(static_cast<std::size_t>(chunks));
  FirstException failed;
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::int32_t> row;
#pragma omp for schedule(dynamic)
    for (std::int64_t c = 0; c < chunks; ++c)
      find_rows<periodic, limits>(pairs, range_of(c), search.plan.is_ascending(), offsets, row,
                                  chunk_rows[static_cast<std::size_t>(c)], failed);
  }
  failed.rethrow();
  exclusive_scan<std::int64_t>(search.plan.scratch(), View<const std::int64_t>(offsets, n), search.list.offsets);
  if (!search.make_room(offsets[n])) return;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c)
    copy_to_list(pairs, range_of(c), chunk_rows[static_cast<std::size_t>(c)], offsets, search.list.indices.data());
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
