// SPDX-License-Identifier: Apache-2.0
// Method `lanes` with the shapes `tsc` and `pcs`: a warp takes a brick of 64 nodes, two to a lane. It visits the particles
// of the cells around them in the order of cells, so each node adds in double in the order of `serial`, with its bits. 32
// particles at a time write their weights to shared memory, which all lanes then read. There is no other memory.
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "deposit/shapes/cells_around.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/sums/corner_parts.cuh"

namespace shoal::deposit {

namespace {

using namespace corner_parts;

constexpr int brick_threads = 128;
constexpr int lane_nodes = 2;  ///< Number of nodes of a lane, side by side along x

/// Numbers of nodes of a brick along the axes.
template <int dimensions>
struct Brick {
  static constexpr int x = dimensions > 2 ? 4 : 8;
  static constexpr int y = x;
  static constexpr int z = dimensions > 2 ? 4 : 1;

  /// Node of the brick that is the first one of this lane.
  __device__ static GridIndex node_of_lane() {
    const auto lane = static_cast<int>(threadIdx.x % 32);
    constexpr int lanes_x = x / lane_nodes;
    return {lane % lanes_x * lane_nodes, lane / lanes_x % y, lane / lanes_x / y};
  }
  template <class Real>
  __device__ static GridIndex first_node(const DepositSpace<Real>& space, std::int64_t brick) {
    const auto number = static_cast<std::uint32_t>(brick);
    const std::uint32_t bricks_x = count(space.axes[0].node_count(), x);
    const std::uint32_t bricks_y = count(space.axes[1].node_count(), y);
    return {static_cast<std::int32_t>(number % bricks_x * x),
            static_cast<std::int32_t>(number / bricks_x % bricks_y * y),
            static_cast<std::int32_t>(number / bricks_x / bricks_y * z)};
  }
  /// Number of bricks of a grid.
  template <class Real>
  SHOAL_HD static std::int64_t total(const DepositSpace<Real>& space) {
    return static_cast<std::int64_t>(count(space.axes[0].node_count(), x)) * count(space.axes[1].node_count(), y) *
           count(space.z_nodes(), z);
  }

 private:
  SHOAL_HD static std::uint32_t count(std::int32_t nodes, int along) {
    return static_cast<std::uint32_t>((nodes + along - 1) / along);
  }
};

/// Arguments of the kernels.
template <int width, class Real>
struct ShapeSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  NodesOf<width, Real> nodes;
};

/// Factors of a share in double, weight and value. A multiprocessor converts few numbers of 32 bits in a clock. So the bits
/// of a weight in `float` become those of a double that is 2^-896 times as large, denormal weights included, and the value
/// is 2^896 times as large. Both are exact, and so is their product.
template <class Real>
struct ShareFactors {
  static constexpr bool is_exact = sizeof(Real) == 4;  ///< true: the product of weight and value needs no rounding

  /// @param weight  not −0
  __device__ __forceinline__ static double weight(Real weight) {
    if constexpr (!is_exact) return weight;
    const unsigned bits = __float_as_uint(static_cast<float>(weight));
    return __hiloint2double(static_cast<int>(bits >> 3), static_cast<int>(bits << 29));
  }
  __device__ __forceinline__ static double value(Real value) {
    return is_exact ? 0x1p896 * static_cast<double>(value) : static_cast<double>(value);
  }
  __device__ __forceinline__ static double add(double weight, double value, double sum) {
    return is_exact ? std::fma(weight, value, sum) : sum + rounded_product(weight, value);
  }
};

/// Two numbers that are loaded at once.
template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real component[lane_nodes];
};

/// Weights of 32 particles at the nodes of a brick, as products of the weights of rows and along x, and their values.
template <class Shape, int dimensions, int width, class Real>
struct StagedParticles {
  using Nodes = Brick<dimensions>;
  using Number = Real;
  static constexpr int stride = 33;  ///< Distance of rows, such that neither particles nor rows share banks

  Real row[Nodes::y * Nodes::z][stride];
  Pair<Real> x[Nodes::x / lane_nodes][stride];
  double value[width][32];  ///< ShareFactors::value()

