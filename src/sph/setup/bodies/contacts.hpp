// SPDX-License-Identifier: Apache-2.0
// Contact of the rigid bodies of a case: its coefficients, its step, and the faces of walls.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

#include "sph/physics/bodies/contact_item.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

/// Speed after a central collision over that before, of a spring and a dashpot that only push.
///
/// Source: Schwager and Pöschel (2007), Granular Matter 9, 465.
/// @param damping_ratio  ζ, of a dashpot c = 2 ζ √(stiffness m)
double restitution_of(double damping_ratio);

/// ζ of a restitution, to rounding.
double damping_ratio_of(double restitution);

ContactParameters make_contact(const Case& simulation);

/// Longest step, s: a twentieth of half a period of the lightest two partners; infinite without a contact.
double contact_step(const Case& simulation);

/// @throws Error  the contact is invalid: names the first key of the case file
void check_contact(const Case& simulation);

/// Faces of walls: for each particle the axis, before its wall moved, across which its surface lies. A particle has one if
/// its places in the plane are taken, and no neighbor of these stands out on a free side.
class WallFaces {
 public:
  WallFaces() = default;
  WallFaces(const Case& simulation, const Filling& filling, const Lattice& lattice);

  /// Axis across the face of a particle; −1: it has none.
  int axis(std::int64_t id) const {
    return id < first_ || id >= first_ + static_cast<std::int64_t>(axis_.size())
               ? -1
               : axis_[static_cast<std::size_t>(id - first_)];
  }

 private:
  std::int64_t first_ = 0;         ///< id of the first particle of a wall
  std::vector<std::int8_t> axis_;  ///< [particles of walls]
};

}  // namespace shoal::sph
