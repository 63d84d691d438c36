// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "core/device/status.hpp"
#include "core/method_table.hpp"
#include "core/range.hpp"
#include "wall_distance/geometry/search_radius_item.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// What is wrong with a point; kinds 0 to 2 are axes along which it is not finite.
StatusBlock::Explain explain_wall_faults();

/// One call of find(), as methods take it; all memory is on the queue's device.
struct WallQueries {
  Points<double> points;  ///< z is empty in 2-D
  WallDistanceOutputs out;
  Status* status = nullptr;
  std::int32_t body = -1;                            ///< ≥ 0: that one alone
  FarReach far = {};                                 ///< how far a search has to look; methods may always look farther
  std::optional<WallFacesTested>* tested = nullptr;  ///< on the host, for methods that can count; null: do not count

  SHOAL_HD std::int64_t count() const { return points.x.count; }

  SHOAL_HD TwofoldVector point(std::int64_t i) const {
    const auto at = [i](const View<const double>& axis) {
      return axis.data != nullptr ? axis.data[i * axis.stride] : 0;
    };
    return {{at(points.x), 0}, {at(points.y), 0}, {at(points.z), 0}};
  }

  /// Whether all its coordinates are finite; records it if not.
  SHOAL_HD bool accept(std::int64_t i, const TwofoldVector& point) const {
    const double at[3] = {point.x.high, point.y.high, point.z.high};
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(at[axis]) <= 1e100)) {
        record(status, i, axis);
        return false;
      }
    return true;
  }

  /// Writes an answer that is exact.
  /// @param pose  of the body of the nearest face
  SHOAL_HD void write(std::int64_t i, const TwofoldVector& point, const NearestFace& nearest, const BodyPose& pose,
                      std::int64_t face, std::int32_t wall) const {
    const TwofoldVector offset = pose.from_body(nearest.offset);
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
  }

  /// After write(), for an answer that may not be exact.
  /// @param lower  m, the true distance is at least this
  SHOAL_HD void write_lower(std::int64_t i, double lower) const {
    if (out.lower.data != nullptr) out.lower.data[i * out.lower.stride] = lower;
  }
};

/// Writes the answer that pieces give.
inline void write_answer(const WallQueries& queries, std::int64_t i, const TwofoldVector& point,
                         const WallPieces& pieces, const NearestFace& nearest) {
  const auto piece = static_cast<std::size_t>(nearest.piece);
  const auto body = static_cast<std::size_t>(pieces.body[piece]);
  queries.write(i, point, nearest, pieces.pose[body], pieces.face[piece], pieces.wall[piece]);
}

/// A method at work on one set of walls: what it built from them, and how it answers.
class WallSearch {
 public:
  virtual ~WallSearch() = default;
  virtual void find(const WallQueries& queries) = 0;
  /// The same for points asked about again, exactly at any distance.
  virtual void update(const WallQueries& queries) { find(queries); }
  /// How many points of the last update() needed no search.
  virtual std::int64_t reused() const { return 0; }
  /// Pieces have other shapes.
  virtual void refit() {}
  virtual std::int64_t bytes() const = 0;  ///< memory besides the pieces
};

struct WallDistanceMethod : MethodEntry {
  /// @param pieces  outlives the search; what they hold of poses and shapes may change between calls
  std::unique_ptr<WallSearch> (*open)(const Queue& queue, const WallPieces& pieces, double motion);
};

/// The table, best first for each device.
std::span<const WallDistanceMethod> wall_distance_rows();
std::vector<MethodInfo> wall_distance_methods();

}  // namespace shoal
