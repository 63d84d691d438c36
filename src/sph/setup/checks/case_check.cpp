// SPDX-License-Identifier: Apache-2.0
#include <shoal/sph/case.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/diagnostics/fields/vorticity.hpp"
#include "sph/diagnostics/following/placed_probe.hpp"
#include "sph/diagnostics/probes/body_probes.hpp"
#include "sph/diagnostics/probes/probes.hpp"
#include "sph/diagnostics/probes/section.hpp"
#include "sph/diagnostics/probes/surface.hpp"
#include "sph/isosurface/isosurface.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/physics/boundaries/boundaries.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/physics/surface_tension/surface_tension.hpp"
#include "sph/refinement/levels.hpp"
#include "sph/setup/bodies/contacts.hpp"
#include "sph/setup/bodies/rigid_bodies.hpp"
#include "sph/setup/bodies/springs.hpp"
#include "sph/setup/damping.hpp"
#include "sph/setup/filling/shape.hpp"
#include "sph/setup/wall_movement.hpp"
#include "sph/waves/absorption/absorption.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Names of the boundary treatments whose walls have a pressure, as in "a" or "b".
std::string walls_with_pressure() {
  std::vector<std::string> names;
  BoundaryTreatments::for_each([&]<class Treatment> {
    if (Treatment::has_pressure) names.push_back(text('"', to_name(Treatment::kind), '"'));
  });
  return join(names, " or ");
}

void require_box(const Box& box, int dimensions, double spacing, const char* key) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double length = box.to[axis] - box.from[axis];
    require(std::isfinite(length) && length >= spacing / 2, "sph: ", key, " spans [", box.from[axis], ", ",
            box.to[axis], "] m along ", axis_names[axis], ", expected at least one particle spacing, ", spacing, " m.");
  }
}

void require_finite(const Vector& vector, const char* key, const char* unit) {
  for (const double component : vector)
    require(std::isfinite(component), "sph: ", key, " has the component ", component, unit,
            ", expected finite numbers.");
}

void check_material(const Material& material) {
  require_positive(material.density, "material.density", " kg/m3");
  EquationsOfState<double>::visit(material.equation_of_state, [&]<class Equation> { Equation::check(material); });
  require_not_negative(material.grueneisen, "material.grueneisen", "");
  require_not_negative(material.kinematic_viscosity, "material.kinematic_viscosity", " m2/s");
  if (material.least_pressure)
    require(*material.least_pressure <= 0, "sph: material.least_pressure = ", *material.least_pressure,
            " Pa, expected 0 or a negative number: a tension.");
}

void check_particles(const ParticleList& particles, int dimensions, std::size_t body) {
  require(!particles.position.empty(), "sph: body ", body, " has no particles: its list is empty.");
  require(particles.velocity.empty() || particles.velocity.size() == particles.position.size(), "sph: body ", body,
          " has ", particles.position.size(), " particles and ", particles.velocity.size(), " velocities.");
  for (std::size_t i = 0; i < particles.position.size(); ++i)
    for (int axis = 0; axis < dimensions; ++axis) {
      const double v = particles.velocity.empty() ? 0 : particles.velocity[i][axis];
      require(std::isfinite(particles.position[i][axis]) && std::isfinite(v), "sph: particle ", i, " of body ", body,
              " is at ", particles.position[i][axis], " m with ", v, " m/s along ", axis_names[axis],
              ", expected finite numbers.");
    }
}

void check_body_place(const Case& simulation, std::size_t number) {
  const Body& body = simulation.bodies[number];
  if (body.particles) return check_particles(*body.particles, simulation.dimensions, number);
  if (body.shape) return require_valid(*body.shape, simulation.dimensions, text("body ", number));
  require_box(body.box, simulation.dimensions, simulation.spacing, "body.box");
}

void check_wall_place(const Case& simulation, std::size_t number) {
  const Wall& wall = simulation.walls[number];
  for (std::size_t i = 0; i < number; ++i)
    require(wall.name.empty() || wall.name != simulation.walls[i].name, "sph: wall ", i, " and wall ", number,
            " have the same name, \"", wall.name, "\". Give each its own.");
  if (wall.shape) return require_valid(*wall.shape, simulation.dimensions, text("wall ", number));
  require_box(wall.box, simulation.dimensions, simulation.spacing, "wall.box");
}

void check_counts(const Case& simulation) {
  const auto check = [](std::size_t count, int most, const char* what) {
    require(count <= static_cast<std::size_t>(most), "sph: the case has ", count, " ", what, ", expected at most ",
            most, ".");
  };
  check(simulation.materials.size(), max_materials, "materials");
  check(simulation.heat.size(), max_heat_pulses, "[[heat]]");
  check(simulation.damping.size(), max_damping_zones, "[[damping]]");
}

