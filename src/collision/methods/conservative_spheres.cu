// SPDX-License-Identifier: Apache-2.0
// spheres, conservative, CUDA: collisions are placed once for all pairs that share a sphere; nodes gather.
//
// idea           a thread takes 4 rows of bases of a class: the products f f₁ of a sphere's pairs in registers, then a
//                direction after the other what it moves, which is written down. The stencil is the same for every
//                base, so what b gives to b + o is what node k gets from k − o: a thread takes 8 or 16 rows of
//                nodes, gathers, and takes from them what their pairs gave. Classes are worked off in batches
// source         shoal; approach of Malkov and Ivanov, "Solving the Boltzmann equation on GPU"
// memory         256 MiB of what moves, from 64 nodes along an axis on 1 GiB, or more where one class needs more, and 2
//                numbers a sphere of a batch; 32 bytes a tap, 104 a class and direction (91 MB at 64³ with 16
//                directions, double), 17 numbers a node
// atomics        none
// deterministic  yes: directions and displacements in 16 groups, groups added in order
// wins when      always
// loses when     scattering is not isotropic: then it is not there
// differs        the same sums as pairs in another order
//
// budget         64³, 16 half directions, seven, symmetrized, an H200 (132 × 1.75 GHz; 128 bytes a clock from L1, 4
//                instructions a clock, counted in the machine code): 3.44e10 pairs, 8.1e9 places of a direction.
//                                                 numbers from L1      double    float, bound by
//                products of pairs                2 a pair              22 ms     19 ms  instructions
//                logarithms                       14 a place            34 ms     17 ms
//                exponentials, what moves                               28 ms     14 ms  instructions
//                gathering                        14 a place            33 ms     26 ms  instructions
//                what pairs gave: f, rate, inverse  6 a pair            57 ms     30 ms
//                                                                      174 ms    106 ms
//                That is with every lane at work; lanes beyond the edge of a box, and displacements that a thread
//                passes over, make it about 250 and 190 ms. So tiles: 4 rows of bases and 8 rows of nodes a thread
//                share addresses, tests and tables; rows of all arrays are as far apart as those of the grid, a
//                constant for 32 and 64 nodes. Two blocks a multiprocessor: one alone waits for memory. atomic does 24
//                times the exponentials, and 4.8e11 × 14 atomic adds. Measured in double at 64³, in 2,600 batches of 64
//                MiB: 831 ms, 455 of them moving, with 1.4 waves of blocks a launch and 96 instructions a tap.
//                Logarithms are now read without a test a row: 33 instructions a tap, and batches are 4 times as large.
//                Measured: 564 ms in a box, 307 in a ball, in float 394 and 213. In a ball moving takes 0.38 of it at
//                58 % of the issue slots, giving 0.62 at 40 % and 20 warps of 64: it waits for memory. Its two parts
//                are kernels of their own since then, which need fewer registers (6 % in a ball). Blocks of 256, five
//                on a multiprocessor, are 3 % faster in float and 8 % slower in double; six are slower in both. Batches
//                of 1 GiB: 288 ms in a ball, in float 210 (128 MiB: 337 and 224); with 16 rows of nodes float takes
//                199, double 397, whose sums no longer fit into registers
#include <shoal/array.hpp>

#include <cstdlib>

#include "collision/conservative/logarithms.cuh"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal {

