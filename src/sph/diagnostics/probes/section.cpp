// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/probes/section.hpp"

#include <shoal/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/text.hpp"
#include "core/vector.hpp"

namespace shoal::sph {

namespace {

constexpr int most_cells = 10'000;
constexpr std::size_t most_corners = 1000;

/// Largest distance of a corner from the plane and smallest measure of a section, relative to its size: the rounding of
/// typed coordinates.
constexpr double tolerance = 1e-6;

using Point = std::array<double, 2>;  ///< position within the plane, m
using Polygon = std::vector<Point>;

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector times(double factor, const Vector& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
double length(const Vector& a) { return std::sqrt(dot(a, a)); }

/// Twice the area of the triangle (a, b, c); negative if it runs clockwise.
double twice_area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

std::string name_of(const Probe& probe) { return text("sph: probe \"", probe.name, "\""); }

void require_cells(const Probe& probe, double cells, double raster) {
  require(cells <= most_cells, name_of(probe), " has a section of ", cells, " cells of ", raster,
          " m, expected at most ", most_cells, ". Set probe.raster to a larger spacing of its cells.");
}

/// Number of equal parts of `length` that are at most `raster` long. A rounding error makes no part more.
double parts_of_length(double length, double raster) { return std::max(1.0, std::ceil(length / raster - 1e-9)); }

Section line_section(const Probe& probe, double raster) {
  const Vector along = minus(probe.corners[1], probe.corners[0]);
  const double size = length(along);
  require(size > 0, name_of(probe), " has two corners at one point, expected the ends of a line. Move one of them.");
  const double parts = parts_of_length(size, raster);
  require_cells(probe, parts, raster);
  Section section{{along[1] / size, -along[0] / size, 0}, {}};
  for (double part = 0; part < parts; ++part) {
    const Vector way = times((part + 0.5) / parts, along);
    section.cells.push_back({{probe.corners[0][0] + way[0], probe.corners[0][1] + way[1], 0}, size / parts});
  }
  return section;
}

/// Plane of a polygon, with an axis along its first edge.
struct Plane {
  Vector origin;
  Vector axes[2];
  Vector normal;

  Point within(const Vector& point) const {
    const Vector offset = minus(point, origin);
    return {dot(offset, axes[0]), dot(offset, axes[1])};
  }
  Vector in_space(const Point& point) const {
    Vector position = origin;
    for (std::size_t axis = 0; axis < 3; ++axis) position[axis] += point[0] * axes[0][axis] + point[1] * axes[1][axis];
    return position;
  }
};

/// Plane through the corners: its normal is the sum of the cross products of the edges, which is twice the area.
Plane plane_of(const Probe& probe) {
  const std::vector<Vector>& corners = probe.corners;
  Vector doubled{};
  double size = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vector from = minus(corners[k], corners[0]);
    const Vector next = cross(from, minus(corners[(k + 1) % corners.size()], corners[0]));
    for (std::size_t axis = 0; axis < 3; ++axis) doubled[axis] += next[axis];
    size = std::max(size, length(from));
  }
  const double twice = length(doubled);
  require(twice > tolerance * size * size, name_of(probe), " has corners that enclose an area of ", twice / 2,
          " m2, expected a polygon. Give its corners in their order around it.");
  Plane plane{corners[0], {}, times(1 / twice, doubled)};
  for (const Vector& corner : corners) {
    const double apart = std::abs(dot(minus(corner, corners[0]), plane.normal));
    require(apart <= tolerance * size, name_of(probe), " has a corner ", apart,
            " m beside the plane of the section, expected corners in one plane. Move that corner.");
  }
  const Vector edge = minus(corners[1], corners[0]);
  const double edge_length = length(edge);
  require(edge_length > 0, name_of(probe), " has two corners at one point. Remove one of them.");
  plane.axes[0] = times(1 / edge_length, edge);
  plane.axes[1] = cross(plane.normal, plane.axes[0]);
  return plane;
}

/// Returns true if the inner points of the edges (a, b) and (c, d) have a point in common.
bool do_cross(const Point& a, const Point& b, const Point& c, const Point& d) {
  return twice_area(a, b, c) * twice_area(a, b, d) < 0 && twice_area(c, d, a) * twice_area(c, d, b) < 0;
}

void require_simple(const Probe& probe, const Polygon& polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t later = k + 2; later < n; ++later)
      require(
          !do_cross(polygon[k], polygon[k + 1 < n ? k + 1 : 0], polygon[later], polygon[later + 1 < n ? later + 1 : 0]),
          name_of(probe), " has a section whose edges ", k, " and ", later,
          " cross. Give its corners in their order around it.");
}

/// Part of a polygon on the side of a line across `axis` where sign (x − bound) is not negative (Sutherland and Hodgman).
Polygon clipped(const Polygon& polygon, std::size_t axis, double bound, double sign) {
  Polygon part;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Point& corner = polygon[k];
    const Point& next = polygon[k + 1 < polygon.size() ? k + 1 : 0];
    const double inside = sign * (corner[axis] - bound), next_inside = sign * (next[axis] - bound);
    if (inside >= 0) part.push_back(corner);
    if ((inside >= 0) == (next_inside >= 0)) continue;
    const double share = inside / (inside - next_inside);
    part.push_back({corner[0] + share * (next[0] - corner[0]), corner[1] + share * (next[1] - corner[1])});
  }
  return part;
}

