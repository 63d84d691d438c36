// SPDX-License-Identifier: Apache-2.0
// integer: fixed point, whose sums do not depend on any order.
//
// idea           as integer.cpp; eight lanes add a cell's shares in registers. Windows of full cells are added by
//                atomics. Nodes of cells with few particles read the particles themselves
// source         shoal; one bin of Ahrens, Demmel and Nguyen (2020), "Algorithms for efficient reproducible floating
//                point summation"
// memory         64 bytes per cell and value, and a number per particle and value if values are not in cell order
// atomics        8 K per window of 512 particles of a full cell; two per warp and value for the sums of sizes
// deterministic  yes: the bits of the CPU for any order of the particles
// wins when      the order of the particles changes, or the total must be exact to the last unit
// loses when     the smallest values are below the unit, 2^-61 of the sum of sizes; deviations: see integer.cpp
// shapes         tsc and pcs in src/deposit/shapes/integer_shape.cu
#include <algorithm>

#include "core/cuda/warp.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/ranks/integer_ranks.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/fixed_point_item.hpp"
#include "deposit/sums/integer_sizes.cuh"
#include "deposit/sums/warp_cells.cuh"

namespace shoal::deposit {
namespace {

using namespace corner_parts;
using namespace integer_units;

constexpr int sum_threads = 128;
constexpr int node_threads = 128;
constexpr std::int64_t window = 512;  ///< Number of particles; a cell with more is full

/// Arguments of the kernels.
template <int width, class Real>
struct IntegerSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Parts<Integer> parts;
  std::int64_t min_count;   ///< Cells with fewer particles have no parts
  int first;                ///< Number of the first value
  const FixedPoint* units;  ///< [width]
  SizeSum* sizes;           ///< [width][size_slots]
  Status* status;
  Integer* rank_sums;  ///< [width][nodes], to which other ranks add before they are rounded; null: no other ranks
};

/// A thread's state: the units in registers and the sum of the sizes that it has split.
template <int corners, int width, class Real>
class IntegerSplitter {
 public:
  __device__ explicit IntegerSplitter(const IntegerSum<width, Real>& call) : call_(call) {
#pragma unroll
    for (int k = 0; k < width; ++k) units_[k] = call.units[k];
  }

  /// Splits the values of the particle at position p of a cell.
  /// @param take  void take(int k, int corner, Integer share), for all of them
  template <class Take>
  __device__ __forceinline__ Values<width, Integer> split(const FilledCell& cell, std::int64_t p,
                                                          const Real (&offset)[3], const Values<width, Real>& values,
                                                          Take&& take) const {
    const CornerWeights<Real> weights = splitting_weights(call_.space, cell.cell, corner_weights(offset));
    Values<width, Integer> size;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      std::int64_t share[8];
      const auto value = static_cast<double>(values.component[k]);
      if (!std::isfinite(value))
        record(call_.status, call_.particles.number(p), DepositFault::not_finite + call_.first + k);
      size.component[k] = split_if_held(units_[k], weights, corners, value, share);
#pragma unroll
      for (int c = 0; c < corners; ++c) take(k, c, static_cast<Integer>(share[c]));
    }
    return size;
  }
  /// Reads offset and values of the particle at position p of a cell and splits them.
  template <class Take>
  __device__ __forceinline__ Values<width, Integer> read_and_split(const FilledCell& cell, std::int64_t p,
                                                                   Take&& take) const {
    const BinnedParticles<Real>& particles = call_.particles;
    const Real offset[3] = {particles.offset[0][p], particles.offset[1][p],
                            corners == 8 ? particles.offset[2][p] : Real(0)};
    return split(cell, p, offset, call_.values.read(p), take);
  }

  __device__ __forceinline__ void count(const Values<width, Integer>& size) {
#pragma unroll
    for (int k = 0; k < width; ++k) sizes_.component[k] = add_sizes(sizes_.component[k], size.component[k]);
  }

  /// Adds the sums of the lanes of a group and returns the part of this lane's corner, see corner_of_lane().
  __device__ __forceinline__ Values<width, Integer> part_of_lane(std::int64_t cell,
                                                                 const Values<width, Integer> (&sum)[corners]) const {
    return unless_blocked(cell, corner_of_lane<corners>(), add_across(sum, sum_lanes / 2));
  }

  /// The part of one corner of a cell with few particles, by one thread. Sizes are counted at corner 0, which is one node
  /// per cell.
  __device__ __forceinline__ Values<width, Integer> sum_directly(const FilledCell& few, int corner) {
    Values<width, Integer> sum;
    for (std::int64_t p = few.begin; p < few.end; ++p) {
      const Values<width, Integer> size =
          read_and_split(few, p, [&](int k, int c, Integer share) { sum.component[k] += c == corner ? share : 0; });
      if (corner == 0) count(size);
    }
    return unless_blocked(few.cell, corner, sum);
  }

