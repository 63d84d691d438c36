// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated, CUDA: the directions are summed once for all pairs that share a sphere; nodes gather.
//
// idea           pairs with the same center and distance have the same velocities after a collision: A(center) = Σ_n
//                f(v′) f(v₁′) once, then each pair adds A to both its nodes. A thread takes 4 rows of 2 planes of bases
//                of a class (1 plane if cubic): the weights are the same for all, and those of v₁′ are those of v′ in
//                reverse; neighboring rows share what they read. Then a thread takes 8 or 16 rows of nodes and
//                gathers. The loss is f(v) ν(v). Classes are worked off in batches
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         64 MiB of A, from 64 nodes along an axis on 256, or that of one class if it is more; 80 to 128 bytes a
//                class and direction (22 MB at 64³ with 16 directions, double, trilinear), 18 numbers a node
// atomics        none
// deterministic  yes: displacements in 16 groups, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order; hardware filtering is not needed, weights are exact
//
// budget         64³, 16 half directions, trilinear, double, an H200 (132 × 1.75 GHz).
//                A warp with a direction: 60 numbers a lane, each 3.1 lines of 128 bytes from L1 (lines are not
//                aligned), and 8 reads of shared memory at 4 clocks. In a box 6.6e7 of them with 0.68 of the lanes at
//                work: 62 ms; in a ball 3.1e7 with 0.56: 26 ms. The same count of clocks was within a tenth of what
//                4 rows of 1 plane took (112 ms measured, 102 ms counted: 1.28e8 × (40 × 3.1 + 15 × 4) clocks).
//                Measured at 64³: 156 ms in a box, 78 ms in a ball; so gathering took about 90 and 50 ms, although
//                pairs are 3.44e10 and 9.4e9: a warp went over 1.06e9 and 6.2e8 displacements, one after the other, and
//                passed over most of them. Its lanes now look at 32 displacements at once, so that it goes over 4.4e8
//                and 2.1e8: 140 ms in a box, 64 ms in a ball, in float 103 and 49 ms. A third block of sums on a
//                multiprocessor, 80 registers, makes double 158 and 74 ms. 16 rows of nodes instead of 8 share more
//                tests: 132 and 58.7 ms (4 rows: 78 in a ball); batches of 256 MiB instead of 64 have fewer ends: 127
//                and 56.6 ms (16 and 32 MiB: 75 and 68), in float 91 and 44. At 32 nodes 16 rows leave too few threads
#include <shoal/array.hpp>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/interpolated/padded_field.cuh"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal {

namespace {

constexpr std::int64_t batch_bytes = 64 << 20;

/// A direction of a class: the nodes around one molecule and their weights. Those of the other are the mirror image.
template <class Real, int taps>
struct alignas(16) PlacedInterpolants {
  Real weight[3][taps];
  Real rate;
  int away[3];   ///< from the center to the middle of the nodes, in half spacings
  int to_first;  ///< from the base, in the frame, to the first node
};

/// What a thread takes of the bases of a class.
template <class Real, int taps>
constexpr SphereTile base_tile{sphere_rows, taps == 2 ? 2 : 1, 256};

/// The interpolated values of a thread's rows; `first` is the first node of the first row's stencil.
template <bool mirrored, class Real, int taps, int planes>
__device__ __forceinline__ void interpolate_rows(const PlacedInterpolants<Real, taps>& in, const Real* first, int width,
                                                 Real (&value)[planes][sphere_rows]) {
  const auto weight = [&](int axis, int tap) { return in.weight[axis][mirrored ? taps - 1 - tap : tap]; };
#pragma unroll
  for (int line = 0; line < sphere_rows + taps - 1; ++line) {
    Real sum[planes] = {};
#pragma unroll
    for (int level = 0; level < planes + taps - 1; ++level) {
      Real along = 0;
#pragma unroll
      for (int tap = 0; tap < taps; ++tap) along += weight(0, tap) * first[(level * width + line) * width + tap];
#pragma unroll
      for (int plane = 0; plane < planes; ++plane)
        if (level >= plane && level < plane + taps) sum[plane] += weight(2, level - plane) * along;
    }
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row)
        if (line >= row && line < row + taps) value[plane][row] += weight(1, line - row) * sum[plane];
  }
}

