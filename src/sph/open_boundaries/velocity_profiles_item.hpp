// SPDX-License-Identifier: Apache-2.0
// Table of the velocity profiles of inlets. A profile is a struct with its kind and this function, and an entry in
// VelocityProfiles:
//
//     factor(s, r)   velocity over the largest one; s and r from 0 to 1 through the section, r = 1/2 in 2-D
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <cmath>

#include "sph/physics/alternatives.hpp"

namespace shoal::sph {

struct UniformProfile {
  static constexpr VelocityProfile kind = VelocityProfile::uniform;
  SHOAL_HD static double factor(double, double) { return 1; }
};

struct LinearProfile {
  static constexpr VelocityProfile kind = VelocityProfile::linear;
  SHOAL_HD static double factor(double s, double) { return s; }
};

struct ParabolicProfile {
  static constexpr VelocityProfile kind = VelocityProfile::parabolic;
  SHOAL_HD static double parabola(double s) { return 4 * s * (1 - s); }
  SHOAL_HD static double factor(double s, double r) { return parabola(s) * parabola(r); }
};

struct PowerProfile {
  static constexpr VelocityProfile kind = VelocityProfile::power;
  SHOAL_HD static double factor(double s, double) { return std::pow(s, 1.0 / 7); }
};

using VelocityProfiles = Alternatives<VelocityProfile, UniformProfile, LinearProfile, ParabolicProfile, PowerProfile>;

}  // namespace shoal::sph
