// SPDX-License-Identifier: Apache-2.0
// Threads find the pairs of points in the order of their bins: points of one bin are compared with the same runs of points.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/inlined.hpp"
#include "core/primitives/append_marked.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"
#include "neighbors/methods/row_ranks.hpp"
#include "neighbors/periodic/bins/bin_backend.hpp"

namespace shoal::neighbors {

namespace {

/// Run of sorted points in bins that follow each other in one combination of periods.
struct BinRun {
  std::int64_t begin, end;
  std::int32_t periods[3];
  std::int32_t combination;
};

/// Runs around one bin.
class BinRuns {
 public:
  template <class Real>
  SHOAL_HD void assign(const BinGrid& grid, const BinnedPoints<Real>& sorted, const Bin& bin) {
    runs_.clear();
    BinRun run{};
    for (std::int32_t a = bin.along[0] - grid.reach[0]; a <= bin.along[0] + grid.reach[0]; ++a)
      for (std::int32_t b = bin.along[1] - grid.reach[1]; b <= bin.along[1] + grid.reach[1]; ++b) {
        Bin row{{a, b, 0}};
        for (int k = 0; k < 2; ++k) run.periods[k] = take_period(grid, k, row.along[k]);
        const std::int64_t first_of_row = grid.number(row);
        const std::int32_t end = bin.along[2] + grid.reach[2] + 1;
        for (std::int32_t c = bin.along[2] - grid.reach[2]; c < end;) {
          std::int32_t first = c;
          run.periods[2] = take_period(grid, 2, first);
          const std::int32_t length = std::min(end - c, grid.count[2] - first);
          run.begin = sorted.start[first_of_row + first];
          run.end = sorted.start[first_of_row + first + length];
          run.combination = grid.combination(run.periods);
          if (run.begin < run.end) runs_.push_back(run);
          c += length;
        }
      }
  }

  const std::vector<BinRun>& runs() const { return runs_; }

