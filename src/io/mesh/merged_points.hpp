// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace shoal::io {

/// Numbers for points such that points in the same place, to the bit, have the same number.
class Places {
 public:
  using Point = std::array<double, 3>;

  std::int64_t count() const { return static_cast<std::int64_t>(number_.size()); }

  /// The number of this place; count() before the call if it is new.
  std::int64_t number_of(Point point) {
    for (double& value : point) value += 0.0;  // -0 is where 0 is
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
