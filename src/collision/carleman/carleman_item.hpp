// SPDX-License-Identifier: Apache-2.0
// Fourier-Galerkin method in Carleman's variables x = v′ − v, y = v₁′ − v, which are orthogonal. Kernels
//
//     |V| σ = C |V|^a sin^(a − 1)(χ/2)
//
// separate, 4 C |x|^(a − 1). With directions e of weights s_e, which add up to 4π, and |x|, |y| ≤ R
//
//     Q = 2 C Σ_e s_e (IFFT[f̂ φ_e] IFFT[f̂ ψ_e] − f IFFT[f̂ φ_e ψ_e]),    ξ = π k / L
//     φ_e = ∫_−R^R |r|^a exp(i r ξ·e) dr,    ψ_e = 2π R J₁(R s) / s,    s² = |ξ|² − (ξ·e)²
//
// For a = 1 these are hard spheres. For other molecules C is such that ∫ sin²χ |V| σ, and with it the viscosity, is
// that of the molecules: 64π C / ((a + 3)(a + 5)) instead of 8π/3 times the isotropic constant.
// Source: Mouhot and Pareschi (2006), "Fast algorithms for computing the Boltzmann collision operator"; Wu, White,
// Scanlon, Reese and Zhang (2013), "Deterministic numerical solutions of the Boltzmann equation using the fast spectral
// method".
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/fourier/wave_numbers_item.hpp"
#include "collision/setup/collision_setup.hpp"
#include "collision/spectral/gauss_legendre.hpp"

namespace shoal::collision {

/// Factors φ and ψ of a wave number and a direction.
class CarlemanKernel {
 public:
  explicit CarlemanKernel(const CollisionSetup& setup)
      : power_(setup.kernel.power),
        reach_(setup.cutoff() / std::numbers::sqrt2),
        wave_(std::numbers::pi / setup.grid.half_width),
        // r = reach x²: the integrand is smooth in x although r^a is not smooth in r.
        radii_(gauss_legendre(64 + setup.n(), 1)) {
    for (QuadraturePoint& point : radii_) {
      point.weight *= 4 * std::pow(reach_, power_ + 1) * std::pow(point.x, 2 * power_ + 1);
      point.x *= point.x * reach_;
    }
    scale_ = 2 * setup.kernel.factor / (4 * std::numbers::pi) * (power_ + 3) * (power_ + 5) / 24;
  }

  /// Factor 2 C.
  double scale() const { return scale_; }
  /// Radius R of the cutoff.
  double reach() const { return reach_; }

  /// φ(t) at t = ξ·e.
  double along(double t) const {
    if (power_ == 0) return 2 * reach_ * sinc(reach_ * t);
    double sum = 0;
    for (const QuadraturePoint& point : radii_) sum += point.weight * std::cos(point.x * t);
    return sum;
  }
  /// ψ(s).
  double across(double s) const {
    const double x = reach_ * s;
    if (x < 1e-8) return std::numbers::pi * reach_ * reach_;
    // POSIX function: much faster than std::cyl_bessel_j, which some standard libraries lack.
    return 2 * std::numbers::pi * reach_ * reach_ * ::j1(x) / x;
  }

  /// Components of ξ along a direction and across it.
  struct Wave {
    double along;   ///< ξ·e
    double across;  ///< s
  };
  Wave wave(const int* k, const double* e) const {
    double t = 0, square = 0;
    for (int axis = 0; axis < 3; ++axis) {
      t += wave_ * k[axis] * e[axis];
      square += wave_ * wave_ * k[axis] * k[axis];
    }
    return {t, std::sqrt(std::max(0.0, square - t * t))};
  }

 private:
  double power_, reach_, wave_, scale_;
  std::vector<QuadraturePoint> radii_;
};

}  // namespace shoal::collision
