// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gas/planes.hpp"
#include "support/devices.hpp"

namespace shoal::testing_support {

/// Maxwell molecules with a mass ratio of 2.
inline Mixture maxwell_mixture() {
  Mixture mixture({.rate = 1, .mass = 1}, {.rate = 0.7, .mass = 0.5});
  mixture.cross_rate = 0.8;
  return mixture;
}

/// Hard spheres with a mass ratio of 2.
inline Mixture sphere_mixture() {
  return Mixture({.model = MoleculeModel::hard_sphere, .diameter = 0.4, .mass = 1},
                 {.model = MoleculeModel::hard_sphere, .diameter = 0.3, .mass = 0.5});
}

/// Two gases of the same molecules.
inline Mixture equal_gases(Molecules molecules) {
  molecules.mass = 1;
  Mixture mixture(molecules, molecules);
  mixture.cross_rate = molecules.rate;
  return mixture;
}

inline CollisionOptions coarse_spectral() {
  return {.approach = CollisionApproach::spectral,
          .directions = {.degree = 3},
          .radii = 4,
          .projection = CollisionProjection::maxwellian,
          .negative = NegativeDistribution::accept};
}

/// Ends with the densities of both species.
inline std::array<GasBoundary, 2> with_densities(std::array<GasBoundary, 2> ends,
                                                 const std::array<double, 2>& densities) {
  for (GasBoundary& end : ends) end.density = densities[0], end.second_density = densities[1];
  return ends;
}

/// Uneven states of cells of both species.
inline std::vector<VelocityMoments> mixture_waves(int cells) {
  std::vector<VelocityMoments> states = waves(cells);
  for (int i = 0; i < cells; ++i) {
    const double phase = 6.283185307179586 * (i + 0.5) / cells;
    states.push_back(state(0.6 - 0.2 * std::sin(phase), {0.1, -0.2 * std::sin(phase), 0}, 1.6 + 0.1 * std::cos(phase)));
  }
  return states;
}

/// Uneven states of the cells of a plane of both species.
inline std::vector<VelocityMoments> mixture_ripples(int columns, int rows) {
  std::vector<VelocityMoments> states = ripples(columns, rows);
  for (int cell = 0; cell < columns * rows; ++cell) {
    const VelocityMoments first = states[static_cast<std::size_t>(cell)];
    states.push_back(state(0.9 - 0.4 * first.density, {first.velocity[1], 0.1, -first.velocity[0]}, 1.5));
  }
  return states;
}

/// Mass of each species, then momentum and energy of both together, for each unit of area.
template <class Real>
std::array<double, 6> mixture_totals(Gas<Real>& flow, const Mixture& mixture) {
  std::array<double, 6> sum{};
  const std::vector<VelocityMoments> moments = flow.moments();
  const std::size_t cells = moments.size() / 2;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const std::size_t species = i / cells, cell = i % cells, columns = flow.faces().size() - 1;
    const auto width = [&](int axis, std::size_t place) {
      return flow.faces(axis)[place + 1] - flow.faces(axis)[place];
    };
    const double size = width(0, cell % columns) * (flow.dimensions() == 2 ? width(1, cell / columns) : 1);
    const double mass = mixture.species[species].mass * moments[i].density * size;
    sum[species] += mass;
    double u2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double u = moments[i].velocity[axis];
      sum[2 + axis] += mass * u;
      u2 += u * u;
    }
    sum[5] += mass * (3 * moments[i].temperature + u2) / 2;
  }
  return sum;
}

/// Two cells of a mixture that is the same everywhere.
struct UniformMixture {
  Mixture mixture;
  GasOptions options;
  VelocityGrid grid{.nodes = 16, .half_width = 7};

  Gas<double> at(const VelocityMoments& first, const VelocityMoments& second) const {
    Gas<double> flow(Queue::cpu(1), grid, {0, 1, 2}, periodic_ends, mixture, options);
    flow.start({first, second});
    return flow;
  }
};

}  // namespace shoal::testing_support
