// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/require_number.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

namespace {

/// "open_boundary 0" or "open_boundary "inlet"", for messages.
std::string name_of(const Case& simulation, std::size_t number) {
  return part_name("open_boundary", simulation.open_boundaries[number].name, number);
}

void check_box(const Case& simulation, const OpenBoundary& boundary, const std::string& name) {
  const int across = axis_of(boundary.fluid, simulation.dimensions);
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const double length = boundary.box.to[k] - boundary.box.from[k];
    const double least = axis == across ? support(simulation) : simulation.spacing;
    require(std::isfinite(length) && length >= least, "sph: the box of ", name, " spans [", boundary.box.from[k], ", ",
            boundary.box.to[k], "] m along ", to_name(static_cast<Axis>(axis)), ", expected at least ", least, " m: ",
            axis == across ? "the support of the kernel, so that fluid beside it has all its neighbors."
                           : "a particle spacing.");
  }
  for (const Axis axis : simulation.scheme.periodic)
    require(static_cast<int>(axis) != across, "sph: ", name, " meets the fluid along ", to_name(axis),
            ", along which the domain repeats. Take the axis out of scheme.periodic.");
}

/// The box and its mirror image must be inside the domain.
void check_place(const Case& simulation, const OpenBoundary& boundary, const std::string& name) {
  const Box domain = domain_of(simulation);
  const int across = axis_of(boundary.fluid, simulation.dimensions);
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const double depth = axis == across ? boundary.box.to[k] - boundary.box.from[k] : 0;
    const bool up = is_upper(boundary.fluid);
    const double from = boundary.box.from[k] - (up ? 0 : depth), to = boundary.box.to[k] + (up ? depth : 0);
    const double slack = 1e-9 * (to - from);
    require(from >= domain.from[k] - slack && to <= domain.to[k] + slack, "sph: ", name,
            " and as much fluid beside it span [", from, ", ", to, "] m along ", to_name(static_cast<Axis>(axis)),
            ", but the domain is [", domain.from[k], ", ", domain.to[k], "] m. Enlarge [domain], or move the box.");
  }
}

void check_apart(const Case& simulation, std::size_t number) {
  const Box& box = simulation.open_boundaries[number].box;
  for (std::size_t earlier = 0; earlier < number; ++earlier) {
    const Box& before = simulation.open_boundaries[earlier].box;
    bool overlaps = true;
    for (std::size_t k = 0; k < static_cast<std::size_t>(simulation.dimensions); ++k)
      overlaps = overlaps && box.from[k] < before.to[k] && before.from[k] < box.to[k];
    require(!overlaps, "sph: the boxes of ", name_of(simulation, earlier), " and ", name_of(simulation, number),
            " overlap, expected boxes that are apart. Move one of them.");
  }
}

/// @return  material of the fluid that enters
const Material& checked_material(const Case& simulation, const OpenBoundary& boundary, const std::string& name) {
  const auto index = static_cast<std::size_t>(material_index(simulation, boundary.material));
  const Material& material = simulation.materials[index];
  require(boundary.material.empty() || material.name == boundary.material, "sph: open_boundary.material = \"",
          boundary.material, "\" is not a [material.NAME] of the case.");
  const bool is_liquid = EquationsOfState<double>::visit(
      material.equation_of_state, [&]<class Equation> { return Equation::has_density_at_pressure; });
  require(is_liquid && !simulation.scheme.energy, "sph: ", name, " is of material ", material.name,
          " in a case with internal energy, which entering fluid is not given. Set scheme.energy = false and an "
          "equation of state of a liquid.");
  return material;
}

void check_speeds(const OpenBoundary& boundary, const std::string& name) {
  const bool has_table = !boundary.speeds.empty() || !boundary.times.empty();
  require(!(boundary.velocity && has_table), "sph: ", name, " has a velocity and speeds at times. Remove one of them.");
  if (boundary.velocity) require_not_negative(*boundary.velocity, "open_boundary.velocity", " m/s");
  require(!(boundary.returns && boundary.is_inlet()), "sph: ", name,
          " has a velocity and returns = true, expected an outlet. Remove one of them.");
  require_not_negative(boundary.ramp, "open_boundary.ramp", " s");
  require(boundary.ramp == 0 || boundary.velocity, "sph: ", name,
          " has a ramp without a velocity. Give the velocity, or remove the ramp.");
  require(boundary.times.size() == boundary.speeds.size(), "sph: ", name, " has ", boundary.times.size(), " times and ",
          boundary.speeds.size(), " speeds, expected one speed a time.");
  for (std::size_t k = 0; k < boundary.times.size(); ++k) {
    require_not_negative(boundary.speeds[k], "open_boundary.speeds", " m/s");
    require(std::isfinite(boundary.times[k]) && (k == 0 || boundary.times[k] > boundary.times[k - 1]), "sph: ", name,
            " has the time ", boundary.times[k], " s after ", k == 0 ? 0 : boundary.times[k - 1],
            " s, expected times one later than the other.");
  }
}

void check_level(const Case& simulation, const OpenBoundary& boundary, const Material& material,
                 const std::string& name) {
  if (boundary.pressure)
    require(std::isfinite(density_deviation_at(make_eos<double>(material), *boundary.pressure)),
            "sph: open_boundary.pressure = ", *boundary.pressure,
            " Pa, expected a pressure at which the equation of state of ", material.name, " has a density.");
  if (!boundary.water_level) return;
  require(std::isfinite(*boundary.water_level), "sph: open_boundary.water_level = ", *boundary.water_level,
          " m, expected a finite number.");
  int axes = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    axes += simulation.scheme.gravity[static_cast<std::size_t>(axis)] != 0;
  require(axes == 1, "sph: ", name, " has a water_level, but gravity acts along ", axes,
          " axes, expected one: a level is a height. Set scheme.gravity.");
}

}  // namespace

void check_open_boundaries(const Case& simulation) {
  for (std::size_t k = 0; k < simulation.open_boundaries.size(); ++k) {
    const OpenBoundary& boundary = simulation.open_boundaries[k];
    const std::string name = name_of(simulation, k);
    check_box(simulation, boundary, name);
    check_apart(simulation, k);
    check_place(simulation, boundary, name);
    check_speeds(boundary, name);
    check_level(simulation, boundary, checked_material(simulation, boundary, name), name);
  }
}

double largest_inflow_speed(const Case& simulation) {
  double most = 0;
  for (const OpenBoundary& boundary : simulation.open_boundaries) {
    most = std::max(most, boundary.velocity.value_or(0));
    for (const double speed : boundary.speeds) most = std::max(most, speed);
  }
  return most;
}

}  // namespace shoal::sph
