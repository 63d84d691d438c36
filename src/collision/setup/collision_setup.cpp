// SPDX-License-Identifier: Apache-2.0
#include "collision/setup/collision_setup.hpp"

#include <cmath>
#include <numbers>

#include "core/text.hpp"

namespace shoal::collision {

namespace {

constexpr double boltzmann = 1.380649e-23;  // J/K, exact in SI

void require_positive(const char* name, double value, MoleculeModel model) {
  require(std::isfinite(value) && value > 0, "collision: ", name, " of the molecules is ", value, ", but ",
          to_name(model), " needs a positive number.");
}

double hard_sphere_area(double diameter) { return std::numbers::pi * diameter * diameter; }

const VelocityGrid& checked(const VelocityGrid& grid) {
  require(grid.nodes >= 8 && grid.nodes <= 128, "collision: a velocity grid of ", grid.nodes,
          " nodes along each axis, expected 8 to 128.");
  require(std::isfinite(grid.half_width) && grid.half_width > 0, "collision: the half width of the velocity grid is ",
          grid.half_width, " m/s, expected a positive number.");
  for (const double u : grid.center)
    require(std::isfinite(u), "collision: the center of the velocity grid is not finite.");
  return grid;
}

CollisionOptions checked(const CollisionOptions& options, const VelocityGrid& grid) {
  require(options.radii >= 2 && options.radii <= 256, "collision: ", options.radii, " radii, expected 2 to 256.");
  require(std::isfinite(options.cutoff) && options.cutoff >= 0 && options.cutoff <= 2 * grid.half_width,
          "collision: the cutoff is ", options.cutoff, " m/s, expected 0 to ", 2 * grid.half_width,
          " m/s, the width of the box.");
  require(!is_fourier(options.approach) || options.support == CollisionSupport::box,
          "collision: support ball is for approach interpolated or conservative; ", to_name(options.approach),
          " transforms the whole box, and its cutoff is a ball already. Leave support at box.");
  require(options.integration == CollisionIntegration::regular || options.approach == CollisionApproach::interpolated,
          "collision: integration statistical is for approach interpolated, got ", to_name(options.approach),
          ". Leave integration at regular.");
  require(options.samples >= 1, "collision: samples = ", options.samples, ", expected 1 or more for each node.");
  require(options.seed >= 0, "collision: seed = ", options.seed, ", expected 0 or more.");
  return options;
}

/// Square of the largest distance of a stencil's nodes from the nearest node, in spacings.
int stencil_reach2(CollisionStencil stencil) {
  if (stencil == CollisionStencil::five) return 3;
  return stencil == CollisionStencil::seven ? 1 : 2;
}

}  // namespace

CollisionKernel collision_kernel(const Molecules& molecules) {
  const MoleculeModel model = molecules.model;
  if (model == MoleculeModel::maxwell) {
    require_positive("rate", molecules.rate, model);
    return {.factor = molecules.rate, .power = 0, .scattering = 1};
  }
  require_positive("diameter", molecules.diameter, model);
  if (model == MoleculeModel::hard_sphere)
    return {.factor = hard_sphere_area(molecules.diameter), .power = 1, .scattering = 1};
  require_positive("reference_temperature", molecules.reference_temperature, model);
  require_positive("mass", molecules.mass, model);
  const double omega = molecules.viscosity_exponent;
  require(omega >= 0.5 && omega <= 1, "collision: viscosity_exponent of the molecules is ", omega,
          ", expected 0.5 (hard spheres) to 1 (Maxwell).");
  const double alpha = model == MoleculeModel::vss ? molecules.scattering_exponent : 1;
  require(alpha >= 1 && alpha <= 2, "collision: scattering_exponent of the molecules is ", alpha,
          ", expected 1 (isotropic) to 2.");
  const double speed2 = 4 * boltzmann * molecules.reference_temperature / molecules.mass;
  return {.factor = hard_sphere_area(molecules.diameter) * std::pow(speed2, omega - 0.5) / std::tgamma(2.5 - omega),
          .power = 2 - 2 * omega,
          .scattering = alpha};
}

CollisionSetup::CollisionSetup(const VelocityGrid& velocity_grid, const Molecules& molecules,
                               const CollisionOptions& collision_options)
    : grid(checked(velocity_grid)),
      kernel(collision_kernel(molecules)),
      options(checked(collision_options, velocity_grid)),
      directions(shoal::directions(collision_options.directions)) {}

void CollisionSetup::rates_by_square_distance(double* rate) const {
  for (std::int64_t s = 0; s < square_distances(); ++s)
    rate[s] = volume() * kernel.total(spacing() * std::sqrt(static_cast<double>(s)));
}

VelocitySupport CollisionSetup::support() const {
  if (options.support == CollisionSupport::box) return VelocitySupport::box(n());
  const double shrunk_radius = n() - 2 * std::sqrt(stencil_reach2(options.stencil));
  return {n(), n() * n(), static_cast<int>(shrunk_radius * shrunk_radius)};
}

double CollisionSetup::cutoff() const {
  if (options.cutoff > 0) return options.cutoff;
  // spectral: the largest |V| for which periodic images of the box do not overlap. carleman cuts off |v′ − v| instead,
  // along which kernels fall more slowly: a slightly larger cutoff is more accurate (docs/collision.md).
  if (options.approach == CollisionApproach::carleman) return grid.half_width * 7 / 6;
  return 4 * grid.half_width / (3 + std::numbers::sqrt2);
}

}  // namespace shoal::collision
