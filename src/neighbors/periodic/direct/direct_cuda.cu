// SPDX-License-Identifier: Apache-2.0
// A warp compares its points with 32 points of the system at a time, one in each lane. The shifts of all lanes are tested
// together, 32 at a time, in the order of the list.
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "neighbors/periodic/direct/direct_backend.hpp"
#include "neighbors/periodic/direct/periodic_extent.cuh"
#include "neighbors/periodic/direct/warp_candidates.cuh"

namespace shoal::neighbors {

namespace {

constexpr int threads = 128;
constexpr int warps = threads / 32;

/// Few points of a block leave more blocks, so that a small number of points is shared by the whole device.
std::int64_t block_points(const Queue& queue, std::int64_t points) {
  constexpr std::int64_t blocks_of_multiprocessor = 16;
  return std::clamp<std::int64_t>(points / (blocks_of_multiprocessor * multiprocessors(queue)), warps, threads);
}

/// Makes cell and margins of a system, one block for each.
template <class Real>
__global__ void __launch_bounds__(threads) prepare_system(DirectSystems<Real> systems) {
  __shared__ bool is_cell;
  const std::int64_t s = blockIdx.x;
  if (threadIdx.x == 0) is_cell = systems.make_cell(s);
  __syncthreads();
  const SystemCell& cell = systems.cells[s];
  const Range points = systems.system(s);
  PeriodExtent extent;
  for (std::int64_t i = points.begin + threadIdx.x; i < points.end; i += threads)
    add_point(cell, systems.position(i), extent);
  add_across_block<threads>(extent);
  if (threadIdx.x != 0) return;
  const bool suits = is_cell && (points.count() == 0 ||
                                 shift_margins<Real>(cell, extent, points.count(), systems.radius, systems.margins[s]));
  if (!suits) *systems.needs_general = 1;
}

/// Returns floor(a / b) for 0 <= a < 2^20.
__device__ std::int32_t quotient(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>((static_cast<float>(a) + 0.5f) * __frcp_rn(static_cast<float>(b)));
}

/// Writes shift number `candidate` of a range.
__device__ void set_shift(std::int32_t candidate, const std::int32_t (&first)[3], std::int32_t count1,
                          std::int32_t count2, std::int32_t (&shift)[3]) {
  const std::int32_t line = quotient(candidate, count2);
  const std::int32_t plane = quotient(line, count1);
  shift[0] = first[0] + plane;
  shift[1] = first[1] + line - plane * count1;
  shift[2] = first[2] + candidate - line * count2;
}

template <class Real>
__device__ Position<Real> position_of_lane(const Position<Real>& position, int lane) {
  return {__shfl_sync(whole_warp, position.x, lane), __shfl_sync(whole_warp, position.y, lane),
          __shfl_sync(whole_warp, position.z, lane)};
}

/// Calls test_pair(is_candidate, position of j, pair) for all candidates of a point, 32 at a time. The pair has j and the
/// shift.
/// @param j         number of the point of this lane
/// @param position  its position
/// @param range     shifts of this lane; no shift if it has no point
template <class Real, class TestPair>
__device__ void visit_candidates(std::int64_t j, const Position<Real>& position, const ShiftRange& range,
                                 TestPair&& test_pair) {
  const int count = range.total();
  if (!__any_sync(whole_warp, count > 0)) return;
  ImagePair<Real> pair{};
  if (!__any_sync(whole_warp, count > 1)) {
    pair.j = j;
    for (int k = 0; k < 3; ++k) pair.shift[k] = range.first[k];
    test_pair(count > 0, position, pair);
    return;
  }
  const WarpCandidates candidates(count);
  for (int first = 0; first < candidates.total; first += 32) {
    const int candidate = first + lane_number();
    const int lane = candidates.lane_of(candidate);
    const int before = __shfl_sync(whole_warp, candidates.end - count, lane);
    std::int32_t first_shift[3];
    for (int k = 0; k < 3; ++k) first_shift[k] = __shfl_sync(whole_warp, range.first[k], lane);
    const std::int32_t count1 = __shfl_sync(whole_warp, range.count[1], lane);
    const std::int32_t count2 = __shfl_sync(whole_warp, range.count[2], lane);
    const bool is_candidate = candidate < candidates.total;
    pair.j = j + lane - lane_number();
    if (is_candidate) set_shift(candidate - before, first_shift, count1, count2, pair.shift);
    test_pair(is_candidate, position_of_lane(position, lane), pair);
  }
}

/// Points of a block in shared memory.
template <class Real>
struct BlockPoints {
  std::int64_t periods[3][threads];
  Real position[3][threads];

