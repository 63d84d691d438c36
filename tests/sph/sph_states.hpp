// SPDX-License-Identifier: Apache-2.0
// Comparison of states of the same particles.
#pragma once
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sph/physics/state.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::testing_support {

/// Largest differences between two states of the same particles.
struct Difference {
  double position = 0;
  double velocity = 0;
  double density = 0;
  double energy = 0;
};

inline Difference difference(const sph::Fields& a, const sph::Fields& b) {
  EXPECT_EQ(a.id, b.id);
  Difference d;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    d.position = std::max(d.position, std::abs(a.position[i] - b.position[i]));
    d.velocity = std::max(d.velocity, static_cast<double>(std::abs(a.velocity[i] - b.velocity[i])));
  }
  for (std::size_t i = 0; i < a.density.size(); ++i) {
    d.density = std::max(d.density, static_cast<double>(std::abs(a.density[i] - b.density[i])));
    d.energy = std::max(d.energy, static_cast<double>(std::abs(a.energy[i] - b.energy[i])));
  }
  return d;
}

/// State as numbers in the order of ids, for bitwise comparison.
inline std::vector<double> bits_of(const sph::Snapshot& state) {
  std::vector<std::size_t> order(state.id.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[static_cast<std::size_t>(state.id[i])] = i;
  std::vector<double> bits;
  for (const std::size_t i : order) {
    for (int axis = 0; axis < 3; ++axis) {
      if (state.coordinate[axis].empty()) continue;
      bits.push_back(static_cast<double>(state.coordinate[axis][i]));
      bits.push_back(state.velocity[axis][i]);
    }
    bits.push_back(state.density_deviation[i]);
    bits.push_back(state.pressure_over_density2[i]);
    bits.push_back(state.energy[i]);
    if (!state.viscosity.empty()) bits.push_back(state.viscosity[i]);
  }
  return bits;
}

/// Units of the lattice that a spacing of the particles has.
inline std::int64_t units_a_spacing(const sph::Case& simulation) {
  const int bits = simulation.precision == sph::Precision::float_ ? 32 : 64;
  return std::llround(simulation.spacing / sph::make_lattice(simulation, bits).unit);
}

}  // namespace shoal::testing_support
