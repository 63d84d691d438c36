// SPDX-License-Identifier: Apache-2.0
#include "gas/steady/continuation.hpp"

#include "core/text.hpp"

namespace shoal::gas {

namespace {

/// Options of a flow with the collision term of a continuation in place of its own.
GasOptions continuation_options(GasOptions options, SteadyContinuation continuation) {
  switch (continuation) {
    case SteadyContinuation::none:
      break;
    case SteadyContinuation::bgk:
      options.model = GasModel::bgk;
      break;
    case SteadyContinuation::shakhov:
      options.model = GasModel::shakhov;
      break;
    case SteadyContinuation::aap:
      options.model = GasModel::aap;
      break;
    case SteadyContinuation::carleman:
      options.collision = {.approach = CollisionApproach::carleman,
                           .equilibrium_preserving = true,
                           .projection = CollisionProjection::maxwellian,
                           .negative = NegativeDistribution::accept};
      break;
  }
  return options;
}

GasSetup continuation_setup(GasSetup setup, SteadyContinuation continuation) {
  setup.options = continuation_options(setup.options, continuation);
  return setup;
}

}  // namespace

void check_cheaper_term(const GasSetup& setup, const char* name, SteadyContinuation cheaper) {
  if (cheaper == SteadyContinuation::none) return;
  require(setup.options.model == GasModel::boltzmann, "gas: ", name, " = ", to_name(cheaper),
          " is for the model boltzmann, and the model is ", to_name(setup.options.model), ". Use none.");
  require((cheaper == SteadyContinuation::aap) == setup.mixture.has_value(), "gas: ", name, " = ", to_name(cheaper),
          setup.mixture ? " is for one gas, and this is a mixture. Use aap or none."
                        : " is for a mixture, and this is one gas. Use shakhov or none.");
}

template <class Real>
ContinuationTerm<Real>::ContinuationTerm(const Queue& queue, const GasSetup& setup, SteadyContinuation continuation)
    : setup_(continuation_setup(setup, continuation)), term_(make_collision_term<Real>(queue, setup_)) {}

template class ContinuationTerm<float>;
template class ContinuationTerm<double>;

}  // namespace shoal::gas
