// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/points.hpp>

#include "core/memory/scratch.hpp"
#include "neighbors/ghosts/ghost_backend.hpp"

namespace shoal::neighbors {

/// Number and bounds of the points of a rank, which all ranks gather.
struct GhostExtent {
  std::int64_t count = 0;
  std::int64_t has_radii = 0;  ///< 1 if the points have radii
  double lower[3] = {};        ///< m
  double upper[3] = {};        ///< m
  double max_radius = 0;       ///< largest of the radii
};

/// Extent of points on the queue's device. Waits for the queue.
/// @throws Error  a coordinate or radius is not finite, or a coordinate is more than one period outside the box: names
///                the first such point
template <class Real>
GhostExtent extent_of(Scratch& scratch, const Points<Real>& points, const Box& box);

/// Region around the points of an extent that holds their ghosts. It is wider than the radius by more than the rounding of
/// the distance test in `Real`.
/// @param radius  m, of the search
template <class Real>
GhostRegion ghost_region(const GhostExtent& extent, const Box& box, double radius);

/// Returns true if points of an extent may be in a region.
bool may_overlap(const GhostRegion& region, const GhostExtent& extent);

}  // namespace shoal::neighbors
