// SPDX-License-Identifier: Apache-2.0
// Method `integer` with the shapes `tsc` and `pcs` on CUDA, with the bits of the CPU. A warp takes a window of particles,
// whatever cells they are in. Its lanes are the 64 nodes around a cell, two to a lane; when the cell changes, they add
// their sums to the nodes by atomics. Memory: 8 bytes per node and value.
#include <cmath>

#include "deposit/shapes/shape_methods.hpp"
#include "deposit/shapes/shape_stencil.hpp"
#include "deposit/sums/integer_sizes.cuh"

namespace shoal::deposit {

namespace {

using namespace integer_units;

constexpr int sum_threads = 128;
constexpr std::int64_t window = 128;  ///< Number of particles of a warp

/// Arguments of the kernel for one value.
template <class Real>
struct ShapeShares {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  const Real* value;       ///< [n], by the particles' numbers
  std::int64_t stride;     ///< Stride of `value`
  int number;              ///< number of the value
  const FixedPoint* unit;  ///< Unit of the value
  Integer* sums;           ///< [nodes]
  SizeSum* sizes;          ///< [size_slots]
  Status* status;
};

/// Weights of 32 particles at nodes c − 1 to c + 2 of their cells c along each axis, and what their values give.
template <class Shape, class Real>
struct StagedShares {
  static constexpr int stride = 33;  ///< Distance of nodes, such that neither particles nor nodes share banks

  Real weight[3][4][stride];
  double value[32];            ///< 0 if the unit does not hold it
  std::int64_t remainder[32];  ///< integer of the value less its shares
  int largest[32];             ///< number of the node with the largest weight, which takes the remainder
  std::uint32_t cell[32];

  /// Writes the particle at position p as number `lane`. Returns the size of its value.
  __device__ Integer write(int lane, const ShapeShares<Real>& call, const FixedPoint& unit, std::int64_t p) {
    cell[lane] = call.particles.cell[p];
    const StencilWeights<Shape, Real> weights(call.particles,
                                              ComputedStencil<Real>{call.space, call.space.cell_index(cell[lane])}, p);
#pragma unroll
    for (int axis = 0; axis < 3; ++axis)
#pragma unroll
      for (int i = 0; i < 4; ++i) weight[axis][i][lane] = weights.along[axis].at_slot(i);
    const std::int64_t number = call.particles.number(p);
    const auto given = static_cast<double>(call.value[number * call.stride]);
    if (!std::isfinite(given)) record(call.status, number, DepositFault::not_finite + call.number);
    const bool is_held = unit.holds(given);
    value[lane] = is_held ? given : 0;
    find_remainder(lane, weights, unit);
    return is_held ? static_cast<Integer>(std::abs(unit.to_integer(given))) : Integer{1} << 63;
  }

 private:
  __device__ __forceinline__ void find_remainder(int lane, const StencilWeights<Shape, Real>& weights,
                                                 const FixedPoint& unit) {
    const double split = value[lane];
    std::int64_t rest = unit.to_integer(split);
    Real max_weight = -1;
    int node_of_max = 0;
    for (int k = 0; k < Shape::nodes && k < weights.rows_z; ++k)
#pragma unroll
      for (int j = 0; j < Shape::nodes; ++j)
#pragma unroll
        for (int i = 0; i < Shape::nodes; ++i) {
          const Real row_weight = rounded_product(weights.along[1].weight[j], weights.along[2].weight[k]);
          const Real weight_of_node = rounded_product(row_weight, weights.along[0].weight[i]);
          rest -= unit.share(weight_of_node, split);
          if (weight_of_node <= max_weight) continue;
          max_weight = weight_of_node;
          node_of_max = (k * 4 + j) * 4 + i;
        }
    remainder[lane] = rest;
    largest[lane] = node_of_max + (weights.along[2].first * 4 + weights.along[1].first) * 4 + weights.along[0].first;
  }
};

/// Sums of the two nodes of a lane around the cell of the latest particles.
template <class Real>
struct LaneNodes {
  int x = static_cast<int>(threadIdx.x % 2) * 2;  ///< first of the two nodes, counted from node c − 1
  int y = static_cast<int>(threadIdx.x / 2 % 4);
  int z = static_cast<int>(threadIdx.x / 8 % 4);
  Integer sum[2] = {};

