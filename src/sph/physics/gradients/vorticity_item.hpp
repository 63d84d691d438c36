// SPDX-License-Identifier: Apache-2.0
// Vorticity of a particle of fluid, from the fluid around it.
#pragma once
#include "sph/physics/gradients/velocity_gradient_item.hpp"
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/physics/pairs/separation_item.hpp"

namespace shoal::sph {

/// Adds a particle of fluid to the sums of another one, or of itself, to which it adds nothing. The kernel has the smoothing
/// length of the case.
/// @param volume  of particle j, m³ (2-D: m²)
template <class Real, int dimensions>
SHOAL_HD void add_fluid(const Parameters<Real, dimensions>& parameters, const Particle<Real, dimensions>& i,
                        const Particle<Real, dimensions>& j, double volume,
                        VelocityGradientSums<double, dimensions>& sums) {
  double apart[dimensions], squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    apart[axis] = static_cast<double>(nearest_apart(parameters, i.position, j.position, axis)) *
                  static_cast<double>(parameters.unit);
    squared += apart[axis] * apart[axis];
  }
  if (!(squared < static_cast<double>(parameters.support_squared))) return;
  const double q = std::sqrt(squared) * static_cast<double>(parameters.inverse_smoothing_length);
  double gradient = 0;
  with_kernel(parameters.kernel, [&]<Kernel kernel> { gradient = kernel_gradient<kernel>(q); });
  sums.add(volume * static_cast<double>(parameters.gradient_scale) * gradient, apart,
           [&](int axis) { return static_cast<double>(j.velocity.v[axis]) - static_cast<double>(i.velocity.v[axis]); });
}

/// ω = ∇ × v, 1/s; in 2-D its component along z, on a line zero.
struct Vorticity {
  double along[3];
};

template <int dimensions>
SHOAL_HD Vorticity vorticity(const VelocityGradientSums<double, dimensions>& sums) {
  if constexpr (dimensions == 1) {
    return {};
  } else {
    const VelocityGradient<double, dimensions> gradient = velocity_gradient(sums);
    const auto curl = [&](int u, int v) { return gradient.rate[v][u] - gradient.rate[u][v]; };
    if constexpr (dimensions == 3)
      return {{curl(1, 2), curl(2, 0), curl(0, 1)}};
    else
      return {{0, 0, curl(0, 1)}};
  }
}

}  // namespace shoal::sph