  /// The sums at a node, converted to values.
  __device__ __forceinline__ Values<width, Real> values(const Values<width, Integer>& sum) const {
    Values<width, Real> values;
#pragma unroll
    for (int k = 0; k < width; ++k)
      values.component[k] = units_[k].template value<Real>(static_cast<std::int64_t>(sum.component[k]));
    return values;
  }

  /// Adds the sizes to global memory. All lanes of a warp call it at the end of a kernel.
  __device__ __forceinline__ void report_sizes() const {
#pragma unroll
    for (int k = 0; k < width; ++k) add_sizes_of_warp(call_.sizes + k * size_slots, sizes_.component[k]);
  }

 private:
  __device__ __forceinline__ Values<width, Integer> unless_blocked(std::int64_t cell, int corner,
                                                                   const Values<width, Integer>& part) const {
    return Values<width, Integer>::choose((call_.space.open(cell) >> corner & 1) != 0, part, {});
  }

  const IntegerSum<width, Real>& call_;
  FixedPoint units_[width];
  Values<width, Integer> sizes_;
};

/// Writes the parts of cells. A warp processes 32 cells, four at a time; particles are copied to shared memory some steps
/// before they are added.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_cells(IntegerSum<width, Real> call) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ std::uint8_t listed[sum_threads];
  const std::int64_t cells = call.space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(call.particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
                         [&](const FilledCell& cell) {
                           if (cell.count() < call.min_count) return false;
                           const bool is_walked = cell.count() > 0 && cell.count() <= window;
                           if (!is_walked) call.parts.clear(cell.cell, width);
                           return is_walked;
                         });
  const auto source_of = number_addresses<corners>(call.particles, call.values);
  StagedWalk<3 + width, sum_threads, Real> walk(filled, memory);
  walk.begin(source_of);
  IntegerSplitter<corners, width, Real> splitter(call);
  Values<width, Integer> sum[corners] = {};
  for (; walk.has_step(); walk.advance()) {
    walk.request_ahead(source_of);
    walk.for_each_particle([&](std::int32_t p, const Real(&numbers)[3 + width]) {
      const Real offset[3] = {numbers[0], numbers[1], corners == 8 ? numbers[2] : Real(0)};
      splitter.count(splitter.split(walk.cell(), p, offset, values_in<width>(numbers),
                                    [&](int k, int c, Integer share) { sum[c].component[k] += share; }));
    });
    if (!walk.ends_cells()) continue;
    const Values<width, Integer> part = splitter.part_of_lane(walk.cell().cell, sum);
    if (walk.cell().count() > 0 && is_writer_of_corner<corners>())
      call.parts.write(walk.cell().cell, corner_of_lane<corners>(), part);
#pragma unroll
    for (int c = 0; c < corners; ++c) sum[c] = {};
  }
  splitter.report_sizes();
}

/// The part of a full cell in a window of particles. A full cell is longer than a window, so it contains the first or the
/// last particle of each window that it overlaps.
template <int width, class Real>
__device__ FilledCell full_cell_of(const IntegerSum<width, Real>& call, Range particles, bool at_end) {
  if (particles.count() <= 0) return {};
  const std::int64_t cell = call.particles.cell[at_end ? particles.end - 1 : particles.begin];
  const Range range = call.particles.of_cell(cell);
  const bool is_at_both = at_end && range.begin <= particles.begin;
  if (range.count() <= window || is_at_both) return {};
  return filled_cell(cell, {::max(range.begin, particles.begin), ::min(range.end, particles.end)});
}

/// Adds the parts of full cells, a group of eight lanes per window of particles.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_windows(IntegerSum<width, Real> call) {
  IntegerSplitter<corners, width, Real> splitter(call);
  const std::int64_t with_cell = call.particles.cell_start[call.space.cell_count()];
  const std::int64_t begin = thread_index() / sum_lanes * window;
#pragma unroll 1
  for (int end = 0; end < 2; ++end) {
    const FilledCell full = full_cell_of(call, {begin, ::min(begin + window, with_cell)}, end == 1);
    if (!__any_sync(whole_warp, full.count() > 0)) continue;
    Values<width, Integer> sum[corners] = {};
    for (std::int64_t p = full.begin + threadIdx.x % sum_lanes; p < full.end; p += sum_lanes)
      splitter.count(
          splitter.read_and_split(full, p, [&](int k, int c, Integer share) { sum[c].component[k] += share; }));
    const Values<width, Integer> part = splitter.part_of_lane(full.cell, sum);
    if (full.count() == 0 || !is_writer_of_corner<corners>()) continue;
#pragma unroll
    for (int k = 0; k < width; ++k)
      atomicAdd(&call.parts.at(k, corner_of_lane<corners>(), full.cell), part.component[k]);
  }
  splitter.report_sizes();
}

template <int width, class Real>
__device__ void write_rank_sums(const IntegerSum<width, Real>& call, std::int64_t node,
                                const Values<width, Integer>& sum) {
#pragma unroll
  for (int k = 0; k < width; ++k) call.rank_sums[k * call.space.node_count() + node] = sum.component[k];
}