/// Appends the cell that is the polygon, unless it has no area.
void append_cell(const Polygon& polygon, const Plane& plane, double least_area, Section& section) {
  double doubled = 0;
  Point moment{};
  for (std::size_t k = 0; k + 1 < polygon.size(); ++k) {
    const double twice = twice_area(polygon[0], polygon[k], polygon[k + 1]);
    doubled += twice;
    for (std::size_t axis = 0; axis < 2; ++axis)
      moment[axis] += twice * (polygon[0][axis] + polygon[k][axis] + polygon[k + 1][axis]) / 3;
  }
  if (doubled / 2 > least_area)
    section.cells.push_back({plane.in_space({moment[0] / doubled, moment[1] / doubled}), doubled / 2});
}

Section polygon_section(const Probe& probe, double raster) {
  const Plane plane = plane_of(probe);
  Polygon polygon;
  for (const Vector& corner : probe.corners) polygon.push_back(plane.within(corner));
  require_simple(probe, polygon);
  Point from = polygon[0], size{}, parts{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double end = from[axis];
    for (const Point& corner : polygon) {
      from[axis] = std::min(from[axis], corner[axis]);
      end = std::max(end, corner[axis]);
    }
    parts[axis] = parts_of_length(end - from[axis], raster);
    size[axis] = (end - from[axis]) / parts[axis];
  }
  require_cells(probe, parts[0] * parts[1], raster);
  Section section{plane.normal, {}};
  for (double row = 0; row < parts[1]; ++row) {
    const Polygon above = clipped(polygon, 1, from[1] + row * size[1], 1);
    const Polygon strip = clipped(above, 1, from[1] + (row + 1) * size[1], -1);
    for (double column = 0; column < parts[0]; ++column) {
      const Polygon right = clipped(strip, 0, from[0] + column * size[0], 1);
      const Polygon cell = clipped(right, 0, from[0] + (column + 1) * size[0], -1);
      append_cell(cell, plane, 1e-12 * size[0] * size[1], section);
    }
  }
  return section;
}

}  // namespace

Section section_of(const Probe& probe, int dimensions, double spacing) {
  const double raster = probe.raster > 0 ? probe.raster : spacing;
  const std::size_t corners = probe.corners.size();
  require(dimensions == 2 ? corners == 2 : corners >= 3 && corners <= most_corners, name_of(probe), " has ", corners,
          " corners, expected ",
          dimensions == 2 ? std::string("the 2 ends of a line in 2-D.")
                          : text("3 to ", most_corners, " of a polygon in 3-D."));
  for (const Vector& corner : probe.corners)
    for (const double x : corner)
      require(std::isfinite(x), name_of(probe), " has a corner with the component ", x, " m, expected finite numbers.");
  return dimensions == 2 ? line_section(probe, raster) : polygon_section(probe, raster);
}

}  // namespace shoal::sph
