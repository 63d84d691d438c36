// SPDX-License-Identifier: Apache-2.0
// Layers of cells that one rank has, so that open boundaries need no exchange of their own.
#pragma once
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/ranks/slab_layers.hpp"

namespace shoal::sph {

/// Layers of the boxes through which fluid passes along the last axis, with those of as much fluid beside each: a particle in
/// a box has its mirror image there. Through other boxes fluid passes along the layers.
/// @param parameters  of the whole domain
template <class Real, int dimensions>
std::vector<Share> layers_together(const Parameters<Real, dimensions>& parameters,
                                   const OpenBoundaries<Real, dimensions>& open_boundaries) {
  constexpr int axis = dimensions - 1;
  const auto last_layer = static_cast<std::int64_t>(layers_of_domain(parameters)) - 1;
  const auto layer_of = [&](Coordinate<Real> x) {
    PositionDensity<Real, dimensions> position{};
    position.x[axis] = x;
    return std::clamp(slab_layer(parameters, position), std::int64_t{0}, last_layer);
  };
  std::vector<Share> together;
  for (const OpenBoundaryParameters<Real, dimensions>& boundary : open_boundaries.boundaries()) {
    if (boundary.axis != axis) continue;
    const Coordinate<Real> from = boundary.from[axis], to = boundary.to[axis], depth = to - from;
    const std::int64_t first = layer_of(boundary.fluid_is_above ? from : from - depth);
    const std::int64_t last = layer_of(boundary.fluid_is_above ? to + depth : to);
    together.push_back({first, last - first + 1});
  }
  return together;
}

}  // namespace shoal::sph
