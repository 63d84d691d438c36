// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated, CUDA: directions are summed once for all pairs that share a sphere; nodes gather.
//
// idea           pairs with the same center and distance share the sum A = Σ_n f(v′) f(v₁′). A thread computes A for 4
//                rows of 2 planes of centers of a class (1 plane if cubic), which share the weights; those of v₁′ are
//                those of v′ in reverse. A second kernel gathers A at the nodes. Classes come in batches
// source         our own; approach of Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann
//                equation for GPU-based computations"
// memory         64 MiB of A, 256 MiB from 64 nodes along an axis, at least one class; 80 to 128 bytes per class and
//                direction, 18 values per node
// atomics        none
// deterministic  yes: displacements in 16 groups, added in order
// wins when      scattering is isotropic
// loses when     scattering is anisotropic: not available
// deviations     the sums of pairs in another order; no hardware filtering: weights are exact
#include <shoal/array.hpp>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/interpolated/padded_field.cuh"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal::collision {

namespace {

constexpr std::int64_t batch_bytes = 64 << 20;

/// Interpolation at v′ for a class and a direction; that at v₁′ is its mirror image.
template <class Real, int points>
struct alignas(16) ClassInterpolant {
  Real weight[3][points];
  Real rate;
  int middle[3];  ///< Offset of the middle of the interpolation nodes from the center, in half spacings.
  int to_first;   ///< Offset in the padded field from the center index to the first interpolation node.
};

/// Rows and planes of centers that a thread processes.
template <class Real, int points>
constexpr SphereTile center_tile{center_rows, points == 4 ? 1 : 2, 256};

/// Interpolated values of a thread's rows.
/// @param first  first interpolation node of the first row
template <bool mirrored, class Real, int points, int planes>
__device__ __forceinline__ void interpolate_rows(const ClassInterpolant<Real, points>& direction, const Real* first,
                                                 int width, Real (&value)[planes][center_rows]) {
  const auto weight = [&](int axis, int point) {
    return direction.weight[axis][mirrored ? points - 1 - point : point];
  };
#pragma unroll
  for (int line = 0; line < center_rows + points - 1; ++line) {
    Real sum[planes] = {};
#pragma unroll
    for (int level = 0; level < planes + points - 1; ++level) {
      Real along = 0;
#pragma unroll
      for (int point = 0; point < points; ++point)
        along += weight(0, point) * first[(level * width + line) * width + point];
#pragma unroll
      for (int plane = 0; plane < planes; ++plane)
        if (level >= plane && level < plane + points) sum[plane] += weight(2, level - plane) * along;
    }
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
#pragma unroll
      for (int row = 0; row < center_rows; ++row)
        if (line >= row && line < row + points) value[plane][row] += weight(1, line - row) * sum[plane];
  }
}

/// Computes A of each sphere of a batch. Directions whose interpolation nodes do not reach the grid are left out. Other
/// rows outside the grid read zeros: the margins of neighboring planes have 6 rows together.
template <class Real, int points, int constant, bool ball>
__global__ void __launch_bounds__(center_tile<Real, points>.threads, sizeof(Real) == 4 ? 3 : 2)
    compute_gains(SphereTablesView tables, const ClassInterpolant<Real, points>* directions, int direction_count,
                  int node_reach2, SphereBatch batch, NodeVelocities nodes, PaddedField<Real> field,
                  const GasState* gas, Real* gain) {
  constexpr SphereTile tile = center_tile<Real, points>;
  constexpr int planes = tile.planes;
  const int number = class_of_block(tables, batch);
  const SphereClassRecord& sphere_class = tables.classes[number];
  ThreadRows thread(
      tile, static_cast<int>(blockIdx.x - sphere_class.first_block) * tile.threads + static_cast<int>(threadIdx.x),
      sphere_class.box.count[0], sphere_class.box.count[1], sphere_class.box.count[2]);
  const int x = sphere_class.box.first[0] + thread.x, y = sphere_class.box.first[1] + thread.y,
            z = sphere_class.box.first[2] + thread.z;
  const int n = constant > 0 ? constant : nodes.n;
  const int width = n + 2 * field.margin;
  const ThreadCenter<planes> center(tables.support, sphere_class.parity, x, y, z);
  if constexpr (ball) thread.inside = thread.inside && center.least_square(0, 0, 0) <= sphere_class.reach2;
  const auto reaches = [&](int middle_x, int middle_y, int middle_z) {
    const int largest = n + points - 2;
    const bool grid = center.least(0, middle_x) <= largest && center.least(1, middle_y) <= largest &&
                      center.least(2, middle_z) <= largest;
    return grid && (!ball || center.least_square(middle_x, middle_y, middle_z) <= node_reach2);
  };
  const auto step = [&](int dx, int dy, int dz) { return (dz * width + dy) * width + dx; };
  const Real* center_value = field.value + field.index(x, y, z);
  const Real* mirror_value =
      center_value + step(sphere_class.parity[0] + 1 - points, sphere_class.parity[1] + 1 - points,
                          sphere_class.parity[2] + 1 - points);
  Real sum[planes][center_rows] = {};
  constexpr int staged_count = 16;
  __shared__ ClassInterpolant<Real, points> staged[staged_count];  // loaded once for all threads of the block
  for (int k = 0; k < direction_count; ++k) {
    if (k % staged_count == 0) {
      const auto staged_number = static_cast<int>(threadIdx.x);
      __syncthreads();
      if (staged_number < staged_count && k + staged_number < direction_count)
        staged[staged_number] = directions[static_cast<std::int64_t>(number) * direction_count + k + staged_number];
      __syncthreads();
    }
    const ClassInterpolant<Real, points>& direction = staged[k % staged_count];
    if (!thread.inside || !reaches(direction.middle[0], direction.middle[1], direction.middle[2]) ||
        !reaches(-direction.middle[0], -direction.middle[1], -direction.middle[2]))
      continue;
    Real value[planes][center_rows] = {}, value1[planes][center_rows] = {};
    interpolate_rows<false>(direction, center_value + direction.to_first, width, value);
    interpolate_rows<true>(direction, mirror_value - direction.to_first, width, value1);
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
#pragma unroll
      for (int row = 0; row < center_rows; ++row)
        sum[plane][row] += direction.rate * (value[plane][row] * value1[plane][row]);
  }
  if (!thread.inside) return;
  const bool has_maxwellian = gas != nullptr && gas->is_gas();
  const auto axis_factor = [&](int axis, int b) {
    return gas->center_factor(axis, nodes.velocity(axis, b) + sphere_class.parity[axis] * nodes.spacing / 2);
  };
  const double distance_factor =
      has_maxwellian ? gas->distance_factor(sphere_class.distance2 * nodes.spacing * nodes.spacing) * axis_factor(0, x)
                     : 1;
#pragma unroll
  for (int plane = 0; plane < planes; ++plane)
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (thread.z + plane >= sphere_class.box.count[2] || thread.y + row >= sphere_class.box.count[1]) continue;
      const Real factor =
          has_maxwellian ? static_cast<Real>(distance_factor * axis_factor(1, y + row) * axis_factor(2, z + plane)) : 1;
      gain[sphere_class.box.index(n, x, y + row, z + plane)] = sum[plane][row] * factor;
    }
}

