// SPDX-License-Identifier: Apache-2.0
#include "papers/deposit/deposit_particles.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace shoal::benchmarks {

namespace {

/// Grid of the paper's box of 60 x 50 x 110 m, in which the paper has 330,000 cells of 1 m.
/// @param cells    approximate number of cells
/// @param along_z  divisor of the number of layers
Grid box_grid(double cells, std::int64_t along_z = 1) {
  constexpr double lengths[] = {60, 50, 110};
  const double edge = std::cbrt(lengths[0] * lengths[1] * lengths[2] / cells);
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t step = axis == 2 ? along_z : 1;
    const std::int64_t steps = std::llround(lengths[axis] / edge / static_cast<double>(step));
    grid.cells[axis] = step * std::max<std::int64_t>(1, steps);
    grid.spacing[axis] = lengths[axis] / static_cast<double>(grid.cells[axis]);
  }
  return grid;
}

/// Particles uniform in a part of the grid, each with three values in [0, 1).
DepositParticles scattered(const Grid& grid, std::int64_t particles, const std::array<double, 3>& lower,
                           const std::array<double, 3>& upper) {
  std::mt19937_64 random(1);
  const auto between = [&](double low, double high) {
    std::vector<double> numbers(static_cast<std::size_t>(particles));
    for (double& number : numbers) number = low + static_cast<double>(random() >> 11) * 0x1p-53 * (high - low);
    return numbers;
  };
  DepositParticles made{
      grid, between(lower[0], upper[0]), between(lower[1], upper[1]), between(lower[2], upper[2]), {}};
  for (int value = 0; value < 3; ++value) made.values.push_back(between(0, 1));
  return made;
}

DepositParticles uniform(std::int64_t particles, double cells) {
  const Grid grid = box_grid(cells);
  return scattered(grid, particles, grid.origin, {grid.upper(0), grid.upper(1), grid.upper(2)});
}

DepositParticles packed_bed(std::int64_t particles, double) {
  constexpr double in_a_full_cell = 100;
  const Grid grid = box_grid(2 * static_cast<double>(particles) / in_a_full_cell, 2);
  return scattered(grid, particles, grid.origin, {grid.upper(0), grid.upper(1), grid.upper(2) / 2});
}

DepositParticles one_hot(std::int64_t particles, double cells) {
  const Grid grid = box_grid(cells);
  std::array<double, 3> lower{}, upper{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t middle = grid.cells[axis] / 2;
    lower[axis] = grid.spacing[axis] * static_cast<double>(middle);
    upper[axis] = lower[axis] + grid.spacing[axis];
  }
  return scattered(grid, particles, lower, upper);
}

}  // namespace

std::span<const DepositDistribution> deposit_distributions() {
  static constexpr DepositDistribution distributions[] = {
      {"uniform", "uniform in the box", uniform},
      {"packed_bed",
       "half of the cells empty, about 100 particles in each of the others; cells in proportion to particles",
       packed_bed},
      {"one_hot", "all particles in one cell", one_hot},
  };
  return distributions;
}

}  // namespace shoal::benchmarks
