// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/stl/variant.h>
#include <shoal/collision.hpp>

#include <variant>

#include "support/options.hpp"

namespace shoal::python {

const Options<CollisionOptions>& collision_options();

/// Documentation of the options for docstrings.
extern const char* const collision_parameters;

/// Molecules of one gas or of two.
using CollidingGas = std::variant<Molecules, Mixture>;

/// Makes Collision<Real> of one gas or of two.
template <class Real>
Collision<Real> make_collision(const Queue& queue, const VelocityGrid& grid, const CollidingGas& gas,
                               const CollisionOptions& options) {
  return std::visit([&](const auto& molecules) { return Collision<Real>(queue, grid, molecules, options); }, gas);
}

}  // namespace shoal::python
