// SPDX-License-Identifier: Apache-2.0
// rows: looks through the cells around each point, three cells of a row at a time.
//
// idea           sort the sources by cell, x fastest, so that three cells in a row are one run of memory; test the nine
//                runs (three in 2-D) around a destination with vector instructions; count, add up, test again and fill.
//                A row of the list is put in order by ranking: an element's place is the number of smaller ones
// source         Green (2010), "Particle simulation using CUDA"; rows as in DualSPHysics, Dominguez et al. (2013)
// memory         16 (float) or 28 (double) bytes a source, one row of the list a thread
// atomics        none
// deterministic  yes: the list does not depend on the order of the search
// wins when      there are more than some hundred points
// loses when     most points are within one radius: all pairs are tested, as they must be
// differs        exact list instead of a fixed number of neighbors; canonical order
#include <algorithm>
#include <vector>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 512;  ///< destinations that a thread takes at a time

/// Whether source j is near `at`; `limits` is false where no source has one of its own.
template <bool periodic, bool limits, class Real>
SHOAL_HD bool is_near(const NeighborPairs<Real>& pairs, const Position<Real>& at, Real limit, std::int64_t j) {
  Real within = limit;
  if constexpr (limits) within = std::max(limit, pairs.sources.limits[j]);
  return pairs.test.template near<periodic>(at, pairs.sources.at(j), within);
}

/// Appends the numbers of sources [begin, end) that are near. Returns the new end.
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int32_t* append_near(const NeighborPairs<Real>& pairs, const Position<Real>& at, Real limit,
                                   std::int64_t begin, std::int64_t end, std::int32_t* to) {
  constexpr std::int64_t most = 256;
  std::int32_t near[most];
  for (std::int64_t block = begin; block < end; block += most) {
    const std::int64_t length = std::min(most, end - block);
    for (std::int64_t j = 0; j < length; ++j) near[j] = is_near<periodic, limits>(pairs, at, limit, block + j) ? 1 : 0;
    for (std::int64_t j = 0; j < length; ++j) {
      *to = pairs.sources.order[block + j];  // overwritten by the next one if this one is not near
      to += near[j];
    }
  }
  return to;
}

/// Copies distinct numbers in ascending order.
SHOAL_HD void copy_sorted(const std::int32_t* from, std::int64_t count, std::int32_t* to) {
  constexpr std::int64_t most_to_rank = 256;
  if (count > most_to_rank) {
    std::copy_n(from, count, to);
    std::sort(to, to + count);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::int32_t lower = 0;
    for (std::int64_t j = 0; j < count; ++j) lower += from[j] < from[i] ? 1 : 0;
    to[lower] = from[i];
  }
}

/// Finds the wanted sources near destination k, in any order. Returns how many.
/// @param row  grown to fit
template <bool periodic, bool limits, class Real>
SHOAL_HD std::int64_t find_row(const NeighborPairs<Real>& pairs, std::int64_t k, std::vector<std::int32_t>& row) {
  const Position<Real> at = pairs.destinations.at(k);
  if (!pairs.has_cell(at)) return 0;
  const Real limit = pairs.limit_of(k);
  const std::int32_t destination = pairs.destinations.order[k];
  std::int64_t found = 0;
  for_each_run(*pairs.grid, at, pairs.bound_of(limit), [&](std::int32_t first_cell, std::int32_t end_cell) {
    const std::int64_t begin = pairs.sources.start(first_cell);
    const std::int64_t end = pairs.sources.start(end_cell);
    if (found + end - begin >= static_cast<std::int64_t>(row.size()))
      row.resize(static_cast<std::size_t>(2 * (found + end - begin) + 1));
    found = append_near<periodic, limits>(pairs, at, limit, begin, end, row.data() + found) - row.data();
  });
  if (!pairs.one_set) return found;
  const auto end = std::remove_if(row.begin(), row.begin() + found,
                                  [&](std::int32_t source) { return !pairs.wants(destination, source); });
  return end - row.begin();
}

/// The rows of destinations [begin, end) of the sorted order, one after the other and each in order, and their lengths
/// by the destinations' numbers.
template <bool periodic, bool limits, class Real>
SHOAL_CPU_VARIANTS void find_rows(const NeighborPairs<Real>& pairs, Range range, std::int64_t* length,
                                  std::vector<std::int32_t>& row, std::vector<std::int32_t>& found,
                                  FirstException& failed) {
  try {
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const std::int64_t count = find_row<periodic, limits>(pairs, k, row);
      length[pairs.destinations.order[k]] = count;
      found.resize(found.size() + static_cast<std::size_t>(count));
      copy_sorted(row.data(), count, found.data() + found.size() - count);
    }
  } catch (...) {
    failed.keep_current();
  }
}

/// Copies rows to their places.
template <class Real>
void place_rows(const NeighborPairs<Real>& pairs, Range range, const std::vector<std::int32_t>& found,
                const std::int64_t* offsets, std::int32_t* indices) {
  const std::int32_t* from = found.data();
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::int32_t i = pairs.destinations.order[k];
    const std::int64_t count = offsets[i + 1] - offsets[i];
    std::copy_n(from, count, indices + offsets[i]);
    from += count;
  }
}

template <bool periodic, bool limits, class Real>
void search_rows(const NeighborSearch<Real>& search) {
  const NeighborPairs<Real> pairs = search.sorted_pairs();
  const int threads = search.queue().threads();
  const std::int64_t n = pairs.destinations.count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  const auto range_of = [&](std::int64_t c) { return Range{c * chunk, std::min(n, (c + 1) * chunk)}; };
  std::int64_t* offsets = search.list.offsets.data();
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(chunks));
  FirstException failed;
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::int32_t> row;
#pragma omp for schedule(dynamic)
    for (std::int64_t c = 0; c < chunks; ++c)
      find_rows<periodic, limits>(pairs, range_of(c), offsets, row, found[static_cast<std::size_t>(c)], failed);
  }
  failed.rethrow();
  exclusive_scan<std::int64_t>(search.scratch, View<const std::int64_t>(offsets, n), search.list.offsets);
  if (!search.make_room(offsets[n])) return;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c)
    place_rows(pairs, range_of(c), found[static_cast<std::size_t>(c)], offsets, search.list.indices.data());
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.periodic ? search_rows<true, limits>(search) : search_rows<false, limits>(search);
  };
  search.sources_decide() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod neighbors_rows_cpu{
    {"rows", DeviceKind::cpu, true, "Green (2010); Dominguez et al. (2013)"}, true, run<float>, run<double>};

}  // namespace shoal
