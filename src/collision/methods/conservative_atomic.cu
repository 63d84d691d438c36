// SPDX-License-Identifier: Apache-2.0
// atomic, conservative: the obvious way, pair by pair, direction by direction, with atomic adds.
//
// idea           a thread has a node and goes over a share of the displacements; what a collision moves is taken from
//                both nodes, and added to those of both stencils, atomically. Threads of a warp have neighboring nodes
//                and the same displacement: their adds go to neighboring nodes
// source         Malkov and Ivanov, "Solving the Boltzmann equation on GPU", second approach
// memory         2 numbers a node
// atomics        14 a pair and direction, and 2 a pair, for stencils of seven
// deterministic  no: the order of adds
// wins when      scattering is not isotropic
// loses when     it is: spheres gathers, with a twentieth of the collisions, and gives the same bits on every run
// differs        stencils and inverse collisions were added; a node's own losses are added once a displacement
#include "collision/collision_method.hpp"
#include "collision/conservative/logarithms.cuh"
#include "collision/conservative/stencil_item.hpp"
#include "collision/methods/methods.hpp"
#include "collision/pairs/direction_rates.cuh"

namespace shoal {

namespace {

constexpr int displacement_groups = 64;

template <class Real>
struct AtomicCollisions {
  int n;
  VelocitySupport support;
  CollisionStencil stencil;
  const Real* logs;  ///< of f; null: without inverse collisions
  ConstantDirections directions;
  PairRates rates;

  __device__ std::int64_t node(const int* at) const {
    return (static_cast<std::int64_t>(at[2]) * n + at[1]) * n + at[0];
  }
  __device__ bool inside(const StencilTaps& taps, const int* parity, const int* b) const {
    if (taps.count == 0) return false;
    for (int axis = 0; axis < 3; ++axis) {
      const BaseRange range = bases_inside(taps, parity[axis], axis, n);
      if (b[axis] < range.first || b[axis] > range.last) return false;
    }
    return support.has_stencils(b, parity, taps.middle);
  }
  /// Nodes of tap t of both molecules.
  __device__ void tap_nodes(const StencilTaps& taps, int t, const int* parity, const int* b, std::int64_t* of) const {
    int one[3], other[3];
    for (int axis = 0; axis < 3; ++axis) {
      one[axis] = b[axis] + taps.offset[t][axis];
      other[axis] = b[axis] + parity[axis] - taps.offset[t][axis];
    }
    of[0] = node(one);
    of[1] = node(other);
  }

  /// All collisions of nodes i and j; returns what they lose.
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
      const StencilTaps taps = stencil_of(stencil, parity, pair.square(), directions.at[k]);
      if (!inside(taps, parity, b)) continue;
      Real moved = static_cast<Real>(rates.rate(directions, pair, k, scale)) * product;
      if (logs != nullptr) {
        Real exponent = 0;
        for (int t = 0; t < taps.count; ++t) {
          std::int64_t of[2];
          tap_nodes(taps, t, parity, b, of);
          exponent += static_cast<Real>(taps.weight[t]) * (logs[of[0]] + logs[of[1]]);
        }
        if (!(exponent < infinite<Real>)) continue;
        moved = static_cast<Real>(rates.rate(directions, pair, k, scale)) / 2 * (product - std::exp(exponent));
      }
      lost += moved;
      for (int t = 0; t < taps.count; ++t) {
        std::int64_t of[2];
        tap_nodes(taps, t, parity, b, of);
        atomicAdd(q + of[0], static_cast<Real>(taps.weight[t]) * moved);
        atomicAdd(q + of[1], static_cast<Real>(taps.weight[t]) * moved);
      }
    }
    return lost;
  }
};

/// Node and group of displacements of a thread; of each two opposite displacements one is taken.
template <class Real>
__global__ void collide_nodes(AtomicCollisions<Real> collisions, const Real* f, Real* q) {
  const int n = collisions.n, width = 2 * n - 1;
  const std::int64_t nodes = static_cast<std::int64_t>(n) * n * n;
  const std::int64_t node = thread_index() % nodes, group = thread_index() / nodes;
  if (group >= displacement_groups || !collisions.support.has(node)) return;
  const int i[3] = {static_cast<int>(node % n), static_cast<int>(node / n % n), static_cast<int>(node / n / n)};
  const std::int64_t all = static_cast<std::int64_t>(width) * width * width;
  for (std::int64_t k = all / 2 + 1 + group; k < all; k += displacement_groups) {
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
    if (logs != nullptr) take_logarithms(queue, f, nodes, logs);
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

const OperatorMakers conservative_atomic_cuda = makers_of<ConservativeAtomic>();

}  // namespace shoal
