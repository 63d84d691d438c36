// SPDX-License-Identifier: Apache-2.0
// spheres, interpolated, CUDA: the directions are summed once for all pairs that share a sphere; nodes gather.
//
// idea           pairs with the same centre and distance have the same velocities after a collision: A(centre) = Σ_n
//                f(v′) f(v₁′) once, then each pair adds A to both its nodes. A thread takes 4 rows of bases of a class:
//                the weights are the same for all, neighbouring rows share what they read. Then a thread takes 4 rows
//                of nodes and gathers. The loss is f(v) ν(v). Classes are worked off in batches that stay in the cache
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         64 MiB of A, or that of one class if it is more; 150 to 300 bytes a class and direction (42 MB at 64³
//                with 16 directions, double, trilinear), 10 numbers a node
// atomics        none
// deterministic  yes: displacements in 8 groups, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order; hardware filtering is not needed, weights are exact
//
// budget         64³, 16 half directions, trilinear: 1.0e10 places of a direction, 3.44e10 pairs. Reads go to the L1
//                cache, 128 bytes a clock and multiprocessor: 10 numbers a place (5 rows by 2 by 2 serve 4 rows of a
//                molecule), 2 a pair: 1.7e11 numbers, 47 ms in double, 24 ms in float at 132 × 1.75 GHz; 30 FMA a place
//                are 18 ms at 33 TFLOP/s beside them
#include <shoal/array.hpp>

#include "collision/direction_shares.hpp"
#include "collision/distribution_backends.hpp"
#include "collision/framed_values.cuh"
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
template <class Real, int taps>
__global__ void __launch_bounds__(sphere_threads)
    sum_spheres(SphereTablesView tables, const PlacedInterpolants<Real, taps>* directions, int direction_count,
                SphereBatch batch, NodeVelocities nodes, FramedValues<Real> framed, const GasState* gas, Real* gain) {
  const int number = class_of_block(tables, batch);
  const SphereTable& of = tables.classes[number];
  const std::int64_t tile = (blockIdx.x - of.first_block) * sphere_threads + threadIdx.x;
  const RowsOfThread at(tile, of.box.count[0], of.box.count[1], of.box.count[2]);
  if (!at.inside) return;
  const int x = of.box.first[0] + at.x, y = of.box.first[1] + at.y, z = of.box.first[2] + at.z;
  Real sum[sphere_rows] = {};
  for (int k = 0; k < direction_count; ++k) {
    const PlacedInterpolants<Real, taps>& in = directions[static_cast<std::int64_t>(number) * direction_count + k];
    const int above = y - in.box.first[1];
    if (!in.box.has(x, 0) || !in.box.has(z, 2) || above <= -sphere_rows || above >= in.box.count[1]) continue;
    const auto first = [&](const Interpolant<Real, taps>& of_one) {
      return framed.value + framed.place(x + of_one.base[0], y + of_one.base[1], z + of_one.base[2]);
    };
    Real here[sphere_rows], there[sphere_rows];
    interpolate_rows(in.at[0], first(in.at[0]), framed.width, here);
    interpolate_rows(in.at[1], first(in.at[1]), framed.width, there);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row)
      if (in.box.has(y + row, 1)) sum[row] += in.rate * (here[row] * there[row]);
  }
  double factor = 1;
  const bool over = gas != nullptr && gas->is_gas();
  const auto share = [&](int axis, int b) {
    return gas->pair_share(axis, nodes.at(axis, b) + of.parity[axis] * nodes.spacing / 2);
  };
  if (over) factor = gas->distance_share(of.distance2 * nodes.spacing * nodes.spacing) * share(0, x) * share(2, z);
  const int place = of.box.place(x, y, z);
  for (int row = 0; row < sphere_rows && at.y + row < of.box.count[1]; ++row)
    gain[place + row * of.box.count[0]] = over ? sum[row] * static_cast<Real>(factor * share(1, y + row)) : sum[row];
}

/// What the classes of a batch give to the nodes, added to the groups' sums.
template <class Real>
__global__ void __launch_bounds__(sphere_threads)
    give_gains(SphereTablesView tables, SphereBatch batch, unsigned blocks, int n, const Real* gain, Real* of_group) {
  const NodesOfThread at(n, blocks);
  if (!at.inside) return;
  Real sum[sphere_rows] = {};
  for (int number = batch.first; number < batch.first + batch.count; ++number)
    for_each_pair(at, tables.classes[number], tables.displacements,
                  [&](int row, int place, int) { sum[row] += gain[place]; });
  const std::int64_t nodes = static_cast<std::int64_t>(n) * n * n;
  for (int row = 0; row < sphere_rows && at.has(row); ++row) of_group[at.group * nodes + at.node(row)] += sum[row];
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
  InterpolatedTables(const CollisionSetup& setup, const Queue& queue) : tables_(setup.n()) {
    std::vector<PlacedInterpolants<Real, taps>> host;
    for (const SphereTable& of : tables_.classes) place_directions(setup, of, host);
    tables_.make_batches(batch_bytes / static_cast<std::int64_t>(sizeof(Real)), [](int, std::int64_t) { return 0; });
    classes_ = to_device(queue, tables_.classes);
    displacements_ = to_device(queue, tables_.displacements);
    directions_ = to_device(queue, host);
    queue.wait();  // the host's tables go
  }

  /// q = Σ A
  void add_gains(Scratch& scratch, const CollisionSetup& setup, const FramedValues<Real>& framed, const GasState* gas,
                 Real* q) const {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    Real* gain = frame.array<Real>(tables_.most_elements()).data;
    Real* of_group = frame.array<Real>(node_groups * nodes).data;
    fill_bytes(queue, of_group, 0, static_cast<std::size_t>(node_groups * nodes) * sizeof(Real));
    const SphereTablesView view{classes_.data(), displacements_.data()};
    const std::int64_t blocks = blocks_of_group(setup.n());
    for (const SphereBatch& batch : tables_.batches) {
      launch<sphere_threads>(queue, batch.blocks * sphere_threads, sum_spheres<Real, taps>, view, directions_.data(),
                             setup.directions.count(), batch, NodeVelocities(setup.grid), framed, gas, gain);
      launch<sphere_threads>(queue, node_groups * blocks * sphere_threads, give_gains<Real>, view, batch,
                             static_cast<unsigned>(blocks), setup.n(), gain, of_group);
    }
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
        const auto [low, high] = std::minmax(in.at[0].base[axis], in.at[1].base[axis]);
        const int end = std::min(of.box.first[axis] + of.box.count[axis], setup.n() - high);
        in.box.first[axis] = std::max(of.box.first[axis], 1 - taps - low);
        in.box.count[axis] = std::max(0, end - in.box.first[axis]);
      }
    }
  }

  SphereTables tables_;
  Array<SphereTable> classes_;
  Array<PackedDisplacement> displacements_;
  Array<PlacedInterpolants<Real, taps>> directions_;
};

template <class Real>
struct InterpolatedSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::unique_ptr<InterpolatedTables<Real, 2>> trilinear;
  std::unique_ptr<InterpolatedTables<Real, 4>> cubic;

  InterpolatedSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {
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
    cuda::collision_frequency(scratch, setup, f, 1, frequency);
    launch(queue, nodes, take_losses<Real>, f, frequency, setup.volume() * setup.kernel.total(0), nodes, q);
  }
};

}  // namespace

const OperatorMakers interpolated_spheres_cuda = makers_of<InterpolatedSpheresCuda>();

}  // namespace shoal
