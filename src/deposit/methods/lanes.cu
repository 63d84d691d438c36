// SPDX-License-Identifier: Apache-2.0
// lanes: eight lanes a cell, sums in registers.
//
// idea           lane l of eight takes particles l, l + 8, ... of a cell; the four groups of a warp share the cell's
//                corners, or have a cell each where cells have few particles. An exchange in which each step halves the
//                corners adds the lanes and leaves one corner in each. A warp's particles follow each other, so they
//                stream through shared memory some windows ahead; parts of neighboring cells are added before they
//                are written. Then each node adds its four rows of cells. Chunks of full cells are spread over the
//                device
// source         shoal; Zhao's method and the Corners method, Larson, Carver and Zhao (2015), without shared sums
// memory         4 K numbers a cell, 16 K a 512 particles, and K a particle if their order is not that of the cells
// atomics        one a full cell, to list it
// deterministic  yes: the canonical sum
// wins when      always, as far as was measured
// loses when     a plan is used once: binning takes several times as long
// differs        any K and any number of particles a cell
#include <cstddef>

#include "core/cuda/shared_memory.cuh"
#include "core/primitives/primitives.hpp"
#include "deposit/corner_parts.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/particle_stream.cuh"
#include "deposit/row_parts.cuh"
#include "deposit/sparse_nodes.cuh"
#include "deposit/warp_cells.cuh"

namespace shoal {

namespace {

using namespace corner_parts;

constexpr int sum_threads = 128;
constexpr int node_threads = 128;
constexpr std::int64_t few_below = 14;  ///< particles a cell on average, of which a warp takes four cells at a time
constexpr int list_blocks = 132 * 4;    ///< for lists whose length the host does not know

/// What the kernels share.
template <int width, class Real>
struct LaneSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  std::uint32_t* full;  ///< cells with several chunks, in any order
  unsigned* full_count;
  Real* chunk_parts;  ///< [2 a sum_chunk of particles][width][8]; in the end those of a full cell's first have its sum

  /// Where the parts of a chunk are: a window of sum_chunk particles has the beginnings of at most two chunks of full
  /// cells, of one that begins before it or with it and of one that begins in it.
  __device__ Real* parts_of_chunk(std::int64_t cell_begin, std::int64_t chunk) const {
    const std::int64_t window = (cell_begin + chunk * sum_chunk) / sum_chunk;
    const std::int64_t slot = 2 * window + (cell_begin > window * sum_chunk ? 1 : 0);
    return chunk_parts + slot * width * 8;
  }

