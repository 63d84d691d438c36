// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/text.hpp"
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/refinement/levels.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/parts/case_parts.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Requires that the case has nothing that levels do not exchange.
void check_physics(const Case& simulation) {
  const auto refuse = [](bool has, const std::string& what, const char* remedy) {
    require(!has, "sph: the case has [[refinement]] and ", what, ", which do not go together. ", remedy);
  };
  refuse(simulation.dimensions == 1, "particles.dimensions = 1", "Refine in 2-D or 3-D.");
  refuse(simulation.scheme.energy, "scheme.energy = true", "Remove one of them.");
  refuse(simulation.scheme.integrator == Integrator::verlet, "scheme.integrator = \"verlet\"",
         "Take tvd_rk3 or symplectic.");
  refuse(simulation.smoothing_length == SmoothingLength::by_density, "particles.smoothing_length = \"by_density\"",
         "Take \"uniform\".");
  refuse(has_apparent_viscosity(simulation), "a material that is not newtonian", "Remove one of them.");
  refuse(!simulation.rigid_bodies.empty(), "[[rigid_body]]", "Remove one of them.");
  refuse(!simulation.wavemakers.empty(), "[[wavemaker]]", "Remove one of them.");
  refuse(!simulation.open_boundaries.empty(), "[[open_boundary]]", "Remove one of them.");
  refuse(!simulation.damping.empty(), "[[damping]]", "Remove one of them.");
  refuse(!simulation.surface_tensions.empty(), "[[surface_tension]]", "Remove one of them.");
  refuse(simulation.output.isosurface.has_value(), "output.isosurface", "Remove one of them.");
  for (const Wall& wall : simulation.walls) refuse(moves(simulation, wall), "a wall that moves", "Let it rest.");
  for (const Body& body : simulation.bodies) {
    refuse(body.spacing.has_value(), "body.spacing", "Remove the spacing: boxes decide it.");
    refuse(body.density.has_value(), "body.density", "Give body.pressure in its place.");
    refuse(body.particles != nullptr || !body.particle_file.file.empty(), "a body of listed particles",
           "Give it a box or a shape.");
  }
}

/// Requires that the sides of a box are on the lattice of a spacing.
void check_alignment(const Box& box, const Vector& corner, double spacing, int dimensions, std::size_t number) {
  constexpr double tolerance = 1e-3;  // spacings
  for (int axis = 0; axis < dimensions; ++axis)
    for (const double side : {box.from[axis], box.to[axis]}) {
      const double steps = (side - corner[axis]) / spacing;
      require(std::abs(steps - std::round(steps)) < tolerance, "sph: refinement ", number, " has a side at ",
              axis_names[axis], " = ", side, " m, between particles that are ", spacing,
              " m apart. Expected a side on their lattice, as ", corner[axis] + std::round(steps) * spacing, " m.");
    }
}

void check_box(const Case& simulation, std::size_t number, const Box& around, double spacing) {
  const Refinement& refinement = simulation.refinements[number];
  require(refinement.ratio == 2, "sph: refinement.ratio = ", refinement.ratio,
          ", expected 2. For more put another [[refinement]] within this one.");
  const double least = 2 * kernel_radius(simulation.scheme.kernel) * simulation.smoothing * spacing + 2 * spacing;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    const double from = refinement.box.from[axis], to = refinement.box.to[axis];
    require(std::isfinite(from) && std::isfinite(to) && to - from >= least, "sph: refinement ", number, " is ",
            to - from, " m long along ", axis_names[axis], ", expected at least ", least,
            " m: two supports of the kernel and two spacings of the fluid around it.");
    require(from >= around.from[axis] && to <= around.to[axis], "sph: refinement ", number, " reaches from ", from,
            " to ", to, " m along ", axis_names[axis], ", beyond ", number == 0 ? "the domain" : "the one before it",
            ", which is from ", around.from[axis], " to ", around.to[axis], " m. Expected a box within it.");
  }
}

/// Requires that the region of a level does not reach the sides at which the domain repeats.
void check_periodic(const Case& simulation, const Level& level, std::size_t number) {
  const Box domain = domain_of(simulation);
  for (const Axis periodic : simulation.scheme.periodic) {
    const auto axis = static_cast<std::size_t>(periodic);
    const double room = support(simulation);
    require(level.region->from[axis] - room >= domain.from[axis] && level.region->to[axis] + room <= domain.to[axis],
            "sph: refinement ", number,
            " with the fluid that it needs around it reaches the side at which the domain "
            "repeats along ",
            axis_names[axis], ". Keep it ", level.box->from[axis] - level.region->from[axis] + room,
            " m away from there.");
  }
}

}  // namespace

void check_refinements(const Case& simulation) {
  if (simulation.refinements.empty()) return;
  check_physics(simulation);
  const Vector corner = bounds_of(simulation.bodies.front(), simulation).from;
  Box around = domain_of(simulation);
  double spacing = simulation.spacing;
  for (std::size_t number = 0; number < simulation.refinements.size(); ++number) {
    const Box& box = simulation.refinements[number].box;
    check_box(simulation, number, around, spacing);
    check_alignment(box, corner, spacing, simulation.dimensions, number);
    around = box;
    spacing /= 2;
  }
  const std::vector<Level> levels = levels_of(simulation);
  for (std::size_t number = 1; number < levels.size(); ++number) check_periodic(simulation, levels[number], number - 1);
}

}  // namespace shoal::sph
