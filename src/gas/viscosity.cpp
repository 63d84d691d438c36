// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas/viscosity.hpp>

#include <cmath>
#include <numbers>

#include "collision/setup/collision_setup.hpp"
#include "core/text.hpp"
#include "gas/models/viscosity_law.hpp"

namespace shoal::gas {

namespace {

/// Exact viscosity of hard spheres over the first Sonine approximation.
constexpr double hard_sphere_correction = 1.016034;

void require_positive(const char* name, double value, const char* unit) {
  require(std::isfinite(value) && value > 0, "gas: the ", name, " is ", value, unit, ", expected a positive number.");
}

/// Factor F of λ = F μ / (ρ √T).
/// @param power  exponent of |V| σ_T ~ |V|^power, which is 2 − 2 ω
double path_factor(MeanFreePath definition, double power) {
  const double root = std::sqrt(2 * std::numbers::pi);
  switch (definition) {
    case MeanFreePath::hard_sphere:
      return 16 / (5 * hard_sphere_correction * root);
    case MeanFreePath::bird:
      return 2. / 15 * (3 + power) * (5 + power) / root;
    case MeanFreePath::viscosity:
      break;
  }
  return std::sqrt(std::numbers::pi / 2);
}

}  // namespace

double viscosity(const Molecules& molecules, double temperature) {
  require_positive("temperature", temperature, " m2/s2");
  const collision::CollisionKernel kernel = collision::collision_kernel(molecules);
  const double alpha = kernel.scattering, power = kernel.power;
  const double viscosity_share = 4 * alpha / ((alpha + 1) * (alpha + 2));  // σ_μ / σ_T
  const double omega = std::sqrt(temperature / std::numbers::pi) * viscosity_share * kernel.factor *
                       std::pow(2 * std::sqrt(temperature), power - 1) * std::tgamma((7 + power) / 2) / 2;
  const double correction = molecules.model == MoleculeModel::hard_sphere ? hard_sphere_correction : 1;
  return correction * 5 * temperature / (8 * omega);
}

ViscosityLaw viscosity_law(const Molecules& molecules) {
  const double factor = viscosity(molecules, 1);  // checks the molecules
  return {factor, 1 - collision::collision_kernel(molecules).power / 2};
}

double mean_free_path(MeanFreePath definition, const Molecules& molecules, double density, double temperature) {
  require_positive("density", density, " 1/m3");
  const double power = collision::collision_kernel(molecules).power;
  return path_factor(definition, power) * viscosity(molecules, temperature) / (density * std::sqrt(temperature));
}

Molecules molecules_of_knudsen(MoleculeModel model, MeanFreePath definition, double knudsen, double length,
                               double density, double temperature) {
  require(model == MoleculeModel::maxwell || model == MoleculeModel::hard_sphere,
          "gas: a Knudsen number determines the molecules of maxwell and hard_sphere, got ", to_name(model),
          ". Give their diameter, mass and reference temperature instead.");
  require_positive("Knudsen number", knudsen, "");
  require_positive("length", length, " m");
  Molecules molecules{.model = model, .rate = 1, .diameter = 1};
  const double ratio = mean_free_path(definition, molecules, density, temperature) / (knudsen * length);
  molecules.rate = ratio;
  molecules.diameter = std::sqrt(ratio);
  return molecules;
}

}  // namespace shoal::gas