/// Adds A of the pairs of a batch to the sums of the node groups.
template <class Real, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_gains(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* gain, Real* group_sums) {
  constexpr int node_rows = max_node_rows<constant>;
  const ThreadNodes<node_rows, constant, ball> thread(tables, blocks);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  Real sum[node_rows] = {};
  for_each_pair(tables, batch, warp, thread, [&](int row, int index, int) { sum[row] += gain[index]; });
  const std::int64_t nodes = static_cast<std::int64_t>(thread.n) * thread.n * thread.n;
#pragma unroll
  for (int row = 0; row < node_rows; ++row)
    if (thread.inside && thread.rows.has(row)) group_sums[thread.group * nodes + thread.node(row)] += sum[row];
}

/// q −= f (ν − f rate): molecules of the same node do not collide with each other.
template <class Real>
__global__ void subtract_losses(const Real* f, const Real* frequency, double rate, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i < nodes) q[i] -= f[i] * (frequency[i] - static_cast<Real>(rate) * f[i]);
}

/// Evaluation of the gain by any interpolation.
template <class Real>
struct SphereGains {
  virtual ~SphereGains() = default;

  /// Computes the gain q = Σ A of all pairs.
  virtual void evaluate(Scratch& scratch, const CollisionSetup& setup, const PaddedField<Real>& field,
                        const GasState* gas, Real* q) const = 0;
};

/// Tables of a plan, with the evaluation of the gain.
template <class Real, int points>
class InterpolatedTables : public SphereGains<Real> {
 public:
  InterpolatedTables(const CollisionSetup& setup, const Queue& queue) : tables_(setup.support()) {
    std::vector<ClassInterpolant<Real, points>> host;
    for (const SphereClassRecord& sphere_class : tables_.classes) add_directions(setup, sphere_class, host);
    tables_.make_batches(batch_size(setup.n(), batch_bytes) / static_cast<std::int64_t>(sizeof(Real)),
                         center_tile<Real, points>, [](int, std::int64_t) { return 0; });
    classes_ = to_device(queue, tables_.classes);
    displacements_ = to_device(queue, tables_.displacements);
    first_nodes_ = to_device(queue, tables_.first_nodes);
    directions_ = to_device(queue, host);
    queue.wait();  // before the host's tables are destroyed
  }

