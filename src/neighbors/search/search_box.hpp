// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include "core/device/status.hpp"
#include "neighbors/search/survey_item.hpp"

/// Checks and distances of a box, and messages about points that it does not allow.
namespace shoal::neighbors {

inline constexpr const char* axis_names[] = {"x", "y", "z"};

/// Name of a precision in messages.
template <class Real>
constexpr const char* precision_name() {
  return sizeof(Real) == 4 ? "float" : "double";
}

/// Throws an Error unless the box has one to three dimensions, and ascending, finite bounds on periodic axes.
void require_valid(const Box& box);

/// Throws an Error unless a radius, or the factor of radii, is positive and finite.
void require_radius(double radius, Radius kind);

/// Returns the limit of a radius that all points share.
/// @throws Error  its square is not a normal number of `Real`
template <class Real>
Real fixed_limit(double radius, const RadiusRule<Real>& rule);

/// Returns the dimensions and bounds of a box, without a limit of cells.
template <class Real>
SearchSpace<Real> search_space(const Box& box);

/// Returns the distance test of a box, without a limit of distances.
template <class Real>
PairTest<Real> pair_test(const Box& box);

/// Returns the message about an invalid point.
/// @param role  name of the point: "point", "source"
/// @param name  name of its set; empty if it has none
template <class Real>
StatusBlock::Explain explain_point(const Box& box, const std::string& role, const std::string& name);

}  // namespace shoal::neighbors
