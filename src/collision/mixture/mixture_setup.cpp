// SPDX-License-Identifier: Apache-2.0
#include "collision/mixture/mixture_setup.hpp"

#include <cmath>

#include "core/text.hpp"

namespace shoal::collision {

namespace {

const Mixture& checked(const Mixture& mixture, const CollisionOptions& options) {
  require(options.approach == CollisionApproach::spectral, "collision: a mixture needs approach spectral, got ",
          to_name(options.approach), ". Set approach = \"spectral\".");
  check_mixture(mixture);
  return mixture;
}

/// Options of the collisions between two species, whose |V| is at most the sum of the radii of their supports.
CollisionOptions pair_options(const CollisionSetup& whole, const Mixture& mixture, std::size_t first,
                              std::size_t second) {
  const auto radius = [&](std::size_t species) {
    return mixture.support_radius[species] > 0 ? mixture.support_radius[species] : whole.cutoff() / 2;
  };
  CollisionOptions options = whole.options;
  options.cutoff = radius(first) + radius(second);
  if (first != second) options.directions.half = false;
  return options;
}

CollisionSetup pair_setup(const CollisionSetup& whole, const Mixture& mixture, std::size_t first, std::size_t second) {
  return {whole.grid, first == second ? mixture.species[first] : unlike_molecules(mixture),
          pair_options(whole, mixture, first, second)};
}

std::array<double, 2> mass_shares(const Mixture& mixture) {
  const double first = mixture.species[0].mass, second = mixture.species[1].mass;
  return {first / (first + second), second / (first + second)};
}

}  // namespace

void check_mixture(const Mixture& mixture) {
  const MoleculeModel model = mixture.species[0].model;
  for (std::size_t species = 0; species < 2; ++species) {
    const Molecules& molecules = mixture.species[species];
    require(molecules.model == MoleculeModel::maxwell || molecules.model == MoleculeModel::hard_sphere,
            "collision: the molecules of species ", species, " of the mixture are ", to_name(molecules.model),
            ", expected maxwell or hard_sphere.");
    require(molecules.model == model, "collision: a mixture of ", to_name(model), " and ", to_name(molecules.model),
            " molecules, expected one model for both species.");
    require(std::isfinite(molecules.mass) && molecules.mass > 0, "collision: the mass of the molecules of species ",
            species, " is ", molecules.mass, ", but a mixture needs a positive number.");
    const double radius = mixture.support_radius[species];
    require(std::isfinite(radius) && radius >= 0, "collision: support_radius of species ", species, " is ", radius,
            " m/s, expected a positive number, or 0 for half of the cutoff.");
  }
  require(model != MoleculeModel::maxwell || (std::isfinite(mixture.cross_rate) && mixture.cross_rate > 0),
          "collision: cross_rate of the mixture is ", mixture.cross_rate,
          " m3/s, but maxwell needs a positive number.");
  require(std::isfinite(mixture.cross_diameter) && mixture.cross_diameter >= 0,
          "collision: cross_diameter of the mixture is ", mixture.cross_diameter,
          " m, expected a positive number, or 0 for the mean of both diameters.");
}

Molecules unlike_molecules(const Mixture& mixture) {
  Molecules pair = mixture.species[0];
  pair.rate = mixture.cross_rate;
  pair.diameter = mixture.cross_diameter > 0 ? mixture.cross_diameter
                                             : (mixture.species[0].diameter + mixture.species[1].diameter) / 2;
  return pair;
}

MixtureSetup::MixtureSetup(const CollisionSetup& whole, const Mixture& mixture)
    : shares(mass_shares(checked(mixture, whole.options))),
      like{pair_setup(whole, mixture, 0, 0), pair_setup(whole, mixture, 1, 1)},
      unlike(pair_setup(whole, mixture, 0, 1)) {}

}  // namespace shoal::collision
