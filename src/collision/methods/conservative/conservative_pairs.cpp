// SPDX-License-Identifier: Apache-2.0
// pairs, conservative: work groups of nodes, each with its own Q.
//
// idea           a collision writes to arbitrary nodes, so threads must not share Q
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", second approach
// memory         17 numbers a node
// atomics        none
// deterministic  yes: 16 groups whatever the number of threads, added in order
// wins when      scattering is not isotropic
// loses when     scattering is isotropic: spheres computes the same sums with less work
// deviations     stencils and inverse collisions were added
#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"

namespace shoal::collision {

namespace {

template <class Real>
struct ConservativePairs : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;

  ConservativePairs(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {}

  void evaluate(const Real* f, Real* q) override {
    ScratchFrame frame(scratch);
    const Real* logs = logarithms<Real>(frame, setup, f);
    const std::int64_t nodes = setup.grid.node_count();
    sum_work_groups(setup, scratch, nodes, q, [&](int group, Real* group_q) {
      PairCollisions<Real> pairs{setup, logs, group_q};
      for (int node = group; node < nodes; node += work_groups) add_node_collisions(pairs, f, node);
    });
  }
};

}  // namespace

const OperatorFactory conservative_pairs = operator_factory<ConservativePairs>();

}  // namespace shoal::collision
