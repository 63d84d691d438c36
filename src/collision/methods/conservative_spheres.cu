// SPDX-License-Identifier: Apache-2.0
// spheres, conservative, CUDA: collisions are placed once for all pairs that share a sphere; nodes gather.
//
// idea           a thread takes 4 rows of bases of a class: the products f f₁ of a sphere's pairs in registers, then a
//                direction after the other what it moves, which is written down. The stencil is the same for every
//                base, so what b gives to b + o is what node k gets from k − o: a thread takes 4 rows of nodes,
//                gathers, and takes from them what their pairs gave. Classes are worked off in batches that stay in the
//                cache
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         3 × 64 MiB of what moves, or more where one class needs more; 24 bytes a tap, 72 a class and direction
//                (55 MB at 64³ with 16 directions), 9 numbers a node
// atomics        none
// deterministic  yes: directions and displacements in 8 groups, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order
//
// budget         64³, 16 half directions, seven, symmetrised: 3.44e10 pairs, 8.1e9 places of a direction. Reads go to
//                the L1 cache, 128 bytes a clock and multiprocessor: 2 numbers a pair for the products, 2 × 3 for what
//                pairs gave (f, rate, inverse), 14 a place for logarithms and 14 for gathering: 5.0e11 numbers, 140 ms
//                in double and 70 ms in float at 132 × 1.75 GHz; 60 FMA and an exponential a place are 25 ms at
//                33 TFLOP/s beside them. From L2 comes an eighth (7 displacements of a class share a plane): 60 ms of
//                double beside them. atomic does 24 times the exponentials and places, 4.8e11 × 14 atomic adds
#include <shoal/array.hpp>

#include "collision/direction_shares.hpp"
#include "collision/logarithms.cuh"
#include "collision/methods/methods.hpp"
#include "collision/sphere_kernels.cuh"

namespace shoal {

namespace {

constexpr std::int64_t batch_bytes = 64 << 20;

template <class Real>
struct PlacedTap {
  signed char offset[3];  ///< from the base
  int to_node;            ///< the same from the number of the base, as a node
  int to_kept;            ///< the same where what moves is kept
  Real weight;
};

/// A direction of a class.
template <class Real>
struct PlacedDirection {
  SphereBox box;   ///< bases whose collisions in this direction take place
  SphereBox kept;  ///< where what they move is kept
  Real rate;       ///< of what is kept: 1 where the direction is in it
  Real collision_rate;
  int taps;
  std::int64_t first_tap;
};

template <class Real>
struct Placed {
  SphereTablesView tables;
  const PlacedDirection<Real>* directions;  ///< [classes][directions]
  const PlacedTap<Real>* taps;
  int direction_count;
  int n;
};

template <class Real>
struct Moved {
  Real* kept;     ///< symmetrised: of each direction; else Σ f f₁ of each sphere
  Real* rate;     ///< Σ rates of the directions that take place
  Real* inverse;  ///< Σ rate · product of the inverse collision; symmetrised only
};

/// Σ f f₁ over the pairs of each sphere, and how many they are.
template <class Real>
__device__ __forceinline__ void add_products(const SphereTablesView& tables, const SphereTable& of, int n,
                                             const Real* f, int x, int y, int z, Real (&product)[sphere_rows],
                                             Real (&pairs)[sphere_rows]) {
  const PackedDisplacement* displacements = tables.displacements + of.first_displacement;
  for (int k = 0; k < of.displacements; ++k) {
    const PackedDisplacement packed = displacements[k];
    const auto inside = [&](int b, int axis) {
      const int d = packed.d[axis], size = d < 0 ? -d : d, margin = (size - of.parity[axis]) >> 1;
      return static_cast<unsigned>(b - margin) < static_cast<unsigned>(n - size);
    };
    if (!inside(x, 0) || !inside(z, 2)) continue;
    const Real* upper = f + ((z * n + y) * n + x + packed.to_upper);
    const Real* lower = f + ((z * n + y) * n + x + packed.to_lower);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      if (!inside(y + row, 1)) continue;
      product[row] += upper[row * n] * lower[row * n];
      pairs[row] += 1;
    }
  }
}

/// What each sphere of a batch moves in each direction.
template <class Real, bool symmetrised>
__global__ void __launch_bounds__(sphere_threads)
    move_spheres(Placed<Real> placed, SphereBatch batch, const Real* f, const Real* logs, Moved<Real> moved) {
  const int number = class_of_block(placed.tables, batch);
  const SphereTable of = placed.tables.classes[number];
  const std::int64_t tile = (blockIdx.x - of.first_block) * sphere_threads + threadIdx.x;
  const RowsOfThread at(tile, of.box.count[0], of.box.count[1], of.box.count[2]);
  if (!at.inside) return;
  const int x = of.box.first[0] + at.x, y = of.box.first[1] + at.y, z = of.box.first[2] + at.z, n = placed.n;
  Real product[sphere_rows] = {}, pairs[sphere_rows] = {}, rate[sphere_rows] = {}, inverse[sphere_rows] = {};
  add_products(placed.tables, of, n, f, x, y, z, product, pairs);

  for (int k = 0; k < placed.direction_count; ++k) {
    const PlacedDirection<Real> in = placed.directions[number * placed.direction_count + k];
    if (!in.box.has(x, 0) || !in.box.has(z, 2)) continue;
    if constexpr (!symmetrised) {
      for (int row = 0; row < sphere_rows; ++row)
        if (in.box.has(y + row, 1)) rate[row] += in.collision_rate;
      continue;
    }
    const Real* here = logs + ((z * n + y) * n + x);
    const Real* mirror = here + ((of.parity[2] * n + of.parity[1]) * n + of.parity[0]);
    Real exponent[sphere_rows] = {};
    for (int t = 0; t < in.taps; ++t) {
      const PlacedTap<Real> tap = placed.taps[in.first_tap + t];
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row)
        if (in.box.has(y + row, 1))
          exponent[row] += tap.weight * (here[row * n + tap.to_node] + mirror[row * n - tap.to_node]);
    }
    const int place = in.kept.place(x, y, z);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      if (!in.box.has(y + row, 1)) continue;
      const bool defined = pairs[row] > 0 && exponent[row] < infinite<Real>;
      const Real back = defined ? std::exp(exponent[row]) : 0;
      const Real half_rate = defined ? in.collision_rate / 2 : 0;
      moved.kept[place + row * in.kept.count[0]] = half_rate * (product[row] - pairs[row] * back);
      rate[row] += half_rate;
      inverse[row] += half_rate * back;
    }
  }
  const int place = of.box.place(x, y, z);
  for (int row = 0; row < sphere_rows && at.y + row < of.box.count[1]; ++row) {
    moved.rate[place + row * of.box.count[0]] = rate[row];
    if constexpr (symmetrised)
      moved.inverse[place + row * of.box.count[0]] = inverse[row];
    else
      moved.kept[place + row * of.box.count[0]] = product[row];
  }
}

