// SPDX-License-Identifier: Apache-2.0
// Layers of cells across the last axis, and the ranks that have them.
#pragma once
#include <shoal/ranks/slabs.hpp>

#include <vector>

#include "ranks/slabs_together.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/stepping/stepper.hpp"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// Layer of cells that holds a position inside the domain, as Slabs count them: from 0 at its lower end.
template <class Real, int dimensions>
std::int64_t slab_layer(const Parameters<Real, dimensions>& parameters,
                        const PositionDensity<Real, dimensions>& position) {
  constexpr int axis = dimensions - 1;
  return cell_along(parameters, position, axis) - cells_of_support(parameters, axis);
}

/// Number of layers of cells of the domain.
template <class Real, int dimensions>
std::size_t layers_of_domain(const Parameters<Real, dimensions>& parameters) {
  constexpr int axis = dimensions - 1;
  return static_cast<std::size_t>(last_inside_ring(parameters, axis) + 1 - cells_of_support(parameters, axis));
}

/// Work for a particle in a step, by which the domain is cut: 1 for a particle of an inactive wall.
template <class Real, int dimensions>
SHOAL_HD std::int64_t slab_weight(const Parameters<Real, dimensions>& parameters,
                                  const PositionDensity<Real, dimensions>& position) {
  return is_active(parameters, position) ? inactive_walls_per_particle : 1;
}

/// Weight of the particles of each layer. @param state  those counted
template <class Real, int dimensions>
std::vector<std::int64_t> weights_of_layers(const Parameters<Real, dimensions>& parameters,
                                            const HostState<Real, dimensions>& state) {
  std::vector<std::int64_t> weight(layers_of_domain(parameters));
  for (const PositionDensity<Real, dimensions>& position : state.position)
    if (!is_outside(parameters, position))
      weight[static_cast<std::size_t>(slab_layer(parameters, position))] += slab_weight(parameters, position);
  return weight;
}

/// Fewest layers of a rank.
constexpr int least_layers = 2;

/// Slabs at the start of a run. @param weight  [layers]
template <class Real, int dimensions>
Slabs cut_by_layers(const std::vector<std::int64_t>& weight, const Setup<Real, dimensions>& setup) {
  return cut_together(weight, setup.ranks.size(), least_layers, setup.together);
}

/// Rank that has a particle. The first rank has those outside the domain.
template <class Real, int dimensions>
int owner_of(const Parameters<Real, dimensions>& parameters, const Slabs& slabs,
             const PositionDensity<Real, dimensions>& position) {
  return is_outside(parameters, position) ? 0 : slabs.owner(slab_layer(parameters, position));
}

}  // namespace shoal::sph