/// A of each sphere of a batch. Stencils that do not reach the grid are left out; rows of others that do not reach it
/// read zeros: the frames of neighboring planes are 6 rows together.
template <class Real, int taps, int constant, bool ball>
__global__ void __launch_bounds__(base_tile<Real, taps>.threads, sizeof(Real) == 4 ? 3 : 2)
    sum_spheres(SphereTablesView tables, const PlacedInterpolants<Real, taps>* directions, int direction_count,
                int node_reach2, SphereBatch batch, NodeVelocities nodes, FramedValues<Real> framed,
                const GasState* gas, Real* gain) {
  constexpr SphereTile tile = base_tile<Real, taps>;
  constexpr int planes = tile.planes;
  const int number = class_of_block(tables, batch);
  const SphereTable& of = tables.classes[number];
  RowsOfThread at(tile, static_cast<int>(blockIdx.x - of.first_block) * tile.threads + static_cast<int>(threadIdx.x),
                  of.box.count[0], of.box.count[1], of.box.count[2]);
  const int x = of.box.first[0] + at.x, y = of.box.first[1] + at.y, z = of.box.first[2] + at.z;
  const int n = constant > 0 ? constant : nodes.n;
  const int width = n + 2 * framed.frame;
  const CenterOfRows<planes> center(tables.support, of.parity, x, y, z);
  if constexpr (ball) at.inside = at.inside && center.least_square(0, 0, 0) <= of.reach2;
  const auto reaches = [&](int away_x, int away_y, int away_z) {
    const int most = n + taps - 2;
    const bool grid =
        center.least(0, away_x) <= most && center.least(1, away_y) <= most && center.least(2, away_z) <= most;
    return grid && (!ball || center.least_square(away_x, away_y, away_z) <= node_reach2);
  };
  const auto step = [&](int to_x, int to_y, int to_z) { return (to_z * width + to_y) * width + to_x; };
  const Real* here = framed.value + framed.place(x, y, z);
  const Real* mirror = here + step(of.parity[0] + 1 - taps, of.parity[1] + 1 - taps, of.parity[2] + 1 - taps);
  Real sum[planes][sphere_rows] = {};
  constexpr int at_once = 16;
  __shared__ PlacedInterpolants<Real, taps> staged[at_once];  // a block reads them once, not one thread after the other
  for (int k = 0; k < direction_count; ++k) {
    if (k % at_once == 0) {
      const auto thread = static_cast<int>(threadIdx.x);
      __syncthreads();
      if (thread < at_once && k + thread < direction_count)
        staged[thread] = directions[static_cast<std::int64_t>(number) * direction_count + k + thread];
      __syncthreads();
    }
    const PlacedInterpolants<Real, taps>& in = staged[k % at_once];
    if (!at.inside || !reaches(in.away[0], in.away[1], in.away[2]) || !reaches(-in.away[0], -in.away[1], -in.away[2]))
      continue;
    Real one[planes][sphere_rows] = {}, other[planes][sphere_rows] = {};
    interpolate_rows<false>(in, here + in.to_first, width, one);
    interpolate_rows<true>(in, mirror - in.to_first, width, other);
#pragma unroll
    for (int plane = 0; plane < planes; ++plane)
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row) sum[plane][row] += in.rate * (one[plane][row] * other[plane][row]);
  }
  if (!at.inside) return;
  const bool over = gas != nullptr && gas->is_gas();
  const auto share = [&](int axis, int b) {
    return gas->pair_share(axis, nodes.at(axis, b) + of.parity[axis] * nodes.spacing / 2);
  };
  const double apart = over ? gas->distance_share(of.distance2 * nodes.spacing * nodes.spacing) * share(0, x) : 1;
#pragma unroll
  for (int plane = 0; plane < planes; ++plane)
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      if (at.z + plane >= of.box.count[2] || at.y + row >= of.box.count[1]) continue;
      const Real factor = over ? static_cast<Real>(apart * share(1, y + row) * share(2, z + plane)) : 1;
      gain[of.box.place(n, x, y + row, z + plane)] = sum[plane][row] * factor;
    }
}

/// What the classes of a batch give to the nodes, added to the groups' sums.
template <class Real, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    give_gains(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* gain, Real* of_group) {
  constexpr int node_rows = most_node_rows<constant>;
  const NodesOfThread<node_rows, constant, ball> at(tables, blocks);
  const NodesOfWarp warp(at);
  if (warp.empty()) return;
  Real sum[node_rows] = {};
  for_each_pair(tables, batch, warp, at, [&](int row, int place, int) { sum[row] += gain[place]; });
  const std::int64_t nodes = static_cast<std::int64_t>(at.n) * at.n * at.n;
#pragma unroll
  for (int row = 0; row < node_rows; ++row)
    if (at.inside && at.rows.has(row)) of_group[at.group * nodes + at.node(row)] += sum[row];
}

/// q −= f (ν − f rate): a molecule does not collide with those of its own node.
template <class Real>
__global__ void take_losses(const Real* f, const Real* frequency, double rate, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i < nodes) q[i] -= f[i] * (frequency[i] - static_cast<Real>(rate) * f[i]);
}

template <class Real, int taps>
class InterpolatedTables {
 public:
  InterpolatedTables(const CollisionSetup& setup, const Queue& queue) : tables_(setup.support()) {
    std::vector<PlacedInterpolants<Real, taps>> host;
    for (const SphereTable& of : tables_.classes) place_directions(setup, of, host);
    tables_.make_batches(bytes_of_batch(setup.n(), batch_bytes) / static_cast<std::int64_t>(sizeof(Real)),
                         base_tile<Real, taps>, [](int, std::int64_t) { return 0; });
    classes_ = to_device(queue, tables_.classes);
    displacements_ = to_device(queue, tables_.displacements);
    rows_ = to_device(queue, tables_.rows);
    directions_ = to_device(queue, host);
    queue.wait();  // the host's tables go
  }

