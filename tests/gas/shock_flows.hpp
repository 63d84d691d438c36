// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gas/flows.hpp"

namespace shoal::testing_support {

inline GasBoundary reservoir(double density, double velocity, double temperature) {
  return {
      .kind = GasBoundaryKind::inflow, .temperature = temperature, .velocity = {velocity, 0, 0}, .density = density};
}

/// A shock of hard spheres in a model, with lengths in mean free paths of the gas ahead.
struct ShockFlow {
  double mach;
  VelocityGrid grid;
  double begin, end;
  int cells;
  GasModel model = GasModel::bgk;

  GasBoundary ahead() const { return reservoir(1, mach * std::sqrt(5. / 3), 1); }
  GasBoundary behind() const { return gas::behind_shock(grid, ahead()); }
  Gas<double> gas(int threads = 2) const {
    const Molecules molecules =
        gas::molecules_of_knudsen(MoleculeModel::hard_sphere, gas::MeanFreePath::hard_sphere, 1, 1, 1, 1);
    return {Queue::cpu(threads), grid,      gas::uniform_faces(begin, end, cells),
            {ahead(), behind()}, molecules, {.model = model}};
  }
  /// Both states, with a jump at x = 0.
  std::vector<VelocityMoments> start() const {
    std::vector<VelocityMoments> states;
    const GasBoundary sides[] = {ahead(), behind()};
    for (int cell = 0; cell < cells; ++cell) {
      const GasBoundary& side = sides[begin + (cell + 0.5) * (end - begin) / cells < 0 ? 0 : 1];
      states.push_back(state(side.density, side.velocity, side.temperature));
    }
    return states;
  }
};

inline constexpr ShockFlow weak{1.4, {.nodes = 14, .half_width = 6, .center = {1.3, 0, 0}}, -12, 12, 48};
inline constexpr ShockFlow strong{2, {.nodes = 18, .half_width = 7.8, .center = {1.2, 0, 0}}, -14, 9, 60};
inline constexpr ShockFlow fast{3, {.nodes = 20, .half_width = 9, .center = {1.3, 0, 0}}, -16, 8, 80};

}  // namespace shoal::testing_support
