// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "collision/collision_method.hpp"
#include "collision/mixture/mixture_setup.hpp"

namespace shoal::collision {

/// Operator of the collisions between two gases by one method. Arrays are contiguous, on the queue's device.
template <class Real>
struct CrossOperator {
  virtual ~CrossOperator() = default;

  /// Adds the integrals of both gases in one cell.
  /// @param f  [nodes³] of each gas
  /// @param q  [nodes³] of each gas
  virtual void add(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q) = 0;

  /// Adds those of several cells, whose arrays follow each other.
  /// @param nodes  nodes of a cell
  virtual void add_cells(const std::array<const Real*, 2>& f, const std::array<Real*, 2>& q, std::int64_t cells,
                         std::int64_t nodes) {
    for (std::int64_t first = 0; first < cells * nodes; first += nodes)
      add({f[0] + first, f[1] + first}, {q[0] + first, q[1] + first});
  }
};

/// Returns the factory of a class template that implements CrossOperator<Real>.
template <template <class> class Implementation>
constexpr CrossFactory cross_factory() {
  return operator_factory<Implementation, CrossOperator, MixtureSetup>();
}

}  // namespace shoal::collision