  __device__ void store(int k, const FixedPeriods& fixed, const Position<Real>& x) {
    for (int axis = 0; axis < 3; ++axis) periods[axis][k] = fixed.along[axis];
    position[0][k] = x.x;
    position[1][k] = x.y;
    position[2][k] = x.z;
  }
  __device__ FixedPeriods periods_of(int k) const { return {{periods[0][k], periods[1][k], periods[2][k]}}; }
  __device__ Position<Real> position_of(int k) const { return {position[0][k], position[1][k], position[2][k]}; }
};

/// Calls use(i, lanes with a pair, this lane has one, pair of this lane) for all candidates of the points of a warp.
template <class Real, class Use>
__device__ void visit_pairs(const DirectSystems<Real>& systems, const SystemBlock& block, BlockPoints<Real>& points,
                            const Range& part, Use&& use) {
  const SystemCell& cell = systems.cells[block.system];
  const FixedPeriods margins = systems.margins[block.system];
  const ImageTest<Real> test(cell);
  const Range system = systems.system(block.system);
  for (std::int64_t first = systems.rule.half ? part.begin : system.begin; first < system.end; first += 32) {
    const std::int64_t j = first + lane_number();
    const bool is_point = j < system.end;
    const Position<Real> position = systems.position(is_point ? j : first);
    const FixedPeriods periods = systems.periods(cell, position);
    for (std::int64_t i = part.begin; i < part.end; ++i) {
      const auto k = static_cast<int>(i - block.points.begin);
      ShiftRange range(points.periods_of(k), periods, margins);
      if (!is_point || (systems.rule.half && j < i)) range.count[0] = 0;
      const Position<Real> position_i = points.position_of(k);
      visit_candidates(j, position, range,
                       [&](bool is_candidate, const Position<Real>& position_j, ImagePair<Real>& pair) {
                         const bool is_pair = systems.make_pair(test, i, position_i, position_j, pair) && is_candidate;
                         use(i, __ballot_sync(whole_warp, is_pair), is_pair, pair);
                       });
    }
  }
}

/// Points of this warp.
__device__ Range part_of_warp(const SystemBlock& block) {
  const std::int64_t count = block.points.count(), warp = threadIdx.x / 32;
  return {block.points.begin + count * warp / warps, block.points.begin + count * (warp + 1) / warps};
}

template <class Real>
__device__ void fetch_points(const DirectSystems<Real>& systems, const SystemBlock& block, BlockPoints<Real>& points) {
  for (std::int64_t i = block.points.begin + threadIdx.x; i < block.points.end; i += threads) {
    const Position<Real> position = systems.position(i);
    points.store(static_cast<int>(i - block.points.begin), systems.periods(systems.cells[block.system], position),
                 position);
  }
  __syncthreads();
}

template <class Real>
__global__ void __launch_bounds__(threads) count_pairs_of_block(DirectSystems<Real> systems) {
  __shared__ BlockPoints<Real> points;
  if (*systems.needs_general != 0) return;
  const SystemBlock block = systems.blocks.data[blockIdx.x];
  fetch_points(systems, block, points);
  const Range part = part_of_warp(block);
  int count = 0;  // pairs of the point of this lane
  visit_pairs(systems, block, points, part, [&](std::int64_t i, unsigned votes, bool, const ImagePair<Real>&) {
    if (lane_number() == i - part.begin) count += __popc(votes);
  });
  if (lane_number() < part.count()) systems.offsets[part.begin + lane_number()] = count;
}

template <class Real>
__global__ void __launch_bounds__(threads) write_pairs_of_block(DirectSystems<Real> systems) {
  __shared__ BlockPoints<Real> points;
  const SystemBlock block = systems.blocks.data[blockIdx.x];
  fetch_points(systems, block, points);
  const Range part = part_of_warp(block);
  std::int64_t next = lane_number() < part.count() ? systems.offsets[part.begin + lane_number()] : 0;
  visit_pairs(systems, block, points, part,
              [&](std::int64_t i, unsigned votes, bool is_pair, const ImagePair<Real>& pair) {
                const auto lane = static_cast<int>(i - part.begin);
                const std::int64_t first = __shfl_sync(whole_warp, next, lane);
                if (is_pair) systems.outputs.write(first + votes_before(votes), i, pair);
                if (lane_number() == lane) next += __popc(votes);
              });
}

template <class Real>
void prepare(const Queue& queue, const DirectSystems<Real>& systems) {
  launch<threads>(queue, systems.system_count() * threads, prepare_system<Real>, systems);
}

template <class Real>
void count(const Queue& queue, const DirectSystems<Real>& systems) {
  launch<threads>(queue, systems.blocks.count * threads, count_pairs_of_block<Real>, systems);
}

template <class Real>
void write(const Queue& queue, const DirectSystems<Real>& systems) {
  launch<threads>(queue, systems.blocks.count * threads, write_pairs_of_block<Real>, systems);
}

}  // namespace

template <class Real>
const DirectBackend<Real> DirectBackend<Real>::cuda = {.most_partners = 1024,
                                                       .block_points = neighbors::block_points,
                                                       .prepare = neighbors::prepare<Real>,
                                                       .count = neighbors::count<Real>,
                                                       .write = neighbors::write<Real>};
template const DirectBackend<float> DirectBackend<float>::cuda;
template const DirectBackend<double> DirectBackend<double>::cuda;

}  // namespace shoal::neighbors
