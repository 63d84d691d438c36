// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/parts/case_parts.hpp"

#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <cmath>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/filling/shape.hpp"
#include "sph/setup/wall_movement.hpp"

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
                        const Communicator& ranks, const std::string& what) {
  return shape ? region_of(*shape, shape_corner(simulation), simulation, queue, ranks, what)
               : region_of(box, simulation.spacing, simulation.dimensions);
}

LatticeRegion region_of(const Case& simulation, const Wall& wall, const Queue& queue, const Communicator& ranks,
                        const std::string& what) {
  const LatticeRegion inner = region_of(simulation, wall.box, wall.shape, queue, ranks, what);
  if (wall.solid) return inner.rind(wall.layers);
  return inner.around(with_layers(inner.block(), wall, simulation.dimensions), wall.layers);
}

Part part_of(std::string name, LatticeRegion region) {
  const Box bounds = region.bounds();
  return {.name = std::move(name), .region = std::move(region), .bounds = bounds};
}

/// Listed particles as a region: the lattice cells that contain one.
Part part_of(std::string name, std::shared_ptr<const ParticleList> particles, const Case& simulation) {
  const Box bounds = bounds_of(*particles, simulation);
  Block block;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    block.end[axis] = static_cast<std::int64_t>((bounds.to[axis] - bounds.from[axis]) / simulation.spacing) + 1;
  LatticeRegion region(bounds.from, simulation.spacing, simulation.dimensions, block);
  for (const Vector& position : particles->position) {
    LatticeIndex index{};
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      index[axis] = static_cast<std::int64_t>((position[axis] - bounds.from[axis]) / simulation.spacing);
    region.take(index);
  }
  return {.name = std::move(name), .region = std::move(region), .bounds = bounds, .list = std::move(particles)};
}

Part part_of(const Case& simulation, std::size_t body, const Queue& queue, const Communicator& ranks) {
  const Body& settings = simulation.bodies[body];
  if (settings.particles) return part_of(body_name(body), settings.particles, simulation);
  if (settings.spacing)
    return part_of(body_name(body), region_of(settings.box, *settings.spacing, simulation.dimensions));
  return part_of(body_name(body), region_of(simulation, settings.box, settings.shape, queue, ranks, body_name(body)));
}

bool overlap(const Box& a, const Box& b, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis)
    if (std::min(a.to[axis], b.to[axis]) <= std::max(a.from[axis], b.from[axis])) return false;
  return true;
}

/// Returns true if a point of a plane at t = 0 is in the cell of a particle of `occupied`, and sets the first such point.
bool find_within(const Part& part, std::int64_t plane, const Part& occupied, Vector& offender) {
  bool is_found = false;
  part.for_each(plane, [&](const Vector& point) {
    const Vector start = part.start(point);
    if (is_found || !occupied.holds(start)) return;
    is_found = true;
    offender = start;
  });
  return is_found;
}

/// First of a part's points at t = 0 that is in the cell of a particle of `occupied`. Collective.
std::optional<Vector> first_within(const Part& part, const Part& occupied, int dimensions, const Communicator& ranks) {
  if (!overlap(part.bounds, occupied.bounds, dimensions)) return {};
  const Share share = share_of(part.planes(), ranks);
  std::int64_t first = part.planes();
#pragma omp parallel for schedule(dynamic) reduction(min : first)
  for (std::int64_t plane = share.first; plane < share.first + share.count; ++plane) {
    Vector offender;
    if (plane < first && find_within(part, plane, occupied, offender)) first = plane;
  }
  std::array<std::uint64_t, 1> before_end{static_cast<std::uint64_t>(part.planes() - first)};
  ranks.group().all_max(before_end);
  if (before_end[0] == 0) return {};
  Vector offender;
  find_within(part, part.planes() - static_cast<std::int64_t>(before_end[0]), occupied, offender);
  return offender;
}

/// The points of a part that are in no cell of `previous`. Collective.
LatticeRegion remaining_of(const Part& part, const std::vector<const Part*>& previous, const Communicator& ranks) {
  LatticeRegion remaining;
  ranks.agree([&] { remaining = part.region.emptied(); });
  const Share share = share_of(part.planes(), ranks);
  const auto is_left = [&](const Vector& point) {
    return std::none_of(previous.begin(), previous.end(), [&](const Part* other) { return other->holds(point); });
  };
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t plane = share.first; plane < share.first + share.count; ++plane)
    part.region.for_each(plane, [&](const LatticeIndex& index) {
      if (is_left(part.start(part.region.point(index)))) remaining.take(index);
    });
  remaining.join(ranks);
  return remaining;
}

/// Leaves out the points that Case::crop does not hold.
void crop(const Case& simulation, Part& part) {
  if (!simulation.crop) return;
  const LatticeRegion& points = part.remaining ? *part.remaining : part.region;
  LatticeRegion kept = points.emptied();
  for (std::int64_t plane = 0; plane < points.planes(); ++plane)
    points.for_each(plane, [&](const LatticeIndex& index) {
      const Vector point = part.start(part.region.point(index));
      bool is_held = true;
      for (int axis = 0; axis < simulation.dimensions; ++axis)
        is_held &= point[axis] >= simulation.crop->from[axis] && point[axis] < simulation.crop->to[axis];
      if (is_held) kept.take(index);
    });
  part.remaining = std::move(kept);
}

