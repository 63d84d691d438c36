// SPDX-License-Identifier: Apache-2.0
// Reports of a run with refinement from those of its levels, and back. A place belongs to the finest level whose box holds it.
#pragma once
#include "sph/ranks/particle_exchange.hpp"
#include "sph/refinement/levels.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

/// Ids of a run with refinement: that of the particle in its level, and the number of the level from this bit on.
constexpr int level_shift = 48;

bool holds(const Box& box, int dimensions, const Vector& place);

/// Returns true if a level is the finest one at a place.
bool is_shown(const Level& level, int dimensions, const Vector& place);

/// Rows of the particles of a level at places where it is the finest one.
Fields rows_of_level(const Level& level, int dimensions, const Fields& fields);

/// Rows of all levels one after the other, with the ids of the run.
Fields join(const std::vector<Fields>& levels);
Snapshot join(const std::vector<Snapshot>& levels);

/// Snapshots of the levels of a run.
/// @throws Error  a particle of a level that the run does not have
std::vector<Snapshot> split_by_level(const Snapshot& whole, std::size_t levels);

/// Sums of levels; density errors are those of all particles.
Balance sum(const std::vector<Balance>& levels);

/// Place of a position, m.
template <class Real, int dimensions>
Vector place_of(const Lattice& lattice, const PositionDensity<Real, dimensions>& position) {
  Vector place{};
  for (int axis = 0; axis < dimensions; ++axis)
    place[static_cast<std::size_t>(axis)] = meters(lattice, axis, position.x[axis]);
  return place;
}

/// Particles at places for which takes(place) is true.
template <class Real, int dimensions, class Takes>
HostState<Real, dimensions> particles_in(const HostState<Real, dimensions>& state,
                                         const ArraysOf<Real, dimensions>& arrays, const Lattice& lattice,
                                         const Takes& takes) {
  HostState<Real, dimensions> taken = arrays.make(state.count());
  std::size_t count = 0;
  for (std::size_t i = 0; i < state.count(); ++i)
    if (takes(place_of(lattice, state.position[i]))) copy_particle(state, i, taken, count++);
  arrays.resize(taken, count);
  taken.clock = state.clock;
  return taken;
}

}  // namespace shoal::sph
