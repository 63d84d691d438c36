// SPDX-License-Identifier: Apache-2.0
#include <shoal/sph_case.hpp>

#include <cmath>

#include "core/text.hpp"
#include "sph/probes.hpp"
#include "sph/shape.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

void require_positive(double value, const char* key, const char* unit) {
  require(std::isfinite(value) && value > 0, "sph: ", key, " = ", value, unit, ", expected a positive number.");
}

void require_not_negative(double value, const char* key, const char* unit) {
  require(std::isfinite(value) && value >= 0, "sph: ", key, " = ", value, unit, ", expected 0 or a positive number.");
}

void require_box(const Box& box, int dimensions, double spacing, const char* key) {
  for (int axis = 0; axis < dimensions; ++axis) {
    const double length = box.to[axis] - box.from[axis];
    require(std::isfinite(length) && length >= spacing / 2, "sph: ", key, " spans [", box.from[axis], ", ",
            box.to[axis], "] m along ", axis_names[axis], ", expected at least one particle spacing, ", spacing, " m.");
  }
}

void check_material(const Material& material) {
  require_positive(material.density, "material.density", " kg/m3");
  require_positive(material.sound_speed, "material.sound_speed", " m/s");
  if (material.equation_of_state == EquationOfState::tait) {
    require_positive(material.exponent, "material.exponent", "");
  } else {
    require_positive(material.compression[0], "material.compression[0]", " Pa");
    require_positive(material.tension[0], "material.tension[0]", " Pa");
  }
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

void check_probe(const Case& simulation, const Probe& probe) {
  require_not_negative(probe.every, "probe.every", " s");
  constexpr int most = 10'000;
  require(probe.kind != ProbeKind::line || (probe.points >= 2 && probe.points <= most),
          "sph: probe.points = ", probe.points, ", expected 2 to ", most, " points on the line \"", probe.name, "\".");
  if (probe.kind == ProbeKind::force) wall_number(simulation, probe);
  require(probe.kind != ProbeKind::wall_pressure || simulation.scheme.walls != Walls::repulsive, "sph: probe \"",
          probe.name,
          "\" shows wall_pressure, but repulsive walls have none. Take the kind pressure, or "
          "scheme.walls = \"adami\" or \"dynamic\".");
}

void check_output(const Output& output) {
  require_not_negative(output.every, "run.output_every", " s");
  require_not_negative(output.ledger_every, "run.ledger_every", " s");
  require_not_negative(output.checkpoint_every, "run.checkpoint_every", " minutes");
  require(output.times.empty() || output.every == 0,
          "sph: run.output_every and run.output_times are both given. Remove one of them.");
  double before = -1;
  for (const double time : output.times) {
    require(std::isfinite(time) && time >= 0 && time > before, "sph: run.output_times has ", time, " s after ", before,
            " s, expected times from 0 on, one later than the other.");
    before = time;
  }
}

void check_scheme(const Scheme& scheme) {
  if (scheme.time_step == TimeStep::fixed)
    require_positive(scheme.dt, "scheme.dt", " s");
  else
    require_positive(scheme.cfl, "scheme.cfl", "");
  require_not_negative(scheme.artificial_viscosity, "scheme.viscosity.artificial", "");
  if (scheme.diffusion_coefficient)
    require_not_negative(*scheme.diffusion_coefficient, "scheme.diffusion_coefficient", "");
  for (const double g : scheme.gravity)
    require(std::isfinite(g), "sph: scheme.gravity has the component ", g, " m/s2, expected finite numbers.");
}

}  // namespace

void require_valid(const Case& simulation) {
  require(simulation.dimensions == 2 || simulation.dimensions == 3,
          "sph: particles.dimensions = ", simulation.dimensions, ", expected 2 or 3.");
  require_positive(simulation.spacing, "particles.spacing", " m");
  require(std::isfinite(simulation.smoothing) && simulation.smoothing >= 0.6 && simulation.smoothing <= 4,
          "sph: particles.smoothing = ", simulation.smoothing,
          ", expected a smoothing length of 0.6 to 4 particle spacings.");
  require_not_negative(simulation.duration, "run.duration", " s");
  require(!simulation.materials.empty(), "sph: the case has no material. Add a table such as [material.water].");
  require(simulation.materials.size() == 1, "sph: the case has ", simulation.materials.size(),
          " materials, expected 1: this version runs one fluid, with walls of the same density.");
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
    for (const double v : body.velocity)
      require(std::isfinite(v), "sph: body.velocity has the component ", v, " m/s, expected finite numbers.");
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
  for (const HeatPulse& pulse : simulation.heat) {
    require(simulation.scheme.energy,
            "sph: the case has [[heat]] but scheme.energy = false. Set scheme.energy = true.");
    require_positive(pulse.radius, "heat.radius", " m");
    require(std::isfinite(pulse.energy), "sph: heat.energy = ", pulse.energy, " J/kg, expected a finite number.");
  }
  for (const Probe& probe : simulation.probes) check_probe(simulation, probe);
  check_output(simulation.output);
  if (simulation.domain) require_box(*simulation.domain, simulation.dimensions, simulation.spacing, "domain");
  check_scheme(simulation.scheme);
}

}  // namespace shoal::sph
