// SPDX-License-Identifier: Apache-2.0
// tiles: tests all pairs, a tile of sources at a time.
//
// idea           no grid. A thread tests some destinations against tiles of sources that stay in the L1 cache. Vector
//                instructions test a block of sources at once; most blocks hold no neighbor. Sources come in ascending
//                order, so rows need no sort
// source         the definition; tiles as in Nyland, Harris and Prins (2007), "Fast N-body simulation with CUDA"
// memory         12 (float) or 24 (double) bytes for each source, 4 or 8 more with radii of points; the list twice
// atomics        none
// deterministic  yes
// wins when      there are some hundred points, or most points are within one radius
// loses when     there are more: the cost is the product of the numbers of points
// deviations     exact list instead of a sum of forces
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"

namespace shoal::neighbors {

namespace {

constexpr std::int64_t chunk = 32;   ///< Destinations that a thread processes at a time.
constexpr std::int64_t tile = 1024;  ///< Sources that all destinations of a chunk test before the next tile.
constexpr std::int64_t block = 128;  ///< Sources tested before the block is skipped or listed.

/// Coordinates and limits of the sources as contiguous arrays.
template <class Real>
struct PackedSources {
  std::vector<Real> x, y, z;
  std::vector<Real> limits;  ///< m², [sources]; empty: no source has its own limit

  PackedSources(const UnsortedPairs<Real>& pairs, int dimensions, int threads) {
    const auto n = static_cast<std::size_t>(pairs.source_count);
    for (std::vector<Real>* axis : {&x, &y, &z}) axis->resize(n);
    if (pairs.source_limits != nullptr) limits.assign(pairs.source_limits, pairs.source_limits + n);
#pragma omp parallel for num_threads(threads)
    for (std::int64_t j = 0; j < pairs.source_count; ++j) {
      const Position<Real> position = pairs.source(j, dimensions);
      const auto k = static_cast<std::size_t>(j);
      x[k] = position.x;
      y[k] = position.y;
      z[k] = position.z;
    }
  }
};

/// Appends the sources of `range` near a destination, in ascending order.
template <bool periodic, bool limits, class Real>
SHOAL_HD void append_near(const PairTest<Real>& test, const PackedSources<Real>& sources,
                          const Position<Real>& destination, Real limit, Range range, std::vector<std::int32_t>& row) {
  std::int32_t near[block];
  for (std::int64_t first = range.begin; first < range.end; first += block) {
    const std::int64_t length = std::min(block, range.end - first);
    const Real* x = sources.x.data() + first;
    const Real* y = sources.y.data() + first;
    const Real* z = sources.z.data() + first;
    const Real* source_limit = sources.limits.data() + (limits ? first : 0);
    std::int32_t count = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      const Real within = limits ? std::max(limit, source_limit[j]) : limit;
      near[j] = test.template near<periodic>(destination, {x[j], y[j], z[j]}, within) ? 1 : 0;
      count += near[j];
    }
    if (count == 0) continue;
    for (std::int64_t j = 0; j < length; ++j)
      if (near[j]) row.push_back(static_cast<std::int32_t>(first + j));
  }
}

/// Finds the rows of a range of destinations and their lengths.
template <bool periodic, bool limits, class Real>
SHOAL_CPU_VARIANTS void find_rows(const UnsortedPairs<Real>& pairs, int dimensions, const PackedSources<Real>& sources,
                                  Range range, std::int64_t* length, std::vector<std::int32_t>* rows,
                                  FirstException& failed) {
  try {
    for (std::int64_t first = 0; first < pairs.source_count; first += tile) {
      const Range tile_range{first, std::min(first + tile, pairs.source_count)};
      for (std::int64_t i = range.begin; i < range.end; ++i)
        append_near<periodic, limits>(pairs.test, sources, pairs.destination(i, dimensions), pairs.limit_of(i),
                                      tile_range, rows[i - range.begin]);
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
  const UnsortedPairs<Real> pairs = search.plan.unsorted_pairs(search.sets);
  const int threads = search.queue().threads();
  const int dimensions = search.plan.box().dimensions;
  const PackedSources<Real> sources(pairs, dimensions, threads);
  const std::int64_t n = pairs.destination_count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  std::int64_t* offsets = search.list.offsets.data();
  std::vector<std::vector<std::int32_t>> chunk_rows(static_cast<std::size_t>(chunks));
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
          std::vector<std::int32_t>& joined = chunk_rows[static_cast<std::size_t>(c)];
          joined.insert(joined.end(), row.begin(), row.end());
          row.clear();
        }
      });
    }
  }
  failed.rethrow();
  exclusive_scan<std::int64_t>(search.plan.scratch(), View<const std::int64_t>(offsets, n), search.list.offsets);
  if (!search.make_room(offsets[n])) return;
#pragma omp parallel for num_threads(threads)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::vector<std::int32_t>& joined = chunk_rows[static_cast<std::size_t>(c)];
    std::copy(joined.begin(), joined.end(), search.list.indices.data() + offsets[c * chunk]);
  }
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  const auto with_limits = [&]<bool limits> {
    return search.plan.periodic() ? search_tiles<true, limits>(search) : search_tiles<false, limits>(search);
  };
  search.plan.uses_source_limits() ? with_limits.template operator()<true>() : with_limits.template operator()<false>();
}

}  // namespace

const NeighborsMethod tiles_cpu{
    {"tiles", DeviceKind::cpu, true, "the definition"}, true, false, run<float>, run<double>};

}  // namespace shoal::neighbors
