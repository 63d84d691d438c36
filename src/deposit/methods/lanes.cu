// SPDX-License-Identifier: Apache-2.0
// lanes: eight threads a cell, sums in registers.
//
// idea           lane l of eight takes particles l, l + 8, ... of a cell and adds them up for all of the cell's corners
//                in registers; an exchange in which each step halves the corners adds the lanes and leaves one corner
//                in each; then each node adds the parts of the cells around it. Cells with few particles have no lanes:
//                their nodes read the particles. Chunks of full cells are spread over the device
// source         shoal; Zhao's method and the Corners method, Larson, Carver and Zhao (2015), without shared memory
// memory         8 K numbers a cell, 16 K a 512 particles, and K a particle if their order is not that of the cells
// atomics        one a full cell, to list it
// deterministic  yes: the canonical sum
// wins when      always, as far as was measured
// loses when     particles are sparse and in the order of cells: then `atomic` is faster
// differs        any K and any number of particles a cell
#include "core/primitives.hpp"
#include "deposit/corner_parts.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/warp_cells.cuh"

namespace shoal {

namespace {

using namespace corner_parts;

constexpr int sum_threads = 128;
constexpr int node_threads = 128;
constexpr int list_blocks = 132 * 4;  ///< for lists whose length the host does not know

/// What the kernels share.
template <int width, class Real>
struct LaneSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Parts<Real> parts;
  std::int64_t least;   ///< cells with fewer particles have no parts
  std::uint32_t* full;  ///< cells with several chunks, in any order
  unsigned* full_count;
  Real* chunk_parts;  ///< [2 a sum_chunk of particles][width][8]

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
    const std::int64_t last = min(window + sum_chunk, particles.count) - 1;
    const std::int64_t cell = particles.cell[slot % 2 == 0 ? window : last];
    if (cell == space.cell_count()) return {};
    const Range all = particles.of_cell(cell);
    const bool begins_inside = all.begin > window;
    if (all.count() <= sum_chunk || begins_inside != (slot % 2 == 1)) return {};
    const std::int64_t begin = begins_inside ? all.begin : all.begin + chunk_count(window - all.begin) * sum_chunk;
    return filled_cell(cell, {begin, min(begin + sum_chunk, all.end)});
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

/// Particles of a step that a lane reads together.
template <int width, class Real>
struct Batch {
  Real offset[step_particles][3];
  Values<width, Real> value[step_particles];

  template <int corners>
  __device__ __forceinline__ void read(const LaneSum<width, Real>& call, const StepCursor& step) {
#pragma unroll
    for (int n = 0; n < step_particles; ++n) {
      if (!step.has(n)) continue;
      const std::int32_t p = step.particle(n);
#pragma unroll
      for (int axis = 0; axis < 3; ++axis)
        offset[n][axis] = axis < 2 || corners == 8 ? __ldg(call.particles.offset[axis] + p) : Real(0);
      value[n] = call.values.read(p);
    }
  }
};

/// A warp makes the parts of 32 cells, four at a time: of open cells with one chunk. While one step's particles are
/// added, those of the next are read, into the other of two batches: to copy one would wait for it.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads, 4) sum_cells(LaneSum<width, Real> call) {
  __shared__ std::uint8_t listed[sum_threads];
  const std::int64_t cells = call.space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(call.particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
                         [&](const FilledCell& own) {
                           if (own.count() == 0 && call.least <= 0) call.parts.clear(own.cell, width);
                           return own.count() > 0 && own.count() >= call.least && own.count() <= sum_chunk &&
                                  call.space.is_all_open(own.cell);
                         });
  Values<width, Real> sum[corners] = {};
  StepCursor now(filled);
  StepCursor ahead(filled);
  const auto take_step = [&](const Batch<width, Real>& batch, Batch<width, Real>& next) {
    ahead.advance();
    if (ahead.is_there()) next.template read<corners>(call, ahead);
#pragma unroll
    for (int n = 0; n < step_particles; ++n)
      if (now.has(n)) add_particle<false>(call, now.own.cell, batch.offset[n], batch.value[n], sum);
    if (now.ends_cells()) {
      const Values<width, Real> part = add_across(sum, sum_lanes / 2);
      if (now.own.count() > 0 && is_writer_of_corner<corners>())
        call.parts.write(now.own.cell, corner_of_lane<corners>(), part);
#pragma unroll
      for (int c = 0; c < corners; ++c) sum[c] = {};
    }
    now = ahead;
    return now.is_there();
  };
  Batch<width, Real> even;
  Batch<width, Real> odd;
  if (!now.is_there()) return;
  even.template read<corners>(call, now);
  while (take_step(even, odd) && take_step(odd, even)) {
  }
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

/// The same for cells with one chunk that blocked nodes touch.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_blocked_cells(LaneSum<width, Real> call) {
  __shared__ std::uint8_t listed[sum_threads];
  const std::int64_t cells = call.space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(call.particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
                         [&](const FilledCell& own) {
                           return own.count() > 0 && own.count() >= call.least && own.count() <= sum_chunk &&
                                  !call.space.is_all_open(own.cell);
                         });
  for (int i = 0; i < filled.count(); i += WarpCells::at_once) {
    const FilledCell own = filled.at(i);
    const Values<width, Real> part = sum_one_chunk<corners>(call, own);
    if (own.count() > 0 && is_writer_of_corner<corners>()) call.parts.write(own.cell, corner_of_lane<corners>(), part);
  }
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
    if (lane == 0) call.parts.at(k, corner, cell) = sum;
  }
}

