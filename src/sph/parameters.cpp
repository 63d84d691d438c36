// SPDX-License-Identifier: Apache-2.0
#include "sph/parameters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "sph/case_parts.hpp"

namespace shoal::sph {

namespace {

constexpr double pi = std::numbers::pi;

/// W = value_scale · kernel_shape(q).
double value_scale(Kernel kernel, int dimensions, double h) {
  if (kernel == Kernel::wendland_c2) return dimensions == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
  return dimensions == 2 ? 10 / (7 * pi * h * h) : 1 / (pi * h * h * h);
}

}  // namespace

template <class Real>
EosParameters<Real> make_eos(const Material& material) {
  EosParameters<Real> eos{};
  eos.kind = material.equation_of_state;
  eos.density = static_cast<Real>(material.density);
  eos.inverse_density = static_cast<Real>(1 / material.density);
  eos.stiffness = static_cast<Real>(material.density * material.sound_speed * material.sound_speed / material.exponent);
  eos.exponent = static_cast<Real>(material.exponent);
  eos.exponent_is_seven = material.exponent == 7;
  for (int i = 0; i < 3; ++i) eos.compression[i] = static_cast<Real>(material.compression[i]);
  for (int i = 0; i < 2; ++i) eos.tension[i] = static_cast<Real>(material.tension[i]);
  for (int i = 0; i < 2; ++i) eos.heating[i] = static_cast<Real>(material.energy[i] * material.density);
  return eos;
}

double support(const Case& simulation) { return 2 * simulation.smoothing * simulation.spacing; }

Lattice make_lattice(const Case& simulation, int coordinate_bits) {
  // An accepted pair has a rounded r² below support², so its true distance is below support (1 + 5e-7) in float; with
  // this margin such a pair is less than one cell apart along every axis, and no neighbor is missed.
  constexpr double margin = 1 + 1e-6;
  const double edge = support(simulation) * margin;
  const Box domain = domain_of(simulation);

  Lattice lattice{};
  std::int64_t most = 1;
  for (int axis = 0; axis < 3; ++axis) {
    lattice.cells[axis] = 1;
    if (axis >= simulation.dimensions) continue;
    const double length = domain.to[axis] - domain.from[axis];
    const std::int64_t inside = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(length / edge)));
    require(inside < (1 << 20), "sph: the domain is ", inside, " cells of ", edge, " m long, expected at most ",
            1 << 20, ". Enlarge particles.spacing or shrink the domain.");
    lattice.cells[axis] = static_cast<int>(inside) + 2;  // one empty cell at each end: the ring
    lattice.origin[axis] = domain.from[axis] - edge;
    most = std::max<std::int64_t>(most, inside + 2);
  }
  const int cell_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most + 1)));
  // Differences of neighbors must be exact in the arithmetic that uses them: 2^50 for double.
  lattice.bits = std::min(coordinate_bits - 1 - cell_bits, coordinate_bits == 32 ? 28 : 50);
  lattice.unit = std::ldexp(edge, -lattice.bits);
  constexpr int coarsest = 12;
  require(lattice.bits >= coarsest, "sph: a domain of ", most, " cells leaves positions a resolution of only ",
          lattice.unit, " m in float. Set run.precision = \"double\".");
  require(lattice.cell_count() < 2147483647, "sph: the domain has ", lattice.cell_count(),
          " cells, expected fewer than 2147483647. Enlarge particles.spacing or shrink the domain.");
  return lattice;
}

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice) {
  const Scheme& scheme = simulation.scheme;
  const Material& material = simulation.materials.front();
  const double h = simulation.smoothing * simulation.spacing;
  const double c = material.sound_speed;
  const auto real = [](double value) { return static_cast<Real>(value); };

  Parameters<Real, dimensions> p{};
  p.cell_count = static_cast<std::uint32_t>(lattice.cell_count());
  p.unit = real(lattice.unit);
  p.inverse_unit = real(1 / lattice.unit);
  p.bits = lattice.bits;
  for (int axis = 0; axis < dimensions; ++axis) p.cells[axis] = lattice.cells[axis];

  p.kernel = scheme.kernel;
  p.smoothing_length = real(h);
  p.inverse_smoothing_length = real(1 / h);
  p.support_squared = real(4 * h * h);
  p.value_scale = real(value_scale(scheme.kernel, dimensions, h));
  p.gradient_scale = real(value_scale(scheme.kernel, dimensions, h) / (h * h));

  p.mass = real(material.density * std::pow(simulation.spacing, dimensions));
  p.eos = make_eos<Real>(material);
  p.sound_speed = real(c);
  p.viscosity = real(2 * scheme.artificial_viscosity * c * h);
  p.softening = real(0.01 * h * h);
  if (scheme.density_diffusion == DensityDiffusion::molteni)
    p.diffusion_constant = real(2 * scheme.diffusion_coefficient.value_or(0.1) * h * c);
  if (scheme.density_diffusion == DensityDiffusion::ferrari)
    p.diffusion_slope = real(scheme.diffusion_coefficient.value_or(1) * c);
  for (int axis = 0; axis < dimensions; ++axis) p.gravity[axis] = real(scheme.gravity[axis]);

  p.walls = scheme.walls;
  p.repulsion = real(std::pow(h, dimensions) * c * c / 2);
  p.energy = scheme.energy;
  p.by_cfl = scheme.time_step == TimeStep::cfl;
  p.dt = scheme.dt;
  p.cfl = scheme.cfl;
  return p;
}

template EosParameters<float> make_eos(const Material&);
template EosParameters<double> make_eos(const Material&);
template Parameters<float, 2> make_parameters(const Case&, const Lattice&);
template Parameters<float, 3> make_parameters(const Case&, const Lattice&);
template Parameters<double, 2> make_parameters(const Case&, const Lattice&);
template Parameters<double, 3> make_parameters(const Case&, const Lattice&);

}  // namespace shoal::sph
