// SPDX-License-Identifier: Apache-2.0
// Coefficients of the interfaces between fluids.
#pragma once
#include <shoal/item/host_device.hpp>

namespace shoal::sph {

/// Interface of two fluids.
template <class Real>
struct Interface {
  Real coefficient = 0;  ///< σ, N/m; 0: the two have no surface tension
  Real repulsion = 0;    ///< ε of interface_repulsion()
};

/// Interfaces of all pairs of fluids.
template <class Real>
struct TensionTable {
  const Interface<Real>* interfaces;  ///< [materials][materials], symmetric
  int materials;

  SHOAL_HD const Interface<Real>& between(int first, int second) const {
    return interfaces[first * materials + second];
  }
};

}  // namespace shoal::sph
