// SPDX-License-Identifier: Apache-2.0
// serial: each point sees every face. The oracle of all other methods.
//
// idea           the definition
// source         the definition; the serial code that Wukie, Ganapathy and Park (2014) compare with
// memory         none besides 89 bytes a triangle; none a point
// atomics        none
// deterministic  yes: one thread
// wins when      there are some ten faces
// loses when     there are more
// differs        exact distances to faces, not distances in double to their centers
#include <algorithm>

#include "wall_distance/methods/methods.hpp"

namespace shoal {

namespace {

class SerialSearch : public WallSearch {
 public:
  explicit SerialSearch(const WallPieces& pieces) : pieces_(pieces) {}

  void find(const WallQueries& queries) override {
    std::int64_t accepted = 0;
    for (std::int64_t i = 0; i < queries.count(); ++i) {
      const TwofoldVector point = queries.point(i);
      if (!queries.accept(i, point)) continue;
      ++accepted;
      NearestFace nearest;
      for (std::int32_t body = 0; body < pieces_.body_count(); ++body)
        if (queries.body < 0 || queries.body == body) see_body(body, point, nearest);
      write_answer(queries, i, point, pieces_, nearest);
    }
    if (queries.tested != nullptr) *queries.tested = WallFacesTested{0, accepted * pieces_of(queries.body)};
  }

  std::int64_t bytes() const override { return 0; }

 private:
  /// @param body  less than 0: of all
  std::int64_t pieces_of(std::int32_t body) const {
    return body < 0 ? pieces_.count() : std::count(pieces_.body.begin(), pieces_.body.end(), body);
  }

  void see_body(std::int32_t body, const TwofoldVector& point, NearestFace& nearest) const {
    const TwofoldVector from_body = pieces_.pose[static_cast<std::size_t>(body)].to_body(point);
    for (std::size_t k = 0; k < pieces_.shape.size(); ++k)
      if (pieces_.body[k] == body) nearest.see(from_body, pieces_.shape[k], static_cast<std::int64_t>(k));
  }

  const WallPieces& pieces_;
};

std::unique_ptr<WallSearch> open(const Queue&, const WallPieces& pieces, double) {
  return std::make_unique<SerialSearch>(pieces);
}

}  // namespace

const WallDistanceMethod wall_distance_serial{{"serial", DeviceKind::cpu, true, "the definition"}, open};

}  // namespace shoal