  /// Writes the particle at position p, which is in `cell`, as number `lane`. Returns true if its values are finite.
  __device__ __forceinline__ bool write(int lane, const ShapeSum<width, Real>& sum, const GridIndex& first,
                                        const GridIndex& cell, std::int64_t p) {
    Real along_x[Nodes::x], along_y[Nodes::y], along_z[Nodes::z] = {1};
    find_along(along_x, sum, 0, first.x, cell.x, p);
    find_along(along_y, sum, 1, first.y, cell.y, p);
    if constexpr (dimensions > 2) find_along(along_z, sum, 2, first.z, cell.z, p);
#pragma unroll
    for (int i = 0; i < Nodes::x; ++i) x[i / lane_nodes][lane].component[i % lane_nodes] = along_x[i];
#pragma unroll
    for (int k = 0; k < Nodes::z; ++k)
#pragma unroll
      for (int j = 0; j < Nodes::y; ++j) row[k * Nodes::y + j][lane] = rounded_product(along_y[j], along_z[k]);
    const Values<width, Real> values = sum.values.read(p);
    bool is_finite = true;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      value[k][lane] = ShareFactors<Real>::value(values.component[k]);
      is_finite = is_finite && std::isfinite(values.component[k]);
    }
    return is_finite;
  }

 private:
  template <int nodes>
  __device__ __forceinline__ static void find_along(Real (&weight)[nodes], const ShapeSum<width, Real>& sum, int axis,
                                                    std::int32_t first, std::int32_t cell, std::int64_t p) {
    const DepositAxis<Real>& along = sum.space.axes[axis];
    const AxisWeights<Real> weights = Shape::weights(sum.particles.offset[axis][p], missing_around(along, cell));
#pragma unroll
    for (int i = 0; i < nodes; ++i) weight[i] = std::abs(weights.at_slot(slot_of(along, first + i, cell)));  // no −0
  }
};

template <class Real, int width>
__device__ __forceinline__ Values<width, Real> rounded(const Values<width, double>& sum) {
  Values<width, Real> values;
#pragma unroll
  for (int k = 0; k < width; ++k) values.component[k] = static_cast<Real>(sum.component[k]);
  return values;
}

/// Adds the first `count` particles to the nodes of this lane. No branches, so that several particles are on their way.
/// @tparam are_finite  true: all values are finite; false: nodes that a particle does not reach, whose weight is 0, are
///                     left out, since 0 · inf is not 0
/// @param first        first node of this lane, counted from that of the brick
template <bool are_finite, int width, class Staged>
__device__ __forceinline__ void add_staged(const Staged& staged, int count, const GridIndex& first,
                                           Values<width, double> (&sum)[lane_nodes]) {
  using Factors = ShareFactors<typename Staged::Number>;
  const int row = first.z * Staged::Nodes::y + first.y;
  const int pair = first.x / lane_nodes;
#pragma unroll 4
  for (int particle = 0; particle < count; ++particle) {
    const auto row_weight = staged.row[row][particle];
    const auto along_x = staged.x[pair][particle];
#pragma unroll
    for (int i = 0; i < lane_nodes; ++i) {
      const double weight = Factors::weight(rounded_product(row_weight, along_x.component[i]));
#pragma unroll
      for (int k = 0; k < width; ++k) {
        double& node = sum[i].component[k];
        const double with_share = Factors::add(weight, staged.value[k][particle], node);
        node = are_finite || weight != 0 ? with_share : node;
      }
    }
  }
}

