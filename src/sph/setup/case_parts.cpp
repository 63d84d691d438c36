// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/case_parts.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/setup/part_bounds.hpp"
#include "sph/setup/shape.hpp"

namespace shoal::sph {

namespace {

/// `inner` with the layers of a wall on the sides that are not open.
Block with_layers(const Block& inner, const Wall& wall, int dimensions) {
  Block block = inner;
  for (int axis = 0; axis < dimensions; ++axis) {
    if (!is_open(wall, axis, false, dimensions)) block.first[axis] -= wall.layers;
    if (!is_open(wall, axis, true, dimensions)) block.end[axis] += wall.layers;
  }
  return block;
}

/// A box, filled to the nearest whole number of particles.
LatticeRegion region_of(const Box& box, double spacing, int dimensions) {
  Block block;
  for (int axis = 0; axis < dimensions; ++axis)
    block.end[axis] = std::llround((box.to[axis] - box.from[axis]) / spacing);
  return {box.from, spacing, dimensions, block, true};
}

/// Box around what a rigid transform makes of a box.
Box bounds_of(const Box& box, const RigidTransform& transform, int dimensions) {
  Box bounds;
  for (int corner = 0; corner < 1 << dimensions; ++corner) {
    Vector point{};
    for (int axis = 0; axis < dimensions; ++axis) point[axis] = corner >> axis & 1 ? box.to[axis] : box.from[axis];
    const Vector moved = transform.apply(point);
    for (int axis = 0; axis < dimensions; ++axis) {
      bounds.from[axis] = corner == 0 ? moved[axis] : std::min(bounds.from[axis], moved[axis]);
      bounds.to[axis] = corner == 0 ? moved[axis] : std::max(bounds.to[axis], moved[axis]);
    }
  }
  return bounds;
}

/// Origin of the lattice of all shapes: the lower corner of the first body.
Vector shape_corner(const Case& simulation) { return bounds_of(simulation.bodies.front(), simulation).from; }

LatticeRegion region_of(const Case& simulation, const Box& box, const std::optional<Shape>& shape, const Queue& queue,
                        const std::string& what) {
  return shape ? region_of(*shape, shape_corner(simulation), simulation, queue, what)
               : region_of(box, simulation.spacing, simulation.dimensions);
}

LatticeRegion region_of(const Case& simulation, const Wall& wall, const Queue& queue, const std::string& what) {
  const LatticeRegion inner = region_of(simulation, wall.box, wall.shape, queue, what);
  if (wall.solid) return inner.rind(wall.layers);
  return inner.around(with_layers(inner.block(), wall, simulation.dimensions), wall.layers);
}

std::vector<Vector> points_of(const LatticeRegion& region) {
  std::vector<Vector> points;
  points.reserve(static_cast<std::size_t>(region.count()));
  region.for_each([&](const LatticeIndex& index) { points.push_back(region.point(index)); });
  return points;
}

Part part_of(std::string name, LatticeRegion region) {
  std::vector<Vector> points = points_of(region);
  const Box bounds = region.bounds();
  return {std::move(name), std::move(points), std::move(region), bounds, {}};
}

/// Listed particles as a region: the lattice cells that contain one.
Part part_of(std::string name, const ParticleList& particles, const Case& simulation) {
  const Box bounds = bounds_of(particles, simulation);
  Block block;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    block.end[axis] = static_cast<std::int64_t>((bounds.to[axis] - bounds.from[axis]) / simulation.spacing) + 1;
  LatticeRegion region(bounds.from, simulation.spacing, simulation.dimensions, block);
  for (const Vector& position : particles.position) {
    LatticeIndex index{};
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      index[axis] = static_cast<std::int64_t>((position[axis] - bounds.from[axis]) / simulation.spacing);
    region.set(index, true);
  }
  return {std::move(name), particles.position, std::move(region), bounds, {}};
}

Part part_of(const Case& simulation, std::size_t body, const Queue& queue) {
  const Body& settings = simulation.bodies[body];
  if (settings.particles) return part_of(body_name(body), *settings.particles, simulation);
  if (settings.spacing)
    return part_of(body_name(body), region_of(settings.box, *settings.spacing, simulation.dimensions));
  return part_of(body_name(body), region_of(simulation, settings.box, settings.shape, queue, body_name(body)));
}

bool overlap(const Box& a, const Box& b, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis)
    if (std::min(a.to[axis], b.to[axis]) <= std::max(a.from[axis], b.from[axis])) return false;
  return true;
}

/// First of a part's points at t = 0 that is in the cell of a particle of `occupied`.
std::optional<Vector> first_within(const Part& part, const Part& occupied, int dimensions) {
  if (!overlap(part.bounds, occupied.bounds, dimensions)) return {};
  const auto count = static_cast<std::int64_t>(part.points.size());
  std::int64_t first = count;
#pragma omp parallel for reduction(min : first)
  for (std::int64_t i = 0; i < count; ++i)
    if (occupied.holds(part.start(part.points[static_cast<std::size_t>(i)]))) first = std::min(first, i);
  if (first == count) return {};
  return part.start(part.points[static_cast<std::size_t>(first)]);
}

std::string point_text(const Vector& point, int dimensions) {
  std::vector<std::string> numbers;
  for (int axis = 0; axis < dimensions; ++axis) numbers.push_back(text(static_cast<float>(point[axis])));
  return "(" + join(numbers) + ") m";
}

/// Particles of the bodies, none of which may overlap another.
std::vector<Part> body_parts(const Case& simulation, const Queue& queue) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
    parts.push_back(part_of(simulation, i, queue));
    for (std::size_t j = 0; j < i; ++j)
      if (const auto point = first_within(parts[i], parts[j], simulation.dimensions))
        throw Error(text("sph: ", parts[i].name, " and ", parts[j].name, " overlap at ",
                         point_text(*point, simulation.dimensions),
                         ". Particles may not start on top of each other; move or shrink one of them."));
  }
  return parts;
}