std::string point_text(const Vector& point, int dimensions) {
  std::vector<std::string> numbers;
  for (int axis = 0; axis < dimensions; ++axis) numbers.push_back(text(static_cast<float>(point[axis])));
  return "(" + join(numbers) + ") m";
}

/// Particles of the bodies, none of which may overlap another.
std::vector<Part> body_parts(const Case& simulation, const Queue& queue, const Communicator& ranks) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
    ranks.agree([&] { parts.push_back(part_of(simulation, i, queue, ranks)); });
    for (std::size_t j = 0; j < i; ++j) {
      const auto point = first_within(parts[i], parts[j], simulation.dimensions, ranks);
      ranks.agree([&] {
        require(!point, "sph: ", parts[i].name, " and ", parts[j].name, " overlap at ",
                point_text(point.value_or(Vector{}), simulation.dimensions),
                ". Particles may not start on top of each other; move or shrink one of them.");
      });
    }
  }
  return parts;
}

/// Particles of a wall, as drawn.
Part part_of(const Case& simulation, const Wall& wall, const std::string& name, const Queue& queue,
             const Communicator& ranks) {
  Part part = part_of(name, region_of(simulation, wall, queue, ranks, name));
  part.displacement = start_displacement(simulation, wall);
  if (part.displacement) part.bounds = bounds_of(part.bounds, *part.displacement, simulation.dimensions);
  return part;
}

/// Particles of a wall, which no body may overlap, without the points of previous walls.
Part wall_part(const Case& simulation, std::size_t wall, const std::vector<Part>& bodies,
               const std::vector<Part>& previous_walls, const Queue& queue, const Communicator& ranks) {
  const std::string name = wall_name(simulation, wall);
  Part part;
  ranks.agree([&] { part = part_of(simulation, simulation.walls[wall], name, queue, ranks); });
  for (const Part& body : bodies) {
    const auto point = first_within(body, part, simulation.dimensions, ranks);
    ranks.agree([&] {
      require(!point, "sph: ", body.name, " reaches into ", name, " at ",
              point_text(point.value_or(Vector{}), simulation.dimensions),
              ". Particles may not start inside walls; shrink the body or move the wall, whose box or shape ",
              simulation.walls[wall].solid ? "is solid." : "is the inside.");
    });
  }
  std::vector<const Part*> overlapping;
  for (const Part& previous : previous_walls)
    if (overlap(part.bounds, previous.bounds, simulation.dimensions)) overlapping.push_back(&previous);
  if (!overlapping.empty()) part.remaining = remaining_of(part, overlapping, ranks);
  return part;
}

}  // namespace

std::int64_t Part::planes() const {
  if (!list) return lattice().planes();
  return (static_cast<std::int64_t>(list->position.size()) + points_of_group - 1) / points_of_group;
}

std::int64_t Part::count() const { return list ? static_cast<std::int64_t>(list->position.size()) : lattice().count(); }

std::int64_t Part::count(std::int64_t plane) const {
  return list ? std::min(points_of_group, count() - plane * points_of_group) : lattice().count(plane);
}

Vector Part::start(const Vector& point) const { return displacement ? displacement->apply(point) : point; }

bool Part::holds(const Vector& point) const {
  return region.holds(displacement ? displacement->apply_inverse(point) : point);
}

std::optional<RigidTransform> start_displacement(const Case& simulation, const Wall& wall) {
  const RigidTransform start = start_position(simulation, wall);
  if (start == RigidTransform{}) return {};
  return start;
}

Box bounds_of_parts(const Case& simulation) {
  std::vector<Box> boxes;
  for (const Body& body : simulation.bodies) boxes.push_back(bounds_of(body, simulation));
  for (const Wall& wall : simulation.walls) {
    boxes.push_back(bounds_of(wall, simulation));
    if (const auto displacement = start_displacement(simulation, wall))
      boxes.push_back(bounds_of(boxes.back(), *displacement, simulation.dimensions));
  }
  Box around = boxes.front();
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    for (const Box& box : boxes) {
      around.from[axis] = std::min(around.from[axis], box.from[axis]);
      around.to[axis] = std::max(around.to[axis], box.to[axis]);
    }
  return around;
}

Box domain_of(const Case& simulation) {
  if (simulation.domain) return *simulation.domain;
  Box around = bounds_of_parts(simulation);
  double longest = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    longest = std::max(longest, around.to[axis] - around.from[axis]);
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    around.from[axis] -= longest / 2;
    around.to[axis] += longest / 2;
  }
  return around;
}

CaseParts parts_of(const Case& simulation, const Queue& queue, const Communicator& ranks) {
  CaseParts parts;
  parts.bodies = body_parts(simulation, queue, ranks);
  for (std::size_t i = 0; i < simulation.walls.size(); ++i)
    parts.walls.push_back(wall_part(simulation, i, parts.bodies, parts.walls, queue, ranks));
  for (auto* kind : {&parts.bodies, &parts.walls})
    for (Part& part : *kind) crop(simulation, part);
  return parts;
}

}  // namespace shoal::sph
