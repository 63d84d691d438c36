// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace shoal::io {

/// Numbering of points in which points with equal coordinates share a number.
class Places {
 public:
  using Point = std::array<double, 3>;

  std::int64_t count() const { return static_cast<std::int64_t>(number_.size()); }

  /// Number of this point; for a new point, count() before the call.
  std::int64_t number_of(Point point) {
    for (double& value : point) value += 0.0;  // turns -0 into 0
    return number_.try_emplace(point, count()).first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Point& point) const {
      std::size_t hash = 0;
      for (const double value : point) hash = (hash ^ std::hash<double>{}(value)) * 0x9e3779b97f4a7c15U;
      return hash ^ (hash >> 32);
    }
  };
  std::unordered_map<Point, std::int64_t, Hash> number_;
};

}  // namespace shoal::io
