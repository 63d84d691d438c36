// SPDX-License-Identifier: Apache-2.0
// lanes: eight threads a cell, sums in registers.
//
// idea           lane l of eight takes particles l, l + 8, ... of a cell and adds them up for all of the cell's corners
//                in registers; an exchange in which each step halves the corners adds the lanes and leaves one corner in
//                each; then each node adds the parts of the cells around it. Cells with few particles have no lanes:
//                their nodes read the particles. Chunks of full cells are spread over the device
// source         shoal; Zhao's method and the Corners method, Larson, Carver and Zhao (2015), without shared memory
// memory         8 K numbers a cell, and 16 K a 512 particles
// atomics        one a full cell, to list it
// deterministic  yes: the canonical sum
// wins when      always, as far as was measured
// loses when     particles are in no order and values are many: each is then read from a place of its own
// differs        any K and any number of particles a cell
#include "core/primitives.hpp"
#include "core/warp_peers.cuh"
#include "deposit/corner_parts.cuh"
#include "deposit/methods/methods.hpp"

namespace shoal {

namespace {

using namespace corner_parts;

constexpr int sum_threads = 128;
constexpr int node_threads = 128;
constexpr std::int64_t most_direct = 16;         ///< particles of a cell that nodes may read themselves
constexpr std::int64_t most_in_cell = 2 * sum_chunk;  ///< more are shared by many groups
constexpr std::int64_t sparse_below = 3;         ///< particles a cell on average
constexpr int list_blocks = 132 * 4;             ///< for lists whose length the host does not know

/// What the kernels share.
template <int width, class Real>
struct LaneSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Parts<Real> parts;
  std::int64_t least;         ///< cells with fewer particles have no parts
  std::uint32_t* full;        ///< cells with more than most_in_cell particles, in any order
  unsigned* full_count;
  Real* chunk_parts;          ///< [2 a sum_chunk of particles][width][8]

  __device__ Range particles_of(std::int64_t cell) const {
    return {particles.cell_start[cell], particles.cell_start[cell + 1]};
  }

  /// Where the parts of a chunk are: a window of sum_chunk particles has the beginnings of at most two chunks of full
  /// cells, of one that begins before it and of one that begins in it.
  __device__ Real* parts_of_chunk(std::int64_t cell_begin, std::int64_t chunk) const {
    const std::int64_t window = (cell_begin + chunk * sum_chunk) / sum_chunk;
    const std::int64_t slot = 2 * window + (cell_begin > window * sum_chunk ? 1 : 0);
    return chunk_parts + slot * width * 8;
  }
};

/// The sums of a chunk of a cell, one corner a lane: see corner_of_lane(). For all lanes of a warp; those of a group of
/// eight have one chunk.
template <int corners, int width, class Real>
__device__ __forceinline__ Values<width, Real> sum_chunk_in_lanes(const LaneSum<width, Real>& call, std::int64_t cell,
                                                                  Range chunk) {
  const int lane = static_cast<int>(threadIdx.x % sum_lanes);
  Values<width, Real> sum[corners] = {};
#pragma unroll 2
  for (std::int64_t p = chunk.begin + lane; p < chunk.end; p += sum_lanes) {
    const CornerWeights<Real> weights = call.particles.weights(call.space, cell, p);
    const Values<width, Real> value = call.values.read(call.particles.number(p));
#pragma unroll
    for (int c = 0; c < corners; ++c) sum[c].add(weights[c], value);
  }
  return add_across(sum, sum_lanes / 2);
}

/// A warp makes the parts of 32 cells, four at a time.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_cells(LaneSum<width, Real> call) {
  __shared__ std::uint8_t listed[sum_threads];
  const std::int64_t cells = call.space.cell_count();
  const int lane = static_cast<int>(threadIdx.x % 32);
  const std::int64_t first_cell = thread_index() - lane;
  if (first_cell >= cells) return;
  const std::int64_t own_cell = first_cell + lane;
  Range own{0, 0};
  if (own_cell < cells) own = call.particles_of(own_cell);
  const bool is_full = own.count() > most_in_cell;
  if (is_full) call.full[atomicAdd(call.full_count, 1u)] = static_cast<std::uint32_t>(own_cell);
  const bool has_parts = !is_full && own.count() > 0 && own.count() >= call.least;
  const unsigned with_parts = __ballot_sync(whole_warp, has_parts);
  std::uint8_t* const of_warp = listed + (threadIdx.x - lane);
  if (has_parts) of_warp[__popc(with_parts & ((1u << lane) - 1))] = static_cast<std::uint8_t>(lane);
  __syncwarp();
  if (own_cell < cells && own.count() == 0 && call.least <= 0) call.parts.clear(own_cell, width);
  const int count = __popc(with_parts);
  for (int i = 0; i < count; i += 32 / sum_lanes) {
    const int mine = i + lane / sum_lanes;
    const int from = mine < count ? of_warp[mine] : 0;
    Range all{__shfl_sync(whole_warp, own.begin, from), __shfl_sync(whole_warp, own.end, from)};
    if (mine >= count) all.end = all.begin;
    const std::int64_t cell = first_cell + from;
    const std::int64_t middle = min(all.begin + sum_chunk, all.end);
    Values<width, Real> part = sum_chunk_in_lanes<corners>(call, cell, {all.begin, middle});
    if (__any_sync(whole_warp, middle < all.end)) {
      const Values<width, Real> second = sum_chunk_in_lanes<corners>(call, cell, {middle, all.end});
      if (middle < all.end) part = (part + Values<width, Real>{}) + (second + Values<width, Real>{});
    }
    if (mine < count && is_writer_of_corner<corners>()) call.parts.write(cell, corner_of_lane<corners>(), part);
  }
}

