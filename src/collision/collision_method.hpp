// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <type_traits>

#include "collision/setup/collision_setup.hpp"
#include "core/memory/scratch.hpp"
#include "core/method_table.hpp"

namespace shoal::collision {

/// Operator that computes Q by one method, with the tables of a plan. Arrays are contiguous, on the queue's device.
template <class Real>
struct CollisionOperator {
  virtual ~CollisionOperator() = default;

  std::uint64_t evaluation = 0;  ///< Number of the evaluation, from which statistical integration draws samples.

  /// Evaluates one cell.
  /// @param f  [nodes³] 0 at nodes that take no part
  /// @param q  [nodes³] overwritten
  virtual void evaluate(const Real* f, Real* q) = 0;

  /// Evaluates several cells, whose arrays follow each other.
  /// @param nodes  nodes of a cell
  virtual void evaluate_cells(const Real* f, Real* q, std::int64_t cells, std::int64_t nodes) {
    for (std::int64_t cell = 0; cell < cells; ++cell) evaluate(f + cell * nodes, q + cell * nodes);
  }
};

template <class Real>
struct CrossOperator;
struct MixtureSetup;

/// Factories of an operator for float and double; null where a method does not have it. The setup outlives the operator.
template <template <class> class Operator, class Setup>
struct Factory {
  template <class Real>
  using Make = std::unique_ptr<Operator<Real>> (*)(const Setup&, Scratch&);

  Make<float> for_float = nullptr;
  Make<double> for_double = nullptr;

  template <class Real>
  std::unique_ptr<Operator<Real>> make(const Setup& setup, Scratch& scratch) const {
    if constexpr (std::is_same_v<Real, float>)
      return for_float(setup, scratch);
    else
      return for_double(setup, scratch);
  }
};

/// Factories of the operator of a method for one gas and an approach.
using OperatorFactory = Factory<CollisionOperator, CollisionSetup>;
/// Factories of the operator of a method for collisions between two gases.
using CrossFactory = Factory<CrossOperator, MixtureSetup>;

/// Returns the factory of a class template that implements Operator<Real>.
template <template <class> class Implementation, template <class> class Operator = CollisionOperator,
          class Setup = CollisionSetup>
constexpr Factory<Operator, Setup> operator_factory() {
  return {[](const Setup& setup, Scratch& scratch) -> std::unique_ptr<Operator<float>> {
            return std::make_unique<Implementation<float>>(setup, scratch);
          },
          [](const Setup& setup, Scratch& scratch) -> std::unique_ptr<Operator<double>> {
            return std::make_unique<Implementation<double>>(setup, scratch);
          }};
}

struct CollisionMethod : MethodEntry {
  bool one_by_one;               ///< Visits collisions one by one: any scattering, statistical integration.
  OperatorFactory factories[4];  ///< [CollisionApproach]
  CrossFactory cross = {};       ///< spectral: collisions between two gases

  const OperatorFactory& factory(CollisionApproach approach) const { return factories[static_cast<int>(approach)]; }
  bool supports(CollisionApproach approach) const { return factory(approach).for_double != nullptr; }
};

/// Name of the method that every approach has, the definition in obvious code.
constexpr std::string_view oracle_method = "serial";

/// Methods in order of preference for each device.
std::span<const CollisionMethod> collision_method_table();
std::vector<MethodInfo> collision_methods();

/// Returns the method of the options' name that supports the approach and the molecules; for "auto" the first
/// deterministic one.
/// @throws Error  there is none; the message lists the methods that support them
const CollisionMethod& find_collision_method(const CollisionSetup& setup, DeviceKind device);

}  // namespace shoal::collision