namespace {

constexpr std::int64_t batch_bytes = 256 << 20;
/// As many as registers hold.
template <class Real, int constant>
constexpr int node_rows = sizeof(Real) == 4 ? most_node_rows<constant> : 8;
constexpr SphereTile base_tile{sphere_rows, 1, sphere_threads};

template <class Real>
struct alignas(16) PlacedTap {
  signed char offset[4];  ///< from the base; the last is not used
  int to_node;            ///< the same from the number of the base, as a node
  int to_kept;            ///< the same where what moves is kept
  Real weight;
};

/// A direction of a class.
template <class Real>
struct PlacedDirection {
  SphereBox box;   ///< bases whose collisions in this direction take place
  SphereBox kept;  ///< where what they move is kept
  int away[3];     ///< from the center to the middle of the stencil, in half spacings
  Real rate;       ///< of what is kept: 1 where the direction is in it
  Real collision_rate;
  int taps;
  int first_tap;
  signed char least[3];  ///< of the taps' offsets
  signed char most[3];
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
  Real* kept;     ///< of each direction; in a box without inverse collisions Σ f f₁ of each sphere
  Real* rate;     ///< Σ rates of the directions that take place
  Real* inverse;  ///< Σ rate · product of the inverse collision; symmetrized only
};

/// Σ f f₁ over the pairs of each sphere, and how many they are.
template <bool ball, class Real>
__device__ __forceinline__ void add_products(const SphereTablesView& tables, const SphereTable& of, int n,
                                             const Real* f, int x, int y, int z, Real (&product)[sphere_rows],
                                             Real (&pairs)[sphere_rows]) {
  const PackedDisplacement* displacements = tables.displacements + of.first_displacement;
  const int above = n - 1 - of.parity[2] - z;
  const int reach = 2 * (z < above ? z : above) + of.parity[2];
  for (int k = 0; k < of.displacements; ++k) {
    const PackedDisplacement packed = displacements[k];
    if (packed.d[2] > reach) break;  // they come by rising d_z, which is not negative
    const auto up = [&](int axis) { return (of.parity[axis] + packed.d[axis]) >> 1; };
    const auto down = [&](int axis) { return (of.parity[axis] - packed.d[axis]) >> 1; };
    const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(n); };
    if (!in_grid(x + up(0)) || !in_grid(x + down(0))) continue;
    const int first_upper = tables.first_row<ball>(n, x + up(0), z + up(2));
    const int first_lower = tables.first_row<ball>(n, x + down(0), z + down(2));
    const RowRange of_upper{first_upper - up(1) - y, n - first_upper - up(1) - y};
    const RowRange of_lower{first_lower - down(1) - y, n - first_lower - down(1) - y};
    const RowRange rows = of_upper.both(of_lower).both({0, sphere_rows});
    if (rows.first >= rows.end) continue;
    const Real* upper = f + ((z * n + y) * n + x + packed.to_upper);
    const Real* lower = f + ((z * n + y) * n + x + packed.to_lower);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      if (!rows.has(row)) continue;
      product[row] += upper[row * n] * lower[row * n];
      pairs[row] += 1;
    }
  }
}

/// Directions of a class in shared memory: a block reads them once, not one thread after the other.
template <class Real>
struct StagedDirections {
  static constexpr int most = 16;
  PlacedDirection<Real> direction[most];
  PlacedTap<Real> tap[most * StencilTaps::most];

  /// Directions first, ..., first + most − 1 of a class; all threads of the block call it.
  __device__ void load(const Placed<Real>& placed, int number, int first) {
    const int left = placed.direction_count - first, count = left < most ? left : most;
    const PlacedDirection<Real>* from = placed.directions + (number * placed.direction_count + first);
    __syncthreads();  // nobody needs the last ones any more
#pragma unroll 1
    for (int t = static_cast<int>(threadIdx.x); t < count * StencilTaps::most; t += sphere_threads) {
      const int k = t / StencilTaps::most, of_direction = t % StencilTaps::most;
      if (of_direction == 0) direction[k] = from[k];
      if (of_direction < from[k].taps) tap[t] = placed.taps[from[k].first_tap + of_direction];
    }
    __syncthreads();
  }
};

