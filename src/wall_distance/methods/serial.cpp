// SPDX-License-Identifier: Apache-2.0
// serial: the exact distance of each point to every face. The oracle of all other methods.
//
// idea           the definition
// source         the definition; the serial code with which Wukie, Ganapathy and Park (2014) compare
// memory         none, except 89 bytes a triangle for the triangle itself; none for the points
// atomics        none
// deterministic  yes: one thread
// wins when      there are about ten faces
// loses when     there are more
// deviations     exact distances to faces, not distances in double to their centers
#include <algorithm>

#include "wall_distance/methods/methods.hpp"

namespace shoal::wall_distance {

namespace {

class SerialSearch : public WallDistanceSearch {
 public:
  explicit SerialSearch(const WallPrimitives& primitives) : primitives_(primitives) {}

  void find(const WallQueries& queries) override {
    std::int64_t accepted = 0;
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const DoubleDoubleVector point = queries.point(i);
      if (!queries.accept(i, point)) continue;
      ++accepted;
      NearestPrimitive nearest;
      for (std::int32_t body = 0; body < primitives_.body_count(); ++body)
        if (queries.body < 0 || queries.body == body) test_body(body, point, nearest);
      write_result(queries, i, point, primitives_, nearest);
    }
    if (queries.tested != nullptr) *queries.tested = WallFacesTested{0, accepted * primitive_count(queries.body)};
  }

  std::int64_t bytes() const override { return 0; }

 private:
  /// Number of primitives of a body; of all bodies if `body` is negative.
  std::int64_t primitive_count(std::int32_t body) const {
    return body < 0 ? primitives_.count() : std::count(primitives_.body.begin(), primitives_.body.end(), body);
  }

  void test_body(std::int32_t body, const DoubleDoubleVector& point, NearestPrimitive& nearest) const {
    const DoubleDoubleVector point_in_body = primitives_.pose[static_cast<std::size_t>(body)].to_body(point);
    for (std::size_t k = 0; k < primitives_.shape.size(); ++k)
      if (primitives_.body[k] == body) nearest.test(point_in_body, primitives_.shape[k], static_cast<std::int64_t>(k));
  }

  const WallPrimitives& primitives_;
};

std::unique_ptr<WallDistanceSearch> open(const Queue&, PlanWalls& walls, const WallDistanceOptions&) {
  return std::make_unique<SerialSearch>(walls.on_host());
}

}  // namespace

const WallDistanceMethod wall_distance_serial{{"serial", DeviceKind::cpu, true, "the definition"}, open};

}  // namespace shoal::wall_distance
