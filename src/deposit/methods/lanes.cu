// SPDX-License-Identifier: Apache-2.0
// lanes: eight lanes per cell, sums in registers.
//
// idea           lane l of eight adds particles l, l + 8, ... of a cell; an exchange leaves one corner in each lane.
//                Particles stream through shared memory; chunks of full cells are spread over the device
// source         shoal; Zhao's method and the Corners method, Larson, Carver and Zhao (2015), without shared sums
// memory         4 K numbers per cell, 16 K per 512 particles, and K per particle if values are not in cell order
// atomics        none
// deterministic  yes: the canonical sum
// wins when      a plan is used several times
// loses when     a plan is used once: binning takes several times as long as the sums
// deviations     any number of values and of particles per cell
// shapes         tsc and pcs in src/deposit/shapes/lanes_shape.cu
#include <cmath>
#include <cstddef>

#include "core/cuda/shared_memory.cuh"
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "deposit/methods/methods.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/lane_sums.cuh"
#include "deposit/sums/particle_stream.cuh"
#include "deposit/sums/row_parts.cuh"
#include "deposit/sums/sparse_nodes.cuh"
#include "deposit/sums/warp_cells.cuh"
#include "deposit/tuning.hpp"

namespace shoal::deposit {

namespace {

using namespace corner_parts;
using namespace lane_sums;

constexpr int sum_threads = 128;
constexpr int node_threads = 128;

/// Grouping of the cells that a warp processes.
enum class CellGrouping {
  few,     ///< four cells at a time, eight lanes each; they have few particles
  four,    ///< the same with larger batches of particles
  two,     ///< two cells at a time, sixteen lanes each
  masked,  ///< two cells at a time; blocked nodes touch some cells
};

/// A warp adds the particles of 32 cells.
template <CellGrouping kind, int corners, int width, class Real>
class CellsOfWarp {
  static constexpr int together = kind == CellGrouping::few || kind == CellGrouping::four ? 4 : 2;
  static constexpr int slot_bytes = kind == CellGrouping::few ? tuning::small_slot_bytes : tuning::slot_bytes;
  static constexpr int axes = corners == 8 ? 3 : 2;
  using Stream = ParticleStream<axes + width, together, slot_bytes, Real>;
  using Rows = RowParts<corners, width, Real>;
  using Part = Values<width, Real>;

 public:
  /// Returns true if a batch nearly always holds the particles of the cells that are added at once. Their number is about
  /// Poisson-distributed where particles are uniform.
  static bool holds_groups(std::int64_t particles, std::int64_t cells) {
    const double mean = together * static_cast<double>(particles) / static_cast<double>(cells);
    return mean + 2 * std::sqrt(mean) <= Stream::capacity;
  }

  struct Memory {
    typename Stream::Memory ring;
    typename Rows::Stage::Memory stage;
  };

  __device__ CellsOfWarp(const LaneSum<width, Real>& call, const Rows& rows, std::int64_t first, SharedAddress memory)
      : call_(call),
        rows_(rows),
        first_(first),
        lane_(opaque(static_cast<int>(threadIdx.x % 32))),
        ring_(memory),
        stage_(memory + offsetof(Memory, stage)) {
    const std::int64_t remaining = call.space.cell_count() - first;
    count_ = opaque(remaining < Rows::warp_cells ? static_cast<int>(remaining) : Rows::warp_cells);
    const std::int64_t* const start = call.particles.cell_start + first;
    begin_ = static_cast<std::int32_t>(start[lane_ < count_ ? lane_ : count_]);
    end_ = static_cast<std::int32_t>(start[lane_ < count_ ? lane_ + 1 : count_]);
  }

  __device__ __forceinline__ void add() {
    const typename Rows::Runs runs = rows_.runs_from(first_);
    const unsigned full = __ballot_sync(whole_warp, end_ - begin_ > sum_chunk);
    const unsigned blocked = cells_at_blocked_nodes();
    Stream stream(sources(), {count_, begin_, end_, full | blocked}, ring_);
    for (int i = 0; i < count_; i += Rows::stage_cells) {
      const int staged = ::min(count_ - i, Rows::stage_cells);
      for (int n = 0; n < staged;) {
        if ((full >> (i + n) & 1) != 0) {
          copy_full(i, n);
          ++n;
        } else if ((blocked >> (i + n) & 1) != 0) {
          add_at_blocked_nodes(i, n);
          ++n;
        } else {
          if (i + n >= stream.end_cell()) stream.next();
          if (n % together == 0 && i + n + together <= stream.end_cell()) {
            add_cells<together>(stream, i, n);
            n += together;
          } else {
            add_cells<1>(stream, i, n);
            ++n;
          }
        }
      }
      rows_.write(stage_, runs, i, staged);
    }
  }

 private:
  __device__ __forceinline__ typename Stream::Sources sources() const {
    typename Stream::Sources sources;
#pragma unroll
    for (int i = 0; i < axes + width; ++i)
      sources.number[i] = i < axes ? call_.particles.offset[i] : call_.values.data[i - axes];
    sources.count = static_cast<std::int32_t>(call_.particles.count);
    return sources;
  }

