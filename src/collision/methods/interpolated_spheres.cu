// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated, CUDA: the directions are summed once for all pairs that share a sphere; nodes gather.
//
// idea           pairs with the same centre and distance have the same velocities after a collision: A(centre) = Σ_n
//                f(v′) f(v₁′) once, then each pair adds A to both its nodes. A thread takes 4 rows of bases of a class:
//                the weights are the same for all, neighbouring rows share what they read. Then a thread takes 4 rows
//                of nodes and gathers. The loss is f(v) ν(v). Classes are worked off in batches that stay in the cache
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         64 MiB of A, or that of one class if it is more; 150 to 300 bytes a class and direction (42 MB at 64³
//                with 16 directions, double, trilinear), 18 numbers a node
// atomics        none
// deterministic  yes: displacements in 16 groups, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order; hardware filtering is not needed, weights are exact
//
// budget         64³, 16 half directions, trilinear, an H200 (132 × 1.75 GHz; 128 bytes a clock from L1, 4 instructions
//                a clock, counted in the machine code): 1.0e10 places of a direction, 10 numbers each (5 rows by 2 by 2
//                serve 4 rows of a molecule): 31 ms in double, 17 ms in float; 3.44e10 pairs, 2 numbers each: 20 ms and
//                18 ms; together 51 and 35 ms with every lane at work; lanes beyond the edge of a box, and
//                displacements that a thread passes over, make that about 70 and 55
#include <shoal/array.hpp>

#include "collision/direction_shares.hpp"
#include "collision/distribution_backends.hpp"
#include "collision/framed_values.cuh"
#include "collision/frequency.hpp"
#include "collision/methods/methods.hpp"
#include "collision/sphere_kernels.cuh"

namespace shoal {

namespace {

constexpr std::int64_t batch_bytes = 64 << 20;

/// A direction of a class: where both molecules are, and the bases from which a stencil reaches the grid.
template <class Real, int taps>
struct alignas(16) PlacedInterpolants {
  Interpolant<Real, taps> at[2];
  SphereBox box;
  int away[2][3];  ///< from the centre to the middle of each one's nodes, in half spacings
  Real rate;
};

/// The interpolated values of 4 rows; `first` is the first node of the first row's stencil.
template <class Real, int taps>
__device__ __forceinline__ void interpolate_rows(const Interpolant<Real, taps>& at, const Real* first, int width,
                                                 Real (&value)[sphere_rows]) {
#pragma unroll
  for (int row = 0; row < sphere_rows; ++row) value[row] = 0;
#pragma unroll
  for (int line = 0; line < sphere_rows + taps - 1; ++line) {
    Real sum = 0;
#pragma unroll
    for (int tz = 0; tz < taps; ++tz) {
      Real along = 0;
#pragma unroll
      for (int tx = 0; tx < taps; ++tx) along += at.weight[0][tx] * first[(tz * width + line) * width + tx];
      sum += at.weight[2][tz] * along;
    }
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row)
      if (line >= row && line < row + taps) value[row] += at.weight[1][line - row] * sum;
  }
}

/// A of each sphere of a batch.
template <class Real, int taps, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, taps == 2 || sizeof(Real) == 4 ? sphere_blocks_resident : 1)
    sum_spheres(SphereTablesView tables, const PlacedInterpolants<Real, taps>* directions, int direction_count,
                int node_reach2, SphereBatch batch, NodeVelocities nodes, FramedValues<Real> framed,
                const GasState* gas, Real* gain) {
  const int number = class_of_block(tables, batch);
  const SphereTable& of = tables.classes[number];
  const int tile = static_cast<int>(blockIdx.x - of.first_block) * sphere_threads + static_cast<int>(threadIdx.x);
  RowsOfThread at(tile, sphere_rows, of.box.count[0], of.box.count[1], of.box.count[2]);
  const int x = of.box.first[0] + at.x, y = of.box.first[1] + at.y, z = of.box.first[2] + at.z;
  const int n = constant > 0 ? constant : nodes.n;
  const int width = n + 2 * framed.frame;
  const CentreOfRows centre(tables.support, of.parity, x, y, z);
  if constexpr (ball) at.inside = at.inside && centre.least_square(0, 0, 0) <= of.reach2;
  Real sum[sphere_rows] = {};
  constexpr int at_once = taps == 2 ? 16 : 8;
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
    const int above = y - in.box.first[1];
    if (!at.inside || !in.box.has(x, 0) || !in.box.has(z, 2) || above <= -sphere_rows || above >= in.box.count[1])
      continue;
    const auto reaches = [&](const int* away) { return centre.least_square(away[0], away[1], away[2]) <= node_reach2; };
    if (ball && !(reaches(in.away[0]) && reaches(in.away[1]))) continue;
    const auto first = [&](const Interpolant<Real, taps>& of_one) {
      return framed.value + framed.place(x + of_one.base[0], y + of_one.base[1], z + of_one.base[2]);
    };
    Real here[sphere_rows], there[sphere_rows];
    interpolate_rows(in.at[0], first(in.at[0]), width, here);
    interpolate_rows(in.at[1], first(in.at[1]), width, there);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row)
      if (in.box.has(y + row, 1)) sum[row] += in.rate * (here[row] * there[row]);
  }
  if (!at.inside) return;
  double factor = 1;
  const bool over = gas != nullptr && gas->is_gas();
  const auto share = [&](int axis, int b) {
    return gas->pair_share(axis, nodes.at(axis, b) + of.parity[axis] * nodes.spacing / 2);
  };
  if (over) factor = gas->distance_share(of.distance2 * nodes.spacing * nodes.spacing) * share(0, x) * share(2, z);
  const int place = of.box.place(n, x, y, z);
  for (int row = 0; row < sphere_rows && at.y + row < of.box.count[1]; ++row)
    gain[place + row * n] = over ? sum[row] * static_cast<Real>(factor * share(1, y + row)) : sum[row];
}

