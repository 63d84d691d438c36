// SPDX-License-Identifier: Apache-2.0
// pairs, interpolated: one task for each node, with all its partners.
//
// idea           nodes are independent: the threads share them
// source         Malkov and Ivanov, "Parallelization of algorithms for solving the Boltzmann equation for GPU-based
//                computations", first approach
// memory         one number a node
// atomics        none
// deterministic  yes: a node's partners are added in order
// wins when      scattering is not isotropic
// loses when     scattering is isotropic: spheres computes the same sums with less work
// deviations     any direction set; cubic interpolation and interpolation of f/M were added; statistical integration
//                draws partners from the nodes and directions from the set
#include "collision/interpolated/interpolated_pairs.hpp"
#include "collision/methods/methods.hpp"

namespace shoal::collision {

namespace {

template <class Real>
struct InterpolatedPairs : CollisionOperator<Real> {
  const CollisionSetup& setup;
  Scratch& scratch;
  std::vector<int> partner_nodes;

  InterpolatedPairs(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), partner_nodes(sampled_nodes(setup_)) {}

  void evaluate(const Real* f, Real* q) override {
    interpolated_rates<Real>(scratch, scratch.queue().threads(), setup, partner_nodes, this->evaluation, f, q);
  }
};

}  // namespace

const OperatorFactory interpolated_pairs = operator_factory<InterpolatedPairs>();

}  // namespace shoal::collision