  /// Mask of cells that blocked nodes touch.
  __device__ __forceinline__ unsigned cells_at_blocked_nodes() const {
    if (kind != CellGrouping::masked) return 0;
    return __ballot_sync(whole_warp, lane_ < count_ && !call_.space.is_all_open(first_ + lane_));
  }

  /// Writes the parts of cells i + n, ... to the stage. Several groups of eight lanes share a cell; each has some corners.
  template <int cells>
  __device__ __forceinline__ void add_cells(Stream& stream, int i, int n) {
    constexpr int shares = 32 / sum_lanes / cells;
    constexpr int held = corners / shares;
    const int group = lane_ / sum_lanes;
    const int cell = group / shares;
    const int lane = lane_ % sum_lanes;
    const int corner = group % shares * held + lane / (sum_lanes / held);
    const std::int32_t begin = __shfl_sync(whole_warp, begin_, i + n + cell);
    const std::int32_t end = __shfl_sync(whole_warp, end_, i + n + cell);
    const LaneCorners<held, corners, Real> lane_corners(corner);
    Part sum[held] = {};
    for (std::int32_t p = ::max(begin, stream.begin()) + lane;;) {
      const std::int32_t last = ::min(end, stream.end());
      SharedAddress address = stream.address(p);
      for (; p < last; p += sum_lanes, address = address + sum_lanes * sizeof(Real)) {
        Real numbers[axes + width];
        Stream::read(address, numbers);
        Part value;
#pragma unroll
        for (int k = 0; k < width; ++k) value.component[k] = numbers[axes + k];
        Real weight[held];
        lane_corners.weights(numbers, weight);
#pragma unroll
        for (int c = 0; c < held; ++c) sum[c].add(weight[c], value);
      }
      if (cells > 1 || !stream.continues()) break;
      stream.next();
    }
    __syncwarp();
    const Part part = add_lane_corners(sum, sum_lanes / 2);
    if (lane % (sum_lanes / held) == 0) stage_.put(n + cell, corner, part);
  }

  /// Writes the parts of cell i + n, which blocked nodes touch, to the stage; all groups compute the same.
  __device__ __forceinline__ void add_at_blocked_nodes(int i, int n) {
    const FilledCell cell{first_ + i + n, __shfl_sync(whole_warp, begin_, i + n), __shfl_sync(whole_warp, end_, i + n)};
    const Part part = sum_one_chunk<corners>(call_, cell);
    if (lane_ < sum_lanes && is_writer_of_corner<corners>()) stage_.put(n, corner_of_lane<corners>(), part);
  }

  /// Copies the parts of cell i + n, whose chunks earlier kernels added, to the stage.
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
  int count_;           ///< Number of cells
  std::int32_t begin_;  ///< First particle of this lane's cell; the end of all particles if there is no cell
  std::int32_t end_;
};

template <CellGrouping kind, int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads)
    sum_cells(LaneSum<width, Real> call, RowParts<corners, width, Real> rows) {
  extern __shared__ __align__(16) unsigned char memory[];
  join_chain(false);
  using Warp = CellsOfWarp<kind, corners, width, Real>;
  const std::int64_t first = thread_index() / 32 * 32;
  if (first >= call.space.cell_count()) return;
  Warp(call, rows, first, SharedAddress(memory) + threadIdx.x / 32 * sizeof(typename Warp::Memory)).add();
}

/// Adds the chunks of full cells, a group of eight lanes per chunk. Groups of a warp have chunks of one kind of slot, so
/// that all have one if a cell has many chunks.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_chunks(LaneSum<width, Real> call) {
  join_chain(false);
  if (*call.particles.full.count == 0) return;
  const std::int64_t groups = static_cast<std::int64_t>(gridDim.x) * sum_threads / sum_lanes;
  const std::int64_t windows = chunk_count(call.particles.count);
  const std::int64_t warp_first = (thread_index() - threadIdx.x % 32) / sum_lanes;
  for (int kind = 0; kind < 2; ++kind)
    for (std::int64_t first = warp_first; first < windows; first += groups) {
      const std::int64_t slot = 2 * (first + threadIdx.x % 32 / sum_lanes) + kind;
      const FilledCell chunk = call.chunk_of_slot(slot);
      if (!__any_sync(whole_warp, chunk.count() > 0)) continue;
      const Values<width, Real> part = sum_one_chunk<corners, 4>(call, chunk);
      if (chunk.count() > 0 && is_writer_of_corner<corners>())
        part.store(call.chunk_parts + slot * width * 8 + corner_of_lane<corners>(), 8);
    }
}