/// Adds what a direction's stencils, those of both molecules, give to a thread's nodes.
template <class Real>
__device__ __forceinline__ void gather(const NodesOfThread& at, const SphereTable& of, const PlacedDirection<Real>& in,
                                       const PlacedTap<Real>* taps, const Real* kept, Real (&sum)[sphere_rows]) {
  const int place = in.kept.place(at.x, at.y, at.z);
  const int mirror = place - in.kept.step(of.parity[0], of.parity[1], of.parity[2]);
  for (int t = 0; t < in.taps; ++t) {
    const PlacedTap<Real> tap = taps[in.first_tap + t];
    const Real weight = tap.weight * in.rate;
    const auto add = [&](const Real* from, int x, int y, int z) {
      if (!in.box.has(x, 0) || !in.box.has(z, 2)) return;
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row)
        if (in.box.has(y + row, 1)) sum[row] += weight * from[row * in.kept.count[0]];
    };
    const signed char* o = tap.offset;
    add(kept + (place - tap.to_kept), at.x - o[0], at.y - o[1], at.z - o[2]);
    add(kept + (mirror + tap.to_kept), at.x - of.parity[0] + o[0], at.y - of.parity[1] + o[1],
        at.z - of.parity[2] + o[2]);
  }
}

/// What the classes of a batch give to the nodes and take from them, added to the groups' sums.
template <class Real, bool symmetrised>
__global__ void __launch_bounds__(sphere_threads) give_to_nodes(Placed<Real> placed, SphereBatch batch, unsigned blocks,
                                                                const Real* f, Moved<Real> moved, Real* of_group) {
  const int n = placed.n;
  const NodesOfThread at(n, blocks);
  if (!at.inside) return;
  Real sum[sphere_rows] = {}, here[sphere_rows] = {};
  for (int row = 0; row < sphere_rows && at.has(row); ++row) here[row] = f[at.node(row)];
  for (int number = batch.first; number < batch.first + batch.count; ++number) {
    const SphereTable& of = placed.tables.classes[number];
    for (int k = at.group; k < placed.direction_count; k += node_groups)
      gather(at, of, placed.directions[number * placed.direction_count + k], placed.taps, moved.kept, sum);
    for_each_pair(at, of, placed.tables.displacements, [&](int row, int place, int partner) {
      const Real given = here[row] * f[partner] * moved.rate[place];
      if constexpr (symmetrised)
        sum[row] -= given - moved.inverse[place];
      else
        sum[row] -= given;
    });
  }
  const std::int64_t nodes = static_cast<std::int64_t>(n) * n * n;
  for (int row = 0; row < sphere_rows && at.has(row); ++row) of_group[at.group * nodes + at.node(row)] += sum[row];
}

