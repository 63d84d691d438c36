// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/enumerator_names.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Shapes of bodies and walls: boxes, spheres, cylinders, half-spaces, closed surfaces, and their combinations.
namespace shoal::sph {

using Vector = std::array<double, 3>;

enum class Axis { x, y, z };

enum class Side {
  left,
  right,
  bottom,
  top,
  front,
  back
};  ///< −x, +x, then the sides of gravity's usual axis, then the third

/// An axis-aligned box; a 2-D case ignores z.
struct Box {
  Vector from{};  ///< m
  Vector to{};    ///< m
};

/// Closed surface that tests points for being inside; io::closed_surface() makes one from a file.
class ClosedSurface {
 public:
  virtual ~ClosedSurface() = default;
  virtual int dimensions() const = 0;
  /// Bounding box, m.
  virtual Box bounds() const = 0;
  /// @param points  m, on the host
  /// @return  [points] 1 inside, 0 outside
  virtual std::vector<std::uint8_t> inside(const Queue& queue, const std::vector<Vector>& points) const = 0;
};

enum class ShapeKind { box, sphere, cylinder, half_space, surface, intersection, union_, difference };

/// Region of space. The kind determines which members are used:
///
///     box          from ≤ x ≤ to
///     sphere       |x − center| ≤ radius; in 2-D a circle
///     cylinder     from one end of its axis to the other, no further than radius from it; in 2-D a rectangle
///     half_space   (x − at)·normal ≤ 0: the normal points outward
///     surface      the inside of a closed surface
///     union, intersection, difference of parts; a difference is the first part without all others
struct Shape {
  ShapeKind kind = ShapeKind::box;
  Box box;            ///< m
  Vector center{};    ///< m, center of a sphere
  Vector from{};      ///< m, first end of a cylinder's axis
  Vector to{};        ///< m, second end of the axis
  double radius = 0;  ///< m
  Vector at{};        ///< m, a point on the face of a half-space
  Vector normal{};    ///< outward normal, any length
  std::string file;   ///< file of a surface, for messages
  double scale = 1;   ///< factor of a surface: x = scale · x of the file + move
  Vector move{};      ///< m, displacement of a surface
  std::shared_ptr<const ClosedSurface> surface;
  std::vector<Shape> parts;
};

}  // namespace shoal::sph

namespace shoal {

template <>
inline constexpr auto enumerator_names<sph::Side> =
    std::array<std::string_view, 6>{"left", "right", "bottom", "top", "front", "back"};
template <>
inline constexpr auto enumerator_names<sph::ShapeKind> = std::array<std::string_view, 8>{
    "box", "sphere", "cylinder", "half_space", "surface", "intersection", "union", "difference"};

}  // namespace shoal
