// SPDX-License-Identifier: Apache-2.0
// Limiters: the rise of f from the center of a cell to its right face, from the rises that the slopes to the left and to
// the right neighbor give. A struct each.
#pragma once
#include <shoal/gas.hpp>
#include <shoal/item/host_device.hpp>

#include "core/real.hpp"

namespace shoal::gas {

struct NoLimiter {
  template <class Real>
  SHOAL_HD static Real rise(Real, Real) {
    return 0;
  }
};

/// The smaller rise, 0 at extrema.
struct Minmod {
  template <class Real>
  SHOAL_HD static Real rise(Real left, Real right) {
    const Real smaller = (left < 0 ? -left : left) < (right < 0 ? -right : right) ? left : right;
    return left * right > 0 ? smaller : Real(0);
  }
};

/// Harmonic mean, 0 at extrema. Source: van Leer (1974).
struct VanLeer {
  template <class Real>
  SHOAL_HD static Real rise(Real left, Real right) {
    return left * right > 0 ? 2 * left * (right * fast_reciprocal(left + right)) : Real(0);
  }
};

/// Arithmetic mean, at most twice the smaller rise. Source: van Leer (1977).
struct MonotonizedCentral {
  template <class Real>
  SHOAL_HD static Real rise(Real left, Real right) {
    return Minmod::rise((left + right) / 2, 2 * Minmod::rise(left, right));
  }
};

/// Calls `visit` with the struct of a limiter.
template <class Visit>
void with_limiter(GasLimiter limiter, Visit visit) {
  switch (limiter) {
    case GasLimiter::none:
      return visit(NoLimiter{});
    case GasLimiter::minmod:
      return visit(Minmod{});
    case GasLimiter::van_leer:
      return visit(VanLeer{});
    case GasLimiter::mc:
      return visit(MonotonizedCentral{});
  }
}

}  // namespace shoal::gas
