// SPDX-License-Identifier: Apache-2.0
// spheres, conservative, CUDA: collisions are computed once for all pairs that share a sphere; nodes gather.
//
// idea           a thread adds up the products f f₁ of 4 rows of spheres in registers and stores what each direction
//                transfers. The stencil is the same at every center: what a center b adds to b + o, a node k gathers
//                from k − o. A second kernel gathers, a third subtracts the losses. Classes come in batches
// source         our own; approach of Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann
//                equation for GPU-based computations"
// memory         256 MiB of transfers, 1 GiB from 64 nodes along an axis, at least one class; 32 bytes per stencil
//                node, 104 per class and direction; 17 values per node
// atomics        none
// deterministic  yes: directions and displacements in 16 groups, added in order
// wins when      scattering is isotropic
// loses when     scattering is anisotropic: not available
// deviations     the sums of pairs in another order
#include <shoal/array.hpp>

#include <cstdlib>

#include "collision/conservative/logarithms.cuh"
#include "collision/conservative/seven_nodes.cuh"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.hpp"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal::collision {

namespace {

constexpr std::int64_t batch_bytes = 256 << 20;
/// Rows of nodes of a thread: as many sums as registers hold.
template <class Real, int constant>
constexpr int node_rows = sizeof(Real) == 4 ? max_node_rows<constant> : 8;
constexpr SphereTile center_tile{center_rows, 1, sphere_threads};

/// Results of the spheres of a batch.
template <class Real>
struct SphereTransfers {
  Real* transferred;  ///< Transfer of each direction; in a box without inverse collisions Σ f f₁ of each sphere.
  Real* rate;         ///< Σ rates of the directions that take place
  Real* inverse;      ///< Σ rate · product of the inverse collision; symmetrized only
};

/// Adds up f f₁ over the pairs of each sphere, and counts the pairs.
template <bool ball, class Real>
__device__ __forceinline__ void add_products(const SphereTablesView& tables, const SphereClassRecord& sphere_class,
                                             int n, const Real* f, int x, int y, int z, Real (&product)[center_rows],
                                             Real (&pairs)[center_rows]) {
  const PackedDisplacement* displacements = tables.displacements + sphere_class.first_displacement;
  const int above = n - 1 - sphere_class.parity[2] - z;
  const int reach = 2 * (z < above ? z : above) + sphere_class.parity[2];
  for (int k = 0; k < sphere_class.displacements; ++k) {
    const PackedDisplacement packed = displacements[k];
    if (packed.d[2] > reach) break;  // displacements are sorted by d_z, which is not negative
    const auto up = [&](int axis) { return (sphere_class.parity[axis] + packed.d[axis]) >> 1; };
    const auto down = [&](int axis) { return (sphere_class.parity[axis] - packed.d[axis]) >> 1; };
    const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(n); };
    if (!in_grid(x + up(0)) || !in_grid(x + down(0))) continue;
    const int first_upper = tables.first_row<ball>(n, x + up(0), z + up(2));
    const int first_lower = tables.first_row<ball>(n, x + down(0), z + down(2));
    const RowRange upper_rows{first_upper - up(1) - y, n - first_upper - up(1) - y};
    const RowRange lower_rows{first_lower - down(1) - y, n - first_lower - down(1) - y};
    const RowRange rows = upper_rows.intersection(lower_rows).intersection({0, center_rows});
    if (rows.first >= rows.end) continue;
    const Real* upper = f + ((z * n + y) * n + x + packed.to_upper);
    const Real* lower = f + ((z * n + y) * n + x + packed.to_lower);
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (!rows.has(row)) continue;
      product[row] += upper[row * n] * lower[row * n];
      pairs[row] += 1;
    }
  }
}

