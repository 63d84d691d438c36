// SPDX-License-Identifier: Apache-2.0
// Section through which a probe measures the flow: a line in 2-D, a plane polygon in 3-D.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

namespace shoal::sph {

/// Part of a section with a point that stands for it.
struct SectionCell {
  Vector center;  ///< m, centroid of the part
  double area;    ///< m² (2-D: m)
};

/// A section as cells of equal squares (2-D: lengths) of at most the raster's spacing; the edge cuts its cells.
struct Section {
  Vector normal;  ///< unit vector
  std::vector<SectionCell> cells;
};

/// Section of a probe of kind flow_rate. The areas of its cells add up to its area. Its normal is right of the way from
/// the first corner to the second in 2-D; in 3-D the corners run counterclockwise around it.
///
/// @param spacing  m, of the case: the raster's unless the probe has one of its own
/// @throws Error  too few corners, no area, corners beside the plane, edges that cross, too many cells
Section section_of(const Probe& probe, int dimensions, double spacing);

}  // namespace shoal::sph