/// Particles of a wall, which no body may overlap, without the points of previous walls.
Part wall_part(const Case& simulation, std::size_t wall, const std::vector<Part>& bodies,
               const std::vector<Part>& previous_walls, const Queue& queue) {
  const std::string name = wall_name(simulation, wall);
  Part part = part_of(name, region_of(simulation, simulation.walls[wall], queue, name));
  part.displacement = start_displacement(simulation.walls[wall].motion);
  if (part.displacement) part.bounds = bounds_of(part.bounds, *part.displacement, simulation.dimensions);
  for (const Part& body : bodies)
    if (const auto point = first_within(body, part, simulation.dimensions))
      throw Error(text("sph: ", body.name, " reaches into ", name, " at ", point_text(*point, simulation.dimensions),
                       ". Particles may not start inside walls; shrink the body or move the wall, whose box or shape ",
                       simulation.walls[wall].solid ? "is solid." : "is the inside."));
  for (const Part& previous : previous_walls)
    if (overlap(part.bounds, previous.bounds, simulation.dimensions))
      std::erase_if(part.points, [&](const Vector& point) { return previous.holds(part.start(point)); });
  return part;
}

}  // namespace

Vector Part::start(const Vector& point) const { return displacement ? displacement->apply(point) : point; }

bool Part::holds(const Vector& point) const {
  return region.holds(displacement ? displacement->apply_inverse(point) : point);
}

std::optional<RigidTransform> start_displacement(const Motion& motion) {
  const RigidTransform start = motion.at(0);
  if (start == RigidTransform{}) return {};
  return start;
}

Box domain_of(const Case& simulation) {
  if (simulation.domain) return *simulation.domain;
  std::vector<Box> boxes;
  for (const Body& body : simulation.bodies) boxes.push_back(bounds_of(body, simulation));
  for (const Wall& wall : simulation.walls) {
    boxes.push_back(bounds_of(wall, simulation));
    if (const auto displacement = start_displacement(wall.motion))
      boxes.push_back(bounds_of(boxes.back(), *displacement, simulation.dimensions));
  }
  Box around = boxes.front();
  double longest = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    for (const Box& box : boxes) {
      around.from[axis] = std::min(around.from[axis], box.from[axis]);
      around.to[axis] = std::max(around.to[axis], box.to[axis]);
    }
    longest = std::max(longest, around.to[axis] - around.from[axis]);
  }
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    around.from[axis] -= longest / 2;
    around.to[axis] += longest / 2;
  }
  return around;
}

CaseParts parts_of(const Case& simulation, const Queue& queue) {
  CaseParts parts;
  parts.bodies = body_parts(simulation, queue);
  for (std::size_t i = 0; i < simulation.walls.size(); ++i)
    parts.walls.push_back(wall_part(simulation, i, parts.bodies, parts.walls, queue));
  return parts;
}

}  // namespace shoal::sph