/// What each sphere of a batch moves in each direction.
template <class Real, bool symmetrized, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    move_spheres(Placed<Real> placed, SphereBatch batch, const Real* f, const Real* logs, Moved<Real> moved) {
  const int number = class_of_block(placed.tables, batch);
  const SphereTable of = placed.tables.classes[number];
  const int tile = static_cast<int>(blockIdx.x - of.first_block) * sphere_threads + static_cast<int>(threadIdx.x);
  const RowsOfThread at(base_tile, tile, of.box.count[0], of.box.count[1], of.box.count[2]);
  const int x = of.box.first[0] + at.x, y = of.box.first[1] + at.y, z = of.box.first[2] + at.z;
  const int n = constant > 0 ? constant : placed.n;
  Real product[sphere_rows] = {}, pairs[sphere_rows] = {}, rate[sphere_rows] = {}, inverse[sphere_rows] = {};
  const CenterOfRows<> center(placed.tables.support, of.parity, x, y, z);
  if (at.inside && (!ball || center.least_square(0, 0, 0) <= of.reach2))
    add_products<ball>(placed.tables, of, n, f, x, y, z, product, pairs);

  const int stencil_square = placed.tables.support.stencil_square;
  __shared__ StagedDirections<Real> staged;
  for (int k = 0; k < placed.direction_count; ++k) {
    if (k % staged.most == 0) staged.load(placed, number, k);
    const PlacedDirection<Real>& in = staged.direction[k % staged.most];
    if (!at.inside || !in.box.has(x, 0) || !in.box.has(z, 2) || y + sphere_rows <= in.box.first[1] ||
        y >= in.box.first[1] + in.box.count[1])
      continue;
    unsigned in_ball = 0;  // a bit a row
    if constexpr (ball) in_ball = center.rows_within(in.away, stencil_square);
    const auto takes_place = [&](int row) { return in.box.has(y + row, 1) && (!ball || (in_ball >> row & 1u) != 0); };
    if constexpr (!symmetrized) {
      const int place = in.kept.place(n, x, y, z);
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row) {
        if (takes_place(row)) rate[row] += in.collision_rate;
        if (ball && in.box.has(y + row, 1))
          moved.kept[place + row * n] = takes_place(row) ? in.collision_rate * product[row] : 0;
      }
      continue;
    }
    const Real* here = logs + ((z * n + y) * n + x);
    const Real* mirror = here + ((of.parity[2] * n + of.parity[1]) * n + of.parity[0]);
    Real exponent[sphere_rows] = {};
    for (int t = 0; (!ball || in_ball != 0) && t < in.taps; ++t) {
      const PlacedTap<Real>& tap = staged.tap[k % staged.most * StencilTaps::most + t];
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row)
        exponent[row] += tap.weight * (here[row * n + tap.to_node] + mirror[row * n - tap.to_node]);
    }
    const int place = in.kept.place(n, x, y, z);
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      if (!in.box.has(y + row, 1)) continue;
      const bool defined = (!ball || takes_place(row)) && pairs[row] > 0 && exponent[row] < infinite<Real>;
      const Real any = std::exp(exponent[row]), back = defined ? any : 0;
      const Real half_rate = defined ? in.collision_rate / 2 : 0;
      moved.kept[place + row * n] = half_rate * (product[row] - pairs[row] * back);
      rate[row] += half_rate;
      inverse[row] += half_rate * back;
    }
  }
  if (!at.inside) return;
  const int place = of.box.place(n, x, y, z);
  for (int row = 0; row < sphere_rows && at.y + row < of.box.count[1]; ++row) {
    moved.rate[place + row * n] = rate[row];
    if constexpr (symmetrized) moved.inverse[place + row * n] = inverse[row];
    if constexpr (!symmetrized && !ball) moved.kept[place + row * n] = product[row];
  }
}

/// Adds what a direction's stencils, those of both molecules, give to a thread's nodes.
template <class Real, int constant, bool ball>
__device__ __forceinline__ void gather(const NodesOfThread<node_rows<Real, constant>, constant, ball>& at,
                                       const SphereTable& of, PlacedDirection<Real> in, const PlacedTap<Real>* taps,
                                       const Real* kept, Real (&sum)[node_rows<Real, constant>]) {
  const auto reached = [&](int b, int low, int high, int axis, int rows) {  // by the bases between low and high of b
    return b + high + rows > in.box.first[axis] && b + low < in.box.first[axis] + in.box.count[axis];
  };
  const auto reaches = [&](bool mirrored) {
    const int b[3] = {at.x, at.y, at.z};
    bool all = in.taps > 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int low = mirrored ? in.least[axis] - of.parity[axis] : -in.most[axis];
      const int high = mirrored ? in.most[axis] - of.parity[axis] : -in.least[axis];
      all = all && reached(b[axis], low, high, axis, axis == 1 ? node_rows<Real, constant> : 1);
    }
    return all;
  };
  const bool one = reaches(false), other = reaches(true);
  if (!one && !other) return;
  const int place = in.kept.place(at.n, at.x, at.y, at.z);
  const int mirror = place - in.kept.step(at.n, of.parity[0], of.parity[1], of.parity[2]);
  for (int t = 0; t < in.taps; ++t) {
    const PlacedTap<Real> tap = taps[in.first_tap + t];
    const Real weight = tap.weight * in.rate;
    const auto add = [&](const Real* from, int x, int y, int z) {
      if (!in.box.has(x, 0) || !in.box.has(z, 2)) return;
#pragma unroll
      for (int row = 0; row < node_rows<Real, constant>; ++row)
        if (in.box.has(y + row, 1)) sum[row] += weight * from[row * at.n];
    };
    const signed char* o = tap.offset;
    if (one) add(kept + (place - tap.to_kept), at.x - o[0], at.y - o[1], at.z - o[2]);
    if (other)
      add(kept + (mirror + tap.to_kept), at.x - of.parity[0] + o[0], at.y - of.parity[1] + o[1],
          at.z - of.parity[2] + o[2]);
  }
}

