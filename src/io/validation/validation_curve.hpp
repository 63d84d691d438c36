// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/validation.hpp>

// Curves from tables, and numbers computed from curves.
namespace shoal::io::validation {

/// Returns true if the curve is one over places, false if over time.
inline bool is_profile(Along along) {
  return along == Along::profile || along == Along::profile_y || along == Along::velocity;
}
inline bool has_places(Along along) { return along == Along::line || is_profile(along); }

/// Returns the part of a curve between `from` and `to` of a check.
Curve within(const Curve& curve, const Check& check);

/// Returns the linearly interpolated value at a time; NaN before the first point and after the last.
double at(const Curve& curve, double time);

/// Returns the reference curves of a check: one curve, the two ends of a band, or none.
std::vector<Curve> references_of(const Check& check, const Plan& plan);

/// Returns the number that a check computes from a curve; NaN if it does not exist.
/// @param references  reference curves, for comparisons of curves
double taken(const Check& check, const Curve& curve, const std::vector<Curve>& references);

}  // namespace shoal::io::validation
