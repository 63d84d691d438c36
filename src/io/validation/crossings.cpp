// SPDX-License-Identifier: Apache-2.0
#include "io/validation/crossings.hpp"

#include <algorithm>
#include <limits>

namespace shoal::io::validation {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Returns the time at which the curve crosses the threshold between points i and i + 1.
double crossing(const Curve& curve, std::size_t i, double threshold) {
  const double step = curve.value[i + 1] - curve.value[i];
  return curve.time[i] + (threshold - curve.value[i]) / step * (curve.time[i + 1] - curve.time[i]);
}

}  // namespace

double first_above(const Curve& curve, double threshold) {
  const auto above = std::find_if(curve.value.begin(), curve.value.end(), [&](double v) { return v > threshold; });
  if (above == curve.value.end()) return nothing;
  const auto i = static_cast<std::size_t>(above - curve.value.begin());
  return i == 0 ? curve.time.front() : crossing(curve, i - 1, threshold);
}

double last_above(const Curve& curve, double threshold) {
  for (std::size_t i = curve.value.size(); i-- > 0;)
    if (curve.value[i] > threshold)
      return i + 1 == curve.value.size() ? curve.time.back() : crossing(curve, i, threshold);
  return nothing;
}

double frequency(const Curve& curve, double threshold) {
  double first = nothing, last = nothing;
  int periods = -1;
  for (std::size_t i = 0; i + 1 < curve.value.size(); ++i) {
    if (!(curve.value[i] <= threshold && curve.value[i + 1] > threshold)) continue;
    last = crossing(curve, i, threshold);
    if (++periods == 0) first = last;
  }
  return periods > 0 ? periods / (last - first) : nothing;
}

}  // namespace shoal::io::validation
