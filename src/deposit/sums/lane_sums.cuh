// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/warp_cells.cuh"

/// Sums of cells and of chunks by groups of eight lanes, in registers.
namespace shoal::deposit::lane_sums {

using namespace corner_parts;

/// Arguments of the kernels.
template <int width, class Real>
struct LaneSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Real* chunk_parts;  ///< [2 per sum_chunk particles][width][8]; a full cell's first slot gets its sum

  /// Parts of a chunk. At most two chunks of full cells begin in a window of sum_chunk particles: one of a cell that begins
  /// before or with the window, and one of a cell that begins inside it.
  __device__ Real* parts_of_chunk(std::int64_t cell_begin, std::int64_t chunk) const {
    const std::int64_t window = (cell_begin + chunk * sum_chunk) / sum_chunk;
    const std::int64_t slot = 2 * window + (cell_begin > window * sum_chunk ? 1 : 0);
    return chunk_parts + slot * width * 8;
  }

  /// The chunk of a slot; an empty chunk if there is none.
  __device__ FilledCell chunk_of_slot(std::int64_t slot) const {
    const std::int64_t window = slot / 2 * sum_chunk;
    if (window >= particles.count) return {};
    const std::int64_t last = ::min(window + sum_chunk, particles.count) - 1;
    const std::int64_t cell = particles.cell[slot % 2 == 0 ? window : last];
    if (cell == space.cell_count()) return {};
    const Range range = particles.of_cell(cell);
    const bool begins_inside = range.begin > window;
    if (range.count() <= sum_chunk || begins_inside != (slot % 2 == 1)) return {};
    const std::int64_t begin =
        begins_inside ? range.begin : range.begin + chunk_count(window - range.begin) * sum_chunk;
    return filled_cell(cell, {begin, ::min(begin + sum_chunk, range.end)});
  }
};

template <bool masked, int corners, int width, class Real>
__device__ __forceinline__ void add_particle(const LaneSum<width, Real>& call, std::int64_t cell,
                                             const Real (&offset)[3], const Values<width, Real>& value,
                                             Values<width, Real> (&sum)[corners]) {
  CornerWeights<Real> weights = corner_weights(offset);
  if constexpr (masked) call.space.mask(weights, cell);
#pragma unroll
  for (int c = 0; c < corners; ++c) sum[c].add(weights[c], value);
}

/// The part of a cell with several chunks, which earlier kernels added.
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> full_part(const LaneSum<width, Real>& call, std::int64_t cell_begin,
                                                         int corner) {
  const Real* const stored = call.parts_of_chunk(cell_begin, 0) + corner;
  Values<width, Real> part;
#pragma unroll
  for (int k = 0; k < width; ++k) part.component[k] = stored[k * 8];
  return part;
}

/// The sum of a chunk, one corner per lane. All lanes of a warp call it; the lanes of a group have one chunk.
/// @tparam at_once  number of particles of a lane that are on their way
template <int corners, int at_once = 2, int width, class Real>
__device__ __forceinline__ Values<width, Real> sum_one_chunk(const LaneSum<width, Real>& call,
                                                             const FilledCell& chunk) {
  Values<width, Real> sum[corners] = {};
#pragma unroll at_once
  for (std::int64_t p = chunk.begin + threadIdx.x % sum_lanes; p < chunk.end; p += sum_lanes) {
    const Real offset[3] = {call.particles.offset[0][p], call.particles.offset[1][p],
                            corners == 8 ? call.particles.offset[2][p] : Real(0)};
    add_particle<true>(call, chunk.cell, offset, call.values.read(p), sum);
  }
  return add_across(sum, sum_lanes / 2);
}

/// Weights of some of a cell's corners. Weight c belongs to corner `lane_corner` ^ c, so the sums that a lane retains and
/// the sums that it sends away have the same indices in all lanes.
template <int held, int corners, class Real>
class LaneCorners {
 public:
  __device__ __forceinline__ explicit LaneCorners(int lane_corner) {
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_upper = (lane_corner >> axis & 1) != 0;
      slope_[axis] = is_upper ? Real(1) : Real(-1);
      base_[axis] = is_upper ? Real(0) : Real(1);
    }
  }

  /// The bits of corner_weights().
  __device__ __forceinline__ void weights(const Real* offset, Real (&weight)[held]) const {
    Real side[3][2];
#pragma unroll
    for (int axis = 0; axis < (corners == 8 ? 3 : 2); ++axis) {
      // An fma by 1 or -1 rounds once, as the difference does.
      side[axis][0] = std::fma(slope_[axis], offset[axis], base_[axis]);
      if (1 << axis < held) side[axis][1] = std::fma(-slope_[axis], offset[axis], 1 - base_[axis]);
    }
#pragma unroll
    for (int c = 0; c < held; ++c) {
      weight[c] = rounded_product(side[0][c & 1], side[1][c >> 1 & 1]);
      if (corners == 8) weight[c] = rounded_product(weight[c], side[2][c >> 2]);
    }
  }

 private:
  Real slope_[3];
  Real base_[3];
};

/// add_across() of sums in the order of LaneCorners.
template <int held, class Value>
__device__ __forceinline__ Value add_lane_corners(const Value (&sum)[held], int across) {
  if constexpr (held == 1) {
    return add_across(sum, across);
  } else {
    Value retained[held / 2];
#pragma unroll
    for (int c = 0; c < held / 2; ++c) retained[c] = sum[c] + sum[c + held / 2].of_partner(across);
    return add_lane_corners(retained, across / 2);
  }
}

}  // namespace shoal::deposit::lane_sums
