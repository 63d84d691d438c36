// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include "collision/kernel_item.hpp"

namespace shoal {

/// What a plan was asked for, checked, and what follows from it. Methods take the tables they need from here.
struct CollisionSetup {
  VelocityGrid grid;
  CollisionKernel kernel;
  CollisionOptions options;
  Directions directions;

  CollisionSetup(const VelocityGrid& over, const Molecules& molecules, const CollisionOptions& with);

  /// Nodes along an axis.
  int n() const { return grid.nodes; }
  double spacing() const { return grid.spacing(); }
  /// Volume of a node's cell.
  double volume() const { return spacing() * spacing() * spacing(); }
  /// Longest |V| that spectral approaches count.
  double cutoff() const;
};

/// The kernel of molecules.
/// @throws Error  naming the member that makes no sense
CollisionKernel kernel_of(const Molecules& molecules);

}  // namespace shoal