  /// The chunk that belongs to a slot; an empty one where there is none.
  __device__ FilledCell chunk_of_slot(std::int64_t slot) const {
    const std::int64_t window = slot / 2 * sum_chunk;
    if (window >= particles.count) return {};
    const std::int64_t last = ::min(window + sum_chunk, particles.count) - 1;
    const std::int64_t cell = particles.cell[slot % 2 == 0 ? window : last];
    if (cell == space.cell_count()) return {};
    const Range all = particles.of_cell(cell);
    const bool begins_inside = all.begin > window;
    if (all.count() <= sum_chunk || begins_inside != (slot % 2 == 1)) return {};
    const std::int64_t begin = begins_inside ? all.begin : all.begin + chunk_count(window - all.begin) * sum_chunk;
    return filled_cell(cell, {begin, ::min(begin + sum_chunk, all.end)});
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

/// The part of a cell with several chunks, which were added before.
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> full_part(const LaneSum<width, Real>& call, std::int64_t cell_begin,
                                                         int corner) {
  const Real* const from = call.parts_of_chunk(cell_begin, 0) + corner;
  Values<width, Real> part;
#pragma unroll
  for (int k = 0; k < width; ++k) part.of[k] = from[k * 8];
  return part;
}

/// The sum of a chunk, one corner a lane. For all lanes of a warp; those of a group have one chunk.
template <int corners, int width, class Real>
__device__ __forceinline__ Values<width, Real> sum_one_chunk(const LaneSum<width, Real>& call,
                                                             const FilledCell& chunk) {
  Values<width, Real> sum[corners] = {};
#pragma unroll 2
  for (std::int64_t p = chunk.begin + threadIdx.x % sum_lanes; p < chunk.end; p += sum_lanes) {
    const Real offset[3] = {call.particles.offset[0][p], call.particles.offset[1][p],
                            corners == 8 ? call.particles.offset[2][p] : Real(0)};
    add_particle<true>(call, chunk.cell, offset, call.values.read(p), sum);
  }
  return add_across(sum, sum_lanes / 2);
}

/// The weights of some of a cell's corners. Weight c belongs to corner `own` ^ c, where `own` is the lane's: so what a
/// lane keeps of its sums, and what it gives away, are at the same places in all lanes.
template <int held, int corners, class Real>
class OwnCorners {
 public:
  __device__ __forceinline__ explicit OwnCorners(int own) {
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_upper = (own >> axis & 1) != 0;
      slope_[axis] = is_upper ? Real(1) : Real(-1);
      base_[axis] = is_upper ? Real(0) : Real(1);
    }
  }

  /// As corner_weights() has them, bit for bit.
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

/// add_across() of sums in the order of OwnCorners.
template <int held, class Value>
__device__ __forceinline__ Value add_own_across(const Value (&sum)[held], int across) {
  if constexpr (held == 1) {
    return add_across(sum, across);
  } else {
    Value kept[held / 2];
#pragma unroll
    for (int c = 0; c < held / 2; ++c) kept[c] = sum[c] + sum[c + held / 2].of_lane(across);
    return add_own_across(kept, across / 2);
  }
}

/// What a warp does with its cells.
enum class Cells {
  two,     ///< two at a time, sixteen lanes each
  four,    ///< four
  masked,  ///< two, and blocked nodes touch some
};

/// A warp adds the particles of 32 cells.
template <Cells kind, int corners, int width, class Real>
class CellsOfWarp {
  /// Particles of a cell that are added together: more, where each has more to do, while others are on the way.
  static constexpr int batch = (width * sizeof(Real) > 8 && kind != Cells::four ? 4 : 2) * sum_lanes;
  static constexpr int together = kind == Cells::four ? 4 : 2;
  static constexpr int axes = corners == 8 ? 3 : 2;
  using Stream = ParticleStream<axes + width, kind == Cells::four ? 8 : 4, Real>;
  using Rows = RowParts<corners, width, Real>;
  using Part = Values<width, Real>;

 public:
  struct Memory {
    typename Stream::Memory ring;
    typename Rows::Stage::Memory stage;
  };

  __device__ CellsOfWarp(const LaneSum<width, Real>& call, const Rows& rows, std::int64_t first, SharedAddress memory)
      : call_(call),
        rows_(rows),
        first_(first),
        lane_(kept(static_cast<int>(threadIdx.x % 32))),
        ring_(memory),
        stage_(memory + offsetof(Memory, stage)) {
    const std::int64_t left = call.space.cell_count() - first;
    count_ = kept(left < Rows::warp_cells ? static_cast<int>(left) : Rows::warp_cells);
    const std::int64_t* const start = call.particles.cell_start + first;
    begin_ = static_cast<std::int32_t>(start[lane_ < count_ ? lane_ : count_]);
    end_ = static_cast<std::int32_t>(start[lane_ < count_ ? lane_ + 1 : count_]);
  }

  __device__ __forceinline__ void add() {
    const typename Rows::Runs runs = rows_.runs_from(first_);
    Stream stream(sources(), __shfl_sync(whole_warp, begin_, 0), __shfl_sync(whole_warp, end_, 31), ring_);
    const unsigned full = __ballot_sync(whole_warp, end_ - begin_ > sum_chunk);
    const unsigned blocked = cells_at_blocked_nodes();
    const unsigned fits = first_that_fit() & ~(blocked | blocked >> 1);
    for (int i = 0; i < count_; i += Rows::stage_cells) {
      const int here = ::min(count_ - i, Rows::stage_cells);
      for (int n = 0; n < here;) {
        if ((full >> (i + n) & 1) != 0) {
          copy_full(i, n);
          ++n;
        } else if ((blocked >> (i + n) & 1) != 0) {
          add_at_blocked_nodes(i, n);
          ++n;
        } else if (n % together == 0 && (fits >> (i + n) & 1) != 0) {
          add_cells<together>(stream, i, n);
          n += together;
        } else {
          add_cells<1>(stream, i, n);
          ++n;
        }
      }
      rows_.write(stage_, runs, i, here);
    }
  }

 private:
  __device__ __forceinline__ typename Stream::Sources sources() const {
    typename Stream::Sources all;
#pragma unroll
    for (int i = 0; i < axes + width; ++i)
      all.of[i] = i < axes ? call_.particles.offset[i] : call_.values.data[i - axes];
    return all;
  }

  /// Bit i: blocked nodes touch cell i.
  __device__ __forceinline__ unsigned cells_at_blocked_nodes() const {
    if (kind != Cells::masked) return 0;
    return __ballot_sync(whole_warp, lane_ < count_ && !call_.space.is_all_open(first_ + lane_));
  }

  /// Bit i: cells i, i + 1, ... that are taken together are there and so short that what they need of the stream at a
  /// time is not too much, and none is full.
  __device__ __forceinline__ unsigned first_that_fit() const {
    const int last = lane_ + together - 1;
    const std::int32_t begin_of_last = __shfl_sync(whole_warp, begin_, last % 32);
    const std::int32_t end_of_last = __shfl_sync(whole_warp, end_, last % 32);
    return __ballot_sync(whole_warp, last < count_ && begin_of_last - begin_ + batch <= Stream::most &&
                                         end_of_last - begin_of_last <= sum_chunk);
  }

  /// Cells i + n, ... into the stage: each is shared by some groups of eight lanes, of which each has some corners.
  template <int cells>
  __device__ __forceinline__ void add_cells(Stream& stream, int i, int n) {
    constexpr int shares = 32 / sum_lanes / cells;
    constexpr int held = corners / shares;
    const int group = lane_ / sum_lanes;
    const int own = group / shares;
    const int lane = lane_ % sum_lanes;
    const int corner = group % shares * held + lane / (sum_lanes / held);
    const std::int32_t begin = __shfl_sync(whole_warp, begin_, i + n + own);
    const std::int32_t end = __shfl_sync(whole_warp, end_, i + n + own);
    const std::int32_t first_begin = cells > 1 ? __shfl_sync(whole_warp, begin, 0) : begin;
    const std::int32_t last_begin = cells > 1 ? __shfl_sync(whole_warp, begin, 31) : begin;
    const std::int32_t last_end = cells > 1 ? __shfl_sync(whole_warp, end, 31) : end;
    const int longest = cells > 1 ? __reduce_max_sync(whole_warp, end - begin) : end - begin;
    const OwnCorners<held, corners, Real> own_corners(corner);
    Part sum[held] = {};
    for (int done = 0; done < longest; done += batch) {
      stream.need(first_begin + done, ::min(last_begin + done + batch, last_end));
#pragma unroll
      for (int step = 0; step < batch; step += sum_lanes) {
        const std::int32_t p = begin + done + step + lane;
        if (p >= end) continue;
        Real numbers[axes + width];
        stream.read(p, numbers);
        Part value;
#pragma unroll
        for (int k = 0; k < width; ++k) value.of[k] = numbers[axes + k];
        Real weight[held];
        own_corners.weights(numbers, weight);
#pragma unroll
        for (int c = 0; c < held; ++c) sum[c].add(weight[c], value);
      }
    }
    const Part part = add_own_across(sum, sum_lanes / 2);
    if (lane % (sum_lanes / held) == 0) stage_.put(n + own, corner, part);
  }

  /// Cell i + n, which blocked nodes touch, into the stage: all groups do the same.
  __device__ __forceinline__ void add_at_blocked_nodes(int i, int n) {
    const FilledCell own{first_ + i + n, __shfl_sync(whole_warp, begin_, i + n), __shfl_sync(whole_warp, end_, i + n)};
    const Part part = sum_one_chunk<corners>(call_, own);
    if (lane_ < sum_lanes && is_writer_of_corner<corners>()) stage_.put(n, corner_of_lane<corners>(), part);
  }

  /// Cell i + n, whose chunks were added before, into the stage.
  __device__ __forceinline__ void copy_full(int i, int n) {
    const std::int32_t begin = __shfl_sync(whole_warp, begin_, i + n);
    if (lane_ >= corners) return;
    stage_.put(n, lane_, full_part(call_, begin, lane_));
  }

  const LaneSum<width, Real>& call_;
  const Rows& rows_;
  std::int64_t first_;
  int lane_;
  SharedAddress ring_;
  typename Rows::Stage stage_;
  int count_;           ///< of cells
  std::int32_t begin_;  ///< of the cell of this lane; without one all particles have ended
  std::int32_t end_;
};

template <Cells kind, int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads)
    sum_cells(LaneSum<width, Real> call, RowParts<corners, width, Real> rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  using Warp = CellsOfWarp<kind, corners, width, Real>;
  const std::int64_t first = thread_index() / 32 * 32;
  if (first >= call.space.cell_count()) return;
  Warp(call, rows, first, SharedAddress(memory) + threadIdx.x / 32 * sizeof(typename Warp::Memory)).add();
}

/// A group of eight a chunk of a full cell; lists those cells.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_chunks(LaneSum<width, Real> call) {
  const std::int64_t groups = static_cast<std::int64_t>(gridDim.x) * sum_threads / sum_lanes;
  const std::int64_t slots = 2 * chunk_count(call.particles.count);
  const std::int64_t warp_first = (thread_index() - threadIdx.x % 32) / sum_lanes;
  for (std::int64_t first = warp_first; first < slots; first += groups) {
    const std::int64_t slot = first + threadIdx.x % 32 / sum_lanes;
    const FilledCell chunk = call.chunk_of_slot(slot);
    if (!__any_sync(whole_warp, chunk.count() > 0)) continue;
    const Values<width, Real> part = sum_one_chunk<corners>(call, chunk);
    if (chunk.count() <= 0) continue;
    if (is_writer_of_corner<corners>()) part.store(call.chunk_parts + slot * width * 8 + corner_of_lane<corners>(), 8);
    if (threadIdx.x % sum_lanes == 0 && chunk.begin == call.particles.cell_start[chunk.cell])
      call.full[atomicAdd(call.full_count, 1u)] = static_cast<std::uint32_t>(chunk.cell);
  }
}

/// A warp a corner and value of a full cell adds its chunks.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) add_chunks(LaneSum<width, Real> call) {
  constexpr int each = corners * width;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * sum_threads / 32;
  const std::int64_t lane = threadIdx.x % 32;
  for (std::int64_t i = thread_index() / 32; i < each * static_cast<std::int64_t>(*call.full_count); i += warps) {
    const std::int64_t cell = call.full[i / each];
    const int k = static_cast<int>(i % each) / corners;
    const int corner = static_cast<int>(i % corners);
    const Range all = call.particles.of_cell(cell);
    const std::int64_t chunks = chunk_count(all.count());
    Real sum = 0;
#pragma unroll 8
    for (std::int64_t chunk = lane; chunk < chunks; chunk += chunk_lanes)
      sum = sum + call.parts_of_chunk(all.begin, chunk)[k * 8 + corner];
#pragma unroll
    for (int half = chunk_lanes / 2; half > 0; half /= 2) sum = sum + __shfl_xor_sync(whole_warp, sum, half);
    if (lane == 0) call.parts_of_chunk(all.begin, 0)[k * 8 + corner] = sum;
  }
}

