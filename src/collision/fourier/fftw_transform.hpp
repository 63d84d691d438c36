// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fftw3.h>

#include <complex>
#include <memory>

namespace shoal::collision {

/// FFTW's types and functions for float or double.
template <class Real>
struct Fftw;

#define SHOAL_FFTW_FUNCTIONS(Real, prefix)                                                                    \
  template <>                                                                                                 \
  struct Fftw<Real> {                                                                                         \
    using Plan = prefix##_plan;                                                                               \
    using Complex = prefix##_complex;                                                                         \
    static Complex* cast(std::complex<Real>* values) { return reinterpret_cast<Complex*>(values); }           \
    static Plan inverse_plane(int n, Complex* plane) {                                                        \
      return prefix##_plan_dft_2d(n, n, plane, plane, FFTW_BACKWARD, FFTW_ESTIMATE);                          \
    }                                                                                                         \
    static Plan inverse_columns(int n, int count, Complex* columns) {                                         \
      return prefix##_plan_many_dft(1, &n, count, columns, nullptr, count, 1, columns, nullptr, count, 1,     \
                                    FFTW_BACKWARD, FFTW_ESTIMATE);                                            \
    }                                                                                                         \
    static Plan to_spectrum(int n, Real* values, Complex* half) {                                             \
      return prefix##_plan_dft_r2c_3d(n, n, n, values, half, FFTW_ESTIMATE);                                  \
    }                                                                                                         \
    static Plan from_spectrum(int n, Complex* half, Real* values) {                                           \
      return prefix##_plan_dft_c2r_3d(n, n, n, half, values, FFTW_ESTIMATE);                                  \
    }                                                                                                         \
    static void run(Plan plan, Complex* values) { prefix##_execute_dft(plan, values, values); }               \
    static void run(Plan plan, Real* values, Complex* half) { prefix##_execute_dft_r2c(plan, values, half); } \
    static void run(Plan plan, Complex* half, Real* values) { prefix##_execute_dft_c2r(plan, half, values); } \
    static void destroy(Plan plan) { prefix##_destroy_plan(plan); }                                           \
  };
SHOAL_FFTW_FUNCTIONS(float, fftwf)
SHOAL_FFTW_FUNCTIONS(double, fftw)
#undef SHOAL_FFTW_FUNCTIONS

/// Fourier transforms of n³ values on arrays aligned to 64 bytes. FFTW estimates its plans instead of measuring them, for
/// the same plans and bits on every run. Several threads may run transforms at a time.
template <class Real>
class FftwTransform {
 public:
  using Complex = std::complex<Real>;

  explicit FftwTransform(int n);
  ~FftwTransform();
  FftwTransform(const FftwTransform&) = delete;
  FftwTransform& operator=(const FftwTransform&) = delete;

  /// Number of complex values of a half spectrum, in which k along x is 0 to n/2.
  std::int64_t half_count() const { return static_cast<std::int64_t>(n_) * n_ * (n_ / 2 + 1); }

  /// Transforms a plane [n²] of complex values in place; not scaled.
  void inverse_plane(Complex* plane) const { Fftw<Real>::run(inverse_plane_, Fftw<Real>::cast(plane)); }
  /// Transforms columns [n][columns_at_once] along their first axis in place; not scaled.
  void inverse_columns(Complex* columns) const { Fftw<Real>::run(inverse_columns_, Fftw<Real>::cast(columns)); }
  /// Transforms [n³] values to a half spectrum [half_count()]; not scaled. `values` may be overwritten.
  void to_spectrum(Real* values, Complex* half) const { Fftw<Real>::run(to_half_, values, Fftw<Real>::cast(half)); }
  /// Transforms a half spectrum [half_count()], which is overwritten, to [n³] values.
  void from_spectrum(Complex* half, Real* values) const { Fftw<Real>::run(from_half_, Fftw<Real>::cast(half), values); }

 private:
  int n_;
  typename Fftw<Real>::Plan inverse_plane_, inverse_columns_, to_half_, from_half_;
};

}  // namespace shoal::collision
