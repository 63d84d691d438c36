// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include "collision/setup/cross_section_item.hpp"
#include "collision/setup/support_item.hpp"

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
  /// How many squares of distances in spacings there can be, with 0.
  std::int64_t square_distances() const { return 3 * static_cast<std::int64_t>(n() - 1) * (n() - 1) + 1; }
  /// h³ |V| σ_T by the square of the distance in spacings.
  /// @param rate  [square_distances()] overwritten
  void rates_by_square_distance(double* rate) const;
  /// The nodes that take part.
  VelocitySupport support() const;
  /// Longest |V| that spectral approaches count.
  double cutoff() const;
};

/// Whether an approach works by Fourier transforms of the whole box.
inline bool is_fourier(CollisionApproach approach) {
  return approach == CollisionApproach::spectral || approach == CollisionApproach::carleman;
}

/// The kernel of molecules.
/// @throws Error  naming the member that makes no sense
CollisionKernel kernel_of(const Molecules& molecules);

}  // namespace shoal
