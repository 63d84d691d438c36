// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"
#include "core/device/status.hpp"
#include "neighbors/search/search_grid.hpp"

namespace shoal {

/// What can be wrong with a point: its coordinate on axis 0, 1 or 2, or its radius.
inline constexpr int fault_of_radius = 3;

/// One set of points while it is looked at for the first time.
template <class Real>
struct SurveySet {
  cells::PointReader<Real> points{Points<Real>{}};
  const Real* radii = nullptr;  ///< m; null: all the same
  std::int64_t radii_stride = 1;
  Real* limits = nullptr;  ///< out, m²
  std::int64_t count = 0;
  bool is_source = true;  ///< the grid spans the sources
  Status* status = nullptr;

  SHOAL_HD Position<Real> at(std::int64_t i, int dimensions) const {
    return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
  }
};

/// What a survey is after: where the sources are, and the largest limit of all points.
template <class Real>
struct SurveyFinding {
  Extent<Real> extent;
  Real largest_limit = 0;

  SHOAL_HD void add(const SurveyFinding& other) {
    extent.add(other.extent);
    largest_limit = max(largest_limit, other.largest_limit);
  }
};

/// How radii become limits of d².
template <class Real>
struct RadiusRule {
  static constexpr Real least = sizeof(Real) == 4 ? Real(0x1p-126) : Real(0x1p-1022);  ///< normal number

  Real scale = 1;
  bool inclusive = false;

  /// The limit of d² for a radius; 0 if it is not positive or its square is not a normal number.
  SHOAL_HD Real limit(Real radius) const {
    const Real r = scale * radius;
    const Real squared = r * r;
    if (!(r > 0 && squared >= least && squared < Extent<Real>::far)) return 0;
    return inclusive ? next(squared, Extent<Real>::far) : squared;
  }

  /// r of a limit, to the bit: the root of a square that was rounded rounds back.
  SHOAL_HD Real radius_of(Real limit) const { return std::sqrt(inclusive ? next(limit, Real(0)) : limit); }

 private:
  /// The next number after `a`, toward another one.
  SHOAL_HD static Real next(Real a, Real toward) {
#ifdef __CUDA_ARCH__
    return nextafter(a, toward);
#else
    return std::nextafter(a, toward);
#endif
  }
};

/// The first axis on which a point cannot be; `dimensions` if it can be there.
template <class Real>
SHOAL_HD int fault_of(const SearchSpace<Real>& space, const Position<Real>& at) {
  if (!space.allows(0, at.x)) return 0;
  if (space.dimensions > 1 && !space.allows(1, at.y)) return 1;
  if (space.dimensions > 2 && !space.allows(2, at.z)) return 2;
  return space.dimensions;
}

/// Records what is wrong with point i, squares its radius and adds it to the finding.
template <class Real>
SHOAL_HD void survey_point(const SearchSpace<Real>& space, const RadiusRule<Real>& rule, const SurveySet<Real>& set,
                           std::int64_t i, SurveyFinding<Real>& finding) {
  const Position<Real> at = set.at(i, space.dimensions);
  const int fault = fault_of(space, at);
  if (fault < space.dimensions)
    record(set.status, i, fault);
  else if (set.is_source)
    finding.extent.add(at);
  if (set.radii == nullptr) return;
  const Real limit = rule.limit(set.radii[i * set.radii_stride]);
  if (limit == 0) record(set.status, i, fault_of_radius);
  // d = 0 stays below the limit of a bad radius: a method may count on every point finding itself.
  set.limits[i] = limit > 0 ? limit : RadiusRule<Real>::least;
  finding.largest_limit = max(finding.largest_limit, limit);
}

/// Adds the values of the offender to the status, for one thread to run after all points were seen. An offender of an
/// earlier call, whose points may be gone, is left as it is.
template <class Real>
SHOAL_HD void describe_offender(const SearchSpace<Real>& space, const SurveySet<Real>& set) {
  const auto i = static_cast<std::int64_t>(set.status->first >> 8);
  if (set.status->first == Status::none || i >= set.count) return;
  if (static_cast<int>(set.status->first & 0xff) == fault_of_radius) {
    if (set.radii != nullptr) set.status->value[0] = static_cast<double>(set.radii[i * set.radii_stride]);
    return;
  }
  const Position<Real> at = set.at(i, space.dimensions);
  if (fault_of(space, at) != static_cast<int>(set.status->first & 0xff)) return;
  set.status->value[0] = static_cast<double>(at.x);
  set.status->value[1] = static_cast<double>(at.y);
  set.status->value[2] = static_cast<double>(at.z);
}

}  // namespace shoal
