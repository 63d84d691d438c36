// SPDX-License-Identifier: Apache-2.0
// serial_double: the distance of each point to every face in double precision. The base of speed-ups.
//
// idea           the definition, without the double-double arithmetic of `serial`
// source         Wukie, Ganapathy and Park (2014), serial brute force
// memory         56 bytes a segment, 200 a triangle; none for the points
// atomics        none
// deterministic  yes: one thread
// wins when      there are some dozens of faces and rounding errors do not matter; it measures what others gain
// loses when     there are more faces
// deviations     distances to faces, unless `to` is face_center; three coordinates in 2-D, too; an error of at most
//                2^-46 (1 + k) (d + l) at the distance d, see docs/theory/wall_distance.md, so the face may be another
//                one that is nearly as near
#include <variant>

#include "core/text.hpp"
#include "wall_distance/geometry/double_distance.hpp"
#include "wall_distance/methods/methods.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal::wall_distance {

namespace {

bool are_segments(const WallPrimitives& primitives) {
  return std::all_of(primitives.shape.begin(), primitives.shape.end(), [](const Primitive& primitive) {
    const auto same = [&](int i, int j) {
      return primitive.x[i] == primitive.x[j] && primitive.y[i] == primitive.y[j] && primitive.z[i] == primitive.z[j];
    };
    return same(0, 1) || same(1, 2);
  });
}

class SerialDoubleSearch : public WallDistanceSearch {
 public:
  explicit SerialDoubleSearch(const WallPrimitives& primitives) : primitives_(primitives) { make_shapes(); }

  void find(const WallQueries& queries) override {
    std::visit([&](const auto& shapes) { find_nearest(shapes, queries); }, shapes_);
  }

  void refit() override { make_shapes(); }
  std::int64_t bytes() const override {
    return std::visit(
        [](const auto& shapes) { return static_cast<std::int64_t>(shapes.capacity() * sizeof(shapes[0])); }, shapes_);
  }

 private:
  struct Nearest {
    double squared = std::numeric_limits<double>::infinity();  // m²
    DoubleVector offset = {};
    std::size_t primitive = 0;
  };

  void make_shapes() {
    if (are_segments(primitives_))
      make_shapes(shapes_.emplace<std::vector<DoubleSegment>>());
    else
      make_shapes(shapes_.emplace<std::vector<DoubleTriangle>>());
    require(longest_edge_ == 0 || (longest_edge_ >= 1e-50 && longest_edge_ <= 1e50),
            "wall_distance: the longest edge of the walls is ", longest_edge_,
            " m, expected 1e-50 to 1e50 m for method `serial_double`. Choose `serial`.");
    largest_coordinate_ = SphereOrigin(primitives_).largest_coordinate;
  }

  template <class Shape>
  void make_shapes(std::vector<Shape>& shapes) {
    longest_edge_ = aspect_ratio_ = 0;
    shapes.reserve(primitives_.shape.size());
    for (const Primitive& primitive : primitives_.shape) {
      shapes.emplace_back(primitive);
      longest_edge_ = std::max(longest_edge_, shapes.back().longest_edge());
      aspect_ratio_ = std::max(aspect_ratio_, shapes.back().aspect_ratio());
    }
  }

  template <class Shape>
  void find_nearest(const std::vector<Shape>& shapes, const WallQueries& queries) const {
    std::int64_t tested = 0;
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const DoubleDoubleVector point = queries.point(i);
      if (!queries.accept(i, point)) continue;
      Nearest nearest;
      for (std::int32_t body = 0; body < primitives_.body_count(); ++body)
        if (queries.body < 0 || queries.body == body) tested += test_body(shapes, body, point, nearest);
      write(queries, i, point, nearest);
    }
    if (queries.tested != nullptr) *queries.tested = WallFacesTested{0, tested};
  }

  /// Tests the primitives of a body. Returns their number.
  template <class Shape>
  std::int64_t test_body(const std::vector<Shape>& shapes, std::int32_t body, const DoubleDoubleVector& point,
                         Nearest& nearest) const {
    const DoubleDoubleVector in_body = primitives_.pose[static_cast<std::size_t>(body)].to_body(point);
    const DoubleVector rounded{in_body.x.high, in_body.y.high, in_body.z.high};
    std::int64_t tested = 0;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      if (primitives_.body[k] != body) continue;
      const DoubleVector offset = shapes[k].offset(rounded);
      const double squared = dot(offset, offset);
      const bool is_nearer = squared < nearest.squared || (squared == nearest.squared && k < nearest.primitive);
      if (is_nearer) nearest = {squared, offset, k};
      ++tested;
    }
    return tested;
  }

  void write(const WallQueries& queries, std::int64_t i, const DoubleDoubleVector& point,
             const Nearest& nearest) const {
    NearestPrimitive result;
    result.distance = std::sqrt(nearest.squared);
    result.offset = {{nearest.offset.x, 0}, {nearest.offset.y, 0}, {nearest.offset.z, 0}};
    result.primitive = static_cast<std::int64_t>(nearest.primitive);
    write_result(queries, i, point, primitives_, result);
    const BodyPose& pose = primitives_.pose[static_cast<std::size_t>(primitives_.body[nearest.primitive])];
    queries.write_lower(i, std::max(0.0, result.distance - error_bound(result.distance, pose.moved)));
  }

  /// Bound of the error of a distance, m. A point in the frame of a body that moved is rounded once more.
  double error_bound(double distance, bool is_moved) const {
    constexpr double vanishing = 1e-130;  // m, lost with squares that are too small
    const double size = distance + longest_edge_ + (is_moved ? largest_coordinate_ : 0);
    return rounding_share * (1 + aspect_ratio_) * size + vanishing;
  }

  const WallPrimitives& primitives_;
  std::variant<std::vector<DoubleSegment>, std::vector<DoubleTriangle>> shapes_;  ///< [primitives] in body frames
  double longest_edge_ = 0;                                                       ///< m
  double aspect_ratio_ = 0;                                                       ///< largest one of a triangle
  double largest_coordinate_ = 0;  ///< m, absolute coordinate of a corner
};

std::unique_ptr<WallDistanceSearch> open(const Queue&, PlanWalls& walls, const WallDistanceOptions&) {
  return std::make_unique<SerialDoubleSearch>(walls.on_host());
}

}  // namespace

const WallDistanceMethod wall_distance_serial_double{
    {"serial_double", DeviceKind::cpu, true, "Wukie, Ganapathy and Park (2014)"}, open, false, nullptr, false};

}  // namespace shoal::wall_distance