/// Choices that do not go together.
void check_combinations(const Case& simulation) {
  const Scheme& scheme = simulation.scheme;
  require(scheme.periodic.empty() || simulation.domain,
          "sph: scheme.periodic needs a [domain]: its length along the axis is the period.");
  for (const Axis axis : scheme.periodic)
    require(static_cast<int>(axis) < simulation.dimensions, "sph: scheme.periodic has the axis ", to_name(axis),
            ", which a ", simulation.dimensions, "-D case does not have.");
  require(scheme.wall_flow == WallFlow::slip || has_pressure(scheme.walls),
          "sph: scheme.wall_flow = \"no_slip\" needs walls that take part in sums. Set scheme.walls = ",
          walls_with_pressure(), ".");
  for (const Material& material : simulation.materials) {
    const bool is_gas = !EquationsOfState<double>::visit(
        material.equation_of_state, [&]<class Equation> { return Equation::has_density_at_pressure; });
    require(!is_gas || scheme.energy, "sph: material ", material.name, " is an ", to_name(material.equation_of_state),
            ", whose pressure needs internal energy. Set scheme.energy = true.");
    require(!is_gas || scheme.density_diffusion != DensityDiffusion::fourtakas,
            "sph: density_diffusion = \"fourtakas\" needs a liquid with a sound_speed; ", material.name, " is a gas.");
  }
}

void check_probe(const Case& simulation, const Probe& probe) {
  require_not_negative(probe.every, "probe.every", " s");
  constexpr int most = 10'000;
  require(probe.kind != ProbeKind::line || (probe.points >= 2 && probe.points <= most),
          "sph: probe.points = ", probe.points, ", expected 2 to ", most, " points on the line \"", probe.name, "\".");
  if (has_wall(probe.kind)) wall_number(simulation, probe);
  material_number(simulation, probe);
  if (is_of_body(probe.kind)) check_body_probe(simulation, probe);
  if (!probe.follows.empty()) followed_wall(simulation, probe);
  require_dimensions(probe, simulation.dimensions);
  require_finite(probe.about, "probe.about", " m");
  require_not_negative(probe.raster, "probe.raster", " m");
  if (probe.kind == ProbeKind::flow_rate) section_of(probe, simulation.dimensions, simulation.spacing);
  if (probe.kind == ProbeKind::surface) surface_samples(probe, simulation.spacing);
  require(probe.kind != ProbeKind::wall_pressure || has_pressure(simulation.scheme.walls), "sph: probe \"", probe.name,
          "\" shows wall_pressure, but ", to_name(simulation.scheme.walls),
          " walls have none. Take the kind pressure, or scheme.walls = ", walls_with_pressure(), ".");
}

void check_output(const Case& simulation) {
  const Output& output = simulation.output;
  require_not_negative(output.every, "run.output_every", " s");
  require_not_negative(output.balance_every, "run.balance_every", " s");
  require_not_negative(output.restart_every, "run.restart_every", " minutes");
  require(output.times.empty() || output.every == 0,
          "sph: run.output_every and run.output_times are both given. Remove one of them.");
  double before = -1;
  for (const double time : output.times) {
    require(std::isfinite(time) && time >= 0 && time > before, "sph: run.output_times has ", time, " s after ", before,
            " s, expected times from 0 on, one later than the other.");
    before = time;
  }
  if (output.vorticity) require_dimensions_of_vorticity(simulation);
  if (output.isosurface) require_isosurface(*output.isosurface, simulation);
}

void check_scheme(const Scheme& scheme, int dimensions) {
  if (scheme.time_step == TimeStep::fixed)
    require_positive(scheme.dt, "scheme.dt", " s");
  else
    require_positive(scheme.courant_number(), "scheme.cfl", "");
  require_not_negative(scheme.artificial_viscosity, "scheme.viscosity.artificial", "");
  if (scheme.diffusion_coefficient)
    require_not_negative(*scheme.diffusion_coefficient, "scheme.diffusion_coefficient", "");
  require_not_negative(scheme.quadratic_viscosity, "scheme.viscosity.quadratic", "");
  require_not_negative(scheme.shifting.coefficient, "scheme.shifting.coefficient", "");
  if (scheme.shifting.surface)
    require(*scheme.shifting.surface >= 0 && *scheme.shifting.surface < dimensions,
            "sph: scheme.shifting.surface = ", *scheme.shifting.surface,
            ", expected at least 0 and less than the number of dimensions, ", dimensions, ".");
  require_finite(scheme.gravity, "scheme.gravity", " m/s2");
}

}  // namespace

