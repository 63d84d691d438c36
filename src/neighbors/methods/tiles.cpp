// SPDX-License-Identifier: Apache-2.0
// tiles: tests all pairs, a tile of sources at a time.
//
// idea           no grid. A thread takes a few destinations and goes through the sources in tiles that stay in its
//                nearest cache; vector instructions test a block of sources, and most blocks have nobody near. Sources
//                are met in ascending order, so rows need no sorting
// source         the definition; tiles as in Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA"
// memory         12 (float) or 24 (double) bytes a source, 4 or 8 more where sources have radii; the list twice
// atomics        none
// deterministic  yes
// wins when      there are some hundred points, or most points are within one radius
// loses when     there are more: the cost is the product of the numbers of points
// differs        exact list instead of a sum of forces
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/search/unsorted_pairs.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 32;   ///< destinations that a thread takes at a time
constexpr std::int64_t tile = 1024;  ///< sources that they go through together
constexpr std::int64_t block = 128;  ///< sources that are tested before one looks whether any is near

/// The sources, packed.
template <class Real>
struct PackedSources {
  std::vector<Real> x, y, z;
  std::vector<Real> limits;  ///< m², empty: none has one of its own

  PackedSources(const UnsortedPairs<Real>& pairs, int dimensions, int threads) {
    const auto n = static_cast<std::size_t>(pairs.source_count);
    for (std::vector<Real>* axis : {&x, &y, &z}) axis->resize(n);
    if (pairs.source_limits != nullptr) limits.assign(pairs.source_limits, pairs.source_limits + n);
#pragma omp parallel for num_threads(threads)
    for (std::int64_t j = 0; j < pairs.source_count; ++j) {
      const Position<Real> at = pairs.source(j, dimensions);
      const auto k = static_cast<std::size_t>(j);
      x[k] = at.x;
      y[k] = at.y;
      z[k] = at.z;
    }
  }
};

/// Appends the sources of `range` that are near, in ascending order.
template <bool periodic, bool limits, class Real>
SHOAL_HD void append_near(const PairTest<Real>& test, const PackedSources<Real>& sources, const Position<Real>& at,
                          Real limit, Range range, std::vector<std::int32_t>& row) {
  std::int32_t near[block];
  for (std::int64_t first = range.begin; first < range.end; first += block) {
    const std::int64_t length = std::min(block, range.end - first);
    const Real* x = sources.x.data() + first;
    const Real* y = sources.y.data() + first;
    const Real* z = sources.z.data() + first;
    const Real* own = sources.limits.data() + (limits ? first : 0);
    std::int32_t count = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      const Real within = limits ? std::max(limit, own[j]) : limit;
      near[j] = test.template near<periodic>(at, {x[j], y[j], z[j]}, within) ? 1 : 0;
      count += near[j];
    }
    if (count == 0) continue;
    for (std::int64_t j = 0; j < length; ++j)
      if (near[j]) row.push_back(static_cast<std::int32_t>(first + j));
  }
}

/// The rows of destinations `range`, one after the other, and their lengths.
template <bool periodic, bool limits, class Real>
SHOAL_CPU_VARIANTS void find_rows(const UnsortedPairs<Real>& pairs, int dimensions, const PackedSources<Real>& sources,
                                  Range range, std::int64_t* length, std::vector<std::int32_t>* rows,
                                  FirstException& failed) {
  try {
    for (std::int64_t first = 0; first < pairs.source_count; first += tile) {
      const Range through{first, std::min(first + tile, pairs.source_count)};
      for (std::int64_t i = range.begin; i < range.end; ++i)
        append_near<periodic, limits>(pairs.rule.test, sources, pairs.destination(i, dimensions), pairs.limit_of(i),
                                      through, rows[i - range.begin]);
    }
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      std::vector<std::int32_t>& row = rows[i - range.begin];
      if (pairs.rule.one_set) std::erase_if(row, [&](std::int32_t j) { return !pairs.rule.wants(i, j); });
      length[i] = static_cast<std::int64_t>(row.size());
    }
  } catch (...) {
    failed.keep_current();
  }
}

template <bool periodic, bool limits, class Real>
void search_tiles(const NeighborSearch<Real>& search) {
  const UnsortedPairs<Real> pairs = unsorted_pairs(search);
  const int threads = search.queue().threads();
  const int dimensions = search.grid->cells.dimensions;
  const PackedSources<Real> sources(pairs, dimensions, threads);
  const std::int64_t n = pairs.destination_count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  std::int64_t* offsets = search.list.offsets.data();
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(chunks));
  FirstException failed;
#pragma omp parallel num_threads(threads)
  {
    std::vector<std::int32_t> rows[chunk];
#pragma omp for schedule(dynamic)
    for (std::int64_t c = 0; c < chunks; ++c) {
      const Range range{c * chunk, std::min(n, (c + 1) * chunk)};
      find_rows<periodic, limits>(pairs, dimensions, sources, range, offsets, rows, failed);
      failed.guard([&] {
        for (std::vector<std::int32_t>& row : rows) {
          std::vector<std::int32_t>& all = found[static_cast<std::size_t>(c)];
          all.insert(all.end(), row.begin(), row.end());
          row.clear();
        }
      });
    }
  }
  failed.rethrow();
  exclusive_scan<std::int64_t>(search.scratch, View<const std::int64_t>(offsets, n), search.list.offsets);
  if (!search.make_room(offsets[n])) return;
#pragma omp parallel for num_threads(threads)
  for (std::int64_t c = 0; c < chunks; ++c)
    std::copy(found[static_cast<std::size_t>(c)].begin(), found[static_cast<std::size_t>(c)].end(),
              search.list.indices.data() + offsets[c * chunk]);
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.periodic ? search_tiles<true, limits>(search) : search_tiles<false, limits>(search);
  };
  search.sources_decide() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod neighbors_tiles_cpu{
    {"tiles", DeviceKind::cpu, true, "the definition"}, true, run<float>, run<double>};

}  // namespace shoal
