// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <complex>
#include <cstdint>

namespace shoal::collision {

/// Fourier transforms of n³ values by kissfft, line by line along each axis. Several threads may run transforms at a
/// time: each has plans and line buffers of its own, because kissfft's plans hold scratch memory.
template <class Real>
class KissfftTransform {
 public:
  using Complex = std::complex<Real>;

  explicit KissfftTransform(int n) : n_(n) {}

  /// Number of complex values of a half spectrum, in which k along x is 0 to n/2.
  std::int64_t half_count() const { return static_cast<std::int64_t>(n_) * n_ * half_row(); }

  /// Transforms a plane [n²] of complex values in place; not scaled.
  void inverse_plane(Complex* plane) const;
  /// Transforms columns [n][columns_at_once] along their first axis in place; not scaled.
  void inverse_columns(Complex* columns) const;
  /// Transforms [n³] values to a half spectrum [half_count()]; not scaled.
  void to_spectrum(const Real* values, Complex* half) const;
  /// Transforms a half spectrum [half_count()], which is overwritten, to [n³] values.
  void from_spectrum(Complex* half, Real* values) const;

 private:
  int half_row() const { return n_ / 2 + 1; }
  int n_;
};

}  // namespace shoal::collision
