// SPDX-License-Identifier: Apache-2.0
// A warp compares one point with the points of the bins around it, 32 at a time, whatever bins they are in. One pass counts
// the pairs; another one finds their keys, sorts them in shared memory, and writes the pairs.
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "neighbors/periodic/bins/bin_backend.hpp"
#include "neighbors/periodic/direct/periodic_extent.cuh"
#include "neighbors/periodic/direct/warp_candidates.cuh"

namespace shoal::neighbors {

namespace {

constexpr int extent_threads = 256;
constexpr int row_threads = 128;
constexpr int row_warps = row_threads / 32;
constexpr int longest_row = 512;  ///< Largest number of pairs of a point, whose keys a warp holds in shared memory.

/// State of a search on the device.
struct BinState {
  BinGrid grid;
  std::int32_t needs_general;  ///< 1 if the system is not for this search; then there are no pairs.
  std::int32_t longest;        ///< Largest number of pairs of a point, if a warp cannot hold it.
  unsigned long long squares;  ///< Sum over the points of the number of points in their bins.
  std::int64_t pairs;
  unsigned blocks_done;
};

/// Arguments of all kernels.
template <class Real>
struct BinArguments {
  BinnedSystem<Real> system;
  BinnedPoints<Real> sorted;
  BinState* state;
  std::int64_t most_bins;
  std::uint32_t* bin_of_point;  ///< [points]
  std::int32_t* rank_in_bin;    ///< [points] in any order
  std::int32_t* points_of_bin;  ///< [most_bins]
  PairOutputs<Real> outputs;