/// Computes the transfer of each sphere of a batch in each direction.
template <class Real, bool symmetrized, bool seven, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    compute_transfers(StencilTables<Real> tables, SphereBatch batch, const Real* f, const Real* logs,
                      SphereTransfers<Real> transfers) {
  const int number = class_of_block(tables.spheres, batch);
  const SphereClassRecord sphere_class = tables.spheres.classes[number];
  const int tile =
      static_cast<int>(blockIdx.x - sphere_class.first_block) * sphere_threads + static_cast<int>(threadIdx.x);
  const ThreadRows thread(center_tile, tile, sphere_class.box.count[0], sphere_class.box.count[1],
                          sphere_class.box.count[2]);
  const int x = sphere_class.box.first[0] + thread.x, y = sphere_class.box.first[1] + thread.y,
            z = sphere_class.box.first[2] + thread.z;
  const int n = constant > 0 ? constant : tables.n;
  Real product[center_rows] = {}, pairs[center_rows] = {}, rate[center_rows] = {}, inverse[center_rows] = {};
  const ThreadCenter<> center(tables.spheres.support, sphere_class.parity, x, y, z);
  if (thread.inside && (!ball || center.least_square(0, 0, 0) <= sphere_class.reach2))
    add_products<ball>(tables.spheres, sphere_class, n, f, x, y, z, product, pairs);

  const int stencil_square = tables.spheres.support.stencil_square;
  __shared__ StagedDirections<Real> staged;
  for (int k = 0; k < tables.direction_count; ++k) {
    if (k % staged.most == 0) staged.load(tables, number, k);
    const ClassDirection<Real>& direction = staged.direction[k % staged.most];
    if (!thread.inside || !direction.box.has(x, 0) || !direction.box.has(z, 2) ||
        y + center_rows <= direction.box.first[1] || y >= direction.box.first[1] + direction.box.count[1])
      continue;
    unsigned in_ball = 0;  // one bit for each row
    if constexpr (ball) in_ball = center.rows_within(direction.nearest, stencil_square);
    const auto takes_place = [&](int row) {
      return direction.box.has(y + row, 1) && (!ball || (in_ball >> row & 1u) != 0);
    };
    if constexpr (!symmetrized) {
      const int index = direction.layout.index(n, x, y, z);
#pragma unroll
      for (int row = 0; row < center_rows; ++row) {
        if (takes_place(row)) rate[row] += direction.collision_rate;
        if (ball && direction.box.has(y + row, 1))
          transfers.transferred[index + row * n] = takes_place(row) ? direction.collision_rate * product[row] : 0;
      }
      continue;
    }
    const Real* center_logs = logs + ((z * n + y) * n + x);
    const Real* mirror_logs =
        center_logs + ((sphere_class.parity[2] * n + sphere_class.parity[1]) * n + sphere_class.parity[0]);
    Real exponent[center_rows] = {};
    const StencilNode<Real>* const nodes = staged.node + k % staged.most * Stencil::most;
    if constexpr (seven)
      if (!ball || in_ball != 0) add_seven_logs(nodes, center_logs, mirror_logs, n, exponent);
    for (int t = 0; !seven && (!ball || in_ball != 0) && t < direction.nodes; ++t) {
      const StencilNode<Real>& node = nodes[t];
#pragma unroll
      for (int row = 0; row < center_rows; ++row)
        exponent[row] += node.weight * (center_logs[row * n + node.to_node] + mirror_logs[row * n - node.to_node]);
    }
    const int index = direction.layout.index(n, x, y, z);
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (!direction.box.has(y + row, 1)) continue;
      const bool defined = (!ball || takes_place(row)) && pairs[row] > 0 && exponent[row] < infinite<Real>;
      const Real exponential = std::exp(exponent[row]), inverse_product = defined ? exponential : 0;
      const Real half_rate = defined ? direction.collision_rate / 2 : 0;
      transfers.transferred[index + row * n] = half_rate * (product[row] - pairs[row] * inverse_product);
      rate[row] += half_rate;
      inverse[row] += half_rate * inverse_product;
    }
  }
  if (!thread.inside) return;
  const int index = sphere_class.box.index(n, x, y, z);
  for (int row = 0; row < center_rows && thread.y + row < sphere_class.box.count[1]; ++row) {
    transfers.rate[index + row * n] = rate[row];
    if constexpr (symmetrized) transfers.inverse[index + row * n] = inverse[row];
    if constexpr (!symmetrized && !ball) transfers.transferred[index + row * n] = product[row];
  }
}

