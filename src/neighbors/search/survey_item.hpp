// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"
#include "core/device/status.hpp"
#include "neighbors/search/search_grid.hpp"

namespace shoal::neighbors {

using cells::PointReader;

/// Fault of a point whose radius is invalid. Faults 0, 1 and 2 are invalid coordinates on axis 0, 1 and 2.
inline constexpr int radius_fault = 3;

/// Points of one set during the survey.
template <class Real>
struct SurveySet {
  PointReader<Real> points{Points<Real>{}};
  const Real* radii = nullptr;    ///< m, [count]; null: all points have the radius of the plan
  std::int64_t radii_stride = 1;  ///< Distance of two radii, in elements.
  Real* limits = nullptr;         ///< m², [count], out
  std::int64_t count = 0;         ///< Number of points.
  bool is_source = true;          ///< The grid spans the sources.
  Status* status = nullptr;

  SHOAL_HD Position<Real> position(std::int64_t i, int dimensions) const {
    return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
  }
};

/// Result of a survey: bounding box of the sources and largest limit of all points.
template <class Real>
struct SurveyResult {
  Extent<Real> extent;
  Real max_limit = 0;  ///< m²

  SHOAL_HD void add(const SurveyResult& result) {
    extent.add(result.extent);
    max_limit = max(max_limit, result.max_limit);
  }
};

/// Conversion of radii to limits of d².
template <class Real>
struct RadiusRule {
  static constexpr Real least = sizeof(Real) == 4 ? Real(0x1p-126) : Real(0x1p-1022);  ///< Smallest normal number.

  Real scale = 1;          ///< Factor of all radii.
  bool inclusive = false;  ///< d² ≤ r² instead of d² < r².

  /// Returns the limit of d² for a radius; 0 if the radius is not positive or its square is not a normal number.
  SHOAL_HD Real limit(Real radius) const {
    const Real r = scale * radius;
    const Real squared = r * r;
    if (!(r > 0 && squared >= least && squared < Extent<Real>::far)) return 0;
    return inclusive ? next(squared, Extent<Real>::far) : squared;
  }

  /// Returns the radius r of a limit. It is exact, because the root of a rounded square rounds back to r.
  SHOAL_HD Real radius_of(Real limit) const { return std::sqrt(inclusive ? next(limit, Real(0)) : limit); }

 private:
  /// Returns the next number after `a` toward another number.
  SHOAL_HD static Real next(Real a, Real toward) {
#ifdef __CUDA_ARCH__
    return nextafter(a, toward);
#else
    return std::nextafter(a, toward);
#endif
  }
};

/// Returns the first axis with an invalid coordinate; `dimensions` if all coordinates are valid.
template <class Real>
SHOAL_HD int first_invalid_axis(const SearchSpace<Real>& space, const Position<Real>& position) {
  if (!space.allows(0, position.x)) return 0;
  if (space.dimensions > 1 && !space.allows(1, position.y)) return 1;
  if (space.dimensions > 2 && !space.allows(2, position.z)) return 2;
  return space.dimensions;
}

/// Adds point i to the result, squares its radius, and records a fault of the point.
template <class Real>
SHOAL_HD void survey_point(const SearchSpace<Real>& space, const RadiusRule<Real>& rule, const SurveySet<Real>& set,
                           std::int64_t i, SurveyResult<Real>& result) {
  const Position<Real> position = set.position(i, space.dimensions);
  const int fault = first_invalid_axis(space, position);
  if (fault < space.dimensions)
    record(set.status, i, fault);
  else if (set.is_source)
    result.extent.add(position);
  if (set.radii == nullptr) return;
  const Real limit = rule.limit(set.radii[i * set.radii_stride]);
  if (limit == 0) record(set.status, i, radius_fault);
  // d = 0 stays below the limit of an invalid radius: methods rely on each point finding itself.
  set.limits[i] = limit > 0 ? limit : RadiusRule<Real>::least;
  result.max_limit = max(result.max_limit, limit);
}

/// Adds the invalid values of the first faulty point to the status. One thread calls it after all points are surveyed.
/// A point recorded by an earlier call, whose memory may be freed, is left unchanged.
template <class Real>
SHOAL_HD void describe_offender(const SearchSpace<Real>& space, const SurveySet<Real>& set) {
  const auto i = static_cast<std::int64_t>(set.status->first >> 8);
  if (set.status->first == Status::none || i >= set.count) return;
  if (static_cast<int>(set.status->first & 0xff) == radius_fault) {
    if (set.radii != nullptr) set.status->value[0] = static_cast<double>(set.radii[i * set.radii_stride]);
    return;
  }
  const Position<Real> position = set.position(i, space.dimensions);
  if (first_invalid_axis(space, position) != static_cast<int>(set.status->first & 0xff)) return;
  set.status->value[0] = static_cast<double>(position.x);
  set.status->value[1] = static_cast<double>(position.y);
  set.status->value[2] = static_cast<double>(position.z);
}

}  // namespace shoal::neighbors
