// SPDX-License-Identifier: Apache-2.0
#include "collision/relaxation/exact_solutions.hpp"

#include <cmath>
#include <numbers>

#include "collision/spectral/gauss_legendre.hpp"

namespace shoal::collision {

double maxwellian_at(double density, double temperature, double c2) {
  return density * std::exp(-c2 / (2 * temperature)) / std::pow(2 * std::numbers::pi * temperature, 1.5);
}

double BkwSolution::k(double time) const { return 1 - amplitude * std::exp(-frequency * time / 6); }

double BkwSolution::distribution(double c2, double time) const {
  const double k_t = k(time), x = c2 / temperature;
  return maxwellian_at(density, k_t * temperature, c2) * ((5 * k_t - 3) / (2 * k_t) + (1 - k_t) * x / (2 * k_t * k_t));
}

double BkwSolution::change(double c2, double time) const {
  const double k_t = k(time), x = c2 / (k_t * temperature), ratio = (1 - k_t) / k_t;
  return frequency / 6 * ratio * ratio * maxwellian_at(density, k_t * temperature, c2) *
         (x * x / 4 - 5 * x / 2 + 15. / 4);
}

EvenMoments BkwSolution::moments(double time) const {
  const double k_t = k(time);
  EvenMoments moments;
  for (std::size_t i = 0; i < even_moment_count; ++i) {
    const auto s = static_cast<double>(i + 1);
    moments[i] = std::pow(temperature, s) * std::pow(k_t, s - 1) * (s - (s - 1) * k_t);
  }
  return moments;
}

double BkwSolution::entropy(double time) const {
  constexpr int points = 200;
  const double farthest = 14 * std::sqrt(temperature);  // where f is below 1e-40 of its peak
  double sum = 0;
  for (const QuadraturePoint& radius : gauss_legendre(points, farthest)) {
    const double f = distribution(radius.x * radius.x, time);
    if (f > 0) sum -= radius.weight * 4 * std::numbers::pi * radius.x * radius.x * f * std::log(f);
  }
  return sum;
}

MaxwellDecay MaxwellDecay::from_moments(const VelocityMoments& moments, double m4, double frequency) {
  MaxwellDecay decay{moments.density, moments.temperature, frequency, {}, 15 * m4};
  for (std::size_t i = 0; i < 6; ++i)
    decay.deviator[i] = moments.stress[i] / moments.density - (i < 3 ? moments.temperature : 0);
  return decay;
}

std::array<double, 6> MaxwellDecay::stress(double time) const {
  std::array<double, 6> stress;
  for (std::size_t i = 0; i < 6; ++i)
    stress[i] = density * ((i < 3 ? temperature : 0) + deviator[i] * std::exp(-frequency * time / 2));
  return stress;
}

double MaxwellDecay::m4(double time) const {
  double square = 0;  // D:D
  for (std::size_t i = 0; i < 6; ++i) square += (i < 3 ? 1 : 2) * deviator[i] * deviator[i];
  const double equilibrium = 15 * temperature * temperature;
  return (equilibrium + (fourth - equilibrium - square / 2) * std::exp(-frequency * time / 3) +
          square / 2 * std::exp(-frequency * time)) /
         15;
}

namespace {

/// Decay rate of the difference of the velocities, s⁻¹.
double drag(const MixtureDecay& gas) {
  return gas.rate * (gas.mass[0] * gas.density[0] + gas.mass[1] * gas.density[1]) / (gas.mass[0] + gas.mass[1]);
}

/// Square of the difference of the velocities at time 0.
double square_of_difference(const MixtureDecay& gas) {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) sum += std::pow(gas.velocity[0][axis] - gas.velocity[1][axis], 2);
  return sum;
}

}  // namespace

std::array<double, 3> MixtureDecay::velocity_at(std::size_t species, double time) const {
  const double share = mass[1 - species] * density[1 - species] / (mass[0] * density[0] + mass[1] * density[1]);
  std::array<double, 3> u = velocity[species];
  for (std::size_t axis = 0; axis < 3; ++axis)
    u[axis] -= share * (velocity[species][axis] - velocity[1 - species][axis]) * -std::expm1(-drag(*this) * time);
  return u;
}

double MixtureDecay::temperature_at(std::size_t species, double time) const {
  const std::size_t partner = 1 - species;
  const double both = mass[0] + mass[1], n = density[0] + density[1];
  const double exchange = 2 * mass[0] * mass[1] / (both * both) * rate, slow = exchange * n, fast = 2 * drag(*this);
  const double w2 = square_of_difference(*this);
  const std::array<double, 2> energy{mass[0] * temperature[0], mass[1] * temperature[1]};
  // Difference of k T of this species and the partner, and k T of both together.
  const double heating = exchange * w2 / 3 * (density[partner] * mass[partner] - density[species] * mass[species]);
  const double meeting = std::abs(fast - slow) < 1e-12 * slow
                             ? time * std::exp(-slow * time)
                             : (std::exp(-slow * time) - std::exp(-fast * time)) / (fast - slow);
  const double difference = (energy[species] - energy[partner]) * std::exp(-slow * time) + heating * meeting;
  const double reduced = mass[0] * density[0] * mass[1] * density[1] / (mass[0] * density[0] + mass[1] * density[1]);
  const double total = density[0] * energy[0] + density[1] * energy[1] + reduced / 3 * w2 * -std::expm1(-fast * time);
  return (total + density[partner] * difference) / n / mass[species];
}

double TwoBeams::distribution(const std::array<double, 3>& v) const {
  double first = 0, second = 0;  // squared distances from the beams
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double c = v[axis] - velocity[axis];
    first += (c - apart[axis]) * (c - apart[axis]);
    second += (c + apart[axis]) * (c + apart[axis]);
  }
  return (maxwellian_at(density, temperature, first) + maxwellian_at(density, temperature, second)) / 2;
}

}  // namespace shoal::collision