/// Adds the transfers of a direction to a thread's nodes, from the stencils of both molecules.
template <bool seven, class Real, int constant, bool ball>
__device__ __forceinline__ void gather(const ThreadNodes<node_rows<Real, constant>, constant, ball>& thread,
                                       const SphereClassRecord& sphere_class, ClassDirection<Real> direction,
                                       const StencilNode<Real>* nodes, const Real* transferred,
                                       Real (&sum)[node_rows<Real, constant>]) {
  // True if the box has centers between b + low and b + high along an axis.
  const auto reached = [&](int b, int low, int high, int axis, int rows) {
    return b + high + rows > direction.box.first[axis] &&
           b + low < direction.box.first[axis] + direction.box.count[axis];
  };
  const auto reaches = [&](bool mirrored) {
    const int b[3] = {thread.x, thread.y, thread.z};
    bool all_axes = direction.nodes > 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int low = mirrored ? direction.least[axis] - sphere_class.parity[axis] : -direction.most[axis];
      const int high = mirrored ? direction.most[axis] - sphere_class.parity[axis] : -direction.least[axis];
      all_axes = all_axes && reached(b[axis], low, high, axis, axis == 1 ? node_rows<Real, constant> : 1);
    }
    return all_axes;
  };
  const bool first = reaches(false), second = reaches(true);
  if (!first && !second) return;
  const int index = direction.layout.index(thread.n, thread.x, thread.y, thread.z);
  const int mirror =
      index - direction.layout.step(thread.n, sphere_class.parity[0], sphere_class.parity[1], sphere_class.parity[2]);
  if constexpr (seven) {
    const int start[3] = {thread.x, thread.y, thread.z};
    if (first) gather_seven(nodes, sphere_class, direction, thread.n, transferred + index, start, 1, sum);
    if (second) gather_seven(nodes, sphere_class, direction, thread.n, transferred + mirror, start, -1, sum);
  } else {
    for (int t = 0; t < direction.nodes; ++t) {
      const StencilNode<Real> node = nodes[direction.first_node + t];
      const Real weight = node.weight * direction.rate;
      const auto add = [&](const Real* source, int x, int y, int z) {
        if (!direction.box.has(x, 0) || !direction.box.has(z, 2)) return;
#pragma unroll
        for (int row = 0; row < node_rows<Real, constant>; ++row)
          if (direction.box.has(y + row, 1)) sum[row] += weight * source[row * thread.n];
      };
      const signed char* o = node.offset;
      if (first) add(transferred + (index - node.to_transferred), thread.x - o[0], thread.y - o[1], thread.z - o[2]);
      if (second)
        add(transferred + (mirror + node.to_transferred), thread.x - sphere_class.parity[0] + o[0],
            thread.y - sphere_class.parity[1] + o[1], thread.z - sphere_class.parity[2] + o[2]);
    }
  }
}

/// Adds the transfers of a batch to the sums of the node groups.
template <class Real, bool seven, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_transfers(StencilTables<Real> tables, SphereBatch batch, unsigned blocks, const Real* transferred,
                     Real* group_sums) {
  const ThreadNodes<node_rows<Real, constant>, constant, ball> thread(tables.spheres, blocks);
  if (!thread.inside) return;
  Real sum[node_rows<Real, constant>] = {};
  const int directions = batch.count * tables.direction_count;
  const auto end = static_cast<int>(thread.share_end(directions));
  for (auto k = static_cast<int>(thread.share(directions)); k < end; ++k)
    gather<seven>(thread, tables.spheres.classes[batch.first + k / tables.direction_count],
                  tables.directions[batch.first * tables.direction_count + k], tables.nodes, transferred, sum);
  const std::int64_t nodes = static_cast<std::int64_t>(thread.n) * thread.n * thread.n;
#pragma unroll
  for (int row = 0; row < node_rows<Real, constant>; ++row)
    if (thread.rows.has(row)) group_sums[thread.group * nodes + thread.node(row)] += sum[row];
}

/// Adds the losses of the pairs of a batch, less the gains of their inverse collisions, to the sums of the node groups.
template <class Real, bool symmetrized, int constant, bool ball>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_losses(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* f,
                  SphereTransfers<Real> transfers, Real* group_sums) {
  constexpr int rows = node_rows<Real, constant>;
  const ThreadNodes<rows, constant, ball> thread(tables, blocks);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  Real lost[rows] = {}, gained[rows] = {};  // lost: divided by f of the node
  for_each_pair(tables, batch, warp, thread, [&](int row, int index, int partner) {
    lost[row] += f[partner] * transfers.rate[index];
    if constexpr (symmetrized) gained[row] += transfers.inverse[index];
  });
  const std::int64_t nodes = static_cast<std::int64_t>(thread.n) * thread.n * thread.n;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (thread.inside && thread.rows.has(row))
      group_sums[thread.group * nodes + thread.node(row)] += gained[row] - f[thread.node(row)] * lost[row];
}

