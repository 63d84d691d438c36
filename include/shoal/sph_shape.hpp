// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/enumerator_names.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Where particles of bodies and walls are: boxes, spheres, cylinders, half-spaces, closed surfaces, and what can be
/// made of them.
namespace shoal::sph {

using Vector = std::array<double, 3>;

/// An axis-aligned box; a 2-D case ignores z.
struct Box {
  Vector from{};  ///< m
  Vector to{};    ///< m
};

/// A surface that encloses what is inside, made by whoever can tell: io::closed_surface() for files.
class ClosedSurface {
 public:
  virtual ~ClosedSurface() = default;
  virtual int dimensions() const = 0;
  /// The box around it.
  virtual Box bounds() const = 0;
  /// @param points  m, on the host
  /// @return  [points] 1 inside, 0 outside
  virtual std::vector<std::uint8_t> inside(const Queue& queue, const std::vector<Vector>& points) const = 0;
};

enum class ShapeKind { box, sphere, cylinder, half_space, surface, intersection, union_, difference };

/// A part of space. Which members count is a matter of the kind:
///
///     box          from ≤ x ≤ to
///     sphere       |x − center| ≤ radius; in 2-D a circle
///     cylinder     from one end of its axis to the other, no further than radius from it; in 2-D a rectangle
///     half_space   (x − at)·normal ≤ 0: the normal points out of it
///     surface      what a closed surface encloses
///     union, intersection, difference of parts; a difference is the first part without all others
struct Shape {
  ShapeKind kind = ShapeKind::box;
  Box box;            ///< m
  Vector center{};    ///< m, of a sphere
  Vector from{};      ///< m, an end of a cylinder's axis
  Vector to{};        ///< m, the other one
  double radius = 0;  ///< m
  Vector at{};        ///< m, a point on the face of a half-space
  Vector normal{};    ///< of any length
  std::string file;   ///< of a surface, for messages and texts
  double scale = 1;   ///< of a surface: x = scale · x of the file + move
  Vector move{};      ///< m
  std::shared_ptr<const ClosedSurface> surface;
  std::vector<Shape> parts;
};

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::ShapeKind> = std::array<std::string_view, 8>{
    "box", "sphere", "cylinder", "half_space", "surface", "intersection", "union", "difference"};

}  // namespace shoal
