// SPDX-License-Identifier: Apache-2.0
// serial, interpolated: a loop over nodes, partners and directions in double, the reference for the other methods.
//
// idea           the definition
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", first approach
// memory         one double a node
// atomics        none
// deterministic  yes: one thread
// wins when      never
// loses when     always: O(M N⁶)
// deviations     any direction set; cubic interpolation and interpolation of f/M were added; statistical integration
//                draws partners from the nodes and directions from the set
#include "collision/interpolated/interpolated_pairs.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real>
struct InterpolatedSerial : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::vector<int> partner_nodes;

  InterpolatedSerial(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), partner_nodes(sampled_nodes(setup_)) {}

  void evaluate(const Real* f, Real* q) override {
    interpolated_rates<double>(scratch, 1, setup, partner_nodes, this->evaluation, f, q);
  }
};

}  // namespace

const OperatorFactory interpolated_serial = operator_factory<InterpolatedSerial>();

}  // namespace shoal::collision