/// A group of eight a chunk of a full cell.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_chunks(LaneSum<width, Real> call) {
  const std::int64_t groups = static_cast<std::int64_t>(gridDim.x) * sum_threads / sum_lanes;
  const std::int64_t group = thread_index() / sum_lanes;
  for (unsigned f = 0; f < *call.full_count; ++f) {
    const std::int64_t cell = call.full[f];
    const Range all = call.particles_of(cell);
    const std::int64_t chunks = chunk_count(all.count());
    for (std::int64_t first = 0; first < chunks; first += groups) {
      const std::int64_t chunk = first + group;
      const std::int64_t begin = min(all.begin + chunk * sum_chunk, all.end);
      const Values<width, Real> part =
          sum_chunk_in_lanes<corners>(call, cell, {begin, min(begin + sum_chunk, all.end)});
      if (chunk < chunks && is_writer_of_corner<corners>())
        part.store(call.parts_of_chunk(all.begin, chunk) + corner_of_lane<corners>(), 8);
    }
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
    const Range all = call.particles_of(cell);
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

/// The part of one corner of a cell with few particles, by one thread.
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> sum_directly(const LaneSum<width, Real>& call, std::int64_t cell,
                                                            Range few, int corner) {
  Values<width, Real> lanes[sum_lanes] = {};
  for (std::int64_t first = few.begin; first < few.end; first += sum_lanes) {
#pragma unroll
    for (int lane = 0; lane < sum_lanes; ++lane) {
      if (first + lane >= few.end) continue;
      const Real weight = weight_of_corner(call.space, call.particles, cell, first + lane, corner);
      lanes[lane].add(weight, call.values.read(call.particles.number(first + lane)));
    }
  }
  return sum_of_lanes(lanes);
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
      const Range all = call.particles_of(cell);
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
  const bool is_sparse = of.particles.count < sparse_below * cells;
  ScratchFrame frame(of.scratch);
  const LaneSum<width, Real> call{
      .space = of.space,
      .particles = of.particles,
      .values = ValuesOf<width, Real>(of.values, first),
      .parts = {frame.array<Real>(cells * width * corners).data, cells, corners},
      .least = is_sparse ? most_direct + 1 : 0,
      .full = frame.array<std::uint32_t>(of.particles.count / most_in_cell + 1).data,
      .full_count = frame.array<unsigned>(1).data,
      .chunk_parts = frame.array<Real>((of.particles.count / sum_chunk + 1) * 2 * width * 8).data,
  };
  fill_bytes(queue, call.full_count, 0, sizeof(unsigned));
  launch<sum_threads>(queue, cells, sum_cells<corners, width, Real>, call);
  if (of.particles.count > most_in_cell) {
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, sum_chunks<corners, width, Real>, call);
    launch<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, add_chunks<corners, width, Real>, call);
  }
  const auto add = is_sparse ? add_parts<true, width, Real> : add_parts<false, width, Real>;
  launch<node_threads>(queue, of.space.node_count(), add, call, NodesOf<width, Real>(of.nodes, first));
}

template <class Real>
void run(const DepositCall<Real>& call) {
  for_each_pass(call, [&]<int corners, int width>(int first) { run_values<corners, width>(call, first); });
}

}  // namespace

const DepositMethod deposit_lanes_cuda{
    {"lanes", DeviceKind::cuda, true, "shoal; Larson, Carver and Zhao (2015)"}, true, run<float>, run<double>};

}  // namespace shoal
