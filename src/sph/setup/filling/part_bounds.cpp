// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/part_bounds.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "sph/setup/filling/shape.hpp"

namespace shoal::sph {

int axis_of(Side side, int dimensions) {
  require(dimensions > 1 || side == Side::left || side == Side::right, "sph: side \"", to_name(side),
          "\" needs a 2-D or 3-D case; a 1-D case has left, right.");
  switch (side) {
    case Side::left:
    case Side::right:
      return 0;
    case Side::bottom:
    case Side::top:
      return dimensions - 1;
    case Side::front:
    case Side::back:
      break;
  }
  require(dimensions == 3, "sph: side \"", to_name(side),
          "\" needs a 3-D case; a 2-D case has left, right, bottom, top.");
  return 1;
}

bool is_upper(Side side) { return side == Side::right || side == Side::top || side == Side::back; }

std::string body_name(std::size_t number) { return text("body ", number); }

std::string part_name(const char* kind, const std::string& name, std::size_t number) {
  return name.empty() ? text(kind, " ", number) : text(kind, " \"", name, "\"");
}

std::string wall_name(const Case& simulation, std::size_t number) {
  return part_name("wall", simulation.walls[number].name, number);
}

bool is_open(const Wall& wall, int axis, bool upper, int dimensions) {
  return std::any_of(wall.open.begin(), wall.open.end(),
                     [&](Side side) { return axis_of(side, dimensions) == axis && is_upper(side) == upper; });
}

Box inner_bounds(const Box& box, const std::optional<Shape>& shape, const Case& simulation) {
  return shape ? bounds_of(*shape, simulation.dimensions) : box;
}

Box bounds_of(const ParticleList& particles, const Case& simulation) {
  Box box{particles.position.front(), particles.position.front()};
  for (const Vector& position : particles.position)
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      box.from[axis] = std::min(box.from[axis], position[axis] - simulation.spacing / 2);
      box.to[axis] = std::max(box.to[axis], position[axis] + simulation.spacing / 2);
    }
  return box;
}

Box bounds_of(const Body& body, const Case& simulation) {
  return body.particles ? bounds_of(*body.particles, simulation) : inner_bounds(body.box, body.shape, simulation);
}

Box bounds_of(const Wall& wall, const Case& simulation) {
  Box box = inner_bounds(wall.box, wall.shape, simulation);
  if (wall.solid) return box;
  const double thick = wall.layers * simulation.spacing;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    if (!is_open(wall, axis, false, simulation.dimensions)) box.from[axis] -= thick;
    if (!is_open(wall, axis, true, simulation.dimensions)) box.to[axis] += thick;
  }
  return box;
}

}  // namespace shoal::sph
