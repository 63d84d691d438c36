// SPDX-License-Identifier: Apache-2.0
// serial, conservative: pair by pair, direction by direction, in double. The oracle of the others.
//
// idea           the definition: each collision takes mass from two nodes and gives it to those of two stencils
// source         Malkov and Ivanov, "Solving the Boltzmann equation on GPU", second approach; the stencils name theirs
// memory         two doubles a node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M N⁶)
// differs        stencils and inverse collisions were added
#include <algorithm>

#include "collision/conservative/conservative_pairs.hpp"
#include "collision/methods/methods.hpp"

namespace shoal {

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
    for (int node = 0; node < nodes; ++node) add_collisions_of(pairs, f, node);
    std::transform(sum, sum + nodes, q, [](double value) { return static_cast<Real>(value); });
  }
};

}  // namespace

const OperatorMakers conservative_serial = makers_of<ConservativeSerial>();

}  // namespace shoal
