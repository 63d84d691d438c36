// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>
#include <shoal/ranks/communicator.hpp>

#include <memory>

#include "collision/setup/collision_kernel_item.hpp"
#include "collision/setup/support_item.hpp"
#include "core/communication/rank_group.hpp"

namespace shoal::collision {

/// Checked arguments of a plan and the quantities that follow from them. Methods derive their tables from it.
struct CollisionSetup {
  VelocityGrid grid;
  CollisionKernel kernel;
  CollisionOptions options;
  Directions directions;
  Communicator ranks = Communicator::alone();  ///< Ranks that share the work of each cell
  std::shared_ptr<Transport> transport;        ///< Exchange between the ranks; null on one rank

  CollisionSetup(const VelocityGrid& velocity_grid, const Molecules& molecules,
                 const CollisionOptions& collision_options);

  /// Number of nodes along an axis.
  int n() const { return grid.nodes; }
  double spacing() const { return grid.spacing(); }
  /// Volume of a node's cell in velocity space.
  double volume() const { return spacing() * spacing() * spacing(); }
  /// Number of possible squared distances in spacings, including 0.
  std::int64_t square_distances() const { return 3 * static_cast<std::int64_t>(n() - 1) * (n() - 1) + 1; }
  /// Tabulates h³ |V| σ_T by the squared distance in spacings.
  /// @param rate  [square_distances()] overwritten
  void rates_by_square_distance(double* rate) const;
  /// Nodes that take part in collisions.
  VelocitySupport support() const;
  /// Largest |V| that the Fourier approaches include.
  double cutoff() const;
};

/// Returns true if an approach uses Fourier transforms of the whole box.
inline bool is_fourier(CollisionApproach approach) {
  return approach == CollisionApproach::spectral || approach == CollisionApproach::carleman;
}

/// Returns the collision kernel of molecules.
/// @throws Error  a member is out of range: names it
CollisionKernel collision_kernel(const Molecules& molecules);

}  // namespace shoal::collision
