// SPDX-License-Identifier: Apache-2.0
#include <shoal/sph/warnings.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "sph/physics/boundaries/boundaries.hpp"
#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/physics/steps/integrator_item.hpp"
#include "sph/physics/surface_tension/surface_tension.hpp"
#include "sph/setup/checks/expected_flow.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/setup/parts/case_parts.hpp"
#include "sph/waves/wave_warnings.hpp"

namespace shoal::sph {

namespace {

/// Value with three significant digits, rounded by `round`.
template <class Round>
float with_three_digits(double value, const Round& round) {
  if (!(value > 0) || !std::isfinite(value)) return static_cast<float>(value);
  const double scale = std::pow(10, 2 - std::floor(std::log10(value)));
  return static_cast<float>(round(value * scale) / scale);
}

float shown(double value) {
  return with_three_digits(value, [](double number) { return std::round(number); });
}
float percent(double share) { return shown(100 * share); }

constexpr double rounding = 1e-9;

/// Rounded up, for "or more".
float at_least(double value) {
  return with_three_digits(value, [](double number) { return std::ceil(number * (1 - rounding)); });
}
/// Rounded down, for "at most".
float at_most(double value) {
  return with_three_digits(value, [](double number) { return std::floor(number * (1 + rounding)); });
}

/// Courant number of the default step control of an integrator.
double usual_courant_number(Integrator integrator) {
  Scheme scheme;
  scheme.integrator = integrator;
  return scheme.courant_number();
}

const Material* material_of(const Case& simulation, const Body& body) {
  for (const Material& material : simulation.materials)
    if (material.name == body.material) return &material;
  return nullptr;
}

bool is_used(const Case& simulation, const Material& material) {
  return std::any_of(simulation.bodies.begin(), simulation.bodies.end(),
                     [&](const Body& body) { return body.material == material.name; });
}

void add_sound_speed(const Case& simulation, const Material& material, std::vector<Warning>& list) {
  if (!is_used(simulation, material) || !has_numerical_sound_speed(simulation, material)) return;
  const double suitable = suitable_sound_speed(simulation, material);
  const double ratio = suitable / material.sound_speed;
  const double change = 0.01 * ratio * ratio;
  if (change <= largest_density_change) return;
  list.push_back(
      {"sound_speed", change, largest_density_change,
       text("material.", material.name, ".sound_speed = ", shown(material.sound_speed),
            " m/s lets the density change by about ", percent(change), " %, expected at most ",
            percent(largest_density_change), " %: the flow reaches about ", shown(expected_speed(simulation)), " m/s."),
       text("Set it to ", at_least(suitable), " m/s or more, or leave it out.")});
}

/// Largest sound speed of a body at the start, m/s.
double fastest_sound(const Case& simulation) {
  double heat = 0;
  for (const HeatPulse& pulse : simulation.heat) heat += std::max(0.0, pulse.energy);
  double squared = 0;
  for (const Body& body : simulation.bodies) {
    const Material* material = material_of(simulation, body);
    if (!material) continue;
    const double deviation = body.density.value_or(material->density) - material->density;
    squared = std::max(squared, sound_speed_squared(make_eos<double>(*material), deviation, body.energy + heat));
  }
  return std::sqrt(squared);
}

void add_courant_number(const Case& simulation, std::vector<Warning>& list) {
  const Scheme& scheme = simulation.scheme;
  const double limit = stable_courant_number(scheme.integrator);
  const std::string beyond =
      text(", beyond the stability limit of ", to_name(scheme.integrator), ", about ", shown(limit), ".");
  if (scheme.time_step == TimeStep::cfl) {
    if (scheme.courant_number() > limit)
      list.push_back({"time_step", scheme.courant_number(), limit,
                      text("scheme.cfl = ", shown(scheme.courant_number()), beyond),
                      text("Set it to ", shown(usual_courant_number(scheme.integrator)), ".")});
    return;
  }
  const double h = finest_smoothing_length(simulation);
  const Vector& g = scheme.gravity;
  const double by_sound = h / (fastest_sound(simulation) + expected_speed(simulation));
  const double by_gravity = std::sqrt(h / std::hypot(g[0], g[1], g[2]));
  const double unit = std::min(by_sound, by_gravity);
  if (scheme.dt <= limit * unit) return;
  list.push_back({"time_step", scheme.dt / unit, limit,
                  text("scheme.dt = ", shown(scheme.dt), " s is a Courant number of ", shown(scheme.dt / unit), beyond),
                  text("Set it to at most ", at_most(usual_courant_number(scheme.integrator) * unit),
                       " s, or set scheme.time_step = \"cfl\".")});
}

void add_viscous_step(const Case& simulation, std::vector<Warning>& list) {
  const Scheme& scheme = simulation.scheme;
  const double limit = viscous_step(simulation);
  if (scheme.time_step == TimeStep::cfl || scheme.dt <= limit) return;
  list.push_back({"time_step", scheme.dt, limit,
                  text("scheme.dt = ", shown(scheme.dt),
                       " s is beyond the stability limit of laminar viscosity, 0.125 h^2/nu = ", shown(limit), " s."),
                  text("Set it to at most ", at_most(limit), " s, or set scheme.time_step = \"cfl\".")});
}

void add_capillary_step(const Case& simulation, std::vector<Warning>& list) {
  const Scheme& scheme = simulation.scheme;
  const double limit = capillary_step(simulation);
  if (scheme.time_step == TimeStep::cfl || scheme.dt <= limit) return;
  list.push_back({"time_step", scheme.dt, limit,
                  text("scheme.dt = ", shown(scheme.dt),
                       " s is beyond the stability limit of surface tension, 0.25 (density h^3/(2 pi sigma))^1/2 = ",
                       shown(limit), " s."),
                  text("Set it to at most ", at_most(limit), " s, or set scheme.time_step = \"cfl\".")});
}

bool has_tension(const Case& simulation, const std::string& material) {
  const auto is_of_pair = [&](const SurfaceTension& tension) {
    return std::find(tension.between.begin(), tension.between.end(), material) != tension.between.end();
  };
  return std::any_of(simulation.surface_tensions.begin(), simulation.surface_tensions.end(), is_of_pair);
}

/// Bodies at less pressure than the tension of their interfaces; the first of them is named.
void add_capillary_pressure(const Case& simulation, std::vector<Warning>& list) {
  const double limit = capillary_pressure(simulation);
  for (const Body& body : simulation.bodies) {
    const Material* const material = material_of(simulation, body);
    if (!material || !has_tension(simulation, material->name)) continue;
    const double deviation = body.density.value_or(material->density) - material->density;
    const double start = pressure(make_eos<double>(*material), deviation, body.energy);
    if (start >= limit * (1 - 0.01)) continue;
    list.push_back(
        {"tension", start, limit,
         text("a body of ", body.material, " starts at ", shown(start),
              " Pa, expected at least the largest coefficient of surface tension over the smoothing length, ",
              shown(limit), " Pa: particles gather along interfaces."),
         "Let the liquids fill a closed or periodic domain, and raise body.density."});
    return;
  }
}

/// Number of rows of particles that keep particles on both sides of them out of each other's reach.
/// @param reach  in spacings
double rows_within(double reach) { return std::ceil(reach - rounding) - 1; }

double narrowest(const Box& box, int dimensions) {
  double width = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < dimensions; ++axis) width = std::min(width, box.to[axis] - box.from[axis]);
  return width;
}

/// Smallest distance between opposite closed sides of a wall, m.
double narrowest_gap(const Wall& wall, const Case& simulation) {
  const int dimensions = simulation.dimensions;
  const Box box = inner_bounds(wall.box, wall.shape, simulation);
  double width = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < dimensions; ++axis)
    if (!is_open(wall, axis, false, dimensions) && !is_open(wall, axis, true, dimensions))
      width = std::min(width, box.to[axis] - box.from[axis]);
  return width;
}

