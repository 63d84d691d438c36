// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "core/device/kernel_resources.hpp"
#include "core/device/status.hpp"
#include "core/method_table.hpp"
#include "core/range.hpp"
#include "wall_distance/geometry/search_radius_item.hpp"
#include "wall_distance/walls/plan_walls.hpp"

namespace shoal::wall_distance {

/// Message for a point with a bad coordinate; kind 0 to 2 is the axis.
StatusBlock::Explain explain_wall_faults();

/// Arguments of one find() or update(); all memory is on the queue's device.
struct WallQueries {
  Points<double> points;  ///< z is empty in 2-D
  WallDistanceOutputs out;
  Status* status = nullptr;
  std::int32_t body = -1;                            ///< number of the only body to search; −1: all bodies
  SearchRadius far = {};                             ///< far field of find(); methods may always search farther
  std::optional<WallFacesTested>* tested = nullptr;  ///< number of tests, on the host; null: not counted

  SHOAL_HD std::int64_t count() const { return points.x.count; }

  SHOAL_HD DoubleDoubleVector point(std::int64_t i) const {
    const auto coordinate = [i](const View<const double>& axis) {
      return axis.data != nullptr ? axis.data[i * axis.stride] : 0;
    };
    return {{coordinate(points.x), 0}, {coordinate(points.y), 0}, {coordinate(points.z), 0}};
  }

  /// Returns true if all coordinates of point i are finite; records the first bad one otherwise.
  SHOAL_HD bool accept(std::int64_t i, const DoubleDoubleVector& point) const {
    const double coordinate[3] = {point.x.high, point.y.high, point.z.high};
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(coordinate[axis]) <= 1e100)) {
        record(status, i, axis);
        return false;
      }
    return true;
  }

  /// Writes the results of point i.
  /// @param pose  pose of the body of the nearest primitive
  SHOAL_HD void write(std::int64_t i, const DoubleDoubleVector& point, const NearestPrimitive& nearest,
                      const BodyPose& pose, std::int64_t face, std::int32_t wall) const {
    const DoubleDoubleVector offset = pose.from_body(nearest.offset);
    const auto put = [i](const auto& view, auto value) {
      if (view.data != nullptr) view.data[i * view.stride] = value;
    };
    put(out.distance, nearest.distance);
    put(out.lower, nearest.distance);
    put(out.face, face);
    put(out.wall, wall);
    put(out.x, (point.x - offset.x).high);
    put(out.y, (point.y - offset.y).high);
    put(out.z, (point.z - offset.z).high);
    if (has_gradient()) write_unit(i, offset, nearest.distance);
  }

  /// Returns true if the caller wants a component of the gradient.
  SHOAL_HD bool has_gradient() const {
    return out.gradient_x.data != nullptr || out.gradient_y.data != nullptr || out.gradient_z.data != nullptr;
  }

  /// Writes the gradient of point i: `vector` / `length`, or 0 if the length is 0.
  SHOAL_HD void write_unit(std::int64_t i, const DoubleDoubleVector& vector, double length) const {
    const auto put = [&](const View<double>& view, double component) {
      if (view.data != nullptr) view.data[i * view.stride] = length > 0 ? component / length : 0;
    };
    put(out.gradient_x, vector.x.high);
    put(out.gradient_y, vector.y.high);
    put(out.gradient_z, vector.z.high);
  }

  /// Reverses the signs of the distance and the gradient of point i.
  SHOAL_HD void reverse(std::int64_t i) const {
    const auto negate = [i](const View<double>& view) {
      if (view.data != nullptr) view.data[i * view.stride] = -view.data[i * view.stride];
    };
    negate(out.distance);
    negate(out.gradient_x);
    negate(out.gradient_y);
    negate(out.gradient_z);
  }

  /// Replaces the lower bound that write() wrote, for a result that may not be exact.
  /// @param lower  m, lower bound of the true distance
  SHOAL_HD void write_lower(std::int64_t i, double lower) const {
    if (out.lower.data != nullptr) out.lower.data[i * out.lower.stride] = lower;
  }
};

/// Writes the results of point i for its nearest primitive.
inline void write_result(const WallQueries& queries, std::int64_t i, const DoubleDoubleVector& point,
                         const WallPrimitives& primitives, const NearestPrimitive& nearest) {
  const auto primitive = static_cast<std::size_t>(nearest.primitive);
  const auto body = static_cast<std::size_t>(primitives.body[primitive]);
  queries.write(i, point, nearest, primitives.pose[body], primitives.face[primitive], primitives.wall[primitive]);
}

/// Counts the tests of a search.
struct TestCounter {
  WallFacesTested tested;

  SHOAL_HD void add_bounded(std::int64_t faces) { tested.bounded += faces; }
  SHOAL_HD void add_exact() { ++tested.exact; }
  TestCounter& operator+=(const TestCounter& counter) {
    tested.bounded += counter.tested.bounded;
    tested.exact += counter.tested.exact;
    return *this;
  }
};

/// Counts nothing, at no cost.
struct NoTestCounter {
  SHOAL_HD void add_bounded(std::int64_t) {}
  SHOAL_HD void add_exact() {}
  NoTestCounter& operator+=(const NoTestCounter&) { return *this; }
};

/// A method with the data structures that it built for one set of walls.
class WallDistanceSearch {
 public:
  virtual ~WallDistanceSearch() = default;
  virtual void find(const WallQueries& queries) = 0;
  /// Returns exactly what find() returns without a far field; may use certificates of earlier calls.
  virtual void update(const WallQueries& queries) { find(queries); }
  /// Number of points of the last update() that needed no search.
  virtual std::int64_t reused() const { return 0; }
  /// Adapts the data structures after the shapes of the primitives changed.
  virtual void refit() {}
  virtual std::int64_t bytes() const = 0;  ///< memory of the method, without the walls
};

/// An entry of the method table.
struct WallDistanceMethod : MethodEntry {
  /// @param walls    must outlive the search; their poses and shapes may change between calls
  /// @param options  valid; a method reads those that its data structures depend on
  std::unique_ptr<WallDistanceSearch> (*open)(const Queue& queue, PlanWalls& walls, const WallDistanceOptions& options);
  bool has_auxiliary_grid = false;  ///< Effect of WallDistanceOptions::auxiliary_cells.
  KernelResources (*kernel)() =
      nullptr;           ///< Resources of its only kernel on the current device; null: several, or none.
  bool is_exact = true;  ///< The bits of `serial`.
};

/// Method table, in order of preference for each device.
std::span<const WallDistanceMethod> wall_distance_method_table();
std::vector<MethodInfo> wall_distance_methods();

}  // namespace shoal::wall_distance
