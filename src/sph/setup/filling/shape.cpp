// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

double dot(const Vector& a, const Vector& b, int dimensions) {
  double sum = 0;
  for (int axis = 0; axis < dimensions; ++axis) sum += a[axis] * b[axis];
  return sum;
}

Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Box everywhere() { return {{-endless, -endless, -endless}, {endless, endless, endless}}; }

Box box_around_cylinder(const Shape& shape, int dimensions) {
  const Vector axis = difference(shape.to, shape.from);
  const double squared = dot(axis, axis, dimensions);
  Box box;
  for (int k = 0; k < dimensions; ++k) {
    const double across = shape.radius * std::sqrt(std::max(0.0, 1 - axis[k] * axis[k] / squared));
    box.from[k] = std::min(shape.from[k], shape.to[k]) - across;
    box.to[k] = std::max(shape.from[k], shape.to[k]) + across;
  }
  return box;
}

/// Bounding box of a half-space: bounded on one side if the normal points along an axis, unbounded otherwise.
Box box_around_half_space(const Shape& shape, int dimensions) {
  Box box = everywhere();
  for (int k = 0; k < dimensions; ++k) {
    Vector along{};
    along[k] = shape.normal[k];
    if (along[k] == 0 || difference(shape.normal, along) != Vector{}) continue;
    (along[k] > 0 ? box.to : box.from)[k] = shape.at[k];
  }
  return box;
}

Box hull(const Box& a, const Box& b) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.from[axis] = std::min(a.from[axis], b.from[axis]);
    box.to[axis] = std::max(a.to[axis], b.to[axis]);
  }
  return box;
}

Box common(const Box& a, const Box& b) {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.from[axis] = std::max(a.from[axis], b.from[axis]);
    box.to[axis] = std::min(a.to[axis], b.to[axis]);
  }
  return box;
}

bool in_box(const Box& box, const Vector& point, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis)
    if (point[axis] < box.from[axis] || point[axis] > box.to[axis]) return false;
  return true;
}

bool in_cylinder(const Shape& shape, const Vector& point, int dimensions) {
  const Vector axis = difference(shape.to, shape.from), from_end = difference(point, shape.from);
  const double squared = dot(axis, axis, dimensions), along = dot(from_end, axis, dimensions);
  if (along < 0 || along > squared) return false;
  const double from_axis = dot(from_end, from_end, dimensions) - along * along / squared;
  return from_axis <= shape.radius * shape.radius;
}

/// Returns true if a point is in a shape that has no parts and no surface.
bool holds(const Shape& shape, const Vector& point, int dimensions) {
  if (shape.kind == ShapeKind::box) return in_box(shape.box, point, dimensions);
  if (shape.kind == ShapeKind::cylinder) return in_cylinder(shape, point, dimensions);
  if (shape.kind == ShapeKind::half_space) return dot(difference(point, shape.at), shape.normal, dimensions) <= 0;
  const Vector from_center = difference(point, shape.center);
  return dot(from_center, from_center, dimensions) <= shape.radius * shape.radius;
}

std::vector<std::uint8_t> inside_parts(const Shape& shape, int dimensions, const Queue& queue,
                                       const std::vector<Vector>& points) {
  std::vector<std::uint8_t> is_inside = inside(shape.parts.front(), dimensions, queue, points);
  for (std::size_t part = 1; part < shape.parts.size(); ++part) {
    const std::vector<std::uint8_t> in_part = inside(shape.parts[part], dimensions, queue, points);
    for (std::size_t i = 0; i < is_inside.size(); ++i) {
      if (shape.kind == ShapeKind::union_) is_inside[i] |= in_part[i];
      if (shape.kind == ShapeKind::intersection) is_inside[i] &= in_part[i];
      if (shape.kind == ShapeKind::difference) is_inside[i] &= in_part[i] ^ 1;
    }
  }
  return is_inside;
}

