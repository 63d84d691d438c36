// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "gas/physics/maxwellian_item.hpp"

namespace shoal::gas {

namespace {

/// Fluxes of mass, momentum and energy along x.
struct ShockFluxes {
  double mass = 0, momentum = 0, energy = 0;

  double distance(const ShockFluxes& other_side) const {
    return std::max({std::abs(mass / other_side.mass - 1), std::abs(momentum / other_side.momentum - 1),
                     std::abs(energy / other_side.energy - 1)});
  }
};

/// Fluxes of the discrete Maxwellian of a reservoir.
ShockFluxes discrete_fluxes(const NodeVelocities& nodes, const GasBoundary& reservoir) {
  DiscreteMaxwellian maxwellian;
  require(
      maxwellian.fit(nodes, reservoir.density, reservoir.velocity.data(), reservoir.temperature),
      "gas: the velocity grid of ", nodes.n, " nodes and half width ", nodes.half_width,
      " m/s has no Maxwellian of a side of the shock: density ", reservoir.density, " 1/m3, velocity ",
      reservoir.velocity[0], " m/s, temperature ", reservoir.temperature,
      " m2/s2. Use a half width of about 5 thermal speeds of the hot side, and a spacing of at most 0.7 of the cold "
      "one.");
  ShockFluxes fluxes;
  for (int z = 0; z < nodes.n; ++z)
    for (int y = 0; y < nodes.n; ++y)
      for (int x = 0; x < nodes.n; ++x) {
        const double v[3] = {nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z)};
        const double flux = v[0] * maxwellian.value(x, y, z) * nodes.volume();
        fluxes.mass += flux;
        fluxes.momentum += v[0] * flux;
        fluxes.energy += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 * flux;
      }
  return fluxes;
}

/// The subsonic gas with these fluxes, as integrals: 4 u² − 5 (P/m) u + 2 E/m = 0 and T = P u/m − u².
GasBoundary subsonic(const ShockFluxes& fluxes) {
  const double p = fluxes.momentum / fluxes.mass, e = fluxes.energy / fluxes.mass;
  const double u = (5 * p - std::sqrt(25 * p * p - 32 * e)) / 8;
  return {.kind = GasBoundaryKind::behind_shock,
          .temperature = u * (p - u),
          .velocity = {u, 0, 0},
          .density = fluxes.mass / u};
}

}  // namespace

GasBoundary behind_shock(const VelocityGrid& velocities, const GasBoundary& ahead) {
  require(ahead.kind == GasBoundaryKind::inflow, "gas: the boundary ahead of a shock is ", to_name(ahead.kind),
          ", expected inflow.");
  const double sound = std::sqrt(5 * ahead.temperature / 3), u = ahead.velocity[0];
  require(ahead.temperature > 0 && ahead.density > 0 && std::isfinite(u) && u > sound,
          "gas: the gas ahead of a shock has u_x = ", u, " m/s, temperature ", ahead.temperature, " m2/s2 and density ",
          ahead.density, " 1/m3, expected positive numbers, and a velocity above that of sound, ", sound, " m/s.");
  require(ahead.velocity[1] == 0 && ahead.velocity[2] == 0, "gas: the gas ahead of a shock moves along y or z at (",
          ahead.velocity[1], ", ", ahead.velocity[2], ") m/s, expected 0: a normal shock.");
  const NodeVelocities nodes(velocities);
  const ShockFluxes target = discrete_fluxes(nodes, ahead);
  ShockFluxes integrals = target;
  constexpr int most_iterations = 50;
  constexpr double rounding = 1e-13;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const GasBoundary behind = subsonic(integrals);
    const ShockFluxes sums = discrete_fluxes(nodes, behind);
    if (sums.distance(target) < rounding) return behind;
    integrals.mass += target.mass - sums.mass;
    integrals.momentum += target.momentum - sums.momentum;
    integrals.energy += target.energy - sums.energy;
  }
  throw Error(text("gas: the velocity grid of ", nodes.n, " nodes and half width ", nodes.half_width,
                   " m/s has no Maxwellian with the fluxes behind the shock. Enlarge the half width."));
}

}  // namespace shoal::gas