/// Adds the chunks of full cells, a warp per corner and value.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) add_chunks(LaneSum<width, Real> call) {
  join_chain(false);
  constexpr int each = corners * width;
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * sum_threads / 32;
  const std::int64_t lane = threadIdx.x % 32;
  const auto count =
      each * ::min(std::int64_t{*call.particles.full.count}, FullCells::most_cells(call.particles.count));
  for (std::int64_t i = thread_index() / 32; i < count; i += warps) {
    const std::int64_t cell = call.particles.full.cell[i / each];
    const int k = static_cast<int>(i % each) / corners;
    const int corner = static_cast<int>(i % corners);
    const Range range = call.particles.of_cell(cell);
    const std::int64_t chunks = chunk_count(range.count());
    Real sum = 0;
#pragma unroll 16
    for (std::int64_t chunk = lane; chunk < chunks; chunk += chunk_lanes)
      sum = sum + call.parts_of_chunk(range.begin, chunk)[k * 8 + corner];
#pragma unroll
    for (int half = chunk_lanes / 2; half > 0; half /= 2) sum = sum + __shfl_xor_sync(whole_warp, sum, half);
    if (lane == 0) call.parts_of_chunk(range.begin, 0)[k * 8 + corner] = sum;
  }
}

/// Parts of cells with several chunks, for sparse_nodes::run().
template <int width, class Real>
struct FullParts {
  LaneSum<width, Real> call;

  __device__ __forceinline__ Values<width, Real> operator()(const FilledCell& full, int corner) const {
    return full_part(call, full.begin, corner);
  }
};

/// Adds the rows of cells around each node, a thread per node.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(node_threads)
    add_rows(DepositSpace<Real> space, RowParts<corners, width, Real> rows, NodesOf<width, Real> nodes) {
  join_chain(false);
  const std::int64_t node = thread_index();
  if (node >= space.node_count()) return;
  const GridIndex index = space.node_index(node);
  const NodeRow<Real> row(space, index.y, index.z);
  nodes.write(node, row.template sum_of_rows<Values<width, Real>>(
                        index.x, [&](std::int64_t left, std::int64_t right, int corner) {
                          return rows.sum(left, right, corner);
                        }));
}

/// Returns true if warps take tiles of nodes.
template <class Real>
bool takes_tiles(const DepositCall<Real>& call) {
  const std::int64_t cells = call.space.cell_count();
  return cells >= tuning::min_cells_for_tiles && call.particles.count < tuning::tiles_below * cells;
}

/// Runs the kernels for values [first, first + width) of a call.
template <int corners, int width, class Real>
void run_values(const DepositCall<Real>& call, int first) {
  const Queue& queue = call.queue();
  const std::int64_t cells = call.space.cell_count();
  ScratchFrame frame(call.scratch);
  const LaneSum<width, Real> sum{
      .space = call.space,
      .particles = call.particles,
      .values = values_in_cell_order<width>(call, frame, first),
      .chunk_parts = frame.array<Real>((call.particles.count / sum_chunk + 1) * 2 * width * 8).data,
  };
  if (call.particles.count > sum_chunk) {
    const int list_blocks = tuning::list_blocks_per_multiprocessor * multiprocessors(queue);
    launch_chained<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, sum_chunks<corners, width, Real>, sum);
    launch_chained<sum_threads>(queue, std::int64_t{list_blocks} * sum_threads, add_chunks<corners, width, Real>, sum);
  }
  if (takes_tiles(call)) {
    sparse_nodes::run<corners>(call, frame, first, sum.values, FullParts<width, Real>{sum});
    return;
  }
  const RowParts<corners, width, Real> rows(call.space, frame);
  const auto launch_sum = [&]<CellGrouping kind>() {
    using Warp = CellsOfWarp<kind, corners, width, Real>;
    launch_chained_with<sum_threads>(queue, cells, sizeof(typename Warp::Memory) * sum_threads / 32,
                                     sum_cells<kind, corners, width, Real>, sum, rows);
  };
  if (call.space.open_corners != nullptr)
    launch_sum.template operator()<CellGrouping::masked>();
  else if (CellsOfWarp<CellGrouping::few, corners, width, Real>::holds_groups(call.particles.count, cells))
    launch_sum.template operator()<CellGrouping::few>();
  else if (CellsOfWarp<CellGrouping::four, corners, width, Real>::holds_groups(call.particles.count, cells))
    launch_sum.template operator()<CellGrouping::four>();
  else
    launch_sum.template operator()<CellGrouping::two>();
  launch_chained<node_threads>(queue, call.space.node_count(), add_rows<corners, width, Real>, call.space, rows,
                               NodesOf<width, Real>(call.nodes, first));
}

template <class Real>
void run(const DepositCall<Real>& call) {
  for_each_pass(call.space.dimensions, call.value_count(),
                [&]<int corners, int width>(int first) { run_values<corners, width>(call, first); });
}

}  // namespace

const DepositMethod lanes_cuda{{"lanes", DeviceKind::cuda, true, "shoal; Larson, Carver and Zhao (2015)"},
                               true,
                               run<float>,
                               run<double>,
                               false,
                               run_lanes_shape_cuda<float>,
                               run_lanes_shape_cuda<double>};

}  // namespace shoal::deposit