/// What the directions of a batch move to the nodes, added to the groups' sums.
template <class Real, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    give_moved(Placed<Real> placed, SphereBatch batch, unsigned blocks, const Real* kept, Real* of_group) {
  const NodesOfThread<node_rows<Real, constant>, constant, ball> at(placed.tables, blocks);
  if (!at.inside) return;
  Real sum[node_rows<Real, constant>] = {};
  const int directions = batch.count * placed.direction_count;
  const auto end = static_cast<int>(at.share_end(directions));
  for (auto k = static_cast<int>(at.share(directions)); k < end; ++k)
    gather(at, placed.tables.classes[batch.first + k / placed.direction_count],
           placed.directions[batch.first * placed.direction_count + k], placed.taps, kept, sum);
  const std::int64_t nodes = static_cast<std::int64_t>(at.n) * at.n * at.n;
#pragma unroll
  for (int row = 0; row < node_rows<Real, constant>; ++row)
    if (at.rows.has(row)) of_group[at.group * nodes + at.node(row)] += sum[row];
}

/// What the pairs of a batch take from the nodes and, by inverse collisions, give back, added to the groups' sums.
template <class Real, bool symmetrized, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    take_pairs(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* f, Moved<Real> moved,
               Real* of_group) {
  constexpr int rows = node_rows<Real, constant>;
  const NodesOfThread<rows, constant, ball> at(tables, blocks);
  const NodesOfWarp warp(at);
  if (warp.empty()) return;
  Real lost[rows] = {}, back[rows] = {};  // lost: of one molecule
  for_each_pair(tables, batch, warp, at, [&](int row, int place, int partner) {
    lost[row] += f[partner] * moved.rate[place];
    if constexpr (symmetrized) back[row] += moved.inverse[place];
  });
  const std::int64_t nodes = static_cast<std::int64_t>(at.n) * at.n * at.n;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (at.inside && at.rows.has(row))
      of_group[at.group * nodes + at.node(row)] += back[row] - f[at.node(row)] * lost[row];
}

