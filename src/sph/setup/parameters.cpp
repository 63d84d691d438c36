// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sph/physics/rheologies/apparent_viscosity_physics.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/physics/surface_tension/surface_tension.hpp"
#include "sph/setup/bodies/contacts.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

double finest_smoothing_length(const Case& simulation) {
  double finest = simulation.spacing;
  for (const Body& body : simulation.bodies) finest = std::min(finest, body.spacing.value_or(simulation.spacing));
  return simulation.smoothing * finest;
}

double viscous_step(const Case& simulation) {
  double most = std::numeric_limits<double>::infinity();
  if (!simulation.scheme.laminar_viscosity) return most;
  const double h = finest_smoothing_length(simulation);
  for (const Material& material : simulation.materials)
    if (const double viscosity = most_kinematic_viscosity(material); viscosity > 0)
      most = std::min(most, stable_viscous_number * h * h / viscosity);
  return most;
}

namespace {

bool moves_walls(const Case& simulation) {
  return std::any_of(simulation.walls.begin(), simulation.walls.end(),
                     [&](const Wall& wall) { return moves(simulation, wall); });
}

/// Returns true if a case with fixed walls needs the general model.
bool is_general_beside_walls(const Case& simulation) {
  const Scheme& scheme = simulation.scheme;
  if (simulation.dimensions == 1 || simulation.materials.size() > 1) return true;
  if (simulation.smoothing_length != SmoothingLength::uniform) return true;
  if (scheme.kernel != Kernel::cubic_spline && scheme.kernel != Kernel::wendland_c2) return true;
  if (scheme.density_diffusion == DensityDiffusion::fourtakas) return true;
  if (scheme.laminar_viscosity || scheme.quadratic_viscosity > 0 || scheme.shifting.coefficient > 0) return true;
  if (!scheme.periodic.empty()) return true;
  const bool is_plain =
      EquationsOfState<double>::visit(simulation.materials.front().equation_of_state, [&]<class Equation> {
        return Equation::has_constant_sound_speed ||
               (Equation::is_plain_with_fixed_step && scheme.time_step == TimeStep::fixed);
      });
  if (!is_plain) return true;
  for (const Body& body : simulation.bodies)
    if (body.spacing || body.density) return true;
  return std::any_of(simulation.heat.begin(), simulation.heat.end(),
                     [](const HeatPulse& pulse) { return pulse.start > 0 || pulse.length > 0; });
}

}  // namespace

bool needs_general_physics(const Case& simulation) {
  return is_general_beside_walls(simulation) || moves_walls(simulation);
}

bool needs_general_pairs(const Case& simulation) {
  if (is_general_beside_walls(simulation)) return true;
  if (!moves_walls(simulation)) return false;
  // Particles keep the sound speeds of the start.
  const bool is_constant =
      EquationsOfState<double>::visit(simulation.materials.front().equation_of_state,
                                      []<class Equation> { return Equation::has_constant_sound_speed; });
  return !is_constant || simulation.scheme.kernel != Kernel::wendland_c2;
}