  void evaluate(Scratch& scratch, const CollisionSetup& setup, const PaddedField<Real>& field, const GasState* gas,
                Real* q) const override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    Real* gain = frame.array<Real>(tables_.largest(&SphereBatch::elements)).data;
    Real* group_sums = frame.array<Real>(node_groups * nodes).data;
    const SphereTablesView view{classes_.data(), displacements_.data(), first_nodes_.data(), tables_.support};
    const int node_reach2 = tables_.support.reach2(points);
    with_constants(tables_.support, [&](auto constant, auto is_ball) {
      constexpr int n = constant();
      constexpr bool ball = is_ball();
      const std::int64_t blocks = group_blocks<max_node_rows<n>>(setup.n());
      sum_batches<1>(setup, scratch, tables_.batches, 1, group_sums, [&](const SphereBatch& batch, const auto& sums) {
        constexpr int threads = center_tile<Real, points>.threads;
        launch<threads>(queue, batch.blocks * threads, compute_gains<Real, points, n, ball>, view, directions_.data(),
                        setup.directions.count(), node_reach2, batch, NodeVelocities(setup.grid), field, gas, gain);
        launch<sphere_threads>(queue, node_groups * blocks * sphere_threads, gather_gains<Real, n, ball>, view, batch,
                               static_cast<unsigned>(blocks), gain, sums[0]);
      });
    });
    launch(queue, nodes, add_node_groups<Real>, group_sums, nodes, q);
  }

 private:
  void add_directions(const CollisionSetup& setup, const SphereClassRecord& sphere_class,
                      std::vector<ClassInterpolant<Real, points>>& directions) const {
    std::vector<double> rates;
    const PackedDisplacement& pair = tables_.displacements[static_cast<std::size_t>(sphere_class.first_displacement)];
    direction_rates(setup, Displacement{{pair.d[0], pair.d[1], pair.d[2]}}, rates);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      ClassInterpolant<Real, points>& direction = directions.emplace_back();
      const double length = std::sqrt(sphere_class.distance2);
      const auto interpolant =
          make_interpolant<Real, points>(sphere_class.parity, length, setup.directions.point[k].data(), 1);
      direction.rate = static_cast<Real>(rates[k]);
      direction.to_first = 0;
      for (int axis = 2; axis >= 0; --axis) {
        std::copy_n(interpolant.weight[axis], points, direction.weight[axis]);
        direction.middle[axis] = 2 * interpolant.first[axis] + points - 1 - sphere_class.parity[axis];
        direction.to_first =
            direction.to_first * static_cast<int>(PaddedField<Real>::padded_width(setup.n())) + interpolant.first[axis];
      }
    }
  }

  SphereTables tables_;
  Array<SphereClassRecord> classes_;
  Array<PackedDisplacement> displacements_;
  Array<unsigned char> first_nodes_;
  Array<ClassInterpolant<Real, points>> directions_;
};

template <class Real>
struct InterpolatedSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::unique_ptr<SphereGains<Real>> gains;
  std::unique_ptr<CollisionFrequency<Real>> frequencies;

  InterpolatedSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), frequencies(make_frequency<Real>(setup_, scratch_)) {
    with_points(setup.options.interpolation, [&](auto points) {
      gains = std::make_unique<InterpolatedTables<Real, points()>>(setup, scratch.queue());
    });
  }

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    const NodeVelocities velocities(setup.grid);
    ScratchFrame frame(scratch);
    const std::int64_t elements = PaddedField<Real>::elements(setup.n());
    const PaddedField<Real> field(frame.array<Real>(elements).data, setup.n());
    fill_bytes(queue, field.value, 0, static_cast<std::size_t>(elements) * sizeof(Real));
    const GasState* gas = setup.options.over_maxwellian
                              ? DistributionBackend<Real>::cuda.gas_states(frame, queue, setup.grid, f, 1)
                              : nullptr;
    launch(queue, nodes, fill_field_each<Real>, velocities, f, gas, field, nullptr);
    gains->evaluate(scratch, setup, field, gas, q);
    Real* frequency = frame.array<Real>(nodes).data;
    frequencies->evaluate(f, 1, frequency);
    launch(queue, nodes, subtract_losses<Real>, f, frequency, setup.volume() * setup.kernel.total(0), nodes, q);
  }
};

}  // namespace

const OperatorFactory interpolated_spheres_cuda = operator_factory<InterpolatedSpheresCuda>();

}  // namespace shoal::collision
