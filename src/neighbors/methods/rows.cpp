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
// differs        exact list instead of a fixed number of neighbours; canonical order
#include <omp.h>

#include <algorithm>

#include "core/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/methods.hpp"

namespace shoal {

namespace {

constexpr std::int64_t chunk = 512;  ///< destinations that a thread takes at a time

/// Points in the order of their cells.
template <class Real>
struct SortedSet {
  const Real* x;
  const Real* y;
  const Real* z;
  const std::int32_t* point;
  const std::int64_t* cell_start;
  std::int64_t count;

  SHOAL_HD Position<Real> at(std::int64_t k) const { return {x[k], y[k], z[k]}; }
};

template <class Real>
const Real* in_order(const Queue& queue, ScratchFrame& frame, View<const Real> from, View<const std::int32_t> order) {
  const View<Real> to = frame.array<Real>(order.count);
  if (from.data == nullptr)
    std::fill_n(to.data, to.count, Real(0));
  else
    gather(queue, from, order, to);
  return to.data;
}

template <class Real>
SortedSet<Real> sort_set(const NeighborSearch<Real>& search, ScratchFrame& frame, const SearchSet<Real>& set) {
  set.sorter.sort(set.cell_of_point, search.formula.cell_count());
  const View<const std::int32_t> order = set.sorter.order();
  const Queue& queue = search.queue();
  const bool flat = search.formula.dimensions == 2;
  const View<const Real> z = flat ? View<const Real>() : set.points.z;
  return {in_order(queue, frame, set.points.x, order),
          in_order(queue, frame, set.points.y, order),
          in_order(queue, frame, z, order),
          order.data,
          set.sorter.cell_start().data,
          order.count};
}

template <class Real>
struct Rows {
  PairTest<Real> test;
  CellFormula<Real> formula;
  SortedSet<Real> sources;
  SortedSet<Real> destinations;
  bool excludes_self;

  bool has_cell(const Position<Real>& at) const { return formula.fault(at.x, at.y, at.z) == formula.dimensions; }
};

/// Number of neighbours of the destinations in a range, for each destination by its number.
template <bool periodic, class Real>
SHOAL_CPU_VARIANTS void count_neighbors(const Rows<Real>& rows, Range range, std::int64_t* count) {
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const Position<Real> at = rows.destinations.at(k);
    std::int64_t found = 0;
    if (rows.has_cell(at)) {
      const Stencil<Real> stencil(rows.formula, at);
      for (int r = 0; r < stencil.runs(); ++r) {
        const CellRun cells = stencil.run(r);
        const std::int64_t end = rows.sources.cell_start[cells.end];
        std::int32_t hits = 0;
        for (std::int64_t j = rows.sources.cell_start[cells.begin]; j < end; ++j)
          hits += rows.test.template near<periodic>(at, rows.sources.at(j)) ? 1 : 0;
        found += hits;
      }
      if (rows.excludes_self) --found;  // it is always found: d = 0
    }
    count[rows.destinations.point[k]] = found;
  }
}

/// Appends the sources [begin, end) that are near; `self` is left out. Returns the new end.
template <bool periodic, class Real>
SHOAL_HD std::int32_t* append_near(const Rows<Real>& rows, const Position<Real>& at, std::int64_t begin,
                                   std::int64_t end, std::int64_t self, std::int32_t* to) {
  constexpr std::int64_t most = 256;
  std::int32_t near[most];
  for (std::int64_t block = begin; block < end; block += most) {
    const std::int64_t length = std::min(most, end - block);
    for (std::int64_t j = 0; j < length; ++j)
      near[j] = rows.test.template near<periodic>(at, rows.sources.at(block + j)) ? 1 : 0;
    if (self >= block && self < block + length) near[self - block] = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      *to = rows.sources.point[block + j];  // overwritten by the next one if this one is not near
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

/// Writes the rows of the destinations in a range.
/// @param row  room for the longest row and one more
template <bool periodic, class Real>
SHOAL_CPU_VARIANTS void fill_neighbors(const Rows<Real>& rows, Range range, const std::int64_t* offsets,
                                       std::int32_t* row, std::int32_t* indices) {
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const Position<Real> at = rows.destinations.at(k);
    if (!rows.has_cell(at)) continue;
    const std::int64_t self = rows.excludes_self ? k : -1;
    const Stencil<Real> stencil(rows.formula, at);
    std::int32_t* end = row;
    for (int r = 0; r < stencil.runs(); ++r) {
      const CellRun cells = stencil.run(r);
      end = append_near<periodic>(rows, at, rows.sources.cell_start[cells.begin], rows.sources.cell_start[cells.end],
                                  self, end);
    }
    copy_sorted(row, end - row, indices + offsets[rows.destinations.point[k]]);
  }
}

template <bool periodic, class Real>
void search_rows(const NeighborSearch<Real>& search, ScratchFrame& frame, const Rows<Real>& rows) {
  const int threads = search.queue().threads();
  const std::int64_t n = rows.destinations.count;
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  std::int64_t* offsets = search.list.offsets.data();
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c)
    count_neighbors<periodic>(rows, {c * chunk, std::min(n, (c + 1) * chunk)}, offsets);

  const std::int64_t longest = n > 0 ? *std::max_element(offsets, offsets + n) : 0;
  exclusive_scan<std::int64_t>(search.scratch, View<const std::int64_t>(offsets, n), search.list.offsets);
  search.list.indices.resize(offsets[n]);
  const std::int64_t row_room = longest + 1;
  std::int32_t* row = frame.array<std::int32_t>(threads * row_room).data;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c)
    fill_neighbors<periodic>(rows, {c * chunk, std::min(n, (c + 1) * chunk)}, offsets,
                             row + omp_get_thread_num() * row_room, search.list.indices.data());
}

template <class Real>
void run(const NeighborSearch<Real>& search) {
  ScratchFrame frame(search.scratch);
  const SortedSet<Real> sources = sort_set(search, frame, search.sources);
  const SortedSet<Real> destinations = search.one_set ? sources : sort_set(search, frame, search.destinations);
  const Rows<Real> rows{search.test, search.formula, sources, destinations, search.excludes_self()};
  search.list.offsets.resize(destinations.count + 1);
  if (search.formula.periodic())
    search_rows<true>(search, frame, rows);
  else
    search_rows<false>(search, frame, rows);
}

}  // namespace

const NeighborsMethod neighbors_rows_cpu{
    {"rows", DeviceKind::cpu, true, "Green (2010); Dominguez et al. (2013)"}, run<float>, run<double>};

}  // namespace shoal
