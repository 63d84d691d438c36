// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "gas/stepping/collision_term.hpp"

namespace shoal::gas {

/// Collision term of a continuation, with the setup that it refers to.
template <class Real>
class ContinuationTerm {
 public:
  /// @param continuation  not none
  ContinuationTerm(const Queue& queue, const GasSetup& setup, SteadyContinuation continuation);

  CollisionTerm<Real>& term() { return *term_; }
  bool accepts_negative() const { return setup_.accepts_negative(); }

 private:
  GasSetup setup_;
  std::unique_ptr<CollisionTerm<Real>> term_;
};

/// @throws Error  the flow has no such continuation
void check_continuation(const GasSetup& setup, SteadyContinuation continuation);

}  // namespace shoal::gas
