// SPDX-License-Identifier: Apache-2.0
// Fluid outside the boxes of open boundaries, as fits take it.
#pragma once
#include "sph/open_boundaries/open_boundary_item.hpp"
#include "sph/stepping/cuda/passes/fits/warp_fits.cuh"

namespace shoal::sph {

/// Returns false for a place from which no particle in the box or its margin is within the support.
template <class Real, int dimensions>
__device__ bool may_reach(const Parameters<Real, dimensions>& parameters,
                          const OpenBoundaryParameters<Real, dimensions>& box,
                          const PositionDensity<Real, dimensions>& place) {
  bool is_near = true;
  for (int axis = 0; axis < dimensions; ++axis) {
    const Coordinate<Real> way = box.margin[axis] + (Coordinate<Real>{1} << parameters.bits);  // at least the support
    is_near &=
        parameters.period[axis] != 0 || (place.x[axis] >= box.from[axis] - way && place.x[axis] <= box.to[axis] + way);
  }
  return is_near;
}

/// Returns true if boxes besides one are within reach of a place.
/// @param box  number of that one
template <class Real, int dimensions>
__device__ bool may_reach_others(const Parameters<Real, dimensions>& parameters,
                                 const OpenBoundaryView<Real, dimensions>& view, int box,
                                 const PositionDensity<Real, dimensions>& place) {
  for (int k = 0; k < view.count; ++k)
    if (k != box && may_reach(parameters, view.boundaries[k], place)) return true;
  return false;
}

/// Fluid outside the boxes, as the fit of a particle in one of them takes it. Boxes out of reach are not tested.
template <class Real, int dimensions>
class FluidOutside {
 public:
  /// @param box         number of the particle's box
  /// @param has_others  other boxes are within reach
  __device__ FluidOutside(const OpenBoundaryView<Real, dimensions>& view, int box, bool has_others)
      : view_(view), box_(view.boundaries[box]), has_others_(has_others) {}
  __device__ bool holds(const PositionDensity<Real, dimensions>& position) const {
    return !is_wall(position) && !box_.holds_with_margin(position) &&
           !(has_others_ && view_.box_of(position) != view_.none);
  }

 private:
  const OpenBoundaryView<Real, dimensions>& view_;
  const OpenBoundaryParameters<Real, dimensions> box_;  ///< the particle's, in registers
  bool has_others_;
};

}  // namespace shoal::sph