 private:
  std::vector<BinRun> runs_;
};

/// Parts of a search in bins that all threads read.
template <class Real>
struct BinnedSearch {
  const BinnedSystem<Real>& system;
  const BinnedPoints<Real>& sorted;
  const BinGrid& grid;
  ImageTest<Real> test;
};

/// Marks the sorted points [begin, begin + length) near a point.
/// @param shift  of the run, plus the periods of the point unless all points have the same
/// @param near   [length, rounded up to append_group] out
template <class Real>
SHOAL_HD void mark_near(const BinnedSearch<Real>& search, const Position<Real>& position,
                        const std::int32_t (&shift)[3], std::int64_t begin, std::int64_t length, std::int32_t* near) {
  const Real *const x = search.sorted.x + begin, *const y = search.sorted.y + begin, *const z = search.sorted.z + begin;
  const Real limit = search.system.limit;
  const std::int64_t groups = (length + append_group - 1) / append_group * append_group;
  const auto mark = [&](auto&& displacement) SHOAL_INLINED {
    for (std::int64_t j = 0; j < groups; ++j)
      near[j] = PairTest<Real>::squared(displacement(j, Position<Real>{x[j], y[j], z[j]})) < limit ? 1 : 0;
  };
  if (!search.grid.equal_periods) {
    const std::int32_t *const first = search.sorted.sorted_periods[0] + begin,
                              *const second = search.sorted.sorted_periods[1] + begin,
                              *const third = search.sorted.sorted_periods[2] + begin;
    mark([&](std::int64_t j, const Position<Real>& source) SHOAL_INLINED {
      return search.test.shifted_displacement(position, source,
                                              {shift[0] - first[j], shift[1] - second[j], shift[2] - third[j]});
    });
  } else if ((shift[0] | shift[1] | shift[2]) == 0) {
    mark([&](std::int64_t, const Position<Real>& source) SHOAL_INLINED {
      return Position<Real>{source.x - position.x, source.y - position.y, source.z - position.z};
    });
  } else {
    mark([&](std::int64_t, const Position<Real>& source)
             SHOAL_INLINED { return search.test.shifted_displacement(position, source, shift); });
  }
  for (std::int64_t j = length; j < groups; ++j) near[j] = 0;
}

/// Replaces the numbers of near points by the keys of wanted pairs: j times the number of combinations, plus the
/// combination of periods. Keys ascend as pairs do. Returns their end.
template <class Real>
SHOAL_HD std::int32_t* numbers_to_keys(const BinnedSearch<Real>& search, std::int32_t i, const BinRun& run,
                                       std::int32_t combinations, std::int32_t* begin, const std::int32_t* end) {
  std::int32_t* kept = begin;
  const bool half = search.system.rule.half;
  for (const std::int32_t* number = begin; number < end; ++number) {
    const std::int32_t j = *number;
    *kept = j * combinations + run.combination;
    const bool is_wanted = j == i ? search.system.rule.wants(i, i, run.periods) : !half || j > i;
    kept += is_wanted ? 1 : 0;
  }
  return kept;
}

/// Finds the keys of the pairs of sorted point k, in any order. Returns their number.
/// @param row  grows to fit
template <class Real>
SHOAL_HD std::int64_t find_keys(const BinnedSearch<Real>& search, const BinRuns& runs, std::int64_t k,
                                std::int32_t combinations, std::vector<std::int32_t>& row) {
  constexpr std::int64_t most = 256;
  std::int32_t near[most];
  const Position<Real> position = search.sorted.position(k);
  const std::int32_t i = search.sorted.number[k];
  std::int64_t count = 0;
  for (const BinRun& run : runs.runs()) {
    if (count + run.end - run.begin + RankBlock::count > static_cast<std::int64_t>(row.size()))
      row.resize(static_cast<std::size_t>(2 * (count + run.end - run.begin) + RankBlock::count));
    std::int32_t shift[3];
    for (int axis = 0; axis < 3; ++axis)
      shift[axis] = run.periods[axis] + (search.grid.equal_periods ? 0 : search.sorted.sorted_periods[axis][k]);
    std::int32_t* const begin = row.data() + count;
    std::int32_t* end = begin;
    for (std::int64_t first = run.begin; first < run.end; first += most) {
      const std::int64_t length = std::min(most, run.end - first);
      mark_near(search, position, shift, first, length, near);
      end = append_marked(search.sorted.number + first, near, length, end);
    }
    count = numbers_to_keys(search, i, run, combinations, begin, end) - row.data();
  }
  return count;
}

/// Finds the keys of a range of sorted points, in the order of the list for each point.
/// @param rows  out
template <class Real>
SHOAL_CPU_VARIANTS void find_rows(const BinnedSearch<Real>& search, Range range, std::vector<std::int32_t>& rows,
                                  FirstException& failed) {
  try {
    BinRuns runs;
    std::vector<std::int32_t> row;
    Bin last{{-1, -1, -1}};
    const std::int32_t combinations = search.grid.combinations();
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const Bin bin = search.grid.bin_of(search.system.place(search.sorted.position(k)));
      if (!std::equal(bin.along, bin.along + 3, last.along)) runs.assign(search.grid, search.sorted, bin);
      last = bin;
      const std::int64_t count = find_keys(search, runs, k, combinations, row);
      search.system.offsets.data[search.sorted.number[k]] = count;
      rows.resize(rows.size() + static_cast<std::size_t>(count));
      copy_sorted(row.data(), count, rows.data() + rows.size() - count);
    }
  } catch (...) {
    failed.keep_current();
  }
}

/// Writes the pairs of a range of sorted points.
template <class Real>
SHOAL_CPU_VARIANTS void write_rows(const BinnedSearch<Real>& search, Range range, const std::int32_t* key,
                                   const std::array<std::int32_t, 3>* periods, const PairOutputs<Real>& outputs) {
  const std::int32_t combinations = search.grid.combinations();
  const double inverse = 1.0 / combinations;
  ImagePair<Real> pair{};
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::int32_t i = search.sorted.number[k];
    const Position<Real> position = search.sorted.position(k);
    for (std::int64_t p = search.system.offsets.data[i]; p < search.system.offsets.data[i + 1]; ++p, ++key) {
      const auto j =
          static_cast<std::int32_t>((*key + 0.5) * inverse);  // exact: no quotient is as near to a whole number
      const std::array<std::int32_t, 3>& period = periods[*key - j * combinations];
      pair.j = j;
      for (std::size_t axis = 0; axis < 3; ++axis) pair.shift[axis] = period[axis];
      complete_pair(search.system, search.sorted, search.grid, search.test, i, position, outputs.has_vectors(), pair);
      outputs.write(p, i, pair);
    }
  }
}

/// Periods of all combinations.
std::vector<std::array<std::int32_t, 3>> periods_of_combinations(const BinGrid& grid) {
  std::vector<std::array<std::int32_t, 3>> periods(static_cast<std::size_t>(grid.combinations()));
  for (std::size_t c = 0; c < periods.size(); ++c) {
    std::int32_t period[3];
    grid.set_periods(static_cast<std::int32_t>(c), period);
    periods[c] = {period[0], period[1], period[2]};
  }
  return periods;
}

