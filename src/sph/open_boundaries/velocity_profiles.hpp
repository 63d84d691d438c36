// SPDX-License-Identifier: Apache-2.0
// Table of the velocity profiles of inlets. A profile is a struct with its kind and this function, and an entry in
// VelocityProfiles:
//
//     factor(s, r)   velocity over the largest one; s and r from 0 to 1 through the section, r in 3-D only
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <cmath>
#include <optional>

#include "sph/physics/alternatives.hpp"

namespace shoal::sph {

struct UniformProfile {
  static constexpr VelocityProfile kind = VelocityProfile::uniform;
  static double factor(double, std::optional<double>) { return 1; }
};

struct LinearProfile {
  static constexpr VelocityProfile kind = VelocityProfile::linear;
  static double factor(double s, std::optional<double>) { return s; }
};

struct ParabolicProfile {
  static constexpr VelocityProfile kind = VelocityProfile::parabolic;
  static double parabola(double s) { return 4 * s * (1 - s); }
  static double factor(double s, std::optional<double> r) { return parabola(s) * (r ? parabola(*r) : 1); }
};

struct PowerProfile {
  static constexpr VelocityProfile kind = VelocityProfile::power;
  static double factor(double s, std::optional<double>) { return std::pow(s, 1.0 / 7); }
};

using VelocityProfiles = Alternatives<VelocityProfile, UniformProfile, LinearProfile, ParabolicProfile, PowerProfile>;

}  // namespace shoal::sph
