// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/collision_cases.hpp"

namespace shoal::testing_support {

/// Methods that evaluate collisions in mixtures.
inline std::vector<MethodInfo> mixture_methods() {
  std::vector<MethodInfo> infos;
  for (const collision::CollisionMethod& method : collision::collision_method_table())
    if (method.cross.for_double != nullptr) infos.push_back(method_info("collision", method));
  return infos;
}

inline CollisionOptions spectral_options(int degree, int radii) {
  return {.approach = CollisionApproach::spectral, .directions = {.degree = degree}, .radii = radii};
}

/// Mixtures with a mass ratio of 2, with collision frequencies of about 1 for n = 1 and k T = 1.
inline std::vector<Mixture> every_mixture() {
  Mixture maxwell({.rate = 1, .mass = 1}, {.rate = 0.7, .mass = 0.5});
  maxwell.cross_rate = 0.8;
  const Molecules sphere{.model = MoleculeModel::hard_sphere, .diameter = 0.4, .mass = 1};
  Molecules light = sphere;
  light.diameter = 0.3;
  light.mass = 0.5;
  return {maxwell, Mixture(sphere, light)};
}

/// Mixture of two gases of the same molecules.
inline Mixture equal_molecules(Molecules molecules) {
  molecules.mass = 1;
  Mixture mixture(molecules, molecules);
  mixture.cross_rate = molecules.rate;
  return mixture;
}

/// Density, velocity and k T of a Maxwellian.
struct GasOfMixture {
  double density;
  std::array<double, 3> velocity;
  double energy;  ///< k T, in the unit of mass of the molecules times m²/s²

  double f(double x, double y, double z, double mass) const {
    const double c[3] = {x - velocity[0], y - velocity[1], z - velocity[2]};
    return density * gaussian(c[0] * c[0] + c[1] * c[1] + c[2] * c[2], energy / mass);
  }
};

/// Maxwellians of both gases.
struct MixtureStates {
  std::array<GasOfMixture, 2> gas;

  /// @return  [2][nodes]
  std::vector<double> on(const VelocityGrid& grid, const Mixture& mixture) const {
    std::vector<double> both;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::vector<double> f = at_nodes<double>(
          grid, [&](double x, double y, double z) { return gas[k].f(x, y, z, mixture.species[k].mass); });
      both.insert(both.end(), f.begin(), f.end());
    }
    return both;
  }
};

inline MixtureStates different_states() { return {{{{1, {0.2, 0, -0.1}, 1}, {0.6, {-0.3, 0.1, 0.2}, 0.7}}}}; }
inline MixtureStates equilibrium_states() { return {{{{1, {0.1, 0, -0.1}, 0.8}, {0.6, {0.1, 0, -0.1}, 0.8}}}}; }

/// States of two gases of equal molecules.
inline std::vector<double> two_states(const VelocityGrid& grid, const Molecules& molecules) {
  return different_states().on(grid, equal_molecules(molecules));
}

/// Q of a mixture on the host.
template <class Real>
std::vector<Real> mixed(const Queue& queue, const VelocityGrid& grid, const Mixture& mixture,
                        const CollisionOptions& options, const std::vector<Real>& f) {
  Collision<Real> collision(queue, grid, mixture, options);
  const Array<Real> device_f = to_device(queue, f);
  Array<Real> q(queue, device_f.count());
  collision.evaluate(device_f, q);
  return to_host(queue, q);
}

inline std::vector<double> mixed_by_serial(const VelocityGrid& grid, const Mixture& mixture, CollisionOptions options,
                                           const std::vector<double>& f) {
  options.method = "serial";
  return mixed(Queue::cpu(1), grid, mixture, options, f);
}

/// Sum of both species of [2][nodes].
inline std::vector<double> sum_of_species(const std::vector<double>& both) {
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2);
  std::vector<double> sum(both.begin(), middle);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += middle[static_cast<std::ptrdiff_t>(i)];
  return sum;
}

/// The same with species 1 first.
inline std::vector<double> exchanged(std::vector<double> both) {
  std::rotate(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(both.size() / 2), both.end());
  return both;
}
inline Mixture exchanged(Mixture mixture) {
  std::swap(mixture.species[0], mixture.species[1]);
  std::swap(mixture.support_radius[0], mixture.support_radius[1]);
  return mixture;
}

/// Cells of a mixture, each [2][nodes], as [2][cells × nodes].
inline std::vector<double> cells_of_both(const std::vector<std::vector<double>>& cells) {
  std::vector<double> arrays;
  for (const std::ptrdiff_t species : {0, 1})
    for (const std::vector<double>& cell : cells) {
      const auto nodes = static_cast<std::ptrdiff_t>(cell.size() / 2);
      arrays.insert(arrays.end(), cell.begin() + species * nodes, cell.begin() + (species + 1) * nodes);
    }
  return arrays;
}

/// Rates of change of a mixture of one cell: sums over the nodes times spacing³.
struct MixtureRates {
  std::array<double, 2> mass;                     ///< ∫ Q of each species
  std::array<std::array<double, 3>, 2> momentum;  ///< m ∫ v Q
  std::array<double, 2> energy;                   ///< m/2 ∫ v² Q
  double transferred;                             ///< Σ m/2 ∫ v² |Q|

  /// Largest amount that is not conserved.
  double defect() const {
    double largest = std::max({std::abs(mass[0]), std::abs(mass[1]), std::abs(energy[0] + energy[1])});
    for (std::size_t axis = 0; axis < 3; ++axis)
      largest = std::max(largest, std::abs(momentum[0][axis] + momentum[1][axis]));
    return largest;
  }
};

/// @param q  [2][nodes]
inline MixtureRates mixture_rates(const VelocityGrid& grid, const Mixture& mixture, const std::vector<double>& q) {
  MixtureRates rates{};
  const auto nodes = static_cast<std::ptrdiff_t>(q.size() / 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto first = q.begin() + static_cast<std::ptrdiff_t>(k) * nodes;
    std::vector<double> values(first, first + nodes);
    const double mass = mixture.species[k].mass;
    const auto energy = [mass](double x, double y, double z) { return mass / 2 * (x * x + y * y + z * z); };
    rates.mass[k] = integral(grid, values, [](double, double, double) { return 1.0; });
    rates.momentum[k] = {integral(grid, values, [mass](double x, double, double) { return mass * x; }),
                         integral(grid, values, [mass](double, double y, double) { return mass * y; }),
                         integral(grid, values, [mass](double, double, double z) { return mass * z; })};
    rates.energy[k] = integral(grid, values, energy);
    for (double& value : values) value = std::abs(value);
    rates.transferred += integral(grid, values, energy);
  }
  return rates;
}

}  // namespace shoal::testing_support
