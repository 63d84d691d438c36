// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/following/placed_probe.hpp"

#include "core/text.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

std::size_t followed_wall(const Case& simulation, const Probe& probe) {
  require(has_points(probe.kind), "sph: probe \"", probe.name, "\" is a ", to_name(probe.kind),
          ", which has no points to follow the wall \"", probe.follows, "\". Remove probe.follows.");
  const std::size_t wall = wall_named(simulation, probe.follows, "probe");
  require(moves(simulation, simulation.walls[wall]), "sph: probe \"", probe.name, "\" follows the wall \"",
          probe.follows, "\", which does not move. Give it a [[motion]] or a [[rigid_body]], or remove probe.follows.");
  return wall;
}

Probe placed(const Case& simulation, const Probe& probe, const RigidTransform& displacement) {
  const RigidTransform start = start_position(simulation, simulation.walls[followed_wall(simulation, probe)]);
  const auto move = [&](Vector& point) { point = displacement.apply(start.apply_inverse(point)); };
  Probe moved = probe;
  for (Vector* point : {&moved.at, &moved.from, &moved.to, &moved.about}) move(*point);
  for (Vector& corner : moved.corners) move(corner);
  return moved;
}

}  // namespace shoal::sph
