// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

/// Anderson's acceleration of a fixed-point iteration f → g(f). With r = g(f) − f, and differences Δ between iterations,
///
///     f ← g(f) − Σ γ_j Δg_j,     γ minimizes |r − Σ γ_j Δr_j|²
///
/// over all nodes, and over at most `depth` previous iterations. Nodes have the weight 1 / (M + 1e-12), its fourth root for the
/// Boltzmann integral, with a Maxwellian M as wide as the velocity grid and of height 1: combinations that are good for slow
/// molecules alone grow in the tails, and those that are good for the tails alone leave the slow ones. Sums have the order of
/// cells, on any number of ranks.
/// Source: Anderson (1965); Walker and Ni (2011).
template <class Real>
class AndersonAcceleration {
 public:
  AndersonAcceleration(const Queue& queue, const GasSetup& setup, Stepper<Real>& stepper, int depth);

  /// Forgets all previous iterations.
  void forget();
  /// Keeps f before an iteration.
  void begin();
  /// Replaces f after an iteration.
  void end();

 private:
  std::size_t differences() const { return std::min(count_, change_differences_.size()); }
  void add_differences();
  std::vector<double> weights();

  Stepper<Real>& stepper_;
  Array<Real> weights_;                          ///< [nodes]
  Array<Real> before_;                           ///< f before the iteration
  Array<Real> change_, last_change_;             ///< r of this and of the last iteration
  Array<Real> last_result_;                      ///< g of the last iteration
  std::vector<Array<Real>> change_differences_;  ///< [depth] Δr, each in the place of that `depth` iterations before
  std::vector<Array<Real>> result_differences_;  ///< [depth] Δg
  std::vector<double> products_;                 ///< [depth × depth] Δr_i · Δr_j
  std::size_t count_ = 0;                        ///< number of differences since forget()
  bool has_last_ = false;
};

}  // namespace shoal::gas