void add_layers(const Case& simulation, std::size_t number, double reach, std::vector<Warning>& list) {
  const Wall& wall = simulation.walls[number];
  const double limit = rows_within(reach);
  const double thickness = wall.solid ? narrowest(inner_bounds(wall.box, wall.shape, simulation), simulation.dimensions)
                                      : std::numeric_limits<double>::infinity();
  const double rows_of_solid = std::floor(thickness / simulation.spacing + 0.5);
  const double layers = has_pressure(simulation.scheme.walls) ? wall.layers : limit;
  const double rows = std::min(layers, rows_of_solid);
  if (rows >= limit) return;
  list.push_back({"wall_layers", rows, limit,
                  text(wall_name(simulation, number), " has ", rows, " layers of particles, expected ", limit,
                       " or more, since the kernel reaches ", shown(reach), " spacings."),
                  layers < limit ? text("Set its layers = ", limit, " or more.")
                                 : text("Set particles.spacing to at most ", at_most(thickness / limit), " m.")});
}

void add_gap(const Case& simulation, std::size_t number, double reach, std::vector<Warning>& list) {
  const Wall& wall = simulation.walls[number];
  if (wall.solid) return;
  const double gap = narrowest_gap(wall, simulation);
  const double rows = std::floor(gap / simulation.spacing + 0.5);
  const double limit = rows_within(2 * reach);
  if (rows >= limit) return;
  list.push_back(
      {"wall_gap", rows, limit,
       text(wall_name(simulation, number), " encloses ", rows, " particles between opposite sides, expected ", limit,
            " or more: fluid in the middle interacts with both sides."),
       text("Set particles.spacing to at most ", at_most(gap / limit), " m.")});
}