namespace {

template <class Real>
PairModel<Real> make_pair_model(const Case& simulation) {
  const Scheme& scheme = simulation.scheme;
  const auto real = [](double value) { return static_cast<Real>(value); };
  const double usual = scheme.density_diffusion == DensityDiffusion::ferrari ? 1 : 0.1;
  const double spaced_shape =
      with_kernel(scheme.kernel, [&]<Kernel kernel> { return kernel_shape<kernel>(1 / simulation.smoothing); });
  return {.several_fluids = simulation.materials.size() > 1,
          .variable_smoothing_length = simulation.smoothing_length == SmoothingLength::by_density,
          .plain_pairs = !needs_general_pairs(simulation),
          .kernel_scale = real(kernel_scale(scheme.kernel, simulation.dimensions)),
          .artificial = real(scheme.artificial_viscosity),
          .quadratic = real(scheme.quadratic_viscosity),
          .laminar = scheme.laminar_viscosity,
          .no_slip = scheme.wall_flow == WallFlow::no_slip,
          .central_friction = scheme.viscosity_form == ViscosityForm::monaghan,
          .diffusion = scheme.density_diffusion,
          .diffusion_coefficient = real(scheme.diffusion_coefficient.value_or(usual)),
          .shifting = real(scheme.shifting.coefficient),
          .inverse_spaced_shape = real(1 / spaced_shape)};
}

}  // namespace

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice) {
  const Scheme& scheme = simulation.scheme;
  const Material& material = simulation.materials.front();
  const double h = simulation.smoothing * simulation.spacing;
  const double c = material.sound_speed;
  const auto real = [](double value) { return static_cast<Real>(value); };

  Parameters<Real, dimensions> p{};
  p.slice_bits = slice_bits(lattice, dimensions);
  p.cell_count = static_cast<std::uint32_t>(lattice.cell_count() << p.slice_bits);
  p.unit = real(lattice.unit);
  p.inverse_unit = real(1 / lattice.unit);
  p.bits = lattice.bits;
  for (int axis = 0; axis < dimensions; ++axis) {
    p.cells[axis] = axis == 0 ? lattice.cells[0] << p.slice_bits : lattice.cells[axis];
    p.period[axis] = static_cast<Coordinate<Real>>(lattice.period[axis]);
  }
  p.slab = {.first = 0, .count = p.cells[dimensions - 1], .period = 0, .is_part = false};

  p.most_density_deviation = real(simulation.most_density_deviation.value_or(std::numeric_limits<double>::infinity()));
  p.support_units_squared = real(std::pow(support(simulation) / lattice.unit, 2));
  // Differences between cells that touch have three bits more than a cell has. A shift takes up to one unit along each
  // axis, and float 1e-7 of a product.
  constexpr int coarse_bits = 26;
  p.coarse_shift = std::max(0, lattice.bits - coarse_bits);
  const double reach = support(simulation) / std::ldexp(lattice.unit, p.coarse_shift);
  p.coarse_support_squared = static_cast<float>(reach * reach);
  p.coarse_margin = 1e-5F * p.coarse_support_squared;

  const double value_scale = kernel_scale(scheme.kernel, dimensions) / std::pow(h, dimensions);
  p.kernel = scheme.kernel;
  p.smoothing_length = real(h);
  p.inverse_smoothing_length = real(1 / h);
  p.support_squared = real(support(simulation) * support(simulation));
  p.value_scale = real(value_scale);
  p.gradient_scale = real(value_scale / (h * h));

  p.mass = real(material.density * std::pow(simulation.spacing, dimensions));
  p.eos = make_eos<Real>(material);
  p.viscosity = real(2 * scheme.artificial_viscosity * c * h);
  p.softening = real(0.01 * h * h);
  if (scheme.density_diffusion == DensityDiffusion::molteni)
    p.diffusion_constant = real(2 * scheme.diffusion_coefficient.value_or(0.1) * h * c);
  if (scheme.density_diffusion == DensityDiffusion::ferrari)
    p.diffusion_slope = real(scheme.diffusion_coefficient.value_or(1) * c);
  for (int axis = 0; axis < dimensions; ++axis) p.gravity[axis] = real(scheme.gravity[axis]);

  p.walls = scheme.walls;
  p.repulsion = real(std::pow(h, dimensions) * c * c / 2);
  p.energy = scheme.energy;
  p.integrator = scheme.integrator;
  p.control = {.by_cfl = scheme.time_step == TimeStep::cfl,
               .dt = scheme.dt,
               .cfl = scheme.courant_number(),
               .smoothing_length = needs_general_pairs(simulation) ? 0 : h,
               .sound_speed = c,
               .max_dt = viscous_step(simulation),
               .force_dt = std::min(contact_step(simulation), capillary_step(simulation))};
  p.model = make_pair_model<Real>(simulation);
  return p;
}

template <class Real, int dimensions>
ModelTables<Real, dimensions> make_tables(const Case& simulation, const Lattice& lattice,
                                          std::vector<PathKnot>& knots) {
  const Scheme& scheme = simulation.scheme;
  const auto real = [](double value) { return static_cast<Real>(value); };
  ModelTables<Real, dimensions> p{};
  p.unit = lattice.unit;
  for (std::size_t k = 0; k < simulation.materials.size(); ++k) {
    const Material& material = simulation.materials[k];
    p.material[k] = {make_eos<Real>(material), real(material.kinematic_viscosity),
                     real(material.density / (material.sound_speed * material.sound_speed))};
  }
  p.smoothing = real(simulation.smoothing);
  p.max_smoothing_length = real(most_smoothing_length(simulation));
  const double surface = scheme.shifting.surface.value_or(0.75 * dimensions + (dimensions == 3 ? 0.5 : 0));
  p.surface = real(surface);
  p.inverse_interior = real(1 / (dimensions - surface));
  for (const HeatPulse& pulse : simulation.heat) {
    if (pulse.start == 0 && pulse.length == 0) continue;  // is in the particles from the start
    HeatPulseParameters<Real, dimensions>& parameters = p.heat_pulse[p.heat_pulses++];
    for (int axis = 0; axis < dimensions; ++axis)
      parameters.center[axis] =
          static_cast<Coordinate<Real>>(std::llround((pulse.at[axis] - lattice.origin[axis]) / lattice.unit));
    parameters.inverse_radius_squared = real(1 / (pulse.radius * pulse.radius));
    parameters.energy = pulse.energy;
    parameters.start = pulse.start;
    parameters.length = pulse.length;
  }
  int motions = 0;
  for (const Wall& wall : simulation.walls) {
    if (!moves(simulation, wall)) continue;
    MovementParameters& movement = p.movement[p.movements++];
    movement.first = motions;
    for (const Motion& motion : motions_of(simulation, wall, simulation.duration)) {
      p.motion[motions] = motion::make_parameters(motion, std::to_array(lattice.origin));
      p.motion[motions++].path = motion::append_path(motion, knots);
    }
    movement.count = motions - movement.first;
  }
  return p;
}

template ModelTables<float, 1> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template ModelTables<float, 2> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template ModelTables<float, 3> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template ModelTables<double, 1> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template ModelTables<double, 2> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template ModelTables<double, 3> make_tables(const Case&, const Lattice&, std::vector<PathKnot>&);
template Parameters<float, 1> make_parameters(const Case&, const Lattice&);
template Parameters<double, 1> make_parameters(const Case&, const Lattice&);
template Parameters<float, 2> make_parameters(const Case&, const Lattice&);
template Parameters<float, 3> make_parameters(const Case&, const Lattice&);
template Parameters<double, 2> make_parameters(const Case&, const Lattice&);
template Parameters<double, 3> make_parameters(const Case&, const Lattice&);

}  // namespace shoal::sph
