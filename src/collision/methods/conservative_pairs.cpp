// SPDX-License-Identifier: Apache-2.0
// pairs, conservative: nodes are dealt out to groups, each with a Q of its own.
//
// idea           a collision writes to nodes anywhere; so threads must not share Q
// source         Malkov and Ivanov, "Solving the Boltzmann equation on GPU", second approach
// memory         17 numbers a node
// atomics        none
// deterministic  yes: 16 groups whatever the number of threads, added in order
// wins when      scattering is not isotropic
// loses when     it is: spheres does the same with a tenth of the work
// differs        stencils and inverse collisions were added
#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"
#include "collision/setup/work_groups.hpp"

namespace shoal {

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
    add_all_groups(scratch, nodes, q, [&](int group, Real* own) {
      PairCollisions<Real> pairs{setup, logs, own};
      for (int node = group; node < nodes; node += collision_groups) add_collisions_of(pairs, f, node);
    });
  }
};

}  // namespace

const OperatorMakers conservative_pairs = makers_of<ConservativePairs>();

}  // namespace shoal
