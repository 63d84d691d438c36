// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "collision/mixture/mixture_setup.hpp"
#include "core/text.hpp"
#include "gas/physics/maxwellian_item.hpp"

namespace shoal::gas {

namespace {

/// Mass of the molecules of each species / that of species 0.
std::vector<double> relative_masses(const std::optional<Mixture>& mixture) {
  if (!mixture) return {1};
  return {1, mixture->species[1].mass / mixture->species[0].mass};
}

/// Fluxes along x of the molecules of each species, and of momentum and energy of all.
struct ShockFluxes {
  std::array<double, 2> molecules = {};  ///< the second one is that of a mixture
  double momentum = 0, energy = 0;

  double distance(const ShockFluxes& other_side) const {
    double largest = std::max(std::abs(momentum / other_side.momentum - 1), std::abs(energy / other_side.energy - 1));
    for (std::size_t k = 0; k < molecules.size(); ++k)
      if (other_side.molecules[k] != 0)
        largest = std::max(largest, std::abs(molecules[k] / other_side.molecules[k] - 1));
    return largest;
  }
};

/// Adds the fluxes of the discrete Maxwellian of a species in a reservoir.
/// @param mass  relative mass of the species
void add_fluxes(const NodeVelocities& nodes, const GasBoundary& reservoir, std::size_t species, double mass,
                ShockFluxes& fluxes) {
  DiscreteMaxwellian maxwellian;
  const double density = species == 0 ? reservoir.density : reservoir.second_density;
  const double temperature = reservoir.temperature / mass;
  require(
      maxwellian.fit(nodes, density, reservoir.velocity.data(), temperature), "gas: the velocity grid of ", nodes.n,
      " nodes and half width ", nodes.half_width, " m/s has no Maxwellian of a side of the shock: density ", density,
      " 1/m3, velocity ", reservoir.velocity[0], " m/s, temperature ", temperature,
      " m2/s2. Use a half width of about 5 thermal speeds of the hot side, and a spacing of at most 0.7 of the cold "
      "one.");
  for (int z = 0; z < nodes.n; ++z)
    for (int y = 0; y < nodes.n; ++y)
      for (int x = 0; x < nodes.n; ++x) {
        const double v[3] = {nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z)};
        const double flux = v[0] * maxwellian.value(x, y, z) * nodes.volume();
        fluxes.molecules[species] += flux;
        fluxes.momentum += mass * v[0] * flux;
        fluxes.energy += mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 * flux;
      }
}

ShockFluxes discrete_fluxes(const NodeVelocities& nodes, const GasBoundary& reservoir,
                            const std::vector<double>& masses) {
  ShockFluxes fluxes;
  for (std::size_t k = 0; k < masses.size(); ++k) add_fluxes(nodes, reservoir, k, masses[k], fluxes);
  return fluxes;
}

/// The subsonic gas with these fluxes, as integrals: with the fluxes j of all molecules, m of mass, P of momentum and E of energy,
/// 4 u² − 5 (P/m) u + 2 E/m = 0 and j T = u (P − m u).
GasBoundary subsonic(const ShockFluxes& fluxes, const std::vector<double>& masses) {
  double molecules = 0, mass = 0;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    molecules += fluxes.molecules[k];
    mass += masses[k] * fluxes.molecules[k];
  }
  const double p = fluxes.momentum / mass, e = fluxes.energy / mass;
  const double u = (5 * p - std::sqrt(25 * p * p - 32 * e)) / 8;
  return {.kind = GasBoundaryKind::behind_shock,
          .temperature = u * (p - u) * (mass / molecules),
          .velocity = {u, 0, 0},
          .density = fluxes.molecules[0] / u,
          .second_density = masses.size() == 1 ? GasBoundary{}.second_density : fluxes.molecules[1] / u};
}

/// Speed of sound: √(5/3 p/ρ), of a mixture that of both gases.
double sound_speed(const GasBoundary& gas, const std::vector<double>& masses) {
  double molecules = gas.density, mass = gas.density;
  if (masses.size() == 2) molecules += gas.second_density, mass += masses[1] * gas.second_density;
  return std::sqrt(5 * gas.temperature / 3 * (molecules / mass));
}

}  // namespace

GasBoundary behind_shock(const VelocityGrid& velocities, const GasBoundary& ahead,
                         const std::optional<Mixture>& mixture) {
  require(ahead.kind == GasBoundaryKind::inflow, "gas: the boundary ahead of a shock is ", to_name(ahead.kind),
          ", expected inflow.");
  if (mixture) collision::check_mixture(*mixture);
  const std::vector<double> masses = relative_masses(mixture);
  require(!mixture || ahead.second_density > 0, "gas: the gas ahead of a shock has a density of species 1 of ",
          ahead.second_density, " 1/m3, expected a positive number.");
  const double sound = sound_speed(ahead, masses), u = ahead.velocity[0];
  require(ahead.temperature > 0 && ahead.density > 0 && std::isfinite(u) && u > sound,
          "gas: the gas ahead of a shock has u_x = ", u, " m/s, temperature ", ahead.temperature, " m2/s2 and density ",
          ahead.density, " 1/m3, expected positive numbers, and a velocity above that of sound, ", sound, " m/s.");
  require(ahead.velocity[1] == 0 && ahead.velocity[2] == 0, "gas: the gas ahead of a shock moves along y or z at (",
          ahead.velocity[1], ", ", ahead.velocity[2], ") m/s, expected 0: a normal shock.");
  const NodeVelocities nodes(velocities);
  const ShockFluxes target = discrete_fluxes(nodes, ahead, masses);
  ShockFluxes integrals = target;
  constexpr int most_iterations = 50;
  constexpr double rounding = 1e-13;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const GasBoundary behind = subsonic(integrals, masses);
    const ShockFluxes sums = discrete_fluxes(nodes, behind, masses);
    if (sums.distance(target) < rounding) return behind;
    for (std::size_t k = 0; k < masses.size(); ++k) integrals.molecules[k] += target.molecules[k] - sums.molecules[k];
    integrals.momentum += target.momentum - sums.momentum;
    integrals.energy += target.energy - sums.energy;
  }
  throw Error(text("gas: the velocity grid of ", nodes.n, " nodes and half width ", nodes.half_width,
                   " m/s has no Maxwellian with the fluxes behind the shock. Enlarge the half width."));
}

}  // namespace shoal::gas
