// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>

#include "gas/steady/continuation.hpp"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

/// Defect correction of an expensive collision term Q by a cheaper one, P: with Q(f₀) evaluated once, sweeps solve
///
///     v·∇f = P(f) + Q(f₀) − P(f₀)
///
/// for f. Where f no longer changes, v·∇f = Q(f). Slow modes of sweeps, such as sound that crosses the line, are those of P and Q
/// alike, and P follows them at its own cost. ν and the ball of nodes that collide are those of Q.
template <class Real>
class DefectCorrection {
 public:
  /// @param cheaper  not none
  DefectCorrection(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper, SteadyContinuation cheaper,
                   int sweeps);

  /// Takes the sweeps of an iteration from f₀.
  /// @param keep_mass  called after each sweep
  void iterate(const std::function<void()>& keep_mass);

 private:
  Stepper<Real>& stepper_;
  std::unique_ptr<ContinuationTerm<Real>> cheaper_;
  int sweeps_;
  Array<Real> start_;   ///< f₀
  Array<Real> defect_;  ///< Q(f₀) − P(f₀)
};

}  // namespace shoal::gas