template <class Real>
PeriodExtent extent_of(const BinnedSystem<Real>& system, int threads) {
  PeriodExtent extent;
#pragma omp parallel num_threads(threads)
  {
    PeriodExtent part;
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < system.count; ++i) add_point(system.cell, system.position(i), part);
#pragma omp critical
    extent.add(part);
  }
  return extent;
}

/// Returns true if bins of points have few points.
bool has_small_bins(const std::int64_t* start, std::int64_t bins) {
  std::int64_t squares = 0;
  for (std::int64_t b = 0; b < bins; ++b) squares += (start[b + 1] - start[b]) * (start[b + 1] - start[b]);
  return squares <= most_points_of_bin * start[bins];
}

/// Sorts the points by bin.
template <class Real>
void sort_points(Scratch& scratch, const BinnedSystem<Real>& system, const BinGrid& grid, std::int64_t bins,
                 int threads, const BinnedPoints<Real>& sorted) {
  ScratchFrame frame(scratch);
  const std::int64_t n = system.count;
  const View<std::uint32_t> bin = frame.array<std::uint32_t>(n), sorted_bin = frame.array<std::uint32_t>(n);
  const View<std::int32_t> number = frame.array<std::int32_t>(n);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    bin.data[i] = static_cast<std::uint32_t>(grid.number(grid.bin_of(system.place(system.position(i)))));
    number.data[i] = static_cast<std::int32_t>(i);
  }
  sort_pairs<std::uint32_t, std::int32_t>(scratch, {bin, number}, {sorted_bin, {sorted.number, n}},
                                          std::bit_width(static_cast<std::uint64_t>(bins)));
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t i = sorted.number[k];
    const Position<Real> position = system.position(i);
    sorted.store(k, i, position, system.place(position));
    const std::int64_t first = k == 0 ? 0 : std::int64_t{sorted_bin.data[k - 1]} + 1;
    for (std::int64_t b = first; b <= sorted_bin.data[k]; ++b) sorted.start[b] = k;
  }
  for (std::int64_t b = sorted_bin.data[n - 1] + std::int64_t{1}; b <= bins; ++b) sorted.start[b] = n;
}

template <class Real>
bool find(Scratch& scratch, const BinnedSystem<Real>& system, const MakeRoom<Real>& make_room) {
  const Queue& queue = scratch.queue();
  const std::int64_t n = system.count;
  const int threads = threads_for(8 * n, queue.threads());
  const PeriodExtent extent = extent_of(system, threads);
  FixedPeriods margins{};
  BinGrid grid{};
  if (!shift_margins<Real>(system.cell, extent, n, system.radius, margins) ||
      !make_bins(system.cell, extent, margins, n, n, grid))
    return false;
  const std::int64_t bins = std::int64_t{grid.count[0]} * grid.count[1] * grid.count[2];
  ScratchFrame frame(scratch);
  const BinnedPoints<Real> sorted(frame, n, bins, append_group);
  sort_points(scratch, system, grid, bins, threads, sorted);
  if (!has_small_bins(sorted.start, bins)) return false;
  const BinnedSearch<Real> search{system, sorted, grid, ImageTest<Real>(system.cell)};
  const std::int64_t chunk = std::clamp<std::int64_t>(n / (8 * threads), 32, 512);
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  const auto range_of = [&](std::int64_t c) { return Range{c * chunk, std::min(n, (c + 1) * chunk)}; };
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(chunks));
  FirstException failed;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c) find_rows(search, range_of(c), rows[static_cast<std::size_t>(c)], failed);
  failed.rethrow();
  exclusive_scan<std::int64_t>(scratch, View<const std::int64_t>(system.offsets.data, n), system.offsets);
  const PairOutputs<Real> outputs = make_room(system.offsets.data[n]);
  const std::vector<std::array<std::int32_t, 3>> periods = periods_of_combinations(grid);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::vector<std::int32_t> keys = std::move(rows[static_cast<std::size_t>(c)]);
    write_rows(search, range_of(c), keys.data(), periods.data(), outputs);
  }
  return true;
}

}  // namespace

template <class Real>
const BinBackend<Real> BinBackend<Real>::cpu = {
    .least_points = 200, .most_points = std::numeric_limits<std::int64_t>::max(), .find = neighbors::find<Real>};
template const BinBackend<float> BinBackend<float>::cpu;
template const BinBackend<double> BinBackend<double>::cpu;

}  // namespace shoal::neighbors