template <class Real>
struct ConservativeSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereTables tables;
  Array<SphereTable> classes;
  Array<PackedDisplacement> displacements;
  Array<unsigned char> rows;
  Array<PlacedDirection<Real>> directions;
  Array<PlacedTap<Real>> taps;

  ConservativeSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_.support()) {
    std::vector<PlacedDirection<Real>> host_directions;
    std::vector<PlacedTap<Real>> host_taps;
    place_directions(host_directions, host_taps);
    const Queue& queue = scratch.queue();
    classes = to_device(queue, tables.classes);
    displacements = to_device(queue, tables.displacements);
    rows = to_device(queue, tables.rows);
    directions = to_device(queue, host_directions);
    taps = to_device(queue, host_taps);
    queue.wait();  // the host's tables go
  }

  void evaluate(const Real* f, Real* q) override {
    setup.options.symmetrized ? evaluate_with<true>(f, q) : evaluate_with<false>(f, q);
  }

 private:
  /// That what moves is kept for each direction; else Σ f f₁ does for all of them.
  bool keeps_directions() const { return setup.options.symmetrized || !tables.support.is_box(); }

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
        in.rate = keeps_directions() ? Real(1) : in.collision_rate;
        for (int axis = 0; axis < 3; ++axis) in.away[axis] = 2 * stencil.middle[axis] - of.parity[axis];
        in.taps = stencil.count;
        in.first_tap = static_cast<int>(placed_taps.size());
        in.box = common_bases(of, stencil);
        in.kept = keeps_directions() ? in.box : of.box;
        for (int t = 0; t < stencil.count; ++t) {
          const int* o = stencil.offset[t];
          const auto small = [&](int axis) { return static_cast<signed char>(o[axis]); };
          placed_taps.push_back({{small(0), small(1), small(2), 0},
                                 (o[2] * setup.n() + o[1]) * setup.n() + o[0],
                                 in.kept.step(setup.n(), o[0], o[1], o[2]),
                                 static_cast<Real>(stencil.weight[t])});
        }
        for (int axis = 0; axis < 3; ++axis)
          for (int t = 0; t < stencil.count; ++t) {
            const auto o = static_cast<signed char>(stencil.offset[t][axis]);
            in.least[axis] = t == 0 ? o : std::min(in.least[axis], o);
            in.most[axis] = t == 0 ? o : std::max(in.most[axis], o);
          }
        placed.push_back(in);
      }
    }
    const std::size_t count = rates.size();
    tables.make_batches(bytes_of_batch(setup.n(), batch_bytes) / static_cast<std::int64_t>(sizeof(Real)), base_tile,
                        [&](int number, std::int64_t start) {
                          std::int64_t used = 0;
                          for (std::size_t k = 0; k < count; ++k) {
                            PlacedDirection<Real>& in = placed[static_cast<std::size_t>(number) * count + k];
                            in.kept.start = tables.classes[static_cast<std::size_t>(number)].box.start;
                            if (!keeps_directions()) continue;
                            in.kept.start = static_cast<int>(start + used);
                            used += in.box.elements(setup.n());
                          }
                          return used;
                        });
  }

  /// Bases of the class with all nodes of the stencils in the grid and, if it is a ball, around those in the support.
  SphereBox common_bases(const SphereTable& of, const StencilTaps& stencil) const {
    SphereBox box = of.box;
    for (int axis = 0; axis < 3; ++axis) {
      const BaseRange range = bases_inside(stencil, of.parity[axis], axis, setup.n());
      int first = std::max(box.first[axis], range.first);
      int end = std::min(box.first[axis] + box.count[axis], range.last + 1);
      const auto takes_place = [&](int b) { return reaches(of.parity, stencil.middle, axis, b); };
      while (first < end && !takes_place(first)) ++first;
      while (end > first && !takes_place(end - 1)) --end;
      box.first[axis] = first;
      box.count[axis] = std::max(0, end - first);
    }
    if (stencil.count == 0 || box.count[0] == 0 || box.elements(1) == 0) std::fill_n(box.count, 3, 0);
    return box;
  }

  /// Whether there may be bases that have both stencils in the support in this plane.
  bool reaches(const int* parity, const int* middle, int axis, int b) const {
    int away[3];
    for (int k = 0; k < 3; ++k) away[k] = 2 * middle[k] - parity[k];
    const int c = std::abs(tables.support.center(b, parity[axis])), farther = c + std::abs(away[axis]);
    return std::max(farther * farther, c * c + VelocitySupport::dot(away, away)) <= tables.support.stencil_square;
  }

  template <bool symmetrized>
  void evaluate_with(const Real* f, Real* q) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), elements = tables.most(&SphereBatch::elements);
    ScratchFrame frame(scratch);
    const std::int64_t before = sphere_rows * setup.n();  // and after: rows that a thread takes in vain
    Real* logs = symmetrized ? frame.array<Real>(nodes + 2 * before).data + before : nullptr;
    Real* of_group = frame.array<Real>(node_groups * nodes).data;
    const std::int64_t kept = std::max(elements, tables.most(&SphereBatch::kept));
    const Moved<Real> moved{frame.array<Real>(kept).data, frame.array<Real>(elements).data,
                            symmetrized ? frame.array<Real>(elements).data : nullptr};
    const Placed<Real> placed{{classes.data(), displacements.data(), rows.data(), tables.support},
                              directions.data(),
                              taps.data(),
                              setup.directions.count(),
                              setup.n()};
    if constexpr (symmetrized) take_logarithms(queue, f, nodes, logs);
    fill_bytes(queue, of_group, 0, static_cast<std::size_t>(node_groups * nodes) * sizeof(Real));
    with_constants(tables.support, [&](auto constant, auto ball) {
      const std::int64_t blocks = blocks_of_group<node_rows<Real, constant()>>(setup.n());
      const std::int64_t threads = node_groups * blocks * sphere_threads;
      for (const SphereBatch& batch : tables.batches) {
        launch<sphere_threads>(queue, batch.blocks * sphere_threads,
                               move_spheres<Real, symmetrized, constant(), ball()>, placed, batch, f, logs, moved);
        launch<sphere_threads>(queue, threads, give_moved<Real, constant(), ball()>, placed, batch,
                               static_cast<unsigned>(blocks), moved.kept, of_group);
        launch<sphere_threads>(queue, threads, take_pairs<Real, symmetrized, constant(), ball()>, placed.tables, batch,
                               static_cast<unsigned>(blocks), f, moved, of_group);
      }
    });
    launch(queue, nodes, add_node_groups<Real>, of_group, nodes, q);
  }
};

}  // namespace

const OperatorMakers conservative_spheres_cuda = makers_of<ConservativeSpheresCuda>();

}  // namespace shoal
