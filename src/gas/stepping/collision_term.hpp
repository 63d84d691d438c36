// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include "gas/physics/frequency_item.hpp"
#include "gas/setup/gas_setup.hpp"

namespace shoal::gas {

/// Collision term of the own cells of a rank.
template <class Real>
class CollisionTerm {
 public:
  virtual ~CollisionTerm() = default;

  /// Arrays of nodes are on the queue's device.
  /// @param f         [cells × nodes]
  /// @param moments   [cells] of f
  /// @param q         [cells × nodes] Q, overwritten
  /// @param frequency [cells] ν for which Q + ν f is not negative; overwritten
  /// @throws Error  the velocity grid cannot represent a cell's state, or f is not valid: names the first cell. On CUDA a model
  ///                has Queue::wait() throw it, and until then q of the cell is NaN
  virtual void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                        std::vector<NodeFrequency>& frequency) = 0;
  virtual std::int64_t evaluations() const { return 0; }
  virtual void set_evaluations(std::int64_t) {}
  virtual std::vector<Warning> warnings(View<const Real>) { return {}; }
};

/// Returns the collision term of a model; null for GasModel::none. The setup outlives it.
template <class Real>
std::unique_ptr<CollisionTerm<Real>> make_collision_term(const Queue& queue, const GasSetup& setup);

}  // namespace shoal::gas
