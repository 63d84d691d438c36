// SPDX-License-Identifier: Apache-2.0
// atomic, conservative: a loop over pairs and directions with atomic adds.
//
// idea           a thread has a node and processes a share of the displacements; each collision subtracts from both
//                nodes and adds to the nodes of both stencils atomically. The threads of a warp have neighboring nodes
//                and the same displacement, so their adds go to neighboring nodes
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", second approach
// memory         2 values per node
// atomics        14 for each pair and direction, and 2 for each pair, with stencils of seven
// deterministic  no: the order of the adds varies
// wins when      scattering is not isotropic
// loses when     scattering is isotropic: spheres gathers, with far fewer collisions, and is deterministic
// deviations     stencils and inverse collisions were added; a node's own losses are added once for each displacement
#include "collision/collision_method.hpp"
#include "collision/conservative/logarithms.cuh"
#include "collision/conservative/stencil_item.hpp"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.cuh"

namespace shoal::collision {

namespace {

constexpr int displacement_groups = 64;

template <class Real>
struct AtomicCollisions {
  int n;
  VelocitySupport support;
  CollisionStencil kind;
  const Real* logs;  ///< [n³] ln f; null: no inverse collisions
  ConstantDirections directions;
  PairRates rates;

  __device__ std::int64_t node(const int* index) const {
    return (static_cast<std::int64_t>(index[2]) * n + index[1]) * n + index[0];
  }
  __device__ bool inside(const Stencil& stencil, const int* parity, const int* b) const {
    if (stencil.count == 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const CenterRange range = centers_inside(stencil, parity[axis], axis, n);
      if (b[axis] < range.first || b[axis] > range.last) return false;
    }
    return support.has_stencils(b, parity, stencil.nearest);
  }
  /// Node numbers of stencil node t for both molecules.
  __device__ void node_pair(const Stencil& stencil, int t, const int* parity, const int* b, std::int64_t* nodes) const {
    int first[3], second[3];
    for (int axis = 0; axis < 3; ++axis) {
      first[axis] = b[axis] + stencil.offset[t][axis];
      second[axis] = b[axis] + parity[axis] - stencil.offset[t][axis];
    }
    nodes[0] = node(first);
    nodes[1] = node(second);
  }

  /// Adds all collisions of nodes i and j to the stencil nodes.
  /// @return  amount that each of the two nodes loses
  __device__ Real collide(const int* i, const int* j, const Real* f, Real* q) const {
    Displacement pair;
    int parity[3], b[3];
    for (int axis = 0; axis < 3; ++axis) {
      pair.d[axis] = i[axis] - j[axis];
      parity[axis] = pair.parity(axis);
      b[axis] = (i[axis] + j[axis] - parity[axis]) / 2;
    }
    const double scale = rates.scale(directions, pair);
    const Real product = f[node(i)] * f[node(j)];
    Real lost = 0;
    for (int k = 0; k < directions.count; ++k) {
      const Stencil stencil = make_stencil(kind, parity, pair.square(), directions.point[k]);
      if (!inside(stencil, parity, b)) continue;
      Real transferred = static_cast<Real>(rates.rate(directions, pair, k, scale)) * product;
      if (logs != nullptr) {
        Real exponent = 0;
        for (int t = 0; t < stencil.count; ++t) {
          std::int64_t nodes[2];
          node_pair(stencil, t, parity, b, nodes);
          exponent += static_cast<Real>(stencil.weight[t]) * (logs[nodes[0]] + logs[nodes[1]]);
        }
        if (!(exponent < infinite<Real>)) continue;
        transferred = static_cast<Real>(rates.rate(directions, pair, k, scale)) / 2 * (product - std::exp(exponent));
      }
      lost += transferred;
      for (int t = 0; t < stencil.count; ++t) {
        std::int64_t nodes[2];
        node_pair(stencil, t, parity, b, nodes);
        atomicAdd(q + nodes[0], static_cast<Real>(stencil.weight[t]) * transferred);
        atomicAdd(q + nodes[1], static_cast<Real>(stencil.weight[t]) * transferred);
      }
    }
    return lost;
  }
};

/// Processes the node and the group of displacements of a thread, one of each two opposite displacements.
template <class Real>
__global__ void collide_nodes(AtomicCollisions<Real> collisions, const Real* f, Real* q) {
  const int n = collisions.n, width = 2 * n - 1;
  const std::int64_t nodes = static_cast<std::int64_t>(n) * n * n;
  const std::int64_t node = thread_index() % nodes, group = thread_index() / nodes;
  if (group >= displacement_groups || !collisions.support.has(node)) return;
  const int i[3] = {static_cast<int>(node % n), static_cast<int>(node / n % n), static_cast<int>(node / n / n)};
  const std::int64_t displacements = static_cast<std::int64_t>(width) * width * width;
  for (std::int64_t k = displacements / 2 + 1 + group; k < displacements; k += displacement_groups) {
    const int d[3] = {static_cast<int>(k % width), static_cast<int>(k / width % width),
                      static_cast<int>(k / width / width)};
    int j[3];
    bool in_grid = true;
    for (int axis = 0; axis < 3; ++axis) {
      j[axis] = i[axis] - (d[axis] - (n - 1));
      in_grid = in_grid && j[axis] >= 0 && j[axis] < n;
    }
    if (!in_grid || !collisions.support.has(j[0], j[1], j[2])) continue;
    const Real lost = collisions.collide(i, j, f, q);
    atomicAdd(q + node, -lost);
    atomicAdd(q + collisions.node(j), -lost);
  }
}

template <class Real>
struct ConservativeAtomic : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  Array<double> rates;

  ConservativeAtomic(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), rates(total_rates(setup_, scratch_.queue())) {}

  void evaluate(const Real* f, Real* q) override {
    const Queue& queue = scratch.queue();
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    Real* logs = setup.options.symmetrized ? frame.array<Real>(nodes).data : nullptr;
    if (logs != nullptr) compute_logarithms(queue, f, nodes, logs);
    fill_bytes(queue, q, 0, static_cast<std::size_t>(nodes) * sizeof(Real));
    const AtomicCollisions<Real> collisions{setup.n(),
                                            setup.support(),
                                            setup.options.stencil,
                                            logs,
                                            ConstantDirections(setup.directions),
                                            {setup.kernel, rates.data()}};
    launch(queue, nodes * displacement_groups, collide_nodes<Real>, collisions, f, q);
  }
};

}  // namespace

const OperatorFactory conservative_atomic_cuda = operator_factory<ConservativeAtomic>();

}  // namespace shoal::collision
