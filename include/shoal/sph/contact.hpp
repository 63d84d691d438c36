// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shoal::sph {

/// Contact of rigid bodies with walls and with each other: a spring and a dashpot between each two of them that overlap,
/// with Coulomb friction. With the overlap δ and the speeds u along and v across the common normal,
///
///     F = max(0, stiffness δ − c u),   T = min(friction F, c_t |v|)
///
/// c follows from `restitution`, and c_t = √(stiffness m) with the effective mass m = m₁ m₂/(m₁ + m₂) of the two. Both are
/// means over their particles that overlap, weighted by the overlap, so that the stiffness of a contact does not depend on
/// the spacing. All walls that are no rigid bodies count as one partner of each body. In 2-D forces are those of a meter
/// of depth.
struct Contact {
  double stiffness = 0;      ///< N/m; 2-D: N/m²
  double restitution = 0.5;  ///< speed after a central collision over that before, 0.05 to 1
  double friction = 0;       ///< Coulomb's coefficient μ
};

}  // namespace shoal::sph
