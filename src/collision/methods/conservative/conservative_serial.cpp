// SPDX-License-Identifier: Apache-2.0
// serial, conservative: a loop over pairs and directions in double, the reference for the other methods.
//
// idea           the definition: each collision transfers mass from two nodes to the nodes of two stencils
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", second approach; stencil_item.hpp
// memory         two doubles a node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M N⁶)
// deviations     stencils and inverse collisions were added
#include <algorithm>

#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real>
struct ConservativeSerial : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;

  ConservativeSerial(const CollisionSetup& setup_, Scratch& scratch_) : setup(setup_), scratch(scratch_) {}

  void evaluate(const Real* f, Real* q) override {
    const std::int64_t nodes = setup.grid.node_count();
    ScratchFrame frame(scratch);
    double* sum = frame.array<double>(nodes).data;
    std::fill_n(sum, nodes, 0.0);
    PairCollisions<double> pairs{setup, logarithms<double>(frame, setup, f), sum};
    for (int node = 0; node < nodes; ++node) add_node_collisions(pairs, f, node);
    std::transform(sum, sum + nodes, q, [](double value) { return static_cast<Real>(value); });
  }
};

}  // namespace

const OperatorFactory conservative_serial = operator_factory<ConservativeSerial>();

}  // namespace shoal::collision
