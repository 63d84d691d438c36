// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "gas/steady/anderson.hpp"
#include "gas/steady/defect_correction.hpp"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

/// @throws Error  an option is out of range, or contradicts the flow
void require_valid(const GasSetup& setup, const SteadyOptions& options);

/// Iteration of a flow to its steady state, from the position of its clock.
template <class Real>
class SteadyIteration {
 public:
  SteadyIteration(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper, GasClock& clock,
                  const SteadyOptions& options);

  SteadyResult run(const typename Gas<Real>::Observer& observer);

 private:
  void iterate();
  void take_step();
  void continue_from_cheaper();
  void keep_mass();
  void count();
  bool at_end_of_history() const;
  void require_finite(double residual) const;

  Queue queue_;
  const GasSetup& setup_;
  Stepper<Real>& stepper_;
  GasClock& clock_;
  SteadyOptions options_;
  AndersonAcceleration<Real> acceleration_;
  std::optional<DefectCorrection<Real>> correction_;
};

}  // namespace shoal::gas
