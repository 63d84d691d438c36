// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>

#include "collision/setup/collision_setup.hpp"
#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"

namespace shoal {

/// One way to compute Q with its tables, for one plan. Arrays are contiguous and on the queue's device.
template <class Real>
struct CollisionOperator {
  virtual ~CollisionOperator() = default;

  /// One cell.
  /// @param f  [nodes³] 0 at nodes that take no part
  /// @param q  [nodes³] overwritten
  virtual void evaluate(const Real* f, Real* q) = 0;

  /// Several cells, whose arrays follow each other.
  /// @param nodes  of a cell
  virtual void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) {
    for (std::int64_t cell = 0; cell < cells; ++cell) evaluate(f + cell * nodes, q + cell * nodes);
  }
};

/// Makes an operator; null where a method does not know an approach. The setup outlives it.
template <class Real>
using MakeOperator = std::unique_ptr<CollisionOperator<Real>> (*)(const CollisionSetup&, Scratch&);

struct OperatorMakers {
  MakeOperator<float> for_float = nullptr;
  MakeOperator<double> for_double = nullptr;

  MakeOperator<float> of(float) const { return for_float; }
  MakeOperator<double> of(double) const { return for_double; }
};

/// The maker of an operator's class template, for both types.
template <template <class> class Operator>
constexpr OperatorMakers makers_of() {
  return {[](const CollisionSetup& setup, Scratch& scratch) -> std::unique_ptr<CollisionOperator<float>> {
            return std::make_unique<Operator<float>>(setup, scratch);
          },
          [](const CollisionSetup& setup, Scratch& scratch) -> std::unique_ptr<CollisionOperator<double>> {
            return std::make_unique<Operator<double>>(setup, scratch);
          }};
}

struct CollisionMethod : MethodEntry {
  bool any_scattering;       ///< knows molecules that do not scatter isotropically
  OperatorMakers makers[4];  ///< by CollisionApproach

  const OperatorMakers& maker(CollisionApproach approach) const { return makers[static_cast<int>(approach)]; }
  bool knows(CollisionApproach approach) const { return maker(approach).for_double != nullptr; }
};

/// The table, best first for each device.
std::span<const CollisionMethod> collision_rows();
std::vector<MethodInfo> collision_methods();

/// The row of this name that knows the approach and the molecules; "auto" takes the first deterministic one.
/// @throws Error  there is none; the message lists those that do
const CollisionMethod& find_collision_method(const CollisionSetup& setup, DeviceKind device);

}  // namespace shoal
