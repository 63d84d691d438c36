// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "collision/mixture/cross_operator.hpp"

namespace shoal::collision {

/// Operators of the collisions in each of two gases and between them. Arrays are [2][cells × nodes], on the queue's device.
template <class Real>
class MixturePlan {
 public:
  MixturePlan(MixtureSetup setup, const CollisionMethod& method, Scratch& scratch);

  const MassShares& shares() const { return shares_; }

  /// @param cells  cells of each gas
  /// @param q      overwritten
  void evaluate(const Real* f, Real* q, std::int64_t cells);

  /// Collision frequency of the molecules of each gas with those of both.
  /// @param frequency  overwritten
  void evaluate_frequency(const Real* f, Real* frequency, std::int64_t cells);

 private:
  /// Collision frequencies in each gas, and between them. Made at their first use.
  struct Frequencies {
    std::array<std::unique_ptr<CollisionFrequency<Real>>, 2> like;
    std::unique_ptr<CollisionFrequency<Real>> unlike;
  };

  MixtureSetup setup_;
  Scratch& scratch_;
  MassShares shares_;
  std::array<std::unique_ptr<CollisionOperator<Real>>, 2> like_;
  std::unique_ptr<CrossOperator<Real>> cross_;
  std::unique_ptr<Frequencies> frequencies_;
};

}  // namespace shoal::collision
