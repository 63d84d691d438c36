// SPDX-License-Identifier: Apache-2.0
#include "sph/fill.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/text.hpp"
#include "sph/eos_item.hpp"
#include "sph/state.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// A block of lattice points: first and one past the last index along each axis.
struct Block {
  std::array<std::int64_t, 3> first{};
  std::array<std::int64_t, 3> end{1, 1, 1};

  bool contains(const std::array<std::int64_t, 3>& index) const {
    for (int axis = 0; axis < 3; ++axis)
      if (index[axis] < first[axis] || index[axis] >= end[axis]) return false;
    return true;
  }
};

Block block_of(const Box& box, const Case& simulation) {
  Block block;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    block.end[axis] = std::llround((box.to[axis] - box.from[axis]) / simulation.spacing);
  return block;
}

int axis_of(Side side, int dimensions) {
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
  require(dimensions == 3, "sph: wall side \"", to_word(side),
          "\" needs a 3-D case; a 2-D wall has left, right, bottom, top.");
  return 1;
}

bool is_upper(Side side) { return side == Side::right || side == Side::top || side == Side::back; }

/// The block of a wall with its layers, inside included.
Block outer_block(const Wall& wall, const Case& simulation) {
  Block block = block_of(wall.box, simulation);
  const auto open = [&](int axis, bool upper) {
    return std::any_of(wall.open.begin(), wall.open.end(), [&](Side side) {
      return axis_of(side, simulation.dimensions) == axis && is_upper(side) == upper;
    });
  };
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    if (!open(axis, false)) block.first[axis] -= wall.layers;
    if (!open(axis, true)) block.end[axis] += wall.layers;
  }
  return block;
}

Vector point_of(const Box& box, const std::array<std::int64_t, 3>& index, const Case& simulation) {
  Vector point{};
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    point[axis] = box.from[axis] + (static_cast<double>(index[axis]) + 0.5) * simulation.spacing;
  return point;
}

void for_each_index(const Block& block, const std::function<void(const std::array<std::int64_t, 3>&)>& visit) {
  std::array<std::int64_t, 3> index{};
  for (index[2] = block.first[2]; index[2] < block.end[2]; ++index[2])
    for (index[1] = block.first[1]; index[1] < block.end[1]; ++index[1])
      for (index[0] = block.first[0]; index[0] < block.end[0]; ++index[0]) visit(index);
}

Box box_of(const Block& block, const Box& at, const Case& simulation) {
  Box box;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    box.from[axis] = at.from[axis] + static_cast<double>(block.first[axis]) * simulation.spacing;
    box.to[axis] = at.from[axis] + static_cast<double>(block.end[axis]) * simulation.spacing;
  }
  return box;
}

/// True if boxes share more than a sliver of a quarter spacing.
bool overlap(const Box& a, const Box& b, const Case& simulation) {
  const double sliver = simulation.spacing / 4;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    if (std::min(a.to[axis], b.to[axis]) - std::max(a.from[axis], b.from[axis]) < sliver) return false;
  return true;
}

bool within(const Box& inner, const Box& outer, const Case& simulation) {
  const double sliver = simulation.spacing / 4;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    if (inner.from[axis] < outer.from[axis] - sliver || inner.to[axis] > outer.to[axis] + sliver) return false;
  return true;
}

/// The part of a box that lies in the layers of a wall is what is outside its inside but within its outer block.
void require_apart(const Case& simulation) {
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
    const Box& body = simulation.bodies[i].box;
    for (std::size_t j = 0; j < i; ++j)
      require(!overlap(body, simulation.bodies[j].box, simulation), "sph: body ", i, " and body ", j,
              " overlap. Particles may not start on top of each other; move one of the boxes.");
    for (std::size_t j = 0; j < simulation.walls.size(); ++j) {
      const Wall& wall = simulation.walls[j];
      const Block outer = outer_block(wall, simulation);
      const Block inner = block_of(wall.box, simulation);
      Block reachable = outer;  // what a body may fill: the inside, and beyond the open sides
      for (int axis = 0; axis < simulation.dimensions; ++axis) {
        constexpr std::int64_t far = std::int64_t{1} << 40;
        reachable.first[axis] = outer.first[axis] == inner.first[axis] ? -far : inner.first[axis];
        reachable.end[axis] = outer.end[axis] == inner.end[axis] ? far : inner.end[axis];
      }
      require(!overlap(body, box_of(outer, wall.box, simulation), simulation) ||
                  within(body, box_of(reachable, wall.box, simulation), simulation),
              "sph: body ", i, " reaches into wall ", wall.name.empty() ? text(j) : "\"" + wall.name + "\"",
              ". Particles may not start inside walls; shrink body.box or move wall.box, which is the inside.");
    }
  }
}