/// The parts of cells with several chunks.
template <int width, class Real>
struct FullParts {
  LaneSum<width, Real> call;

  __device__ __forceinline__ Values<width, Real> operator()(const FilledCell& full, int corner) const {
    return full_part(call, full.begin, corner);
  }
};

/// A thread a node.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(node_threads)
    add_rows(DepositSpace<Real> space, RowParts<corners, width, Real> rows, NodesOf<width, Real> nodes) {
  const std::int64_t node = thread_index();
  if (node >= space.node_count()) return;
  const GridPlace at = space.node_place(node);
  const NodeRow<Real> row(space, at.y, at.z);
  nodes.write(
      node, row.template sum_of_rows<Values<width, Real>>(at.x, [&](std::int64_t left, std::int64_t right, int corner) {
        return rows.sum(left, right, corner);
      }));
}

/// Whether warps had better take tiles of nodes: in a smaller grid there would be too few.
template <class Real>
bool takes_tiles(const DepositCall<Real>& call) {
  constexpr std::int64_t least_cells = std::int64_t{1} << 20;
  const std::int64_t cells = call.space.cell_count();
  return cells >= least_cells && call.particles.count < 2 * cells;
}

/// Values [first, first + width) of a call.
template <int corners, int width, class Real>
void run_values(const DepositCall<Real>& of, int first) {
  const Queue& queue = of.queue();
  const std::int64_t cells = of.space.cell_count();
  ScratchFrame frame(of.scratch);
  const LaneSum<width, Real> call{
      .space = of.space,
      .particles = of.particles,
      .values = values_in_cell_order<width>(of, frame, first),
      .full = frame.array<std::uint32_t>(of.particles.count / sum_chunk + 1).data,
      .full_count = frame.array<unsigned>(1).data,
      .chunk_parts = frame.array<Real>((of.particles.count / sum_chunk + 1) * 2 * width * 8).data,
  };
  if (of.particles.count > sum_chunk) {
    fill_bytes(queue, call.full_count, 0, sizeof(unsigned));
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, sum_chunks<corners, width, Real>, call);
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, add_chunks<corners, width, Real>, call);
  }
  if (takes_tiles(of)) {
    sparse_nodes::run<corners>(of, frame, first, call.values, FullParts<width, Real>{call});
    return;
  }
  const RowParts<corners, width, Real> rows(of.space, frame);
  const auto sum_in = [&]<Cells kind>() {
    using Warp = CellsOfWarp<kind, corners, width, Real>;
    launch_with<sum_threads>(queue, cells, sizeof(typename Warp::Memory) * sum_threads / 32,
                             sum_cells<kind, corners, width, Real>, call, rows);
  };
  if (of.space.open_corners != nullptr)
    sum_in.template operator()<Cells::masked>();
  else if (of.particles.count < few_below * cells)
    sum_in.template operator()<Cells::four>();
  else
    sum_in.template operator()<Cells::two>();
  launch<node_threads>(queue, of.space.node_count(), add_rows<corners, width, Real>, of.space, rows,
                       NodesOf<width, Real>(of.nodes, first));
}

template <class Real>
void run(const DepositCall<Real>& call) {
  for_each_pass(call.space.dimensions, call.value_count(),
                [&]<int corners, int width>(int first) { run_values<corners, width>(call, first); });
}

}  // namespace

const DepositMethod deposit_lanes_cuda{
    {"lanes", DeviceKind::cuda, true, "shoal; Larson, Carver and Zhao (2015)"}, true, run<float>, run<double>};

}  // namespace shoal