  __device__ bool stops() const { return state->needs_general != 0; }
};

/// Computes the extent of the points; the last block to finish makes the bins.
/// @param extents  [gridDim.x] scratch memory
template <class Real>
__global__ void __launch_bounds__(extent_threads) make_grid(BinArguments<Real> search, PeriodExtent* extents) {
  __shared__ bool is_last;
  const BinnedSystem<Real>& system = search.system;
  PeriodExtent extent;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * extent_threads;
  for (std::int64_t i = thread_index(); i < system.count; i += step) add_point(system.cell, system.position(i), extent);
  add_across_block<extent_threads>(extent);
  if (threadIdx.x == 0) {
    extents[blockIdx.x] = extent;
    __threadfence();
    is_last = atomicAdd(&search.state->blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  extent = PeriodExtent{};
  for (unsigned block = threadIdx.x; block < gridDim.x; block += extent_threads) extent.add(extents[block]);
  add_across_block<extent_threads>(extent);
  if (threadIdx.x != 0) return;
  FixedPeriods margins{};
  const bool suits = shift_margins<Real>(system.cell, extent, system.count, system.radius, margins) &&
                     make_bins(system.cell, extent, margins, system.count, search.most_bins, search.state->grid);
  if (!suits) search.state->needs_general = 1;
}

/// Counts the points of each bin.
template <class Real>
__global__ void count_points(BinArguments<Real> search) {
  const std::int64_t i = thread_index();
  if (i >= search.system.count || search.stops()) return;
  const BinGrid& grid = search.state->grid;
  const std::int32_t bin = grid.number(grid.bin_of(search.system.place(search.system.position(i))));
  search.bin_of_point[i] = static_cast<std::uint32_t>(bin);
  search.rank_in_bin[i] = atomicAdd(&search.points_of_bin[bin], 1);
}

/// Copies the points in the order of their bins; within a bin in any order, on which no result depends.
template <class Real>
__global__ void sort_points(BinArguments<Real> search) {
  const std::int64_t i = thread_index();
  const bool is_point = i < search.system.count && !search.stops();
  unsigned long long neighbors = 0;
  if (is_point) {
    const std::uint32_t bin = search.bin_of_point[i];
    const std::int64_t start = search.sorted.start[bin];
    neighbors = static_cast<unsigned long long>(search.sorted.start[bin + 1] - start);
    const Position<Real> position = search.system.position(i);
    search.sorted.store(start + search.rank_in_bin[i], i, position, search.system.place(position));
  }
  neighbors = warp_sum(neighbors);
  if (threadIdx.x % 32 == 0 && neighbors > 0) atomicAdd(&search.state->squares, neighbors);
}

/// Run of bins that a lane of a warp has, in one combination of periods.
struct LaneRun {
  std::int64_t begin = 0;
  int count = 0;
  std::int32_t packed_periods = 0;

  static constexpr int bits = 10;

  /// Sets run `number` of the runs around a bin: all rows, in all periods along the last vector.
  template <class Real>
  __device__ void assign(const BinArguments<Real>& search, const BinGrid& grid, const Bin& bin, int number) {
    const int periods = 2 * grid.periods[2] + 1;
    const int rows1 = 2 * grid.reach[1] + 1;
    const int row = number / periods;
    const std::int32_t period = number - row * periods - grid.periods[2];
    const int a = row / rows1;
    Bin first{{bin.along[0] - grid.reach[0] + a, bin.along[1] - grid.reach[1] + row - a * rows1, 0}};
    const std::int32_t t[3] = {take_period(grid, 0, first.along[0]), take_period(grid, 1, first.along[1]), period};
    const std::int32_t lower = ::max(bin.along[2] - grid.reach[2], period * grid.count[2]);
    const std::int32_t upper = ::min(bin.along[2] + grid.reach[2] + 1, (period + 1) * grid.count[2]);
    count = 0;
    if (lower >= upper) return;
    first.along[2] = lower - period * grid.count[2];
    const std::int32_t cell = grid.number(first);
    begin = search.sorted.start[cell];
    count = static_cast<int>(search.sorted.start[cell + upper - lower] - begin);
    packed_periods = 0;
    for (int k = 2; k >= 0; --k) packed_periods = packed_periods << bits | (t[k] + grid.periods[k]);
  }

  __device__ static std::int32_t period(const BinGrid& grid, std::int32_t packed, int k) {
    return (packed >> bits * k & ((1 << bits) - 1)) - grid.periods[k];
  }
};

/// Calls use(lanes with a pair, this lane has one, key of the pair) for all candidates of sorted point k.
template <class Real, class Use>
__device__ void visit_candidates(const BinArguments<Real>& search, const BinGrid& grid, const ImageTest<Real>& test,
                                 std::int64_t k, Use&& use) {
  const BinnedPoints<Real>& sorted = search.sorted;
  const int lane = lane_number();
  const Position<Real> position = sorted.position(k);
  const std::int32_t i = sorted.number[k];
  std::int32_t periods[3];
  for (int axis = 0; axis < 3; ++axis) periods[axis] = sorted.sorted_periods[axis][k];
  const Bin bin = grid.bin_of(search.system.place(position));
  const int runs = (2 * grid.reach[0] + 1) * (2 * grid.reach[1] + 1) * (2 * grid.periods[2] + 1);
  for (int first_run = 0; first_run < runs; first_run += 32) {
    LaneRun run;
    if (first_run + lane < runs) run.assign(search, grid, bin, first_run + lane);
    const WarpCandidates candidates(run.count);
    for (int first = 0; first < candidates.total; first += 32) {
      const int candidate = first + lane;
      const int source = candidates.lane_of(candidate);
      const int before = __shfl_sync(whole_warp, candidates.end - run.count, source);
      const std::int64_t begin = __shfl_sync(whole_warp, run.begin, source);
      const std::int32_t packed = __shfl_sync(whole_warp, run.packed_periods, source);
      bool is_pair = false;
      std::int32_t key = 0;
      if (candidate < candidates.total) {
        const std::int64_t c = begin + candidate - before;
        std::int32_t shift[3], period[3];
        for (int axis = 0; axis < 3; ++axis) {
          period[axis] = LaneRun::period(grid, packed, axis);
          shift[axis] = period[axis] + periods[axis] - sorted.sorted_periods[axis][c];
        }
        const std::int32_t j = sorted.number[c];
        is_pair =
            PairTest<Real>::squared(test.displacement(position, sorted.position(c), shift)) < search.system.limit &&
            search.system.rule.wants(i, j, shift);
        key = j * grid.combinations() + grid.combination(period);
      }
      use(__ballot_sync(whole_warp, is_pair), is_pair, key);
    }
  }
}

/// Counts the pairs of each point.
template <class Real>
__global__ void __launch_bounds__(row_threads) count_pairs(BinArguments<Real> search) {
  BinState& state = *search.state;
  const std::int64_t k = thread_index() / 32;
  const bool is_crowded = state.squares > static_cast<unsigned long long>(most_points_of_bin * search.system.count);
  if (is_crowded && thread_index() == 0) state.needs_general = 1;
  if (k >= search.system.count || search.stops() || is_crowded) return;
  const BinGrid grid = state.grid;
  int count = 0;
  visit_candidates(search, grid, ImageTest<Real>(search.system.cell), k,
                   [&](unsigned votes, bool, std::int32_t) { count += __popc(votes); });
  if (threadIdx.x % 32 != 0) return;
  search.system.offsets.data[search.sorted.number[k]] = count;
  if (count > longest_row) atomicMax(&state.longest, count);
}

/// Writes the pairs of each point.
template <class Real>
__global__ void __launch_bounds__(row_threads) write_pairs(BinArguments<Real> search) {
  __shared__ std::int32_t row_keys[row_warps][longest_row], sorted_keys[row_warps][longest_row];
  const std::int64_t k = thread_index() / 32;
  if (k >= search.system.count) return;
  const int lane = lane_number();
  std::int32_t* const row = row_keys[threadIdx.x / 32];
  std::int32_t* const keys = sorted_keys[threadIdx.x / 32];
  const BinGrid grid = search.state->grid;
  const ImageTest<Real> test(search.system.cell);
  int count = 0;
  visit_candidates(search, grid, test, k, [&](unsigned votes, bool is_pair, std::int32_t key) {
    if (is_pair) row[count + votes_before(votes)] = key;
    count += __popc(votes);
  });
  __syncwarp();
  for (int e = lane; e < count; e += 32) {
    const std::int32_t key = row[e];
    int rank = 0;
    for (int f = 0; f < count; ++f) rank += row[f] < key ? 1 : 0;
    keys[rank] = key;
  }
  __syncwarp();
  const std::int32_t i = search.sorted.number[k];
  const Position<Real> position = search.sorted.position(k);
  const std::int64_t first = search.system.offsets.data[i];
  const std::int32_t combinations = grid.combinations();
  for (int e = lane; e < count; e += 32) {
    ImagePair<Real> pair{};
    const std::int32_t j = keys[e] / combinations;
    pair.j = j;
    grid.set_periods(keys[e] - j * combinations, pair.shift);
    complete_pair(search.system, search.sorted, grid, test, i, position, search.outputs.has_vectors(), pair);
    search.outputs.write(first + e, i, pair);
  }
}

template <class Real>
bool find(Scratch& scratch, const BinnedSystem<Real>& system, const MakeRoom<Real>& make_room) {
  constexpr std::int64_t most_blocks = 256;
  const Queue& queue = scratch.queue();
  const std::int64_t n = system.count;
  const std::int64_t blocks = std::min<std::int64_t>(most_blocks, blocks_for(n, extent_threads));
  ScratchFrame frame(scratch);
  const View<std::int32_t> points_of_bin = frame.array<std::int32_t>(n);
  BinArguments<Real> search{.system = system,
                            .sorted = BinnedPoints<Real>(frame, n, n, 0),
                            .state = frame.array<BinState>(1).data,
                            .most_bins = n,
                            .bin_of_point = frame.array<std::uint32_t>(n).data,
                            .rank_in_bin = frame.array<std::int32_t>(n).data,
                            .points_of_bin = points_of_bin.data,
                            .outputs = {}};
  fill_bytes(queue, search.state, 0, sizeof(BinState));
  fill_bytes(queue, points_of_bin.data, 0, static_cast<std::size_t>(n) * sizeof(std::int32_t));
  launch<extent_threads>(queue, blocks * extent_threads, make_grid<Real>, search,
                         frame.array<PeriodExtent>(most_blocks).data);
  launch(queue, n, count_points<Real>, search);
  exclusive_scan<std::int32_t>(scratch, points_of_bin, {search.sorted.start, n + 1, queue.device()});
  launch(queue, n, sort_points<Real>, search);
  launch<row_threads>(queue, 32 * n, count_pairs<Real>, search);
  exclusive_scan<std::int64_t>(scratch, View<const std::int64_t>(system.offsets.data, n, queue.device()),
                               system.offsets);
  copy_bytes(queue, &search.state->pairs, queue.device(), system.offsets.data + n, queue.device(),
             sizeof(std::int64_t));
  BinState state;
  copy_bytes(queue, &state, {}, search.state, queue.device(), sizeof state);
  if (state.needs_general != 0 || state.longest > longest_row) return false;
  search.outputs = make_room(state.pairs);
  launch<row_threads>(queue, 32 * n, write_pairs<Real>, search);
  return true;
}

}  // namespace

template <class Real>
const BinBackend<Real> BinBackend<Real>::cuda = {
    .least_points = 1025, .most_points = 1 << 17, .find = neighbors::find<Real>};
template const BinBackend<float> BinBackend<float>::cuda;
template const BinBackend<double> BinBackend<double>::cuda;

}  // namespace shoal::neighbors
