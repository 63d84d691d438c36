// SPDX-License-Identifier: Apache-2.0
// carleman on the CPU by any library of Fourier transforms; methods/carleman_fftw.cpp has the method notes.
#pragma once
#include <omp.h>

#include "collision/carleman/carleman_tables.hpp"
#include "collision/collision_method.hpp"
#include "collision/fourier/fourier_spectrum.hpp"
#include "collision/setup/work_groups.hpp"
#include "core/cpu_variants.hpp"

namespace shoal::collision {

/// sum[z][k] += weight Re h Im h for columns h[n][columns_at_once], of which `count` are used.
/// @param stride  values between the rows of `sum`
template <class Real>
SHOAL_CPU_VARIANTS void add_factor_products(const Real* h, Real weight, int n, std::int64_t count, std::int64_t stride,
                                            Real* sum) {
  for (int z = 0; z < n; ++z, h += 2 * columns_at_once, sum += stride)
    for (std::int64_t k = 0; k < count; ++k) sum[k] += weight * (h[2 * k] * h[2 * k + 1]);
}

/// @tparam Transform  FftwTransform<Real> or KissfftTransform<Real>
template <class Real, class Transform>
struct CarlemanFourier : CollisionOperator<Real> {
  using Complex = std::complex<Real>;

  const CollisionSetup& setup;
  Scratch& scratch;
  FourierSpectrum<Real, Transform> spectra;
  CarlemanTables<Real> tables;

  CarlemanFourier(const CollisionSetup& setup_, Scratch& scratch_)
      : setup(setup_), scratch(scratch_), spectra(setup_.n()), tables(setup_, setup_.n(), scratch_.queue().threads()) {}

  void evaluate(const Real* f, Real* q) override {
    const std::int64_t nodes = setup.grid.node_count();
    const Transform& transform = spectra.transform();
    ScratchFrame frame(scratch);
    Real* work = frame.array<Real>(nodes).data;
    Complex* half = frame.array<Complex>(transform.half_count()).data;
    Complex* spectrum = frame.array<Complex>(nodes).data;
    spectra.half_spectrum(f, work, half);
    spectra.complete(half, spectrum);

    const int n = setup.n();
    const std::int64_t plane_count = static_cast<std::int64_t>(n) * n, buffer_stride = planes_count(n);
    Complex* buffers = frame.array<Complex>(scratch.queue().threads() * buffer_stride).data;
    sum_work_groups(setup, scratch, nodes, q, [&](int group, Real* group_sum) {
      Complex* buffer = buffers + omp_get_thread_num() * buffer_stride;
      for (std::size_t e = static_cast<std::size_t>(group); e < setup.directions.point.size(); e += work_groups) {
        const Complex* kernel = direction_factors(e);
        const auto multiply_plane = [&](int z, Complex* plane) {
          for (std::int64_t i = 0, at = z * plane_count; i < plane_count; ++i, ++at)
            plane[i] = multiply(spectrum[at], kernel[at]);
        };
        const auto add_columns = [&](std::int64_t first, std::int64_t count, const Complex* columns) {
          add_factor_products(reinterpret_cast<const Real*>(columns), tables.weights[e], n, count, plane_count,
                              group_sum + first);
        };
        inverse_by_planes(transform, n, buffer, multiply_plane, add_columns);
      }
    });
    const Complex* loss = direction_factors(setup.directions.point.size());
    spectra.for_each_of_half(
        [&](std::int64_t i, int x, int y, int z) { half[i] *= loss[(z * setup.n() + y) * setup.n() + x].real(); });
    transform.from_spectrum(half, work);
    for (std::int64_t i = 0; i < nodes; ++i) q[i] -= f[i] * work[i];
  }

 private:
  /// Factors of a direction, [nodes³]; those of the loss follow the last direction.
  const Complex* direction_factors(std::size_t direction) const {
    return tables.factors.data() + direction * static_cast<std::size_t>(setup.grid.node_count());
  }
  /// Product without the special treatment of infinities by std::complex.
  static Complex multiply(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }
};

}  // namespace shoal::collision