/// Ranks have layers across the last axis: a case that is much longer along another one has few layers and large halos.
void add_slab_axis(const Case& simulation, int ranks, std::vector<Warning>& list) {
  constexpr double largest_ratio = 2;
  const Box box = bounds_of_parts(simulation);
  const auto length = [&](int axis) { return box.to[axis] - box.from[axis]; };
  const int last = simulation.dimensions - 1;
  int longest = last;
  for (int axis = last - 1; axis >= 0; --axis)
    if (length(axis) > length(longest)) longest = axis;
  const double ratio = length(longest) / length(last);
  if (ranks == 1 || ratio <= largest_ratio) return;
  const auto name = to_name(static_cast<Axis>(last));
  list.push_back({"slab_axis", ratio, largest_ratio,
                  text(ranks, " ranks share layers across ", name, ", where the bodies and walls are ",
                       shown(length(last)), " m long, and ", shown(length(longest)), " m along ",
                       to_name(static_cast<Axis>(longest)), ": ranks have few layers and exchange many particles."),
                  text("Turn the case so that it is longest along ", name, ", or use one rank.")});
}

}  // namespace

std::vector<Warning> warnings(const Case& simulation, int ranks) {
  std::vector<Warning> list;
  for (const Material& material : simulation.materials) add_sound_speed(simulation, material, list);
  add_courant_number(simulation, list);
  add_viscous_step(simulation, list);
  add_capillary_step(simulation, list);
  add_capillary_pressure(simulation, list);
  const double reach = kernel_radius(simulation.scheme.kernel) * simulation.smoothing;
  for (std::size_t wall = 0; wall < simulation.walls.size(); ++wall) {
    add_layers(simulation, wall, reach, list);
    add_gap(simulation, wall, reach, list);
  }
  for (std::size_t number = 0; number < simulation.wavemakers.size(); ++number)
    add_wave_warnings(simulation, number, list);
  add_slab_axis(simulation, ranks, list);
  return list;
}

std::vector<Warning> warnings(const Case& simulation, const Balance& balance) {
  const auto is_soft = [&](const Material& material) { return has_numerical_sound_speed(simulation, material); };
  if (!std::all_of(simulation.materials.begin(), simulation.materials.end(), is_soft)) return {};
  const double change = balance.density_error;
  if (change <= largest_density_change) return {};
  const double factor = std::sqrt(change / 0.01);
  return {{"density_change", change, largest_density_change,
           text("at t = ", shown(balance.clock.time), " s the density differs from its reference by ", percent(change),
                " % (root mean square; largest ", percent(balance.largest_density_error), " %), expected at most ",
                percent(largest_density_change), " %: the liquid is too soft for its speeds."),
           text("Raise the sound_speed of ", simulation.materials.front().name, " to about ",
                shown(factor * simulation.materials.front().sound_speed), " m/s.")}};
}

}  // namespace shoal::sph
