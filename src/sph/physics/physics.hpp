// SPDX-License-Identifier: Apache-2.0
// What a loop over pairs is compiled for. Most runs are of one fluid with artificial viscosity in a tank that stands
// still: their loops have nothing else in them. All other choices share loops that ask, for every pair, what the case
// wants; the answer is the same for all threads of a launch.
#pragma once
#include "sph/physics/kernel_item.hpp"
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// One fluid of constant sound speed and smoothing length, artificial viscosity, diffusion ferrari or molteni, walls
/// that stand still and along which fluid slips, an open domain.
template <Kernel kernel>
struct PlainPhysics {
  static constexpr bool full = false;

  template <class Parameters, class Real>
  SHOAL_HD static Real shape(const Parameters&, Real q) {
    return kernel_shape<kernel>(q);
  }
  template <class Parameters, class Real>
  SHOAL_HD static Real slope(const Parameters&, Real q) {
    return kernel_slope<kernel>(q);
  }
};

/// Everything that a case can say.
struct FullPhysics {
  static constexpr bool full = true;

  template <class Parameters, class Real>
  SHOAL_HD static Real shape(const Parameters& parameters, Real q) {
    return with_kernel(parameters.kernel, [&]<Kernel kernel> { return kernel_shape<kernel>(q); });
  }
  template <class Parameters, class Real>
  SHOAL_HD static Real slope(const Parameters& parameters, Real q) {
    return with_kernel(parameters.kernel, [&]<Kernel kernel> { return kernel_slope<kernel>(q); });
  }
};

/// Whether a case needs full physics.
bool needs_full_physics(const Case& simulation);

/// Calls visit.operator()<Physics>() for the physics of a run.
template <class Real, int dimensions, class Visit>
auto with_physics(const Parameters<Real, dimensions>& parameters, const Visit& visit) {
  if constexpr (dimensions > 1) {
    if (!parameters.full && parameters.kernel == Kernel::wendland_c2)
      return visit.template operator()<PlainPhysics<Kernel::wendland_c2>>();
    if (!parameters.full) return visit.template operator()<PlainPhysics<Kernel::cubic_spline>>();
  }
  return visit.template operator()<FullPhysics>();
}

}  // namespace shoal::sph
