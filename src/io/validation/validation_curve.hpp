// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/validation.hpp>

// Curves from tables, and numbers from curves.
namespace shoal::io::validation {

/// The part of a curve that a check looks at.
Curve within(const Curve& curve, const Check& check);

/// The curve at a time, between its neighbors in proportion; NaN before its first point and after its last.
double at(const Curve& curve, double time);

/// The reference curves of a check: one, or the two ends of a band; none without a reference.
std::vector<Curve> references_of(const Check& check, const Plan& plan);

/// The number that a check takes of a curve; NaN if there is none.
/// @param references  for what compares curves
double taken(const Check& check, const Curve& curve, const std::vector<Curve>& references);

}  // namespace shoal::io::validation