  template <class Shape>
  __device__ __forceinline__ void add(const StagedShares<Shape, Real>& staged, int particle, const FixedPoint& unit) {
    const Real row_weight = rounded_product(staged.weight[1][y][particle], staged.weight[2][z][particle]);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const Real weight = rounded_product(row_weight, staged.weight[0][x + i][particle]);
      const bool is_largest = staged.largest[particle] == (z * 4 + y) * 4 + x + i;
      const std::int64_t rest = is_largest ? staged.remainder[particle] : 0;
      sum[i] += static_cast<Integer>(unit.share(weight, staged.value[particle]) + rest);
    }
  }
  /// Adds the sums to the nodes around a cell, and clears them.
  __device__ __forceinline__ void flush(const ShapeShares<Real>& call, std::uint32_t cell) {
    const ComputedStencil<Real> stencil{call.space, call.space.cell_index(cell)};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (sum[i] != 0) atomicAdd(&call.sums[stencil.node(stencil.row_number(z, y), x + i)], sum[i]);
      sum[i] = 0;
    }
  }
};

/// Adds the shares of all particles to the integer sums at nodes, a warp per window.
template <class Shape, class Real>
__global__ void __launch_bounds__(sum_threads) add_windows(ShapeShares<Real> call) {
  __shared__ StagedShares<Shape, Real> staged_shares[sum_threads / 32];
  auto& staged = staged_shares[threadIdx.x / 32];
  const auto lane = static_cast<int>(threadIdx.x % 32);
  const FixedPoint unit = *call.unit;
  const std::int64_t first = thread_index() / 32 * window;
  const std::int64_t end = ::min(first + window, call.particles.cell_start[call.space.cell_count()]);
  LaneNodes<Real> nodes;
  Integer sizes = 0;
  std::uint32_t cell = first < end ? call.particles.cell[first] : 0;
  for (std::int64_t begin = first; begin < end; begin += 32) {
    const auto count = static_cast<int>(::min(end - begin, std::int64_t{32}));
    if (lane < count) sizes = add_sizes(sizes, staged.write(lane, call, unit, begin + lane));
    __syncwarp();
    for (int particle = 0; particle < count; ++particle) {
      if (staged.cell[particle] != cell) {
        nodes.flush(call, cell);
        cell = staged.cell[particle];
      }
      nodes.add(staged, particle, unit);
    }
    __syncwarp();
  }
  nodes.flush(call, cell);
  add_sizes_of_warp(call.sizes, sizes);
}

}  // namespace

template <class Real>
void run_integer_shape_cuda(const DepositCall<Real>& call) {
  const Queue& queue = call.queue();
  const int values = call.value_count();
  const std::int64_t nodes = call.space.node_count();
  const Ranges ranges(call.ranges);
  ScratchFrame frame(call.scratch);
  FixedPoint* const units = frame.array<FixedPoint>(values).data;
  SizeSum* const sizes = frame.array<SizeSum>(values * size_slots).data;
  Integer* const sums = frame.array<Integer>(values * nodes).data;
  fill_bytes(queue, sizes, 0, values * size_slots * sizeof(SizeSum));
  fill_bytes(queue, sums, 0, values * nodes * sizeof(Integer));
  find_units(call, ranges, units);
  const std::int64_t windows = (call.particles.count + window - 1) / window;
  with_shape(call.shape, [&]<class Shape>(Shape) {
    for (int k = 0; k < values; ++k)
      launch<sum_threads>(queue, windows * 32, add_windows<Shape, Real>,
                          ShapeShares<Real>{call.space, call.particles, call.values.data[k], call.values.stride[k], k,
                                            units + k, sums + k * nodes, sizes + k * size_slots, call.status});
  });
  launch(queue, nodes, write_nodes<Real>, sums, units, call.nodes, nodes);
  launch<32>(queue, std::int64_t{32} * values, check_ranges, ranges, units, sizes, call.particles.count, call.status);
}
template void run_integer_shape_cuda(const DepositCall<float>&);
template void run_integer_shape_cuda(const DepositCall<double>&);

}  // namespace shoal::deposit