/// Writes the nodes of bricks, a warp per brick.
template <class Shape, int dimensions, int width, class Real>
__global__ void __launch_bounds__(brick_threads) add_bricks(ShapeSum<width, Real> call) {
  using Nodes = Brick<dimensions>;
  __shared__ StagedParticles<Shape, dimensions, width, Real> staged_particles[brick_threads / 32];
  auto& staged = staged_particles[threadIdx.x / 32];
  const DepositSpace<Real>& space = call.space;
  const std::int64_t brick = thread_index() / 32;
  if (brick >= Nodes::total(space)) return;
  const auto lane = static_cast<int>(threadIdx.x % 32);
  const GridIndex first = Nodes::first_node(space, brick);
  const GridIndex of_lane = Nodes::node_of_lane();
  const CellsAround along_x = cells_around(space.axes[0], first.x, Nodes::x);
  Values<width, double> sum[lane_nodes];
  const auto add_range = [&](std::int64_t row, std::int32_t y, std::int32_t z, const Range& range) {
    for (std::int64_t begin = range.begin; begin < range.end; begin += 32) {
      const auto count = static_cast<int>(::min(range.end - begin, std::int64_t{32}));
      const std::int64_t p = begin + lane;
      bool is_finite = true;
      if (lane < count)
        is_finite = staged.write(lane, call, first, {static_cast<std::int32_t>(call.particles.cell[p] - row), y, z}, p);
      __syncwarp();
      if (__all_sync(whole_warp, is_finite))
        add_staged<true>(staged, count, of_lane, sum);
      else
        add_staged<false>(staged, count, of_lane, sum);
      __syncwarp();
    }
  };
  cells_around(space.axes[2], first.z, Nodes::z).for_each([&](std::int32_t z) {
    cells_around(space.axes[1], first.y, Nodes::y).for_each([&](std::int32_t y) {
      const std::int64_t row = space.cell_number({0, y, z});
      const std::int64_t* const start = call.particles.cell_start + row;
#pragma unroll 1
      for (int part = 0; part < 2; ++part) add_range(row, y, z, {start[along_x.begin[part]], start[along_x.end[part]]});
    });
  });
  const GridIndex node{first.x + of_lane.x, first.y + of_lane.y, first.z + of_lane.z};
  if (node.y >= space.axes[1].node_count() || node.z >= space.z_nodes()) return;
#pragma unroll
  for (int i = 0; i < lane_nodes; ++i)
    if (node.x + i < space.axes[0].node_count())
      call.nodes.write(space.node_number({node.x + i, node.y, node.z}), rounded<Real>(sum[i]));
}

/// Writes the nodes of grids with a short periodic axis, whose nodes particles reach several times: a thread per node.
template <class Shape, int dimensions, int width, class Real>
__global__ void __launch_bounds__(brick_threads) add_short(ShapeSum<width, Real> call) {
  const DepositSpace<Real>& space = call.space;
  const std::int64_t node = thread_index();
  if (node >= space.node_count()) return;
  const GridIndex index = space.node_index(node);
  Values<width, double> sum;
  const auto add_cell = [&](const GridIndex& cell) {
    const ComputedStencil<Real> stencil{space, cell};
    const Range range = call.particles.of_cell(space.cell_number(cell));
    for (std::int64_t p = range.begin; p < range.end; ++p) {
      const StencilWeights<Shape, Real> weights(call.particles, stencil, p);
      const Values<width, Real> values = call.values.read(p);
      weights.for_each_node(stencil, [&](std::int64_t reached, Real weight) {
        if (reached != node) return;
#pragma unroll
        for (int k = 0; k < width; ++k)
          sum.component[k] += rounded_product(static_cast<double>(weight), static_cast<double>(values.component[k]));
      });
    }
  };
  cells_around(space.axes[2], index.z, 1).for_each([&](std::int32_t z) {
    cells_around(space.axes[1], index.y, 1).for_each([&](std::int32_t y) {
      cells_around(space.axes[0], index.x, 1).for_each([&](std::int32_t x) { add_cell({x, y, z}); });
    });
  });
  call.nodes.write(node, rounded<Real>(sum));
}

template <class Shape, int dimensions, int width, class Real>
void run_values(const DepositCall<Real>& call, int first) {
  ScratchFrame frame(call.scratch);
  const ShapeSum<width, Real> sum{call.space, call.particles, values_in_cell_order<width>(call, frame, first),
                                  NodesOf<width, Real>(call.nodes, first)};
  if (repeats_nodes(call.space))
    launch<brick_threads>(call.queue(), call.space.node_count(), add_short<Shape, dimensions, width, Real>, sum);
  else
    launch<brick_threads>(call.queue(), Brick<dimensions>::total(call.space) * 32,
                          add_bricks<Shape, dimensions, width, Real>, sum);
}

}  // namespace

template <class Real>
void run_lanes_shape_cuda(const DepositCall<Real>& call) {
  with_shape(call.shape, [&]<class Shape>(Shape) {
    for_each_pass(call.space.dimensions, call.value_count(), [&]<int corners, int width>(int first) {
      run_values<Shape, corners == 8 ? 3 : 2, width>(call, first);
    });
  });
}
template void run_lanes_shape_cuda(const DepositCall<float>&);
template void run_lanes_shape_cuda(const DepositCall<double>&);

}  // namespace shoal::deposit