template <class Real>
struct ConservativeSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereTables tables;
  Array<SphereTable> classes;
  Array<PackedDisplacement> displacements;
  Array<PlacedDirection<Real>> directions;
  Array<PlacedTap<Real>> taps;

  ConservativeSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_.n()) {
    std::vector<PlacedDirection<Real>> host_directions;
    std::vector<PlacedTap<Real>> host_taps;
    place_directions(host_directions, host_taps);
    const Queue& queue = scratch.queue();
    classes = to_device(queue, tables.classes);
    displacements = to_device(queue, tables.displacements);
    directions = to_device(queue, host_directions);
    taps = to_device(queue, host_taps);
    queue.wait();  // the host's tables go
  }

  void evaluate(const Real* f, Real* q) override {
    setup.options.symmetrised ? evaluate_with<true>(f, q) : evaluate_with<false>(f, q);
  }

 private:
  void place_directions(std::vector<PlacedDirection<Real>>& placed, std::vector<PlacedTap<Real>>& placed_taps) {
    std::vector<double> rates;
    for (const SphereTable& of : tables.classes) {
      const PackedDisplacement& one = tables.displacements[static_cast<std::size_t>(of.first_displacement)];
      direction_rates(setup, Displacement{{one.d[0], one.d[1], one.d[2]}}, rates);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        const StencilTaps stencil =
            stencil_of(setup.options.stencil, of.parity, static_cast<int>(of.distance2), setup.directions.at[k].data());
        PlacedDirection<Real> in = {};
        in.collision_rate = static_cast<Real>(rates[k]);
        in.rate = setup.options.symmetrised ? Real(1) : in.collision_rate;
        in.taps = stencil.count;
        in.first_tap = static_cast<std::int64_t>(placed_taps.size());
        in.box = common_bases(of, stencil);
        in.kept = setup.options.symmetrised ? in.box : of.box;
        for (int t = 0; t < stencil.count; ++t) {
          const int* o = stencil.offset[t];
          const auto small = [&](int axis) { return static_cast<signed char>(o[axis]); };
          placed_taps.push_back({{small(0), small(1), small(2)},
                                 (o[2] * setup.n() + o[1]) * setup.n() + o[0],
                                 in.kept.step(o[0], o[1], o[2]),
                                 static_cast<Real>(stencil.weight[t])});
        }
        placed.push_back(in);
      }
    }
    const std::size_t count = rates.size();
    tables.make_batches(batch_bytes / static_cast<std::int64_t>(sizeof(Real)), [&](int number, std::int64_t start) {
      std::int64_t used = 0;
      for (std::size_t k = 0; k < count; ++k) {
        PlacedDirection<Real>& in = placed[static_cast<std::size_t>(number) * count + k];
        in.kept.start = tables.classes[static_cast<std::size_t>(number)].box.start;
        if (!setup.options.symmetrised) continue;
        in.kept.start = static_cast<int>(start + used);
        used += in.box.volume();
      }
      return used;
    });
  }

  /// Bases of the class with all nodes of the stencils in the grid.
  SphereBox common_bases(const SphereTable& of, const StencilTaps& stencil) const {
    SphereBox box = of.box;
    for (int axis = 0; axis < 3; ++axis) {
      const BaseRange range = bases_inside(stencil, of.parity[axis], axis, setup.n());
      const int end = std::min(box.first[axis] + box.count[axis], range.last + 1);
      box.first[axis] = std::max(box.first[axis], range.first);
      box.count[axis] = std::max(0, end - box.first[axis]);
    }
    if (stencil.count == 0 || box.volume() == 0) std::fill_n(box.count, 3, 0);
    return box;
  }

  template <bool symmetrised>
  void evaluate_with(const Real* f, Real* q) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), elements = tables.most_elements();
    ScratchFrame frame(scratch);
    Real* logs = symmetrised ? frame.array<Real>(nodes).data : nullptr;
    Real* of_group = frame.array<Real>(node_groups * nodes).data;
    const Moved<Real> moved{frame.array<Real>(elements).data, frame.array<Real>(elements).data,
                            symmetrised ? frame.array<Real>(elements).data : nullptr};
    const Placed<Real> placed{
        {classes.data(), displacements.data()}, directions.data(), taps.data(), setup.directions.count(), setup.n()};
    if constexpr (symmetrised) take_logarithms(queue, f, nodes, logs);
    fill_bytes(queue, of_group, 0, static_cast<std::size_t>(node_groups * nodes) * sizeof(Real));
    const std::int64_t blocks = blocks_of_group(setup.n());
    for (const SphereBatch& batch : tables.batches) {
      launch<sphere_threads>(queue, batch.blocks * sphere_threads, move_spheres<Real, symmetrised>, placed, batch, f,
                             logs, moved);
      launch<sphere_threads>(queue, node_groups * blocks * sphere_threads, give_to_nodes<Real, symmetrised>, placed,
                             batch, static_cast<unsigned>(blocks), f, moved, of_group);
    }
    launch(queue, nodes, add_node_groups<Real>, of_group, nodes, q);
  }
};

}  // namespace

const OperatorMakers conservative_spheres_cuda = makers_of<ConservativeSpheresCuda>();

}  // namespace shoal