/// The part of one corner of a cell with at most four particles, by one thread: each lane has at most one of them.
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> sum_directly(const LaneSum<width, Real>& call, std::int64_t cell,
                                                            Range few, int corner) {
  static_assert(most_direct <= 4);
  const auto lane_of = [&](std::int64_t p) {
    const Real* const* const at = call.particles.offset;
    const Real offset[3] = {at[0][p], at[1][p], at[2] != nullptr ? at[2][p] : Real(0)};
    Values<width, Real> lane;
    lane.add(call.space.weight(cell, offset, corner), call.values.read(p));
    return lane;
  };
  Values<width, Real> even;  // lanes 0 and 2
  Values<width, Real> odd;   // lanes 1 and 3
  for (std::int64_t p = few.begin; p < few.end; p += 2) {
    even = even + lane_of(p);
    if (p + 1 < few.end) odd = odd + lane_of(p + 1);
  }
  return even + odd;
}

/// A thread a node.
template <bool reads_particles, int width, class Real>
__global__ void __launch_bounds__(node_threads) add_parts(LaneSum<width, Real> call, NodesOf<width, Real> nodes) {
  const std::int64_t node = thread_index();
  if (node >= call.space.node_count()) return;
  const GridPlace at = call.space.node_place(node);
  const NodeRow<Real> row(call.space, at.y, at.z);
  nodes.write(node, row.template sum<Values<width, Real>>(at.x, [&](std::int64_t cell, int corner) {
    if constexpr (reads_particles) {
      const Range all = call.particles.of_cell(cell);
      if (all.count() < call.least) return sum_directly(call, cell, all, corner);
    }
    return call.parts.template read<width>(cell, corner);
  }));
}

/// Values [first, first + width) of a call.
template <int corners, int width, class Real>
void run_values(const DepositCall<Real>& of, int first) {
  const Queue& queue = of.queue();
  const std::int64_t cells = of.space.cell_count();
  const bool is_sparse = corner_parts::is_sparse(of);
  ScratchFrame frame(of.scratch);
  const LaneSum<width, Real> call{
      .space = of.space,
      .particles = of.particles,
      .values = values_in_cell_order<width>(of, frame, first),
      .parts = {frame.array<Real>(cells * width * corners).data, cells, corners},
      .least = is_sparse ? most_direct + 1 : 0,
      .full = frame.array<std::uint32_t>(of.particles.count / sum_chunk + 1).data,
      .full_count = frame.array<unsigned>(1).data,
      .chunk_parts = frame.array<Real>((of.particles.count / sum_chunk + 1) * 2 * width * 8).data,
  };
  fill_bytes(queue, call.full_count, 0, sizeof(unsigned));
  launch<sum_threads>(queue, cells, sum_cells<corners, width, Real>, call);
  if (of.space.open_corners != nullptr)
    launch<sum_threads>(queue, cells, sum_blocked_cells<corners, width, Real>, call);
  if (of.particles.count > sum_chunk) {
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, sum_chunks<corners, width, Real>, call);
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, add_chunks<corners, width, Real>, call);
  }
  const auto add = is_sparse ? add_parts<true, width, Real> : add_parts<false, width, Real>;
  launch<node_threads>(queue, of.space.node_count(), add, call, NodesOf<width, Real>(of.nodes, first));
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