/// Collects the particles of a case.
class Filler {
 public:
  Filler(const Case& simulation, const Lattice& lattice)
      : simulation_(simulation), lattice_(lattice), domain_(domain_of(simulation)) {}

  void add(const Vector& at, const Vector& velocity, std::uint8_t tag, double deviation, double stress, double energy) {
    for (int axis = 0; axis < simulation_.dimensions; ++axis) {
      require(at[axis] >= domain_.from[axis] && at[axis] <= domain_.to[axis], "sph: particle ", snapshot.id.size(),
              " starts outside the domain: ", axis_names[axis], " = ", at[axis], " m, allowed [", domain_.from[axis],
              ", ", domain_.to[axis], "] m. Enlarge [domain] or move the body.");
      const std::int64_t even = 2 * std::llround((at[axis] - lattice_.origin[axis]) / lattice_.unit / 2);
      snapshot.coordinate[axis].push_back(even | (axis == 0 && Tag::is_wall(tag)));
      snapshot.velocity[axis].push_back(velocity[axis]);
    }
    snapshot.id.push_back(static_cast<std::int64_t>(snapshot.id.size()));
    snapshot.tag.push_back(tag);
    snapshot.density_deviation.push_back(deviation);
    snapshot.stress.push_back(stress);
    snapshot.energy.push_back(energy);
  }

  Snapshot snapshot;

 private:
  const Case& simulation_;
  const Lattice& lattice_;
  Box domain_;
};

double heat_at(const Case& simulation, const Vector& point) {
  double energy = 0;
  for (const HeatPulse& pulse : simulation.heat) {
    double squared = 0;
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      squared += (point[axis] - pulse.at[axis]) * (point[axis] - pulse.at[axis]);
    energy += pulse.energy * std::exp(-squared / (pulse.radius * pulse.radius));
  }
  return energy;
}

/// ρ₀ times the work of gravity from the body's highest corner, as gravity sees it, down to the point.
double hydrostatic_pressure(const Case& simulation, const Body& body, const Vector& point, double density) {
  double p = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    const double g = simulation.scheme.gravity[axis];
    p += density * g * (point[axis] - (g > 0 ? body.box.from[axis] : body.box.to[axis]));
  }
  return p;
}

void add_body(const Case& simulation, const Body& body, Filler& filler) {
  const Material& material = simulation.materials.front();
  const EosParameters<double> eos = make_eos<double>(material);
  for_each_index(block_of(body.box, simulation), [&](const std::array<std::int64_t, 3>& index) {
    const Vector point = point_of(body.box, index, simulation);
    const double energy = simulation.scheme.energy ? heat_at(simulation, point) : 0;
    const double deviation = body.pressure == InitialPressure::hydrostatic
                                 ? deviation_at(eos, hydrostatic_pressure(simulation, body, point, material.density))
                                 : 0;
    filler.add(point, body.velocity, 0, deviation, stress_of(eos, deviation, pressure(eos, deviation, energy)), energy);
  });
}

}  // namespace

Box domain_of(const Case& simulation) {
  if (simulation.domain) return *simulation.domain;
  std::vector<Box> boxes;
  for (const Body& body : simulation.bodies) boxes.push_back(body.box);
  for (const Wall& wall : simulation.walls)
    boxes.push_back(box_of(outer_block(wall, simulation), wall.box, simulation));
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

Snapshot fill(const Case& simulation, const Lattice& lattice) {
  require_apart(simulation);
  Filler filler(simulation, lattice);
  for (const Body& body : simulation.bodies) add_body(simulation, body, filler);
  for (const Wall& wall : simulation.walls) {
    const Block inner = block_of(wall.box, simulation);
    for_each_index(outer_block(wall, simulation), [&](const std::array<std::int64_t, 3>& index) {
      if (!inner.contains(index)) filler.add(point_of(wall.box, index, simulation), {}, Tag::wall_bit, 0, 0, 0);
    });
  }
  Snapshot& snapshot = filler.snapshot;
  require(!snapshot.id.empty(),
          "sph: the case has no particles. Give [[body]] a box of at least one particles.spacing.");
  snapshot.clock.particles = static_cast<std::int64_t>(snapshot.id.size());
  return std::move(snapshot);
}

}  // namespace shoal::sph