/// Writes the nodes, a thread per node.
template <bool reads_particles, int corners, int width, class Real>
__global__ void __launch_bounds__(node_threads) add_parts(IntegerSum<width, Real> call, NodesOf<width, Real> nodes) {
  IntegerSplitter<corners, width, Real> splitter(call);
  const std::int64_t node = thread_index();
  if (node < call.space.node_count()) {
    const GridIndex index = call.space.node_index(node);
    const NodeRow<Real> row(call.space, index.y, index.z);
    const auto sum = row.template sum<Values<width, Integer>>(index.x, [&](std::int64_t cell, int corner) {
      if constexpr (reads_particles) {
        const Range range = call.particles.of_cell(cell);
        if (range.count() < call.min_count) return splitter.sum_directly(filled_cell(cell, range), corner);
      }
      return call.parts.template read<width>(cell, corner);
    });
    if (call.rank_sums == nullptr)
      nodes.write(node, splitter.values(sum));
    else
      write_rank_sums(call, node, sum);
  }
  if constexpr (reads_particles) splitter.report_sizes();
}

/// Device memory of all values of a call.
struct IntegerMemory {
  FixedPoint* units;   ///< [values]
  SizeSum* sizes;      ///< [values][size_slots]
  Integer* rank_sums;  ///< [values][nodes]; null on one rank
};

/// Runs the kernels for values [first, first + width) of a call.
template <int corners, int width, class Real>
void run_values(const DepositCall<Real>& call, const IntegerMemory& memory, int first) {
  const Queue& queue = call.queue();
  const std::int64_t cells = call.space.cell_count();
  const bool is_sparse = corner_parts::is_sparse(call);
  ScratchFrame frame(call.scratch);
  const IntegerSum<width, Real> sum{
      .space = call.space,
      .particles = call.particles,
      .values = values_in_cell_order<width>(call, frame, first),
      .parts = {frame.array<Integer>(cells * width * corners).data, cells, corners},
      .min_count = is_sparse ? tuning::max_read_by_nodes + 1 : 0,
      .first = first,
      .units = memory.units + first,
      .sizes = memory.sizes + first * size_slots,
      .status = call.status,
      .rank_sums = memory.rank_sums == nullptr ? nullptr : memory.rank_sums + first * call.space.node_count(),
  };
  launch_with<sum_threads>(queue, cells, StagedWalk<3 + width, sum_threads, Real>::bytes,
                           sum_cells<corners, width, Real>, sum);
  if (call.particles.count > window) {
    const std::int64_t windows = (call.particles.count + window - 1) / window;
    launch<sum_threads>(queue, windows * sum_lanes, sum_windows<corners, width, Real>, sum);
  }
  const auto add = is_sparse ? add_parts<true, corners, width, Real> : add_parts<false, corners, width, Real>;
  launch<node_threads>(queue, call.space.node_count(), add, sum, NodesOf<width, Real>(call.nodes, first));
}

/// Adds the sums of all ranks at shared nodes, and writes the nodes.
template <class Real>
void add_ranks(const DepositCall<Real>& call, const IntegerMemory& memory) {
  const std::int64_t count = call.space.node_count();
  Fields<std::uint64_t> sums;
  for (; sums.count < call.value_count(); ++sums.count) {
    sums.data[sums.count] = reinterpret_cast<std::uint64_t*>(memory.rank_sums) + sums.count * count;
    sums.stride[sums.count] = 1;
  }
  call.shared->add(call.scratch, sums, count);
  launch<node_threads>(call.queue(), count, write_nodes<Real>, memory.rank_sums, memory.units, call.nodes, count);
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const Queue& queue = call.queue();
  const int values = call.value_count();
  const Ranges ranges(call.ranges);
  ScratchFrame frame(call.scratch);
  const std::int64_t particles = integer_ranks::particles_of_all(call.shared, call.measured.count());
  IntegerMemory memory{frame.array<FixedPoint>(values).data, frame.array<SizeSum>(values * size_slots).data, nullptr};
  if (call.shared != nullptr) memory.rank_sums = frame.array<Integer>(values * call.space.node_count()).data;
  fill_bytes(queue, memory.sizes, 0, values * size_slots * sizeof(SizeSum));
  find_units(call, ranges, memory.units);
  for_each_pass(call.space.dimensions, values,
                [&]<int corners, int width>(int first) { run_values<corners, width>(call, memory, first); });
  if (call.shared != nullptr) {
    add_ranks(call, memory);
    if (integer_ranks::has_fault(*call.shared, queue, call.status)) return;
    call.shared->all_sum(queue, reinterpret_cast<std::int64_t*>(memory.sizes), std::int64_t{2} * values * size_slots);
  }
  launch<32>(queue, std::int64_t{32} * values, check_ranges, ranges, memory.units, memory.sizes, particles,
             call.status);
}

}  // namespace

const DepositMethod integer_cuda{{"integer", DeviceKind::cuda, true, "shoal"},
                                 false,
                                 run<float>,
                                 run<double>,
                                 true,
                                 run_integer_shape_cuda<float>,
                                 run_integer_shape_cuda<double>};

}  // namespace shoal::deposit
