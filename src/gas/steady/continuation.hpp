// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "gas/stepping/collision_term.hpp"

namespace shoal::gas {

/// Cheaper collision term of a continuation or correction, with the setup that it refers to.
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

/// @param name  of the option: continuation or correction
/// @throws Error  the flow has no such cheaper collision term
void check_cheaper_term(const GasSetup& setup, const char* name, SteadyContinuation cheaper);

}  // namespace shoal::gas