template <class Real>
struct ConservativeSpheresCuda : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  SphereTables tables;
  Array<SphereClassRecord> classes;
  Array<PackedDisplacement> displacements;
  Array<unsigned char> first_nodes;
  Array<ClassDirection<Real>> directions;
  Array<StencilNode<Real>> stencil_nodes;

  ConservativeSpheresCuda(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), tables(setup_.support()) {
    std::vector<ClassDirection<Real>> host_directions;
    std::vector<StencilNode<Real>> host_nodes;
    make_directions(host_directions, host_nodes);
    const Queue& queue = scratch.queue();
    classes = to_device(queue, tables.classes);
    displacements = to_device(queue, tables.displacements);
    first_nodes = to_device(queue, tables.first_nodes);
    directions = to_device(queue, host_directions);
    stencil_nodes = to_device(queue, host_nodes);
    queue.wait();  // before the host's tables are destroyed
  }

  void evaluate(const Real* f, Real* q) override {
    const auto with_stencil = [&]<bool symmetrized>() {
      is_seven() ? evaluate_with<symmetrized, true>(f, q) : evaluate_with<symmetrized, false>(f, q);
    };
    setup.options.symmetrized ? with_stencil.template operator()<true>() : with_stencil.template operator()<false>();
  }

 private:
  /// Returns true if transfers are stored for each direction; else Σ f f₁ serves all directions.
  bool stores_directions() const { return setup.options.symmetrized || !tables.support.is_box(); }

  bool is_seven() const { return setup.options.stencil == CollisionStencil::seven; }

  /// Makes the tables of all classes and directions, and divides the classes into batches.
  void make_directions(std::vector<ClassDirection<Real>>& class_directions,
                       std::vector<StencilNode<Real>>& stencil_nodes) {
    std::vector<double> rates;
    for (const SphereClassRecord& sphere_class : tables.classes) {
      const PackedDisplacement& pair = tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement)];
      direction_rates(setup, Displacement{{pair.d[0], pair.d[1], pair.d[2]}}, rates);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        const Stencil made = make_stencil(setup.options.stencil, sphere_class.parity,
                                          static_cast<int>(sphere_class.distance2), setup.directions.point[k].data());
        const Stencil stencil = is_seven() ? in_order_of_axes(made) : made;
        ClassDirection<Real> direction = {};
        direction.collision_rate = static_cast<Real>(rates[k]);
        direction.rate = stores_directions() ? Real(1) : direction.collision_rate;
        for (int axis = 0; axis < 3; ++axis)
          direction.nearest[axis] = 2 * stencil.nearest[axis] - sphere_class.parity[axis];
        direction.nodes = stencil.count;
        direction.first_node = static_cast<int>(stencil_nodes.size());
        direction.box = direction_box(sphere_class, made);
        direction.layout = stores_directions() ? direction.box : sphere_class.box;
        for (int t = 0; t < stencil.count; ++t) {
          const int* o = stencil.offset[t];
          const auto small = [&](int axis) { return static_cast<signed char>(o[axis]); };
          stencil_nodes.push_back({{small(0), small(1), small(2), 0},
                                   (o[2] * setup.n() + o[1]) * setup.n() + o[0],
                                   direction.layout.step(setup.n(), o[0], o[1], o[2]),
                                   static_cast<Real>(stencil.weight[t])});
        }
        for (int axis = 0; axis < 3; ++axis)
          for (int t = 0; t < made.count; ++t) {
            const auto o = static_cast<signed char>(made.offset[t][axis]);
            direction.least[axis] = t == 0 ? o : std::min(direction.least[axis], o);
            direction.most[axis] = t == 0 ? o : std::max(direction.most[axis], o);
          }
        class_directions.push_back(direction);
      }
    }
    const std::size_t count = rates.size();
    const auto place_transfers = [&](int number, std::int64_t start) {
      std::int64_t used = 0;
      for (std::size_t k = 0; k < count; ++k) {
        ClassDirection<Real>& direction = class_directions[static_cast<std::size_t>(number) * count + k];
        direction.layout.start = tables.classes[static_cast<std::size_t>(number)].box.start;
        if (!stores_directions()) continue;
        direction.layout.start = static_cast<int>(start + used);
        used += direction.box.elements(setup.n());
      }
      return used;
    };
    tables.make_batches(batch_size(setup.n(), batch_bytes) / static_cast<std::int64_t>(sizeof(Real)), center_tile,
                        place_transfers);
  }

  /// Box of the centers of a class whose stencils lie in the grid and, in a ball, may lie in the support.
  CenterBox direction_box(const SphereClassRecord& sphere_class, const Stencil& stencil) const {
    CenterBox box = sphere_class.box;
    for (int axis = 0; axis < 3; ++axis) {
      const CenterRange range = centers_inside(stencil, sphere_class.parity[axis], axis, setup.n());
      int first = std::max(box.first[axis], range.first);
      int end = std::min(box.first[axis] + box.count[axis], range.last + 1);
      const auto takes_place = [&](int b) { return reaches(sphere_class.parity, stencil.nearest, axis, b); };
      while (first < end && !takes_place(first)) ++first;
      while (end > first && !takes_place(end - 1)) --end;
      box.first[axis] = first;
      box.count[axis] = std::max(0, end - first);
    }
    if (stencil.count == 0 || box.count[0] == 0 || box.elements(1) == 0) std::fill_n(box.count, 3, 0);
    return box;
  }

  /// Returns true if centers with index b along an axis may have both stencils in the support.
  bool reaches(const int* parity, const int* nearest, int axis, int b) const {
    int offset[3];
    for (int k = 0; k < 3; ++k) offset[k] = 2 * nearest[k] - parity[k];
    const int c = std::abs(tables.support.center(b, parity[axis])), farther = c + std::abs(offset[axis]);
    return std::max(farther * farther, c * c + VelocitySupport::dot(offset, offset)) <= tables.support.stencil_square;
  }

  template <bool symmetrized, bool seven>
  void evaluate_with(const Real* f, Real* q) {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count(), elements = tables.largest(&SphereBatch::elements);
    ScratchFrame frame(scratch);
    const std::int64_t margin = center_rows * setup.n();  // and after: rows of a thread may extend over the box
    Real* logs = symmetrized ? frame.array<Real>(nodes + 2 * margin).data + margin : nullptr;
    Real* group_sums = frame.array<Real>(node_groups * nodes).data;
    const std::int64_t transfer_count = std::max(elements, tables.largest(&SphereBatch::extra_elements));
    const SphereTransfers<Real> transfers{frame.array<Real>(transfer_count).data, frame.array<Real>(elements).data,
                                          symmetrized ? frame.array<Real>(elements).data : nullptr};
    const StencilTables<Real> device_tables{{classes.data(), displacements.data(), first_nodes.data(), tables.support},
                                            directions.data(),
                                            stencil_nodes.data(),
                                            setup.directions.count(),
                                            setup.n()};
    if constexpr (symmetrized) compute_logarithms(queue, f, nodes, logs);
    with_constants(tables.support, [&](auto constant, auto is_ball) {
      constexpr int n = constant();
      constexpr bool ball = is_ball();
      const std::int64_t blocks = group_blocks<node_rows<Real, n>>(setup.n());
      const std::int64_t threads = node_groups * blocks * sphere_threads;
      sum_batches<2>(setup, scratch, tables.batches, group_sums, [&](const SphereBatch& batch, const auto& sums) {
        launch<sphere_threads>(queue, batch.blocks * sphere_threads, compute_transfers < Real, symmetrized,
                               symmetrized && seven, n, ball >, device_tables, batch, f, logs, transfers);
        launch<sphere_threads>(queue, threads, gather_transfers<Real, seven, n, ball>, device_tables, batch,
                               static_cast<unsigned>(blocks), transfers.transferred, sums[0]);
        launch<sphere_threads>(queue, threads, gather_losses<Real, symmetrized, n, ball>, device_tables.spheres, batch,
                               static_cast<unsigned>(blocks), f, transfers, sums[1]);
      });
    });
    launch(queue, nodes, add_node_groups<Real>, group_sums, nodes, q);
  }
};

}  // namespace

const OperatorFactory conservative_spheres_cuda = operator_factory<ConservativeSpheresCuda>();

}  // namespace shoal::collision
