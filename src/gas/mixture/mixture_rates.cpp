// SPDX-License-Identifier: Apache-2.0
#include "gas/mixture/mixture_rates.hpp"

#include <cmath>
#include <numbers>

#include "collision/mixture/mixture_setup.hpp"

namespace shoal::gas {

namespace {

double square(double x) { return x * x; }

double square_of_difference(const VelocityMoments& a, const VelocityMoments& b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) sum += square(a.velocity[axis] - b.velocity[axis]);
  return sum;
}

/// Share of a species in the mass of a pair.
double mass_share(const Mixture& mixture, std::size_t species) {
  return mixture.species[species].mass / (mixture.species[0].mass + mixture.species[1].mass);
}

/// Kernel of the collisions of one species with another, or with itself.
collision::CollisionKernel pair_kernel(const Mixture& mixture, std::size_t species, std::size_t partner) {
  return collision::collision_kernel(species == partner ? mixture.species[species]
                                                        : collision::unlike_molecules(mixture));
}

/// Mean relative speed of two Maxwellians of equal velocity, m/s.
double mean_relative_speed(double temperature, double partner_temperature) {
  return std::sqrt(8 * (temperature + partner_temperature) / std::numbers::pi);
}

}  // namespace

double exchange_rate(const Mixture& mixture, const SpeciesMoments& cell) {
  const double rate = pair_kernel(mixture, 0, 1).total(mean_relative_speed(cell[0].temperature, cell[1].temperature));
  return (mixture.species[0].model == MoleculeModel::maxwell ? rate : 4. / 3 * rate) / 2;
}

CellState aap_target(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell,
                     NodeFrequency& frequency) {
  const VelocityMoments &own = cell[species], &partner = cell[1 - species];
  const double share = mass_share(mixture, species), partner_share = mass_share(mixture, 1 - species);
  const double exchange = exchange_rate(mixture, cell) * partner.density;
  const double nu = own.density * own.temperature / viscosity(mixture.species[species], own.temperature) + exchange;
  const double factor = 2 * partner_share * exchange / nu;
  CellState target(own);
  for (std::size_t axis = 0; axis < 3; ++axis)
    target.velocity[axis] += factor * (partner.velocity[axis] - own.velocity[axis]);
  const double difference = square_of_difference(own, partner);
  target.temperature +=
      2 * factor * (partner_share * partner.temperature - share * own.temperature + partner_share / 3 * difference) -
      square(factor) * difference / 3;
  frequency = {.rate = nu};
  return target;
}

// The roots of the sum over partners of n σ √(|v − u|² + 3 T) are below one root, of the means of u and of the square, as
// the root is concave.
NodeFrequency mixture_frequency(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell) {
  NodeFrequency bound{};
  double weights[2];
  for (std::size_t partner = 0; partner < 2; ++partner) {
    const collision::CollisionKernel kernel = pair_kernel(mixture, species, partner);
    weights[partner] = kernel.factor * cell[partner].density;
    bound.rate += weights[partner];
    bound.power = kernel.power;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    bound.velocity[axis] = (weights[0] * cell[0].velocity[axis] + weights[1] * cell[1].velocity[axis]) / bound.rate;
  const double first_share = weights[0] / bound.rate, second_share = weights[1] / bound.rate;
  bound.square = 3 * (first_share * cell[0].temperature + second_share * cell[1].temperature) +
                 first_share * second_share * square_of_difference(cell[0], cell[1]);
  return bound;
}

double mean_free_path(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell) {
  const double temperature = cell[species].temperature;
  double frequency = 0;
  for (std::size_t partner = 0; partner < 2; ++partner)
    frequency +=
        cell[partner].density *
        pair_kernel(mixture, species, partner).total(mean_relative_speed(temperature, cell[partner].temperature));
  return std::sqrt(8 * temperature / std::numbers::pi) / frequency;
}

}  // namespace shoal::gas