void require_finite(const Vector& values, int dimensions, const std::string& what, const char* key) {
  for (int axis = 0; axis < dimensions; ++axis)
    require(std::isfinite(values[axis]), "sph: ", what, ": ", key, " has the component ", values[axis],
            ", expected finite numbers.");
}

}  // namespace

Box bounds_of(const Shape& shape, int dimensions) {
  switch (shape.kind) {
    case ShapeKind::box:
      return shape.box;
    case ShapeKind::sphere: {
      Box box{shape.center, shape.center};
      for (int axis = 0; axis < dimensions; ++axis) {
        box.from[axis] -= shape.radius;
        box.to[axis] += shape.radius;
      }
      return box;
    }
    case ShapeKind::cylinder:
      return box_around_cylinder(shape, dimensions);
    case ShapeKind::half_space:
      return box_around_half_space(shape, dimensions);
    case ShapeKind::surface:
      return shape.surface->bounds();
    case ShapeKind::intersection:
    case ShapeKind::union_:
    case ShapeKind::difference:
      break;
  }
  Box box = bounds_of(shape.parts.front(), dimensions);
  if (shape.kind == ShapeKind::difference) return box;
  for (std::size_t part = 1; part < shape.parts.size(); ++part) {
    const Box bounds = bounds_of(shape.parts[part], dimensions);
    box = shape.kind == ShapeKind::union_ ? hull(box, bounds) : common(box, bounds);
  }
  return box;
}

std::vector<std::uint8_t> inside(const Shape& shape, int dimensions, const Queue& queue,
                                 const std::vector<Vector>& points) {
  if (!shape.parts.empty()) return inside_parts(shape, dimensions, queue, points);
  if (shape.kind == ShapeKind::surface) return shape.surface->inside(queue, points);
  std::vector<std::uint8_t> is_inside(points.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < points.size(); ++i) is_inside[i] = holds(shape, points[i], dimensions);
  return is_inside;
}

void require_valid(const Shape& shape, int dimensions, const std::string& what, int depth) {
  require(depth <= deepest_shape, "sph: ", what, ": its shapes are more than ", deepest_shape,
          " levels deep. Put parts of one kind into one list.");
  const bool has_parts =
      shape.kind == ShapeKind::union_ || shape.kind == ShapeKind::intersection || shape.kind == ShapeKind::difference;
  require(has_parts != shape.parts.empty(), "sph: ", what, ": ", to_name(shape.kind), " has ", shape.parts.size(),
          " parts, expected ", has_parts ? "at least one." : "none.");
  for (const Shape& part : shape.parts) require_valid(part, dimensions, what, depth + 1);
  require_finite(shape.center, dimensions, what, "sphere.center");
  require_finite(shape.from, dimensions, what, "cylinder.from");
  require_finite(shape.to, dimensions, what, "cylinder.to");
  require_finite(shape.at, dimensions, what, "half_space.at");
  require_finite(shape.normal, dimensions, what, "half_space.normal");
  const bool is_round = shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::cylinder;
  require(!is_round || (std::isfinite(shape.radius) && shape.radius > 0), "sph: ", what, ": ", to_name(shape.kind),
          ".radius = ", shape.radius, " m, expected a positive number.");
  const Vector axis = difference(shape.to, shape.from);
  require(shape.kind != ShapeKind::cylinder || dot(axis, axis, dimensions) > 0, "sph: ", what,
          ": the axis of its cylinder has no length. Give cylinder.from and cylinder.to different places.");
  require(shape.kind != ShapeKind::half_space || dot(shape.normal, shape.normal, dimensions) > 0, "sph: ", what,
          ": half_space.normal has no length, expected the direction out of it.");
  if (shape.kind != ShapeKind::surface) return;
  require(shape.surface != nullptr, "sph: ", what, ": its surface was not read. Use io::closed_surface(\"", shape.file,
          "\").");
  require(shape.surface->dimensions() == dimensions, "sph: ", what, ": the surface ", shape.file, " has ",
          shape.surface->dimensions(), " dimensions, and the case ", dimensions, ".");
}

}  // namespace shoal::sph