/// What the classes of a batch give to the nodes, added to the groups' sums.
template <class Real, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    give_gains(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* gain, Real* of_group) {
  const NodesOfThread<constant, ball> at(tables, blocks);
  if (!at.inside) return;
  Real sum[node_rows] = {};
  for_each_pair(tables, batch, at, [&](int row, int place, int) { sum[row] += gain[place]; });
  const std::int64_t nodes = static_cast<std::int64_t>(at.n) * at.n * at.n;
#pragma unroll
  for (int row = 0; row < node_rows; ++row)
    if (at.rows.has(row)) of_group[at.group * nodes + at.node(row)] += sum[row];
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
    tables_.make_batches(batch_bytes / static_cast<std::int64_t>(sizeof(Real)), [](int, std::int64_t) { return 0; });
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
    const int node_reach2 = reach2_of_nodes();
    const std::int64_t blocks = blocks_of_group(setup.n());
    with_constants(tables_.support, [&](auto constant, auto ball) {
      for (const SphereBatch& batch : tables_.batches) {
        launch<sphere_threads>(queue, batch.blocks * sphere_threads, sum_spheres<Real, taps, constant(), ball()>, view,
                               directions_.data(), setup.directions.count(), node_reach2, batch,
                               NodeVelocities(setup.grid), framed, gas, gain);
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
      const double* n = setup.directions.at[k].data();
      const double length = std::sqrt(of.distance2);
      in.at[0] = interpolant_at<Real, taps>(point_after(of.parity, length, n, 1));
      in.at[1] = interpolant_at<Real, taps>(point_after(of.parity, length, n, -1));
      in.rate = static_cast<Real>(rates[k]);
      in.box = of.box;
      for (int axis = 0; axis < 3; ++axis) {
        for (int one = 0; one < 2; ++one) in.away[one][axis] = 2 * in.at[one].base[axis] + taps - 1 - of.parity[axis];
        const auto [low, high] = std::minmax(in.at[0].base[axis], in.at[1].base[axis]);
        const int end = std::min(of.box.first[axis] + of.box.count[axis], setup.n() - high);
        in.box.first[axis] = std::max(of.box.first[axis], 1 - taps - low);
        in.box.count[axis] = std::max(0, end - in.box.first[axis]);
      }
    }
  }

  /// From the middle of a stencil with a node that takes part: the half diagonal of its box more than nodes.
  int reach2_of_nodes() const {
    const double reach = std::sqrt(tables_.support.square) + std::sqrt(3.0) * (taps - 1);
    return static_cast<int>(std::ceil(reach * reach));
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
