// SPDX-License-Identifier: Apache-2.0
// Largest speed of an inlet over time, and how far it has carried the fluid.
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shoal::sph {

/// Linear between given times, constant before the first and after the last one.
class InflowSpeed {
 public:
  InflowSpeed() = default;
  /// @param boundary  an inlet that is valid
  explicit InflowSpeed(const OpenBoundary& boundary) : times_(boundary.times), speeds_(boundary.speeds) {
    if (!speeds_.empty()) return;
    times_ = {0, boundary.ramp};
    speeds_ = {boundary.ramp > 0 ? 0 : *boundary.velocity, *boundary.velocity};
  }

  /// Speed at a time, m/s.
  double speed(double time) const {
    if (time <= times_.front()) return speeds_.front();
    if (time >= times_.back()) return speeds_.back();
    const std::size_t next = after(time);
    const double share = (time - times_[next - 1]) / (times_[next] - times_[next - 1]);
    return speeds_[next - 1] + share * (speeds_[next] - speeds_[next - 1]);
  }

  /// Integral of the speed from 0 to a time, m.
  double distance(double time) const { return from_first(time) - from_first(0); }

 private:
  /// Index of the first of the given times after `time`, which is between the first and the last.
  std::size_t after(double time) const {
    return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
  }
  /// Integral of the speed from the first of the given times on, m.
  double from_first(double time) const {
    if (time <= times_.front()) return (time - times_.front()) * speeds_.front();
    double sum = 0;
    for (std::size_t k = 1; k < times_.size() && times_[k - 1] < time; ++k) {
      const double end = std::min(time, times_[k]);
      sum += (end - times_[k - 1]) * (speeds_[k - 1] + speed(end)) / 2;
    }
    return sum + std::max(0.0, time - times_.back()) * speeds_.back();
  }

  std::vector<double> times_;   ///< s, ascending; two equal ones at a jump
  std::vector<double> speeds_;  ///< m/s
};

}  // namespace shoal::sph
