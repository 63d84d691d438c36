// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/sph/shape.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Boxes at the ends of a flow, through which fluid enters and leaves.
namespace shoal::sph {

/// Velocity over the section of an inlet, relative to its largest. s runs from 0 to 1 through the box along the last axis
/// of the section: in 2-D its only one. r runs along the first of two.
///
///     uniform     1
///     linear      s, between a plate at rest and a moving one
///     parabolic   4 s (1 − s), between plates at rest; in 3-D times 4 r (1 − r)
///     power       s^(1/7), of turbulent flow over a bed
enum class VelocityProfile { uniform, linear, parabolic, power };

/// Extrapolation of the fluid into a box, from the mirror image of a point at the plane between the box and the fluid:
///
///     linear     value and gradient at the image, f + (x − image)·∇f
///     constant   mean at the image, so that nothing changes across the plane
///
/// Hydrostatic pressure is taken out before, and added after.
enum class Extrapolation { linear, constant };

/// A box of fluid that is moved as given, and that the fluid outside it meets at one side. What is not given follows from
/// the fluid there.
///
/// With a velocity the box is an inlet: particles enter at its far side, a spacing after the one before them. Without one it
/// is an outlet: particles that pass its far side leave. None returns through it, unless `returns` is set: then a particle
/// that leaves the box toward the fluid has one enter behind it. docs/theory/sph.md has the formulas.
struct OpenBoundary {
  std::string name{};                ///< name in messages
  Box box{};                         ///< as deep as the support of the kernel or more
  Side fluid = Side::right;          ///< side of the box at which the fluid begins
  std::string material{};            ///< material of entering fluid; empty: the first
  std::optional<double> velocity{};  ///< m/s, the largest over the section, toward the fluid
  double ramp = 0;                   ///< s, in which the velocity grows from 0
  std::vector<double> times{};       ///< s, in place of `velocity`: times of `speeds`
  std::vector<double> speeds{};      ///< m/s at these times; linear between, constant before and after
  VelocityProfile profile = VelocityProfile::uniform;
  std::optional<double> pressure{};     ///< Pa, in the box; with a water level, at and above it
  std::optional<double> water_level{};  ///< m, height up to which fluid enters, and below which a given pressure grows
  Extrapolation extrapolation = Extrapolation::linear;
  bool returns = false;  ///< an outlet lets fluid enter when its flow turns back

  bool is_inlet() const { return velocity || !speeds.empty(); }
};

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::VelocityProfile> =
    std::array<std::string_view, 4>{"uniform", "linear", "parabolic", "power"};
template <>
inline constexpr auto enumerator_names<sph::Extrapolation> = std::array<std::string_view, 2>{"linear", "constant"};

}  // namespace shoal
