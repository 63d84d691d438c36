// SPDX-License-Identifier: Apache-2.0
// Water surface along the line of a probe.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

namespace shoal::sph {

/// Σ W V above which particles fill the surroundings of a point: the value at a flat surface.
constexpr double least_filling = 0.5;

/// Points from `from` to `to` of a probe of kind surface, at most half a spacing apart, m.
/// @throws Error  the line has no length, or too many points
std::vector<Vector> surface_samples(const Probe& probe, double spacing);

/// Last point on the way at which water ends that is two smoothing lengths long or more: shorter runs are spray. The
/// filling between two samples is taken as linear. `to` if the water reaches it; NaN without such water.
/// @param filling  [surface_samples()] Σ W V
Vector surface_point(const Probe& probe, const Case& simulation, const std::vector<double>& filling);

}  // namespace shoal::sph
