// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/surface_tension/surface_tension.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/text.hpp"
#include "sph/require_number.hpp"
#include "sph/setup/parameters.hpp"

namespace shoal::sph {

namespace {

std::size_t material_named(const Case& simulation, const std::string& name) {
  std::vector<std::string> names;
  for (const Material& material : simulation.materials) names.push_back(material.name);
  const auto entry = std::find(names.begin(), names.end(), name);
  require(entry != names.end(), "sph: surface_tension.between has \"", name,
          "\", expected a [material.NAME]: ", join(names), ".");
  return static_cast<std::size_t>(entry - names.begin());
}

bool is_same_pair(const SurfaceTension& a, const SurfaceTension& b) {
  return a.between == b.between || (a.between[0] == b.between[1] && a.between[1] == b.between[0]);
}

void check_pair(const Case& simulation, std::size_t number) {
  const SurfaceTension& tension = simulation.surface_tensions[number];
  const std::vector<std::string>& between = tension.between;
  require(between.size() == 2, "sph: surface_tension.between has ", between.size(),
          " names, expected two materials, as in between = [\"oil\", \"water\"].");
  require(material_named(simulation, between[0]) != material_named(simulation, between[1]),
          "sph: surface_tension.between has \"", between[0],
          "\" twice, expected two materials. A free surface has no surface tension.");
  require_positive(tension.coefficient, "surface_tension.coefficient", " N/m");
  require(tension.repulsion >= 0 && tension.repulsion <= 1, "sph: surface_tension.repulsion = ", tension.repulsion,
          ", expected 0 to 1.");
  for (std::size_t k = 0; k < number; ++k)
    require(!is_same_pair(tension, simulation.surface_tensions[k]), "sph: two [[surface_tension]] are between \"",
            between[0], "\" and \"", between[1], "\". Remove one.");
}

}  // namespace

template <class Real>
std::vector<Interface<Real>> make_interfaces(const Case& simulation) {
  std::vector<Interface<Real>> interfaces;
  if (simulation.surface_tensions.empty()) return interfaces;
  const std::size_t materials = simulation.materials.size();
  interfaces.resize(materials * materials);
  for (const SurfaceTension& tension : simulation.surface_tensions) {
    const std::size_t first = material_named(simulation, tension.between[0]);
    const std::size_t second = material_named(simulation, tension.between[1]);
    interfaces[first * materials + second] = interfaces[second * materials + first] = {
        static_cast<Real>(tension.coefficient), static_cast<Real>(tension.repulsion)};
  }
  return interfaces;
}

double capillary_step(const Case& simulation) {
  const double h = finest_smoothing_length(simulation);
  double most = std::numeric_limits<double>::infinity();
  for (const SurfaceTension& tension : simulation.surface_tensions)
    for (const std::string& name : tension.between) {
      const double density = simulation.materials[material_named(simulation, name)].density;
      most = std::min(most, 0.25 * std::sqrt(density * h * h * h / (2 * std::numbers::pi * tension.coefficient)));
    }
  return most;
}

double capillary_pressure(const Case& simulation) {
  double largest = 0;
  for (const SurfaceTension& tension : simulation.surface_tensions) largest = std::max(largest, tension.coefficient);
  return largest / finest_smoothing_length(simulation);
}

void check_surface_tension(const Case& simulation) {
  if (simulation.surface_tensions.empty()) return;
  require(
      simulation.dimensions > 1,
      "sph: the case has a surface tension, but a 1-D interface has no curvature. Set particles.dimensions = 2 or 3.");
  require(simulation.smoothing_length == SmoothingLength::uniform,
          "sph: surface tension needs particles.smoothing_length = \"uniform\".");
  require(simulation.rigid_bodies.empty(),
          "sph: the case has a surface tension and a [[rigid_body]], on which interfaces would not pull. Remove one.");
  for (std::size_t k = 0; k < simulation.surface_tensions.size(); ++k) check_pair(simulation, k);
}

template std::vector<Interface<float>> make_interfaces(const Case&);
template std::vector<Interface<double>> make_interfaces(const Case&);

}  // namespace shoal::sph