  /// q = Σ A
  void add_gains(Scratch& scratch, const CollisionSetup& setup, const FramedValues<Real>& framed, const GasState* gas,
                 Real* q) const {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    Real* gain = frame.array<Real>(tables_.most(&SphereBatch::elements)).data;
    Real* of_group = frame.array<Real>(node_groups * nodes).data;
    fill_bytes(queue, of_group, 0, static_cast<std::size_t>(node_groups * nodes) * sizeof(Real));
    const SphereTablesView view{classes_.data(), displacements_.data(), rows_.data(), tables_.support};
    const int node_reach2 = tables_.support.reach2(taps);
    with_constants(tables_.support, [&](auto constant, auto ball) {
      const std::int64_t blocks = blocks_of_group<most_node_rows<constant()>>(setup.n());
      for (const SphereBatch& batch : tables_.batches) {
        constexpr int threads = base_tile<Real, taps>.threads;
        launch<threads>(queue, batch.blocks * threads, sum_spheres<Real, taps, constant(), ball()>, view,
                        directions_.data(), setup.directions.count(), node_reach2, batch, NodeVelocities(setup.grid),
                        framed, gas, gain);
        launch<sphere_threads>(queue, node_groups * blocks * sphere_threads, give_gains<Real, constant(), ball()>, view,
                               batch, static_cast<unsigned>(blocks), gain, of_group);
      }
    });
    launch(queue, nodes, add_node_groups<Real>, of_group, nodes, q);
  }

 private:
  void place_directions(const CollisionSetup& setup, const SphereTable& of,
                        std::vector<PlacedInterpolants<Real, taps>>& placed) const {
    std::vector<double> rates;
    const PackedDisplacement& one = tables_.displacements[static_cast<std::size_t>(of.first_displacement)];
    direction_rates(setup, Displacement{{one.d[0], one.d[1], one.d[2]}}, rates);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      PlacedInterpolants<Real, taps>& in = placed.emplace_back();
      const double length = std::sqrt(of.distance2);
      const auto at = interpolant_at<Real, taps>(point_after(of.parity, length, setup.directions.at[k].data(), 1));
      in.rate = static_cast<Real>(rates[k]);
      in.to_first = 0;
      for (int axis = 2; axis >= 0; --axis) {
        std::copy_n(at.weight[axis], taps, in.weight[axis]);
        in.away[axis] = 2 * at.base[axis] + taps - 1 - of.parity[axis];
        in.to_first = in.to_first * static_cast<int>(FramedValues<Real>::width_of(setup.n())) + at.base[axis];
      }
    }
  }

  SphereTables tables_;
  Array<SphereTable> classes_;
  Array<PackedDisplacement> displacements_;
  Array<unsigned char> rows_;
  Array<PlacedInterpolants<Real, taps>> directions_;
};

template <class Real>
struct InterpolatedSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::unique_ptr<InterpolatedTables<Real, 2>> trilinear;
  std::unique_ptr<InterpolatedTables<Real, 4>> cubic;
  std::unique_ptr<CollisionFrequency<Real>> frequencies;

  InterpolatedSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), frequencies(cuda::make_frequency<Real>(setup_, scratch_)) {
    if (setup.options.interpolation == VelocityInterpolation::cubic)
      cubic = std::make_unique<InterpolatedTables<Real, 4>>(setup, scratch.queue());
    else
      trilinear = std::make_unique<InterpolatedTables<Real, 2>>(setup, scratch.queue());
  }

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    const NodeVelocities velocities(setup.grid);
    ScratchFrame frame(scratch);
    const std::int64_t elements = FramedValues<Real>::elements(setup.n());
    const FramedValues<Real> framed(frame.array<Real>(elements).data, setup.n());
    fill_bytes(queue, framed.value, 0, static_cast<std::size_t>(elements) * sizeof(Real));
    const GasState* gas = setup.options.over_maxwellian ? cuda::gas_of(frame, queue, setup.grid, f, 1) : nullptr;
    launch(queue, nodes, frame_each<Real>, velocities, f, gas, framed, nullptr);
    if (cubic)
      cubic->add_gains(scratch, setup, framed, gas, q);
    else
      trilinear->add_gains(scratch, setup, framed, gas, q);
    Real* frequency = frame.array<Real>(nodes).data;
    frequencies->evaluate(f, 1, frequency);
    launch(queue, nodes, take_losses<Real>, f, frequency, setup.volume() * setup.kernel.total(0), nodes, q);
  }
};

}  // namespace

const OperatorMakers interpolated_spheres_cuda = makers_of<InterpolatedSpheresCuda>();

}  // namespace shoal
