// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/shape.hpp>

#include <optional>
#include <string>

namespace shoal::sph {

/// A spring with a damper between a rigid body and a fixed point or another rigid body. With the distance d of its ends,
/// it pulls both toward each other by the force
///
///     F = stiffness (d − length) + damping dd/dt
///
/// A slack one is a mooring line: F is 0 where d < length, and never pushes. In 2-D all forces are those of a meter of
/// depth. Springs pass through walls, do not reach across periodic sides, and have no mass.
struct Spring {
  std::string name{};              ///< name for probes
  std::string body{};              ///< wall of the rigid body
  Vector at{};                     ///< m, the end on the body, where it is at t = 0
  std::string second_body{};       ///< wall of the rigid body at the other end; empty: the other end is fixed
  Vector anchor{};                 ///< m, the other end, where it is at t = 0
  std::optional<double> length{};  ///< m, at which it neither pulls nor pushes; the distance of its ends unless given
  double stiffness = 0;            ///< N/m; 2-D: N/m²
  double damping = 0;              ///< N s/m; 2-D: N s/m²
  bool slack = false;
};

}  // namespace shoal::sph
