// SPDX-License-Identifier: Apache-2.0
// The first share of each rank in the particles of a case.
#pragma once
#include <shoal/ranks/slabs.hpp>

#include <utility>
#include <vector>

#include "sph/physics/cells/cell_item.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Layer of cells that holds a position inside the domain, as Slabs count them: from 0 at its lower end.
template <class Real, int dimensions>
std::int64_t slab_layer(const Parameters<Real, dimensions>& parameters,
                        const PositionDensity<Real, dimensions>& position) {
  constexpr int axis = dimensions - 1;
  return cell_along(parameters, position, axis) - cells_of_support(parameters, axis);
}

/// Numbers of particles of each layer. @param state  those counted
template <class Real, int dimensions>
std::vector<std::int64_t> particles_of_layers(const Parameters<Real, dimensions>& parameters,
                                              const HostState<Real, dimensions>& state) {
  constexpr int axis = dimensions - 1;
  const int layers = last_inside_ring(parameters, axis) + 1 - cells_of_support(parameters, axis);
  std::vector<std::int64_t> particles(static_cast<std::size_t>(layers));
  for (const PositionDensity<Real, dimensions>& position : state.position)
    if (!is_outside(parameters, position)) ++particles[static_cast<std::size_t>(slab_layer(parameters, position))];
  return particles;
}

/// Rank that has a particle. The first rank has those outside the domain.
template <class Real, int dimensions>
int owner_of(const Parameters<Real, dimensions>& parameters, const Slabs& slabs,
             const PositionDensity<Real, dimensions>& position) {
  return is_outside(parameters, position) ? 0 : slabs.owner(slab_layer(parameters, position));
}

/// Cuts the domain by the number of particles, unless it is cut already, and keeps those of this rank. Before, the state
/// is that of all ranks, or at least has all particles of this rank.
template <class Real, int dimensions>
void share_out(Setup<Real, dimensions>& setup) {
  const Parameters<Real, dimensions>& parameters = setup.parameters;
  HostState<Real, dimensions>& state = setup.state;
  if (setup.slabs.cut.empty())
    setup.ranks.agree([&] { setup.slabs = cut_by_weight(particles_of_layers(parameters, state), setup.ranks.size()); });

  const int rank = setup.ranks.rank();
  HostState<Real, dimensions> share(0);
  share.clock = state.clock;
  for (std::size_t i = 0; i < state.count(); ++i) {
    if (owner_of(parameters, setup.slabs, state.position[i]) != rank) continue;
    share.position.push_back(state.position[i]);
    share.velocity.push_back(state.velocity[i]);
    share.energy.push_back(state.energy[i]);
    share.tag.push_back(state.tag[i]);
    share.id.push_back(state.id[i]);
    if (!state.properties.empty()) share.properties.push_back(state.properties[i]);
    if (!state.previous.empty()) share.previous.push_back(state.previous[i]);
  }
  state = std::move(share);
}

}  // namespace shoal::sph
