// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include "core/method_table.hpp"
#include "core/range.hpp"
#include "core/status.hpp"
#include "wall_distance/wall_pieces.hpp"

namespace shoal {

/// What is wrong with a point; kinds 0 to 2 are axes along which it is not finite.
StatusBlock::Explain explain_wall_faults();

/// One call of find(), as methods take it; all memory is on the queue's device.
struct WallQueries {
  Points<double> points;  ///< z is empty in 2-D
  WallDistanceOutputs out;
  Status* status = nullptr;

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

  SHOAL_HD void write(std::int64_t i, const TwofoldVector& point, const NearestFace& nearest, std::int64_t face,
                      std::int32_t wall) const {
    const auto put = [i](const auto& view, auto value) {
      if (view.data != nullptr) view.data[i * view.stride] = value;
    };
    put(out.distance, nearest.distance);
    put(out.face, face);
    put(out.wall, wall);
    put(out.x, (point.x - nearest.offset.x).high);
    put(out.y, (point.y - nearest.offset.y).high);
    put(out.z, (point.z - nearest.offset.z).high);
  }
};

/// A method at work on one set of walls: what it built from them, and how it answers.
class WallSearch {
 public:
  virtual ~WallSearch() = default;
  virtual void find(const WallQueries& queries) = 0;
  virtual std::int64_t bytes() const = 0;  ///< memory besides the pieces
};

struct WallDistanceMethod : MethodRow {
  /// @param pieces  outlives the search
  std::unique_ptr<WallSearch> (*open)(const Queue& queue, const WallPieces& pieces);
};

/// The table, best first for each device.
std::span<const WallDistanceMethod> wall_distance_rows();
std::vector<MethodInfo> wall_distance_methods();

}  // namespace shoal