void require_valid(const Case& simulation) {
  require(simulation.dimensions >= 1 && simulation.dimensions <= 3,
          "sph: particles.dimensions = ", simulation.dimensions, ", expected 1, 2 or 3.");
  require_positive(simulation.spacing, "particles.spacing", " m");
  require(std::isfinite(simulation.smoothing) && simulation.smoothing >= 0.6 && simulation.smoothing <= 4,
          "sph: particles.smoothing = ", simulation.smoothing,
          ", expected a smoothing length of 0.6 to 4 particle spacings.");
  require(simulation.most_smoothing >= 1 && simulation.most_smoothing <= 100,
          "sph: particles.most_smoothing = ", simulation.most_smoothing,
          ", expected 1 to 100 times the smoothing length at the start.");
  if (simulation.most_density_deviation)
    require_positive(*simulation.most_density_deviation, "particles.most_density_deviation", " kg/m3");
  require_not_negative(simulation.duration, "run.duration", " s");
  require(!simulation.materials.empty(), "sph: the case has no material. Add a table such as [material.water].");
  for (const Material& material : simulation.materials) check_material(material);
  const auto known = [&](const std::string& name) {
    for (const Material& material : simulation.materials)
      if (material.name == name) return true;
    return false;
  };
  require(!simulation.bodies.empty(), "sph: the case has no particles. Add a [[body]] with a box of fluid.");
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i) {
    const Body& body = simulation.bodies[i];
    check_body_place(simulation, i);
    require(known(body.material), "sph: body.material = \"", body.material, "\" is not a [material.NAME] of the case.");
    require_finite(body.velocity, "body.velocity", " m/s");
    if (body.spacing) require_positive(*body.spacing, "body.spacing", " m");
    require(!body.spacing || !(body.shape || body.particles), "sph: body ", i,
            " has a spacing of its own, which only a box may have: shapes share the lattice of the case.");
    if (body.density) require_positive(*body.density, "body.density", " kg/m3");
    require(body.jitter >= 0 && body.jitter <= 0.4, "sph: body.jitter = ", body.jitter,
            ", expected 0 to 0.4 spacings.");
    require(std::isfinite(body.energy), "sph: body.energy = ", body.energy, " J/kg, expected a finite number.");
    require(body.energy == 0 || simulation.scheme.energy,
            "sph: body.energy is given but scheme.energy = false. Set scheme.energy = true.");
    require(std::isfinite(body.vortices.speed) && std::isfinite(body.vortices.length) && body.vortices.length > 0,
            "sph: body.vortices has the speed ", body.vortices.speed, " m/s and the length ", body.vortices.length,
            " m, expected finite numbers and a length above 0.");
    for (const double rate : body.strain_rate)
      require(std::isfinite(rate), "sph: body.strain_rate has the component ", rate, " 1/s, expected finite numbers.");
  }
  for (std::size_t i = 0; i < simulation.walls.size(); ++i) {
    const Wall& wall = simulation.walls[i];
    check_wall_place(simulation, i);
    require(wall.layers >= 1, "sph: wall.layers = ", wall.layers, ", expected at least 1.");
    require(wall.material.empty() || known(wall.material), "sph: wall.material = \"", wall.material,
            "\" is not a [material.NAME] of the case.");
  }
  check_motions(simulation);
  check_absorption(simulation);
  check_rigid_bodies(simulation);
  check_springs(simulation);
  check_contact(simulation);
  check_rheologies(simulation);
  check_surface_tension(simulation);
  check_damping(simulation);
  for (const HeatPulse& pulse : simulation.heat) {
    require(simulation.scheme.energy,
            "sph: the case has [[heat]] but scheme.energy = false. Set scheme.energy = true.");
    require_positive(pulse.radius, "heat.radius", " m");
    require_not_negative(pulse.start, "heat.start", " s");
    require_not_negative(pulse.length, "heat.length", " s");
    require(std::isfinite(pulse.energy), "sph: heat.energy = ", pulse.energy, " J/kg, expected a finite number.");
  }
  for (const Probe& probe : simulation.probes) check_probe(simulation, probe);
  check_output(simulation);
  if (simulation.domain) require_box(*simulation.domain, simulation.dimensions, simulation.spacing, "domain");
  check_scheme(simulation.scheme, simulation.dimensions);
  check_counts(simulation);
  check_combinations(simulation);
  check_open_boundaries(simulation);
  check_refinements(simulation);
}

}  // namespace shoal::sph
