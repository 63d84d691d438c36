// SPDX-License-Identifier: Apache-2.0
// Probes of a run with refinement: points and sums in the units of a level as those of the first one.
#pragma once
#include <cmath>

#include "sph/diagnostics/probes/probes.hpp"

namespace shoal::sph {

/// Returns true for kinds whose sums are over all fluid, not over that near a point.
inline bool sums_over_all_fluid(ProbeKind kind) {
  return kind == ProbeKind::surge_front || kind == ProbeKind::water_height || kind == ProbeKind::spread ||
         has_material(kind);
}

/// A point in the units of the lattice of a level.
/// @param first  lattice of the first level, in whose units the point is
template <class Real, int dimensions>
ProbePoint<Real, dimensions> point_in(const Lattice& level, const Lattice& first, ProbePoint<Real, dimensions> point) {
  for (int axis = 0; axis < dimensions; ++axis)
    point.position.x[axis] = static_cast<Coordinate<Real>>(
        std::llround((meters(first, axis, point.position.x[axis]) - level.origin[axis]) / level.unit));
  return point;
}

/// Adds the sums of a level, whose particles have a `share` of the mass of those of the first level.
inline void add_sums(const Probe& probe, const Lattice& first, const Lattice& level, double share, int dimensions,
                     const ProbeSums& sums, ProbeSums& whole) {
  const double scale = level.unit / first.unit;
  const auto origin = [&](int axis) { return (level.origin[axis] - first.origin[axis]) / first.unit; };
  if (probe.kind == ProbeKind::surge_front) {
    if (sums.furthest > 0) whole.furthest = std::max(whole.furthest, origin(0) + scale * sums.furthest);
  } else if (probe.kind == ProbeKind::spread) {
    const double n = share * sums.value[probe_weight];
    for (int axis = 0; axis < dimensions; ++axis) {
      const double a = origin(axis), x = share * scale * sums.value[axis];
      whole.value[axis] += a * n + x;
      whole.value[3 + axis] += a * a * n + 2 * a * x + share * scale * scale * sums.value[3 + axis];
    }
    whole.value[probe_weight] += n;
  } else if (has_material(probe.kind)) {
    const bool has_places = probe.kind == ProbeKind::fluid_center;
    const double mass = sums.value[probe_weight];
    for (int axis = 0; axis < dimensions; ++axis)
      whole.value[axis] += has_places ? origin(axis) * mass + scale * sums.value[axis] : sums.value[axis];
    whole.value[probe_weight] += mass;
  } else {
    whole.value[0] += sums.value[0];
  }
}

}  // namespace shoal::sph
